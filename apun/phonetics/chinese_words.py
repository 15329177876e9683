"""Mandarin for the shared interface: characters as words, read in context.

Each Han character is a word with its pinyin in context first and its other readings after. Latin
letters and digits inside a Chinese text are words of their own: letters are read as English, digits as
Chinese numerals.
"""

from __future__ import annotations

import re
from functools import lru_cache

from apun.errors import PhoneticError
from apun.phonetics import mandarin
from apun.phonetics.pinyin import Syllable
from apun.phonetics.sounds import Sound, Word, read

_SOURCE = "pypinyin"
_DIGITS = dict(zip("0123456789", "零一二三四五六七八九", strict=True))
_MAX_READINGS = 8
_RUN = re.compile(r"[^\W\d_]|\d|[^\w\s]")


def words(text: str) -> tuple[Word, ...]:
    """Characters of a text with their readings; runs of Latin letters are one word."""
    found: list[Word] = []
    at = 0
    while at < len(text):
        char = text[at]
        if mandarin.is_han(char):
            end = at + 1
            while end < len(text) and mandarin.is_han(text[end]):
                end += 1
            found += _han(text[at:end], at)
            at = end
        elif char.isascii() and char.isalpha():
            end = at + 1
            while end < len(text) and text[end].isascii() and (text[end].isalpha() or text[end] in "'-"):
                end += 1
            found.append(read(text[at:end], at, "zh"))
            at = end
        else:
            if char.isalnum() or _is_symbol(char):
                found.append(read(char, at, "zh"))
            at += 1
    return tuple(found)


def readings(word: str) -> tuple[Sound, ...]:
    """Readings of a word or phrase: the one in context, then, for one character, its others.

    Raises:
        PhoneticError: nothing in it can be said, or a part of it cannot.
    """
    parts = [part for part in _parts(word) if part.strip()]
    if not parts:
        raise PhoneticError(f"{word!r} holds nothing that can be said")
    if len(parts) == 1 and len(parts[0]) == 1 and mandarin.is_han(parts[0]):
        usual = _each(parts[0])
        others = mandarin.all_readings(parts[0])
        return tuple(_sound((s,)) for s in dict.fromkeys((*usual, *others)))[:_MAX_READINGS]
    segments: tuple[str, ...] = ()
    tones: tuple[int, ...] = ()
    for part in parts:
        if mandarin.is_han(part[0]):
            sound = _sound(_each(part))
        elif part[0] in _DIGITS:
            sound = _sound(_in_context("".join(_DIGITS[digit] for digit in part)))
        else:
            from apun.phonetics import english

            sound = english.readings(part)[0]
        segments, tones = segments + sound.segments, tones + sound.tones
    return (Sound(segments, tones, _SOURCE),)


def _han(run: str, start: int) -> list[Word]:
    """Each character of a run with its reading in context first."""
    try:
        context = _each(run)
    except PhoneticError:
        return [read(char, start + i, "zh") for i, char in enumerate(run)]
    found = []
    for i, (char, syllable) in enumerate(zip(run, context, strict=True)):
        at = start + i
        found.append(Word(char, at, at + 1, (_sound((syllable,)),)))
    return found


def _each(run: str) -> tuple[Syllable, ...]:
    """One syllable a character; raises rather than leave one out."""
    syllables = _in_context(run)
    if len(syllables) != len(run):
        raise PhoneticError(f"a character of {run!r} has no Mandarin reading")
    return syllables


@lru_cache(maxsize=65536)
def _in_context(run: str) -> tuple[Syllable, ...]:
    return mandarin.readings(run)


@lru_cache(maxsize=65536)
def _sound(syllables: tuple[Syllable, ...]) -> Sound:
    segments = tuple(segment for syllable in syllables for segment in mandarin.to_ipa(syllable))
    return Sound(segments, tuple(syllable.tone for syllable in syllables), _SOURCE)


def _parts(word: str) -> list[str]:
    """Runs of Han characters, of digits, of Latin letters; any other character that is no punctuation alone."""
    pattern = r"[^\W\d_a-zA-Z]+|[0-9]+|[a-zA-Z][a-zA-Z'-]*|[^\s]"
    return [part for part in re.findall(pattern, word) if part[0].isalnum() or _is_symbol(part)]


def _is_symbol(char: str) -> bool:
    import unicodedata

    return unicodedata.category(char)[0] == "S"
