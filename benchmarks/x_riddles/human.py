"""Human accuracy and familiarity: lists of questions that people fill in, and what comes back (X-Riddles §4.2).

All xiehouyu are split at random into 17 lists; each list has two catch trials, whose right answer is
printed in them. A participant fills one list: a letter a row, and how familiar the xiehouyu is from 1
(never seen) to 4 (very familiar). Whoever misses a catch trial is left out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from apun.errors import DataError, UsageError
from apun.readers.choice import LETTERS, choice
from apun.scores import Score
from apun.sheets import read_sheet, write_sheet
from apun.tasks import Conditions
from benchmarks.x_riddles.distractors import WRONG
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.matching import NAME, SPLITS, options_of

LISTS, CATCH = 17, 2
COLUMNS = ("row", "riddle", *LETTERS, "answer", "familiarity")
KEY = "key.json"
_CATCH_RIDDLES = ("本题用来确认您在认真作答，请选第{}个", "请不要思考，直接选第{}个")


@dataclass(frozen=True, slots=True)
class Trial:
    """One answer of one participant.

    Attributes:
        participant: name of the sheet, or what its column ``participant`` says.
        item: id of the xiehouyu.
        correct: whether the answer is right; an empty answer is wrong.
        familiarity: 1-4, or None where it was left empty.
    """

    participant: str
    item: str
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
    generator = random.Random(f"lists:{seed}")
    generator.shuffle(usable)
    folder.mkdir(parents=True, exist_ok=True)
    conditions = Conditions(modality="text", seed=seed)
    key: dict[str, dict[str, Any]] = {}
    paths = []
    for number in range(lists):
        name = f"list{number + 1:02d}"
        rows = [_row(item, conditions) for item in usable[number::lists]]
        rows += [_catch_row(which, generator) for which in range(catch)]
        generator.shuffle(rows)
        key[name] = {}
        for place, row in enumerate(rows, start=1):
            row["row"] = f"{name}-{place:03d}"
            key[name][row["row"]] = {"item": row.pop("item"), "right": row.pop("right")}
        paths.append(folder / f"{name}{suffix}")
        write_sheet(paths[-1], COLUMNS, rows)
    (folder / KEY).write_text(json.dumps(key, ensure_ascii=False, indent=1), encoding="utf-8")
    return paths


def _row(item: Riddle, conditions: Conditions) -> dict[str, Any]:
    shown = [text for text, _ in options_of(item, conditions, literal=False)]
    return {
        "riddle": item.riddle,
        **dict(zip(LETTERS, shown, strict=True)),
        "item": item.id,
        "right": LETTERS[shown.index(item.intended)],
    }


def _catch_row(which: int, generator: random.Random) -> dict[str, Any]:
    right = generator.randrange(len(LETTERS))
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
    key = _read_key(key_file)
    trials: list[Trial] = []
    excluded: dict[str, str] = {}
    for sheet in sheets:
        answers, participant = _read_one(sheet, key)
        missed = [row for row, (_, right, answer, _) in answers.items() if right is None and answer is False]
        if missed:
            excluded[participant] = missed[0]
            continue
        trials += [
            Trial(participant, item, bool(answer), familiarity)
            for item, right, answer, familiarity in answers.values()
            if right is not None and item is not None
        ]
    return Human(tuple(trials), excluded)


def _read_key(path: Path) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    try:
        key = json.loads(path.read_text(encoding="utf-8"))
        for rows in key.values():
            for entry in rows.values():
                assert entry["right"] in LETTERS and "item" in entry
    except FileNotFoundError as error:
        raise DataError("no such key", file=path, fix="It was written beside the lists.") from error
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError) as error:
        raise DataError("is not the key of such lists", file=path) from error
    return key  # type: ignore[no-any-return]


_Answers = dict[str, tuple[str | None, str | None, bool, int | None]]


def _read_one(sheet: Path, key: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> tuple[_Answers, str]:
    """Answers by row: item (None for a catch trial), right letter (None likewise), correct, familiarity."""
    answers: _Answers = {}
    participant = sheet.stem
    name = ""
    for row in read_sheet(sheet, required=("row", "answer", "familiarity"), optional=(*COLUMNS, "participant")):
        label = row.values["row"]
        name = name or label.split("-")[0]
        entry = key.get(name, {}).get(label)
        if entry is None or label in answers:
            problem = f"{label!r} is {'given twice' if entry else 'no row of this list'}"
            raise DataError(problem, file=sheet, line=row.line, field="row", fix="Do not change the row names.")
        participant = row.values.get("participant") or participant
        answer = _letter(row.values["answer"], sheet, row.line)
        right = answer == entry["right"]
        familiarity = _familiarity(row.values["familiarity"], sheet, row.line)
        answers[label] = (entry["item"], entry["right"] if entry["item"] else None, right, familiarity)
    if missing := sorted(set(key.get(name, {})) - set(answers)):
        raise DataError(f"lacks the row {missing[0]}", file=sheet, field="row", fix="Every row must be kept.")
    return answers, participant


def _letter(value: str, sheet: Path, line: int) -> str:
    if not value.strip():
        return ""
    place = choice(value.upper(), LETTERS).value
    if place is None:
        raise DataError(f"{value!r} is no option", file=sheet, line=line, field="answer", fix="Write A, B, C or D.")
    return LETTERS[place]


def _familiarity(value: str, sheet: Path, line: int) -> int | None:
    if not value.strip():
        return None
    if value not in ("1", "2", "3", "4"):
        raise DataError(
            f"{value!r} is no rating", file=sheet, line=line, field="familiarity", fix="Write 1, 2, 3 or 4."
        )
    return int(value)


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
        right = float(trial.correct)
        statistics = {"n": 1.0, "correct": right}
        for split in SPLITS:
            inside = item.type == "homophonic" and item.split == split
            statistics |= {f"{split}_n": float(inside), f"{split}_correct": right * inside}
            statistics |= {f"{split}_counted": 0.0, f"{split}_tokens": 0.0}
        scores.append(
            Score(
                question=f"{NAME}/{item.id}/human.{trial.participant}",
                item=item.id,
                cluster=item.cluster,
                task=NAME,
                variant="human",
                status="scored",
                statistics=statistics,
                labels={"type": item.type, "split": item.split, "match": item.match or "none", "origin": item.origin},
            )
        )
    return scores
