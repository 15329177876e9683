"""Which strings are Chinese words, and how common they are.

Two word lists are read as data: jieba's dictionary with its counts, and wordfreq's large list,
which has newer words (无语, 收件).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from apun.phonetics.mandarin import match
from apun.phonetics.mandarin.lexicon import dictionary
from apun.phonetics.mandarin.pinyin import Syllable
from benchmarks.x_riddles.homophony import Level, best, living_readings

_LONGEST = 8  # characters of a dictionary word looked for
RARE = 10  # counts in jieba's corpus below: names, terms of art
_RARE_SHARE = 1.5e-8  # the same for wordfreq's share of all words
PARTICLES = frozenset("的了过得着地没不有是太好真很就都也还又再来去上下个吧吗呢啊净尽之那这")


@lru_cache(maxsize=1)
def counts() -> Mapping[str, int]:
    """Words with their counts in jieba's corpus."""
    return {entry.word: entry.count for entry in dictionary()}


@lru_cache(maxsize=1)
def _shares() -> Mapping[str, float]:
    import wordfreq

    return dict(wordfreq.get_frequency_dict("zh", wordlist="large"))


def is_common(word: str) -> bool:
    """Whether a word of two characters or more is in use: not only a name or a term of art."""
    return len(word) > 1 and (counts().get(word, 0) >= RARE or _shares().get(word, 0.0) >= _RARE_SHARE)


@lru_cache(maxsize=1)
def _by_first() -> Mapping[tuple[str, int], tuple[str, ...]]:
    """Common words by first character and length."""
    grouped: dict[tuple[str, int], list[str]] = {}
    for word in sorted(filter(is_common, counts().keys() | _shares().keys())):
        grouped.setdefault((word[0], len(word)), []).append(word)
    return {key: tuple(words) for key, words in grouped.items()}


@lru_cache(maxsize=1)
def _by_sound() -> Mapping[str, tuple[str, ...]]:
    """Characters that words begin with, by toneless spelling of each reading in use."""
    grouped: dict[str, list[str]] = {}
    for char in sorted({first for first, _ in _by_first()}):
        for letters in {reading.letters for reading in living_readings(char)}:
            grouped.setdefault(letters, []).append(char)
    return {letters: tuple(chars) for letters, chars in grouped.items()}


def common_words_with(part: str) -> list[str]:
    """Common words of two to four characters that hold a character or word and more, commonest first."""
    found = [(-count, word) for word, count in counts().items() if part in word and 1 < len(word) <= 4 and word != part]
    return [word for _, word in sorted(found) if is_common(word)]


def word_strength(text: str, start: int, size: int) -> float:
    """How strongly a stretch of a text is held by dictionary words that cover it.

    Args:
        text: an answer.
        start: first character of the stretch.
        size: its length.

    Returns:
        Largest ``length * ln(1 + count)`` over the words of at least two characters that cover the
        stretch; 0 where there is none.
    """
    table, strongest = counts(), 0.0
    for first in range(max(0, start - _LONGEST), start + 1):
        for last in range(start + size, min(len(text), first + _LONGEST) + 1):
            word = text[first:last]
            if len(word) > 1 and word in table:
                strongest = max(strongest, len(word) * math.log1p(table[word]))
    return strongest


def words_that_sound(syllables: Sequence[Syllable]) -> Iterator[str]:
    """Common words of two characters and more that can be read as these syllables, tones included."""
    if len(syllables) < 2:
        return
    for first in _by_sound().get(syllables[0].letters, ()):
        if _closest(first, syllables[0]) == "same":
            for word in _by_first().get((first, len(syllables)), ()):
                if all(_closest(char, syllable) == "same" for char, syllable in zip(word, syllables, strict=True)):
                    yield word


def commonest_writing(syllables: Sequence[Syllable]) -> str:
    """The likeliest way to write a sound: dictionary words where they fit, else the commonest characters.

    The cheapest cut is taken, each word costing 10 and each character 14 less the logarithm of its count.
    """
    best_cut: list[tuple[float, str]] = [(0.0, ""), *[(math.inf, "")] * len(syllables)]
    for start in range(len(syllables)):
        cost, text = best_cut[start]
        for stop in range(start + 1, min(len(syllables), start + 4) + 1):
            for piece, piece_cost in _pieces(syllables[start:stop]):
                best_cut[stop] = min(best_cut[stop], (cost + piece_cost, text + piece))
    return best_cut[-1][1]


def _pieces(syllables: Sequence[Syllable]) -> list[tuple[str, float]]:
    if len(syllables) == 1:
        chars = [char for char in _by_sound().get(syllables[0].letters, ()) if char in counts()]
        exact = [(counts()[char], char) for char in chars if _closest(char, syllables[0]) == "same"]
        return [(char, 14 - math.log1p(count)) for count, char in [max(exact)]] if exact else []
    words = [(counts().get(word, RARE), word) for word in words_that_sound(syllables)]
    return [(word, 10 - math.log1p(count)) for count, word in [max(words)]] if words else []


@lru_cache(maxsize=262_144)
def _closest(char: str, syllable: Syllable) -> Level:
    return best(match(reading, syllable) for reading in living_readings(char))


def plausible(answer: str) -> bool:
    """Whether an answer is made of real words.

    It must be cut into dictionary words of two characters or more, particles (没, 了, 得 …) and other
    single characters, of which no two may stand side by side: 没输过 and 无能之徒 are, 双斗 is not.
    Rare words do not count (``is_common``).
    """
    reachable: set[tuple[int, bool]] = {(0, False)}  # place, and whether a bare character stands before it
    for start in range(len(answer)):
        for bare in (False, True):
            if (start, bare) not in reachable:
                continue
            char = answer[start]
            if char in PARTICLES:
                reachable.add((start + 1, False))
            elif not bare and char in counts():
                reachable.add((start + 1, True))
            for stop in range(start + 2, min(len(answer), start + _LONGEST) + 1):
                if is_common(answer[start:stop]):
                    reachable.add((stop, False))
    return bool(answer) and bool({(len(answer), False), (len(answer), True)} & reachable)
