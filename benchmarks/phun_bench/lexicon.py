"""Chinese words by sound: what the solver recalls, and which other chengyu share a reading.

The words are those of ``apun.phonetics.mandarin.lexicon``: jieba's with their counts, pypinyin's with their readings.
A sound is a string here, syllables with tone digits separated by spaces (``items.numbered``): as a
key of 300,000 words it is several times faster than a tuple of syllables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from apun.phonetics.mandarin import Syllable, all_readings, han, is_han, parse
from apun.phonetics.mandarin.lexicon import Entry, dictionary
from apun.phonetics.mandarin.lexicon import phrases as all_phrases

_CITATION = {"一": "yi1", "不": "bu4"}  # some phrases have them in sandhi; the released readings never do
LONGEST = 8  # characters of the longest word that is kept


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """jieba's words of Chinese characters only, most frequent first, then by code point."""
    found = [
        entry
        for entry in dictionary()
        if len(entry.word) <= LONGEST and all("\u4e00" <= char <= "\u9fff" or is_han(char) for char in entry.word)
    ]
    return tuple(sorted(found, key=lambda entry: (-entry.count, entry.word)))


@lru_cache(maxsize=1)
def phrases() -> Mapping[str, str]:
    """The sound of each of pypinyin's phrases of two to eight characters."""
    found: dict[str, str] = {}
    for word, syllables in all_phrases().items():
        if 2 <= len(word) <= LONGEST:
            spelled = [_CITATION.get(char) or syllable for char, syllable in zip(word, syllables, strict=True)]
            if "" not in spelled:
                found[word] = " ".join(spelled)
    return found


@lru_cache(maxsize=32_768)
def usual(char: str) -> str:
    """The usual sound of a character; empty where pypinyin knows none."""
    found = all_readings(char)
    return found[0].numbered if found else ""


def word_sound(word: str) -> str:
    """Sound of a word by the phrase table, else by each character's usual reading; empty where one has none."""
    known = phrases().get(word)
    if known is not None:
        return known
    spelled = [usual(char) for char in word]
    return "" if "" in spelled else " ".join(spelled)


def citation(word: str, reading: Sequence[Syllable]) -> tuple[Syllable, ...]:
    """A reading of Chinese characters with 一 and 不 in their own tone, as the gold readings have them."""
    own = {char: parse(sound)[0] for char, sound in _CITATION.items()}
    return tuple(own.get(char, syllable) for char, syllable in zip(han(word), reading, strict=True))


@lru_cache(maxsize=1)
def words_by_sound() -> Mapping[str, Sequence[str]]:
    """Every word of two or more characters by its sound, most frequent first."""
    found: dict[str, list[str]] = {}
    for word in _all_words():
        if len(word) > 1 and (sound := word_sound(word)):
            found.setdefault(sound, []).append(word)
    return found


def _all_words() -> Iterator[str]:
    ranked = [entry.word for entry in entries()]
    yield from ranked
    yield from sorted(phrases().keys() - set(ranked))


@lru_cache(maxsize=1)
def chars_by_sound() -> Mapping[str, Sequence[str]]:
    """Single characters by their usual sound, most frequent first."""
    found: dict[str, list[str]] = {}
    for entry in entries():
        if len(entry.word) == 1 and (sound := usual(entry.word)):
            found.setdefault(sound, []).append(entry.word)
    return found


@lru_cache(maxsize=1)
def _idioms_by_sound() -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for word, sound in phrases().items():
        if len(word) == 4:
            found.setdefault(sound, []).append(word)
    return found


def other_idioms(target: str, sound: str, known: Mapping[str, Iterable[str]] | None = None) -> tuple[str, ...]:
    """Other four-character phrases of a sound, from dictionaries alone (jieba's list has misspellings).

    Args:
        target: the chengyu that is not counted.
        sound: its sound.
        known: further chengyu by sound, such as those of the data folder.
    """
    found = {*_idioms_by_sound().get(sound, ()), *(known or {}).get(sound, ())}
    return tuple(sorted(found - {target}))
