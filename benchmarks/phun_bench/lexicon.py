"""Chinese words by sound: what the solver recalls, and which other chengyu share a reading.

The words are those of jieba's dictionary (with its frequencies) and pypinyin's phrase table (with
their readings), both MIT; nothing is shipped, everything is read from the installed packages.
A sound is a string here, syllables with tone digits separated by spaces (``items.numbered``): as a
key of 300,000 words it is several times faster than a tuple of syllables.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from apun.errors import PhoneticError
from apun.phonetics.mandarin import Syllable, all_readings, han, is_han, parse
from apun.registry import optional

_CITATION = {"一": "yi1", "不": "bu4"}  # some phrases have them in sandhi; the released readings never do
LONGEST = 8  # characters of the longest word that is kept


@dataclass(frozen=True, slots=True)
class Entry:
    """A word with its count in jieba's corpus (0 where it has none) and part of speech."""

    word: str
    count: int
    part: str


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """jieba's words of Chinese characters only, most frequent first, then by code point."""
    jieba = optional("jieba", "zh")
    jieba.setLogLevel(logging.WARNING)
    found = []
    for line in Path(jieba.__file__).with_name("dict.txt").read_text(encoding="utf-8").splitlines():
        word, count, *part = line.split(" ")
        if len(word) <= LONGEST and all("\u4e00" <= char <= "\u9fff" or is_han(char) for char in word):
            found.append(Entry(word, int(count), part[0] if part else ""))
    return tuple(sorted(found, key=lambda entry: (-entry.count, entry.word)))


@lru_cache(maxsize=1)
def phrases() -> Mapping[str, str]:
    """The sound of each of pypinyin's phrases of two to eight characters."""
    found: dict[str, str] = {}
    for word, syllables in optional("pypinyin.phrases_dict", "zh", "pypinyin").phrases_dict.items():
        if 2 <= len(word) <= LONGEST and len(syllables) == len(word):
            spelled = [_CITATION.get(char) or _sound(options[0]) for char, options in zip(word, syllables, strict=True)]
            if "" not in spelled:
                found[word] = " ".join(spelled)
    return found


@lru_cache(maxsize=4096)
def _sound(spelled: str) -> str:
    """One syllable with its tone digit; empty where it is none (phrases hold commas and letters)."""
    try:
        (syllable,) = parse(spelled)
    except (PhoneticError, ValueError):
        return ""
    return syllable.numbered


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
