"""How two words sound alike: syllable by syllable, in four levels.

``same`` (initial, final and tone agree), ``tone`` (only the tone differs), ``near`` (sounds that many
speakers merge: s-sh, z-zh, c-ch, n-l, n-ng …, whatever the tone) and ``different``. The syllable rule is
``apun.phonetics.mandarin.match``; a word is only as close as its worst syllable.

Readings count that are in use: those a character has in some word, and its usual one. pypinyin lists every
reading that ever was: 寺 as shi4 (old for 侍) would make 寺/事 an exact pair, which it is not in Standard
Mandarin. A reading counts here when pypinyin's phrase list (47,111 words) has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from apun.phonetics import mandarin
from apun.phonetics.mandarin import all_readings, match
from apun.phonetics.mandarin.lexicon import phrases
from apun.phonetics.mandarin.pinyin import Syllable

Level = Literal["same", "tone", "near", "different"]
LEVELS: tuple[Level, ...] = ("same", "tone", "near", "different")
_RANK = {level: rank for rank, level in enumerate(LEVELS)}
# A weakened tone is a tone difference at most: 结实 jie1 shi5 against 结石 jie2 shi2.
_match = lru_cache(maxsize=65_536)(match)
han = lru_cache(maxsize=65_536)(mandarin.han)


def worst(levels: Iterable[Level]) -> Level:
    """The least alike of several levels; ``different`` when there is none."""
    return max(levels, key=_RANK.__getitem__, default="different")


def best(levels: Iterable[Level]) -> Level:
    """The most alike of several levels; ``different`` when there is none."""
    return min(levels, key=_RANK.__getitem__, default="different")


def compare(a: Sequence[Syllable], b: Sequence[Syllable]) -> Level:
    """How two words of known reading agree; ``different`` when their lengths differ or one is empty."""
    if len(a) != len(b):
        return "different"
    return worst(_match(x, y) for x, y in zip(a, b, strict=True))


def compare_words(a: str, b: str) -> Level:
    """How two written words could agree, each character in whichever of its readings fits best.

    A claim is judged by this, so that a polyphone (弹 is tan2 and dan4) is not held against it. Words
    of different lengths are compared by the best stretch of the longer one, when the shorter one is
    whole in it: that 照舅 sounds like 旧 is a claim about 舅.
    """
    a, b = han(a), han(b)
    if not a or not b:
        return "different"
    if len(a) > len(b):
        a, b = b, a
    closest = len(LEVELS) - 1
    for start in range(len(b) - len(a) + 1):
        rank = 0
        for x, y in zip(a, b[start:], strict=False):
            rank = max(rank, _RANK[compare_chars(x, y)])
            if rank >= closest:
                break
        closest = min(closest, rank)
        if not closest:
            break
    return LEVELS[closest]


@lru_cache(maxsize=1 << 20)
def compare_chars(a: str, b: str) -> Level:
    """The closest that any reading of one character comes to any reading of another."""
    if a == b:
        return "same"
    closest = len(LEVELS) - 1
    for x in living_readings(a):
        for y in living_readings(b):
            closest = min(closest, _RANK[_match(x, y)])
    return LEVELS[closest]


@lru_cache(maxsize=16_384)
def living_readings(char: str) -> tuple[Syllable, ...]:
    """Readings of one character in use today, the usual one first; empty where it has none.

    Raises:
        MissingDependency: pypinyin is not installed (extra ``zh``).
    """
    listed = all_readings(char)
    attested = _attested().get(char, frozenset())
    return tuple(syllable for place, syllable in enumerate(listed) if place == 0 or syllable.numbered in attested)


@lru_cache(maxsize=1)
def _attested() -> Mapping[str, frozenset[str]]:
    """Toned readings by character, from the phrase list."""
    marked: dict[str, set[str]] = {}
    for word, syllables in phrases().items():
        for char, sound in zip(word, syllables, strict=True):
            marked.setdefault(char, set()).add(sound)
    return {char: frozenset(filter(None, found)) for char, found in marked.items()}
