"""Novelty of a created xiehouyu: character overlap with every known one (X-Riddles, Appendix E).

A xiehouyu is the string riddle + intended answer; its overlap with another is the Jaccard index of
their sets of distinct characters. The largest overlap below 0.5 makes it original; otherwise the
known ones that reach it are its possible originals.

Of the four rules by which authors of new xiehouyu are screened (§3), code checks that the homophony is right (2)
and that the homophone is not already in the riddle (4); that the riddle leads to the answer (1), and only by way
of the literal one (3), is read by people.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from apun.phonetics.mandarin.pinyin import parse
from benchmarks.x_riddles.homophony import compare
from benchmarks.x_riddles.items import BLANK, Riddle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

THRESHOLD = 0.5  # τ of Appendix E


def jaccard(a: str, b: str) -> float:
    """Overlap of two strings' character sets; 0 when both are empty."""
    first, second = set(a), set(b)
    union = len(first | second)
    return len(first & second) / union if union else 0.0


@dataclass(frozen=True, slots=True)
class Overlap:
    """The largest overlap of one xiehouyu with a corpus.

    Attributes:
        score: the largest Jaccard index, 0 with an empty corpus.
        nearest: places in the corpus that reach it; empty for an original one, as in the paper.
    """

    score: float
    nearest: tuple[int, ...]

    @property
    def original(self) -> bool:
        """Whether the score stays below 0.5."""
        return self.score < THRESHOLD


@dataclass(frozen=True)
class Corpus:
    """Known xiehouyu, indexed by character.

    Attributes:
        entries: (riddle, intended answer) of each.
    """

    entries: tuple[tuple[str, str], ...]

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        import numpy as np

        return np.array([len(set(riddle + answer)) for riddle, answer in self.entries], dtype=np.int64)

    @cached_property
    def _postings(self) -> dict[str, NDArray[np.int64]]:
        """For each character, the entries that hold it."""
        import numpy as np

        found: dict[str, list[int]] = {}
        for place, (riddle, answer) in enumerate(self.entries):
            for char in set(riddle + answer):
                found.setdefault(char, []).append(place)
        return {char: np.array(places, dtype=np.int64) for char, places in found.items()}

    def overlap(self, riddle: str, answer: str) -> Overlap:
        """The largest overlap of one xiehouyu with this corpus (m and T of Appendix E)."""
        import numpy as np

        chars = set(riddle + answer)
        lists = [self._postings[char] for char in chars if char in self._postings]
        if not lists:
            return Overlap(0.0, ())
        shared = np.bincount(np.concatenate(lists), minlength=len(self.entries))
        scores = shared / (self._sizes + len(chars) - shared)
        score = float(scores.max())
        nearest = tuple(np.flatnonzero(scores == score).tolist()) if score >= THRESHOLD else ()
        return Overlap(score, nearest)


def faults(item: Riddle, corpus: Corpus) -> Iterator[str]:
    """Everything that speaks against an item; nothing for a good one."""
    if item.type != "homophonic" or not item.literal:
        yield "is not homophonic"
        return
    if compare(parse(item.literal_pinyin), parse(item.intended_pinyin)) == "different":
        yield "the answers do not sound alike"
    in_riddle = {char for pair in item.pairs for char in pair.literal + pair.intended} & set(item.riddle)
    if in_riddle:
        yield f"the riddle holds the homophone {''.join(sorted(in_riddle))}"
    if not all(item.gloss.get(part) for part in ("riddle", "literal", "intended")):
        yield "lacks a gloss"
    if item.riddle not in item.example or f"——{BLANK}" not in item.example:
        yield "its example does not hold the riddle and a blank"
    if item.intended in item.example or item.literal in item.example:
        yield "its example gives the answer away"
    overlap = corpus.overlap(item.riddle, item.intended)
    if not overlap.original:
        yield f"overlaps by {overlap.score:.2f} with {'——'.join(corpus.entries[overlap.nearest[0]])}"
    if any(riddle == item.riddle for riddle, _ in corpus.entries):
        yield "its riddle is known"
