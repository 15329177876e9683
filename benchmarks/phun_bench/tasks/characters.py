"""Single characters and their sounds: char2pinyin (§3.3), char2char and pinyin2char (§E.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from apun import draws
from apun.asking import Case, item_of
from apun.phonetics.mandarin import all_readings, marked
from apun.prompts import MAIN
from apun.readers.reading import pinyin
from apun.readers.word import characters
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, ratio
from benchmarks.phun_bench import solver
from benchmarks.phun_bench.items import TIERS, CharItem, GroupItem
from benchmarks.phun_bench.tasks import ACCURACY, by, case, heard, kind, task, written

FULL = 5  # characters that are asked for


def score_reading(question: Question, reply: Reply) -> Score:
    """Right when syllable and tone agree; ``letters`` and ``tone`` say what was right apart."""
    item = item_of(question, CharItem)
    found = reply.read(lambda text: pinyin(text).value)
    one = found[0] if found is not None and len(found) == 1 else None
    gold = item.syllable
    statistics = {
        "correct": float(one == gold),
        "letters": float(one is not None and one.letters == gold.letters),
        "tone": float(one is not None and one.tone == gold.tone),
    }
    parsed = None if found is None else marked(found)
    labels = {"stratum": item.stratum, "tier": item.tier}
    return Score.of(question, reply, parsed, statistics, labels, gold=gold.pinyin)


def score_characters(question: Question, reply: Reply) -> Score:
    """A fifth for each of the first five entries that is a new character of the sound, other than the one asked."""
    item = item_of(question, GroupItem)
    found = reply.read(lambda text: characters(text).value)
    right = [question.prompt.fields.get("query", "")]
    for entry in (found or [])[:FULL]:
        if entry not in right and item.syllable in all_readings(entry):
            right.append(entry)
    share = (len(right) - 1) / FULL
    statistics = {"share": share, "perfect": float(share == 1)}
    labels = {"stratum": item.stratum}
    return Score.of(question, reply, found, statistics, labels, right=right[1:], gold=item.syllable.pinyin)


def query(item: GroupItem, conditions: Conditions) -> str:
    """The character of a group that char2char shows; drawn by seed and item. By ear there is none."""
    if conditions.modality == "audio":
        return ""
    drawn = int.from_bytes(draws.rank(f"query:{conditions.seed}", item.id)[:4], "big")
    return item.chars[drawn % len(item.chars)]


def _of_character(items: Sequence[Any], conditions: Conditions, variant: str) -> Iterator[Case]:
    for item in items:
        if isinstance(item, GroupItem):
            char = query(item, conditions)
            yield case(item, "char2char", conditions, clips=(MAIN,), texts={MAIN: char}, query=char)


def _perfect_reading(question: Question) -> str:
    return solver.as_json(answer=item_of(question, CharItem).syllable.pinyin)


def _perfect_characters(question: Question) -> str:
    shown = question.prompt.fields.get("query")
    return solver.as_json(answer=[char for char in item_of(question, GroupItem).chars if char != shown][:FULL])


_METRICS = (ratio("accuracy", "Accuracy", "share"), ratio("perfect", "All five", "perfect"))

CHAR2PINYIN = task(
    "char2pinyin",
    "A character's pinyin, in three tiers of commonness (§3.3)",
    heard("char2pinyin", kind(CharItem)),
    score_reading,
    (
        ACCURACY,
        *by("accuracy.tier", "tier", TIERS),
        ratio("letters", "Letters", "letters"),
        ratio("tone", "Tone", "tone"),
    ),
    solver.char2pinyin,
    _perfect_reading,
)
CHAR2CHAR = task(
    "char2char",
    "Five characters that sound like a character (§E.2)",
    _of_character,
    score_characters,
    _METRICS,
    solver.chars_of_sound,
    _perfect_characters,
)
PINYIN2CHAR = task(
    "pinyin2char",
    "Five characters of a syllable (§E.2)",
    written("pinyin2char", kind(GroupItem), lambda item: {"pinyin": item.syllable.pinyin}),
    score_characters,
    _METRICS,
    solver.chars_of_sound,
    _perfect_characters,
    by_ear=False,
)
