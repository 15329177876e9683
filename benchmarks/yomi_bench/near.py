"""How near two words sound, mora by mora; and words to mistake for one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from apun.phonetics.japanese import LONG, LONG_SPELLINGS, NASAL, ONSET_OF, STOP, VOWEL_OF, morae

GAP = 0.8  # a mora too many or too few; less than two wrong sounds, more than one
_VOICING = {
    frozenset(pair) for pair in (("k", "ɡ"), ("s", "z"), ("ɕ", "d͡ʑ"), ("t", "d"), ("h", "b"), ("h", "p"), ("b", "p"))
}


@lru_cache(maxsize=65536)
def mora_cost(first: str, second: str) -> float:
    """0 for the same mora, 0.25 for voicing or palatalisation, 0.5 for one other sound, 1 for both."""
    if first == second:
        return 0.0
    if first in (NASAL, STOP, LONG) or second in (NASAL, STOP, LONG):
        return 1.0
    vowels = 0.0 if VOWEL_OF[first[-1]] == VOWEL_OF[second[-1]] else 0.5
    one, two = ONSET_OF[first[0]], ONSET_OF[second[0]]
    onsets = 0.25 if frozenset((one, two)) in _VOICING or (one == two and not vowels) else 0.5 if one != two else 0.0
    return vowels + onsets


def distance(first: str, second: str) -> float:
    """Weighted edit distance of two kana words in morae.

    Raises:
        PhoneticError: one of them is not kana.
    """
    return _edit(_lengthened(first), _lengthened(second))


def _lengthened(kana: str) -> tuple[str, ...]:
    """Morae with the second half of every long vowel as ``ー``, however it is written."""
    parts: list[str] = []
    for mora in morae(kana):
        vowel = VOWEL_OF.get(parts[-1][-1], "") if parts else ""
        parts.append(LONG if mora in LONG_SPELLINGS.get(vowel, "") else mora)
    return tuple(parts)


def _edit(one: tuple[str, ...], two: tuple[str, ...]) -> float:
    row = [GAP * i for i in range(len(two) + 1)]
    for i, a in enumerate(one, 1):
        diagonal, row[0] = row[0], GAP * i
        for j, b in enumerate(two, 1):
            best = min(diagonal + mora_cost(a, b), row[j] + GAP, row[j - 1] + GAP)
            diagonal, row[j] = row[j], best
    return row[-1]


_morae = lru_cache(maxsize=65536)(morae)  # a pool is compared with every word


def nearest(heard: str, options: Sequence[str]) -> int:
    """Index of the option that sounds nearest; the first of equals.

    Raises:
        PhoneticError: the word heard is not kana.
    """
    target = _lengthened(heard)
    return min(range(len(options)), key=lambda index: (_edit(target, _lengthened(options[index])), index))


def confusable(kana: str, pool: Mapping[str, str], count: int, rng: Random) -> list[str]:
    """The ``count`` words of the pool that sound most like ``kana`` without being homophones of it or of each other.

    Args:
        kana: the word to be heard.
        pool: kana to written word.
        count: how many.
        rng: breaks ties.
    """
    target = morae(kana)
    size = len(target)
    found: list[tuple[float, float, str]] = []
    for other in pool:
        parts = _morae(other)
        if other == kana or abs(len(parts) - size) > 1:
            continue
        if size > 1 and not set(parts) & set(target):
            continue
        found.append((_edit(target, parts), rng.random(), other))
    return [other for _, _, other in sorted(found)[:count]]
