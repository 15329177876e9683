"""Phonetic similarity of two readings: the paper's S = S_edit + S_cos (APUN-Bench, equations 1-3).

* φ(w): canonical IPA segments; an affricate, a long vowel or an aspirated stop is one. Where the
  language has tones, each syllable's tone is one more symbol after the segments.
* S_edit = 1 - d(φ(a), φ(b)) / max(|φ(a)|, |φ(b)|), d the Levenshtein distance over those symbols.
* S_cos = max(0, cos(v(a), v(b))). The paper names sets of vowels and consonants mapped to feature vectors
  and no more; ours is v = [Σ f(s) over vowels; Σ f(s) over consonants], f(s) the 24 features of
  panphon in {-1, 0, +1}, a vowel being what is +syllabic: 48 numbers. Negative cosines count as 0.

S lies in [0, 2], is symmetric, and is 2 exactly when the symbols are the same. A word with several
readings takes the pair of readings with the largest S.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from apun.phonetics import Sound, ipa

_TONE = 0xE000  # code points of tone symbols; segments lie from 0xF0000 on
WIDTH = 48

_distance = Levenshtein.distance


class Lexicon:
    """Readings as symbol strings, with their vectors in one growing matrix.

    A word is looked up once; comparing a word with a sentence is then one matrix product and one edit
    distance a reading. Vectors hold whole numbers, so their products are exact and a repeated word has the
    same similarity wherever it stands, on any machine.

    Attributes:
        codes: φ of each reading.
        vectors: v of each reading, shape (capacity, 48).
        lengths: Euclidean lengths of the vectors, 1 for an empty one; shape (capacity,).
    """

    def __init__(self) -> None:
        self.codes: list[str] = []
        self.vectors: NDArray[np.float32]
        self.lengths: NDArray[np.float64]
        self._rows: dict[tuple[tuple[str, ...], tuple[int, ...]], int] = {}
        self.clear()

    def clear(self) -> None:
        """Forget every reading; rows given out before are void."""
        self.codes.clear()
        self._rows.clear()
        self.vectors = np.zeros((1024, WIDTH), dtype=np.float32)
        self.lengths = np.ones(1024)

    def row(self, sound: Sound) -> int:
        """The row of a reading."""
        key = (sound.segments, sound.tones)
        row = self._rows.get(key)
        if row is None:
            row = len(self.codes)
            if row == len(self.vectors):
                self.vectors = np.concatenate([self.vectors, np.zeros_like(self.vectors)])
                self.lengths = np.concatenate([self.lengths, np.ones_like(self.lengths)])
            self.vectors[row] = vector(sound.segments)
            self.lengths[row] = _length(self.vectors[row])
            self.codes.append(symbols(sound))
            self._rows[key] = row
        return row


def symbols(sound: Sound) -> str:
    """φ: one character a segment, then one a tone."""
    return ipa.encode(sound.segments) + "".join([chr(_TONE + tone) for tone in sound.tones])


def vector(segments: Sequence[str]) -> NDArray[np.float32]:
    """v: feature sums of the vowels, then of the consonants; whole numbers, shape (48,)."""
    values = ipa.features(segments).astype(np.float32).reshape(-1, WIDTH // 2)
    syllabic = values[:, 0] > 0
    return np.concatenate([values[syllabic].sum(axis=0), values[~syllabic].sum(axis=0)])


def _length(values: NDArray[np.float32]) -> float:
    return math.sqrt(float(values @ values)) or 1.0


def edit_similarity(a: str, b: str) -> float:
    """S_edit of two symbol strings, in [0, 1] (equation 1)."""
    longest = max(len(a), len(b))
    return 1.0 - _distance(a, b) / longest if longest else 1.0


def similarity(first: Sequence[Sound], second: Sequence[Sound]) -> tuple[float, float]:
    """``(S_edit, S_cos)`` of the two readings that are most alike; ``(0, 0)`` where there is no reading.

    Args:
        first: readings of one word.
        second: readings of the other.
    """
    best = (0.0, 0.0)
    for a in first:
        for b in second:
            pair = _similarity(symbols(a), a.segments, symbols(b), b.segments)
            if sum(pair) > sum(best):
                best = pair
    return best


def _similarity(
    code_a: str, segments_a: tuple[str, ...], code_b: str, segments_b: tuple[str, ...]
) -> tuple[float, float]:
    if code_a == code_b:
        return 1.0, 1.0
    a, b = vector(segments_a), vector(segments_b)
    cosine = float(a @ b) / (_length(a) * _length(b))
    return edit_similarity(code_a, code_b), min(1.0, max(0.0, cosine))


def same_sound(first: Sequence[Sound], second: Sequence[Sound]) -> bool:
    """Whether two words share a reading: the difference between homophonic and heterographic puns."""
    return not {(a.segments, a.tones) for a in first}.isdisjoint((b.segments, b.tones) for b in second)


def closeness(first: Sequence[Sound], second: Sequence[Sound]) -> float:
    """Feature-weighted edit similarity of the two most alike readings, in [0, 1].

    One minus the edit distance over the longer length, where putting one segment for another costs
    ``min(1, 2·share)``, ``share`` being the share of panphon's 24 features that differ (half a feature where
    one of the two is unspecified), and leaving one out costs 1. Two segments that differ in half of their
    features are thus wholly different. It tells words that sound alike from those that do not better
    than S, whose cosine is high for any two longer words.
    """
    return max((_closeness(a.segments, b.segments) for a in first for b in second), default=0.0)


@lru_cache(maxsize=16384)
def _closeness(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    if not a or not b:
        return float(a == b)
    left, right = (ipa.features(x).astype(np.float64) for x in (a, b))
    costs = np.minimum(1.0, np.abs(left[:, None] - right[None]).mean(axis=2))  # |difference| is 2 where signs differ
    return 1.0 - weighted_distance(costs.tolist(), len(b)) / max(len(a), len(b))


def weighted_distance(costs: Sequence[Sequence[float]], columns: int, *, anywhere: bool = False) -> float:
    """Edit distance where putting one unit for another has its own cost and leaving one out costs 1.

    Args:
        costs: of putting each unit of one sequence (rows) for each of the other (columns).
        columns: length of the other sequence, which a matrix without rows does not tell.
        anywhere: against the stretch of the other sequence that is nearest, instead of all of it (Sellers 1980).
    """
    row = [0.0 if anywhere else float(column) for column in range(columns + 1)]
    for number, line in enumerate(costs, 1):
        above, row = row, [float(number)]
        for column, cost in enumerate(line):
            row.append(min(above[column] + cost, above[column + 1] + 1.0, row[column] + 1.0))
    return min(row) if anywhere else row[-1]
