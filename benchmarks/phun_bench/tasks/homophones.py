"""The chengyu behind meaningless characters of its sound, at once, in its two steps (§4.2.1, §5.2.2), and dictated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apun.asking import Case
from apun.phonetics.mandarin import han, marked
from apun.prompts import MAIN
from apun.readers.reading import pinyin
from apun.readers.word import chinese_word
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, ratio
from benchmarks.phun_bench import solver
from benchmarks.phun_bench.items import HOMOPHONE, HomophoneItem, PunItem, Reading
from benchmarks.phun_bench.speaking import ASK, WHOLE
from benchmarks.phun_bench.tasks import (
    ACCURACY,
    ANY,
    PERTURBATION,
    SPOKEN_DEFAULT,
    case,
    form_of,
    heard,
    task,
    written,
)

READING = (ACCURACY, ratio("syllables", "Syllables", "share"))
SPOKEN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "clips": ("dictation", (MAIN,)),
    "whole": ("dictation_whole", (WHOLE,)),
    "clips_only": ("dictation_clips_only", (ASK, MAIN)),
}


def score_word(question: Question, reply: Reply) -> Score:
    """Right when the word is the target; ``any`` when it is another real chengyu of the target's sound."""
    item = _item(question)
    found = reply.read(lambda text: chinese_word(text, len(item.target)).value)
    exact = found == han(item.target)
    other = found is not None and found in getattr(item, "alternatives", ())
    statistics = {"correct": float(exact), "any": float(exact or other)}
    return Score.of(question, reply, found, statistics, {"stratum": item.stratum}, gold=item.target)


def score_reading(question: Question, reply: Reply) -> Score:
    """Right when every syllable is; ``share`` is the mean over syllables, none where their number is wrong."""
    item = _item(question)
    gold = item.reading
    found = reply.read(lambda text: pinyin(text).value)
    if found is not None and len(found) != len(gold) and _run_together(found) == _run_together(gold):
        found = gold  # written without spaces, where the letters can be cut in two ways
    same = 0
    if found is not None and len(found) == len(gold):
        same = sum(a == b for a, b in zip(found, gold, strict=True))
    statistics = {"correct": float(same == len(gold)), "share": same / len(gold)}
    parsed = None if found is None else marked(found)
    return Score.of(question, reply, parsed, statistics, {"stratum": item.stratum}, gold=marked(gold))


def _run_together(syllables: Reading) -> str:
    return "".join(syllable.pinyin for syllable in syllables)


def _item(question: Question) -> HomophoneItem | PunItem:
    """Both kinds have a word to find and its reading."""
    assert isinstance(question.item, HomophoneItem | PunItem)
    return question.item


def perfect_word(question: Question) -> str:
    """The word."""
    return solver.as_json(answer=_item(question).target)


def perfect_reading(question: Question) -> str:
    """The reading with tone marks."""
    return solver.as_json(answer=marked(_item(question).reading))


def _homophone(item: Any, conditions: Conditions) -> bool:
    return isinstance(item, HomophoneItem) and item.perturbation == HOMOPHONE


def _perturbed(item: Any, conditions: Conditions) -> bool:
    """Homophone Recall proper, or one of the release's legacy quasi-homophone sets (text only)."""
    wanted = HOMOPHONE if conditions.modality == "audio" else PERTURBATION.of(conditions)
    return isinstance(item, HomophoneItem) and item.perturbation == wanted


def _dictation(items: Sequence[Any], conditions: Conditions, variant: str) -> Iterator[Case]:
    form = form_of(conditions, SPOKEN) if conditions.modality == "audio" else ""
    stem, clips = SPOKEN[form] if form else ("dictation", ())
    for item in items:
        if _homophone(item, conditions):
            yield case(item, stem, conditions, form=form, clips=clips, texts={MAIN: item.text})


RECALL = task(
    "homophone_recall",
    "The chengyu behind meaningless characters of its sound (§4.2.1)",
    heard("homophone_recall", _perturbed),
    score_word,
    (ACCURACY, ANY),
    solver.homophone_recall,
    perfect_word,
)
WORD2PINYIN = task(
    "word2pinyin",
    "Homophone recall, step 1: the characters' pinyin (§5.2.2)",
    heard("word2pinyin", _homophone),
    score_reading,
    READING,
    solver.word2pinyin,
    perfect_reading,
)
PINYIN2WORD = task(
    "pinyin2word",
    "Homophone recall, step 2: the chengyu of the pinyin (§5.2.2)",
    written("pinyin2word", _homophone, lambda item: {"pinyin": marked(item.target_reading)}),
    score_word,
    (ACCURACY, ANY),
    solver.pinyin2word,
    perfect_word,
    by_ear=False,
)
DICTATION = task(
    "dictation",
    "The chengyu of four spoken syllables",
    _dictation,
    score_word,
    (ACCURACY, ANY),
    solver.homophone_recall,
    perfect_word,
    spoken_default=SPOKEN_DEFAULT,
)
