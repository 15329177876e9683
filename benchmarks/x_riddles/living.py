"""Readings that are in use: those a character has in some word, and its usual one.

pypinyin lists every reading that ever was: 寺 as shi4 (old for 侍) would make 寺/事 an exact pair, which
it is not in Standard Mandarin. A reading counts here when pypinyin's phrase list (47,111 words) has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from apun.errors import MissingDependency, PhoneticError
from apun.phonetics.mandarin import all_readings
from apun.phonetics.mandarin.pinyin import Syllable, parse


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
    try:
        from pypinyin.phrases_dict import phrases_dict
    except ImportError as error:
        raise MissingDependency("pypinyin", "zh") from error
    marked: dict[str, set[str]] = {}
    for word, syllables in phrases_dict.items():
        if len(word) == len(syllables):
            for char, options in zip(word, syllables, strict=True):
                marked.setdefault(char, set()).add(options[0])
    return {char: frozenset(filter(None, map(_numbered, found))) for char, found in marked.items()}


@lru_cache(maxsize=4_096)
def _numbered(marked: str) -> str:
    try:
        syllables = parse(marked)
    except PhoneticError:
        return ""  # the list has a few slips, such as a syllable without a vowel
    return syllables[0].numbered if len(syllables) == 1 else ""
