"""A reading against the gold, and how the two differ."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from apun.phonetics.japanese import LONG, LONG_SPELLINGS, STOP, VOWEL_OF, normalise, same_reading
from benchmarks.yomi_bench.align import sounds
from benchmarks.yomi_bench.items import ReadingItem


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a reading is right.

    Attributes:
        exact: it is the gold reading (the paper's score).
        lenient: it shows the right knowledge: the gold reading with its okurigana, the whole word's reading, or the
            official reading before voicing or ``っ``.
        cause: ``right``, ``okurigana``, ``whole_word``, ``base``, ``voicing``, ``small_tsu``, ``long_vowel``,
            ``other_reading`` (one of the kanji's other readings) or ``wrong``.
    """

    exact: bool
    lenient: bool
    cause: str


def judge(answers: Sequence[str], item: ReadingItem) -> Verdict:
    """The best verdict over the kana spellings that an answer may stand for.

    Args:
        answers: kana spellings; more than one only where romaji left them open.
        item: the item with its gold reading.
    """
    verdicts = [_judge(answer, item) for answer in answers]
    return max(verdicts, key=lambda verdict: (verdict.exact, verdict.lenient))


def _judge(answer: str, item: ReadingItem) -> Verdict:
    gold = item.reading
    if same_reading(answer, gold):
        return Verdict(True, True, "right")
    tails = [item.okurigana[:length] for length in range(1, len(item.okurigana) + 1)]
    if any(same_reading(answer, gold + tail) for tail in tails):
        return Verdict(False, True, "okurigana")
    if item.word_kana and same_reading(answer, item.word_kana):
        return Verdict(False, True, "whole_word")
    if item.base and same_reading(answer, item.base):
        return Verdict(False, True, "base")
    return Verdict(False, False, _difference(normalise(answer), item))


def _difference(answer: str, item: ReadingItem) -> str:
    gold = item.reading
    if _short(answer) == _short(gold):
        return "long_vowel"
    if _unvoiced(answer) == _unvoiced(gold):
        return "voicing"
    if answer[:-1] == gold[:-1] and STOP in (answer[-1:], gold[-1:]):
        return "small_tsu"
    if any(answer in sounds(other) for other in item.others):
        return "other_reading"
    return "wrong"


def _unvoiced(kana: str) -> str:
    plain = unicodedata.normalize("NFD", kana)
    return "".join(char for char in plain if char not in "\u3099\u309a")


def _short(kana: str) -> str:
    """Kana without the second half of long vowels."""
    out: list[str] = []
    vowel = ""
    for char in kana:
        if char == LONG or char in LONG_SPELLINGS.get(vowel, ""):
            vowel = ""
            continue
        out.append(char)
        vowel = VOWEL_OF.get(char, "")
    return "".join(out)
