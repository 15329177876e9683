"""Words that sound the same as, or one segment away from, a given word.

The lexicon is every one of wordfreq's 30,000 commonest English words that CMUdict pronounces. Words
are indexed by their segments with one segment masked or taken out, so a look-up costs a handful of
dictionary reads whatever the size of the lexicon.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

LEXICON_SIZE = 30_000
Segments = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The words that can be heard in place of a word, commonest first, ties by spelling.

    Attributes:
        same: identical in at least one reading of each.
        near: one segment added, dropped or exchanged.
    """

    same: tuple[str, ...]
    near: tuple[str, ...]


@lru_cache(maxsize=65_536)
def neighbours(word: str) -> Neighbours:
    """Neighbours of a word that are not forms of the same word; none for a word CMUdict lacks."""
    word = word.casefold()
    index, readings = _index()
    distance: dict[str, int] = {}
    for said in _readings(word):
        found = {other for key in _keys(said) for other in index.get(key, ())}
        for other in found - {word}:
            apart = min(_apart(said, heard) for heard in readings[other])
            if apart < 2:
                distance[other] = min(apart, distance.get(other, 2))
    own = lemmas(word)
    kept = sorted((w for w in distance if not lemmas(w) & own), key=lambda w: (-frequency(w), w))
    return Neighbours(tuple(w for w in kept if not distance[w]), tuple(w for w in kept if distance[w]))


@lru_cache(maxsize=65_536)
def frequency(word: str) -> float:
    """How common a word is, on the Zipf scale: log10 of occurrences in a thousand million words."""
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, "en"))


@lru_cache(maxsize=65_536)
def lemmas(word: str) -> frozenset[str]:
    """The word and every lemma it may have."""
    from lemminflect import getAllLemmas

    return frozenset({word, *(lemma for found in getAllLemmas(word).values() for lemma in found)})


def _readings(word: str) -> tuple[Segments, ...]:
    from apun.phonetics.english.dictionary import variants

    return variants(word)


def _keys(said: Segments) -> Iterator[Segments]:
    """The reading itself, and with each segment masked, then taken out."""
    yield said
    for i in range(len(said)):
        yield (*said[:i], "*", *said[i + 1 :])
        yield said[:i] + said[i + 1 :]


@lru_cache(maxsize=1)
def _index() -> tuple[Mapping[Segments, list[str]], Mapping[str, tuple[Segments, ...]]]:
    from wordfreq import top_n_list

    index: defaultdict[Segments, list[str]] = defaultdict(list)
    readings: dict[str, tuple[Segments, ...]] = {}
    for word in top_n_list("en", LEXICON_SIZE):
        if len(word) > 1 and word.isalpha() and (said := _readings(word)):
            readings[word] = said
            for key in {key for reading in said for key in _keys(reading)}:
                index[key].append(word)
    return dict(index), readings


def _apart(a: Segments, b: Segments) -> int:
    """Edit distance of two readings, counted up to 2."""
    if a == b:
        return 0
    if len(a) == len(b):
        return min(2, sum(x != y for x, y in zip(a, b, strict=True)))
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    if len(longer) - len(shorter) > 1:
        return 2
    return 1 if any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer))) else 2
