"""Which side of a parenthesis is literal: 净输（书） and 净是书（输） print the same pair in opposite orders.

The printed word is nearly always the intended one. It is taken for the literal one when evidence
says so; the evidence is

* **orientation**: how often the list itself (plus the pairs of ``data/known_pairs.tsv``) has the two
  words the other way round, less how often it has them this way round;
* **word strength**: whether the answer is held together by dictionary words as printed, or only with
  the homophone put in (空费芯 is no word, 费心 is);
* **echo**: the printed word repeats a character of the riddle and the other does not (杏树: 扫杏).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from benchmarks.x_riddles.lexicon import word_strength
from benchmarks.x_riddles.parentheses import Reading, Swap

_KNOWN = Path(__file__).with_name("data") / "known_pairs.tsv"
_KNOWN_WEIGHT = 2
_NO_WORD, _WEAK_WORD = 3.0, 6.0  # strengths below: no word at all; at most one rare word
_WORD, _PLAIN_WORD = 9.0, 10.0  # strengths from: a word; a word that stands on its own

Orientations = Counter[tuple[str, str]]


def orientations(readings: Iterable[Reading]) -> Orientations:
    """How often each (intended, literal) pair stands in this order, the known pairs included."""
    found: Orientations = Counter(
        {(intended, literal): _KNOWN_WEIGHT for literal, intended in _known_pairs()},
    )
    for reading in readings:
        found.update((swap.printed, swap.inside) for swap in reading.swaps)
    return found


def literal_first(riddle: str, reading: Reading, seen: Orientations) -> bool:
    """Whether the printed answer is the literal one.

    Args:
        riddle: first part.
        reading: the answer, with at least one homophone.
        seen: orientations of the whole list, this entry included.
    """
    votes = [seen[swap.inside, swap.printed] - seen[swap.printed, swap.inside] + 1 for swap in reading.swaps]
    printed = max(_strength(reading.printed, swap, len(swap.printed)) for swap in reading.swaps)
    swapped = max(_strength(reading.swapped, swap, len(swap.inside)) for swap in reading.swaps)
    total = sum(votes)
    if printed < _NO_WORD:
        if total >= 2 or (total >= 1 and swapped >= _WORD):
            return True
    elif min(printed, swapped) >= _PLAIN_WORD and min(votes) >= 2:
        return True  # both are words, so only the list can tell
    echo = any(_shares(swap.printed, riddle) and not _shares(swap.inside, riddle) for swap in reading.swaps)
    return echo and printed < _WEAK_WORD and swapped >= _WORD


def _strength(answer: str, swap: Swap, size: int) -> float:
    return word_strength(answer, swap.start, size)


def _shares(word: str, riddle: str) -> bool:
    return bool(set(word) & set(riddle))


@lru_cache(maxsize=1)
def _known_pairs() -> tuple[tuple[str, str], ...]:
    rows = _KNOWN.read_text(encoding="utf-8").splitlines()[1:]
    return tuple((literal, intended) for literal, _, intended in (row.partition("\t") for row in rows if row))
