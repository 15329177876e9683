"""What a riddle's characters have to do with a character: they stand in words together.

This is all the solver knows of the world. The strength of two characters is their positive pointwise
mutual information over the common words of the lexicon, each word counted by its frequency.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from apun.phonetics.mandarin import is_han
from benchmarks.x_riddles.homophony import compare_chars
from benchmarks.x_riddles.lexicon import RARE, counts
from benchmarks.x_riddles.living import living_readings

_SMOOTHING = 200.0  # added to a character's count, so that rare characters are not linked by one word


@dataclass(frozen=True, slots=True)
class Link:
    """A homophone that an answer may hide.

    Attributes:
        place: character of the answer.
        printed: the character there.
        hidden: another character that sounds like it (tone apart, at most).
        strength: how strongly the hidden character goes with the riddle.
    """

    place: int
    printed: str
    hidden: str
    strength: float


def hidden_homophone(riddle: str, answer: str) -> Link | None:
    """The homophone of one of the answer's characters that goes best with the riddle.

    Characters of the riddle itself are left out: a good xiehouyu does not print its homophone.
    """
    best: Link | None = None
    for place, char in enumerate(answer):
        for hidden in homophones(char):
            if hidden in riddle:
                continue
            link = Link(place, char, hidden, association(hidden, riddle))
            if best is None or link.strength > best.strength:
                best = link
    return best


def association(char: str, riddle: Iterable[str]) -> float:
    """Sum of a character's mutual information with each distinct character of the riddle."""
    return sum(_linked(other).get(char, 0.0) for other in sorted(set(riddle)) if is_han(other))


@lru_cache(maxsize=16_384)
def homophones(char: str) -> tuple[str, ...]:
    """Other common characters with a reading that differs in tone at most, in code-point order."""
    sounds = {syllable.letters for syllable in living_readings(char)}
    near = sorted({other for sound in sounds for other in _by_sound().get(sound, ())})
    return tuple(other for other in near if other != char and compare_chars(char, other) in ("same", "tone"))


@lru_cache(maxsize=1)
def _by_sound() -> Mapping[str, tuple[str, ...]]:
    """Common characters by the toneless spelling of their first reading."""
    found: dict[str, list[str]] = {}
    for char, count in _totals().items():
        readings = living_readings(char)
        if readings and count >= _SMOOTHING:
            found.setdefault(readings[0].letters, []).append(char)
    return {sound: tuple(chars) for sound, chars in found.items()}


@lru_cache(maxsize=1)
def _words() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Common words with their counts, by each character in them."""
    found: dict[str, list[tuple[str, int]]] = {}
    for word, count in counts().items():
        if 1 < len(word) <= 4 and count >= RARE:
            for char in set(word):
                found.setdefault(char, []).append((word, count))
    return {char: tuple(rows) for char, rows in found.items()}


@lru_cache(maxsize=1)
def _totals() -> Mapping[str, float]:
    return {char: sum(count for _, count in rows) for char, rows in _words().items() if is_han(char)}


@lru_cache(maxsize=8_192)
def _linked(char: str) -> Mapping[str, float]:
    """Positive mutual information of one character with every character it shares a word with."""
    together: Counter[str] = Counter()
    for word, count in _words().get(char, ()):
        for other in set(word) - {char}:
            together[other] += count
    totals = _totals()
    everything = _everything()
    own = totals.get(char, 0.0) + _SMOOTHING
    return {
        other: math.log(joint * everything / (own * (totals.get(other, 0.0) + _SMOOTHING)))
        for other, joint in together.items()
        if joint * everything > own * (totals.get(other, 0.0) + _SMOOTHING)
    }


@lru_cache(maxsize=1)
def _everything() -> float:
    return sum(_totals().values())
