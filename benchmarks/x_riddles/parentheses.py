"""Homophones in parentheses: 净输（书） holds two answers, 净输 and 净书.

A parenthesis that holds k characters is a homophone when the k characters before it can be read
alike (same, tone differs or near). Anything else in parentheses - a paraphrase, a definition, pinyin
of a rare character - is an explanation: it is kept apart and is no part of either answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchmarks.x_riddles.homophony import LEVELS, Level, compare_chars, han, worst

_GROUP = re.compile(r"[（(]([^（）()]*)[）)]?")
_LONGEST = 6  # characters; the longest homophone in the public lists has four


@dataclass(frozen=True, slots=True)
class Swap:
    """Two words at one place of an answer: as printed before the parenthesis, and inside it."""

    start: int
    printed: str
    inside: str
    level: Level


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer with its parentheses taken apart.

    Attributes:
        printed: the answer without parentheses.
        swapped: the same with each homophone put in; equal to ``printed`` where there is none.
        swaps: the homophones, in order.
        notes: explanations that stood in parentheses.
    """

    printed: str
    swapped: str
    swaps: tuple[Swap, ...]
    notes: tuple[str, ...]


def take_apart(answer: str) -> Reading:
    """Separate an answer from what stands in its parentheses."""
    printed, swapped = "", ""
    swaps: list[Swap] = []
    notes: list[str] = []
    position = 0
    free = 0  # characters before this place belong to an earlier swap
    for group in _GROUP.finditer(answer):
        between = answer[position : group.start()]
        printed += between
        swapped += between
        position = group.end()
        swap = _swap(printed, group.group(1).strip(), free)
        if swap is None:
            if group.group(1).strip():
                notes.append(group.group(1).strip())
            continue
        swaps.append(swap)
        free = len(printed)
        swapped = swapped[: -len(swap.inside)] + swap.inside
    printed += answer[position:]
    swapped += answer[position:]
    return Reading(printed.strip(), swapped.strip(), tuple(swaps), tuple(notes))


def _swap(printed: str, inside: str, free: int) -> Swap | None:
    size = len(inside)
    if not 0 < size <= _LONGEST or han(inside) != inside:
        return None
    start = len(printed) - size
    word = printed[start:] if start >= free else ""
    if not word or han(word) != word or word == inside:
        return None
    level = worst(compare_chars(a, b) for a, b in zip(word, inside, strict=True))
    return Swap(start, word, inside, level) if level != LEVELS[-1] else None
