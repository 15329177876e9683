"""Human accuracy and familiarity: lists of questions that people fill in, and what comes back (X-Riddles §4.2).

All xiehouyu are split at random into 17 lists; each list has two catch trials, whose right answer is
printed in them. A participant fills one list: a letter a row, and how familiar the xiehouyu is from 1
(never seen) to 4 (very familiar). Whoever misses a catch trial is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from apun.draws import generator
from apun.errors import DataError, UsageError
from apun.paths import write_atomic
from apun.prompts import Prompt
from apun.readers.choice import LETTERS, choice
from apun.records import Record, read, read_keyed
from apun.replies import Reply
from apun.scores import Score
from apun.sheets import write_sheet
from apun.tasks import Conditions, Question
from benchmarks.x_riddles.distractors import WRONG
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.tasks import labels_of
from benchmarks.x_riddles.tasks.matching import NAME, options_of, statistics

LISTS, CATCH = 17, 2
COLUMNS = ("row", "riddle", *LETTERS, "answer", "familiarity")
KEY = "key.json"
_CATCH_RIDDLES = ("本题用来确认您在认真作答，请选第{}个", "请不要思考，直接选第{}个")


@dataclass(frozen=True, slots=True)
class Trial:
    """One answer of one participant.

    Attributes:
        participant: name of the sheet, or what its column ``participant`` says.
        item: id of the xiehouyu; empty for a catch trial.
        answer: the letter, empty where none was given.
        correct: whether the answer is right; an empty answer is wrong.
        familiarity: 1-4, or None where it was left empty.
    """

    participant: str
    item: str
    answer: str
    correct: bool
    familiarity: int | None


@dataclass(frozen=True, slots=True)
class Human:
    """What came back.

    Attributes:
        trials: answers of the participants that passed every catch trial.
        excluded: participants that did not, with the row they missed.
    """

    trials: tuple[Trial, ...]
    excluded: Mapping[str, str]

    def familiarity(self) -> dict[str, float]:
        """Mean familiarity by item, where it was rated."""
        rated: dict[str, list[int]] = {}
        for trial in self.trials:
            if trial.familiarity is not None:
                rated.setdefault(trial.item, []).append(trial.familiarity)
        return {item: sum(values) / len(values) for item, values in rated.items()}


def write_lists(
    items: Sequence[Riddle],
    folder: Path,
    *,
    seed: int = 0,
    lists: int = LISTS,
    catch: int = CATCH,
    suffix: str = ".xlsx",
) -> list[Path]:
    """Write the lists and their key.

    Args:
        items: xiehouyu with candidates for wrong options.
        folder: gets ``list01…`` and ``key.json``, which stays with the experimenter.
        seed: of the split, the options and the order.
        lists: number of lists.
        catch: catch trials in each.
        suffix: ``.xlsx`` or ``.csv``.

    Returns:
        The lists' paths.

    Raises:
        UsageError: fewer items than lists.
    """
    usable = sorted((item for item in items if len(item.distractors) >= WRONG), key=lambda item: item.id)
    if lists < 1 or catch < 0 or len(usable) < lists:
        raise UsageError(f"{len(usable)} xiehouyu cannot be split into {lists} lists with {catch} catch trials")
    rng = generator(f"lists:{seed}")
    rng.shuffle(usable)
    folder.mkdir(parents=True, exist_ok=True)
    conditions = Conditions(modality="text", seed=seed)
    key: dict[str, dict[str, Any]] = {}
    paths = []
    for number in range(lists):
        name = f"list{number + 1:02d}"
        rows = [_row(item, conditions) for item in usable[number::lists]]
        rows += [_catch_row(which, rng) for which in range(catch)]
        rng.shuffle(rows)
        key[name] = {}
        for place, row in enumerate(rows, start=1):
            row["row"] = f"{name}-{place:03d}"
            key[name][row["row"]] = {"item": row.pop("item"), "right": row.pop("right")}
        paths.append(folder / f"{name}{suffix}")
        write_sheet(paths[-1], COLUMNS, rows)
    write_atomic(folder / KEY, json.dumps(key, ensure_ascii=False, indent=1))
    return paths


def _row(item: Riddle, conditions: Conditions) -> dict[str, Any]:
    shown = [text for text, _ in options_of(item, conditions)]
    return {
        "riddle": item.riddle,
        **dict(zip(LETTERS, shown, strict=True)),
        "item": item.id,
        "right": LETTERS[shown.index(item.intended)],
    }


def _catch_row(which: int, rng: Random) -> dict[str, Any]:
    right = rng.randrange(len(LETTERS))
    return {
        "riddle": _CATCH_RIDDLES[which % len(_CATCH_RIDDLES)].format("一二三四"[right]),
        **{letter: f"第{number}个" for letter, number in zip(LETTERS, "一二三四", strict=True)},
        "item": None,
        "right": LETTERS[right],
    }


def read_lists(sheets: Sequence[Path], key_file: Path) -> Human:
    """Read what participants filled in; one sheet a participant.

    A column ``participant`` may name them; otherwise the file's name does.

    Raises:
        DataError: names the sheet, row and field: an unknown row, an answer that is no letter, a
            familiarity outside 1-4, a sheet that lacks rows of its list.
    """
    key = {record.key: _rows_of(record) for record in read_keyed(key_file)}
    trials: list[Trial] = []
    excluded: dict[str, str] = {}
    for sheet in sheets:
        given = _read_one(sheet, key)
        missed = next((row for row, trial in given.items() if not trial.item and not trial.correct), None)
        if missed is not None:
            excluded[given[missed].participant] = missed
        else:
            trials += [trial for trial in given.values() if trial.item]
    return Human(tuple(trials), excluded)


def _rows_of(record: Record) -> Mapping[str, Mapping[str, Any]]:
    """One list of the key: item and right letter of each row."""
    for row, entry in record.values.items():
        if not isinstance(entry, dict) or "item" not in entry or entry.get("right") not in tuple(LETTERS):
            raise record.fault("is not the key of such lists", row)
    return record.values


def _read_one(sheet: Path, key: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, Trial]:
    """The trials of one sheet by row."""
    found: dict[str, Trial] = {}
    participant = sheet.stem
    name = ""
    for record in read(sheet, ("row", "answer", "familiarity"), (*COLUMNS, "participant")):
        label = record.values["row"]
        name = name or label.split("-")[0]
        entry = key.get(name, {}).get(label)
        if entry is None or label in found:
            problem = f"{label!r} is {'given twice' if entry else 'no row of this list'}"
            raise record.fault(problem, "row", "Do not change the row names.")
        participant = record.text("participant", participant)
        answer = _letter(record)
        rated = record.one_of("familiarity", ("1", "2", "3", "4"), "")
        item = entry["item"] or ""
        found[label] = Trial(participant, item, answer, answer == entry["right"], int(rated) if rated else None)
    if missing := sorted(set(key.get(name, {})) - set(found)):
        raise DataError(f"lacks the row {missing[0]}", file=sheet, field="row", fix="Every row must be kept.")
    return {row: replace(trial, participant=participant) for row, trial in found.items()}


def _letter(record: Record) -> str:
    value = record.text("answer", "")
    if not value:
        return ""
    place = choice(value.upper(), LETTERS).value
    if place is None:
        raise record.fault(f"{value!r} is no option", "answer", "Write A, B, C or D.")
    return LETTERS[place]


def with_familiarity(items: Sequence[Riddle], human: Human) -> list[Riddle]:
    """The items with their mean human familiarity, which decides high and low."""
    means = human.familiarity()
    return [replace(item, familiarity=means.get(item.id, item.familiarity)) for item in items]


def human_scores(items: Sequence[Riddle], human: Human) -> list[Score]:
    """Participants' answers as scores of the matching task, for the same tables as models'."""
    by_id = {item.id: item for item in with_familiarity(items, human)}
    scores = []
    for trial in human.trials:
        item = by_id.get(trial.item)
        if item is None:
            raise DataError(f"the lists hold {trial.item!r}, which is not among the items", field="item")
        name = f"{NAME}/{item.id}/human.{trial.participant}"
        question = Question(name, NAME, item, "human", Prompt(name, NAME, ()))
        reply = Reply("ok", trial.answer, trial.answer)
        numbers = statistics(item, trial.correct, None)
        scores.append(Score.of(question, reply, trial.answer, numbers, labels_of(item)))
    return scores
