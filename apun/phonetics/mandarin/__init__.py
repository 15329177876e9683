"""Mandarin: characters to syllables in context, and syllables to sounds.

Each Han character is a word with its pinyin in context first and its other readings after. Latin
letters and digits inside a Chinese text are words of their own: letters are read as English, digits one
by one. The syllable is in ``pinyin``, what is alike in ``similarity``, script and numerals in ``text``.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from functools import lru_cache
from typing import Any

from apun.errors import PhoneticError
from apun.phonetics import Sound, Word, read
from apun.phonetics import sounds as sounds_of
from apun.phonetics.mandarin.pinyin import NEUTRAL as NEUTRAL
from apun.phonetics.mandarin.pinyin import Syllable as Syllable
from apun.phonetics.mandarin.pinyin import inventory as inventory
from apun.phonetics.mandarin.pinyin import marked as marked
from apun.phonetics.mandarin.pinyin import numbered as numbered
from apun.phonetics.mandarin.pinyin import parse as parse
from apun.phonetics.mandarin.pinyin import spelling as spelling
from apun.phonetics.mandarin.pinyin import to_ipa as to_ipa
from apun.phonetics.mandarin.similarity import Match as Match
from apun.phonetics.mandarin.similarity import SimilarityType as SimilarityType
from apun.phonetics.mandarin.similarity import final_class as final_class
from apun.phonetics.mandarin.similarity import match as match
from apun.phonetics.mandarin.similarity import rhyme_group as rhyme_group
from apun.phonetics.mandarin.similarity import similarity_type as similarity_type
from apun.phonetics.mandarin.similarity import type_of as type_of
from apun.phonetics.mandarin.text import DIGITS, segmented
from apun.phonetics.mandarin.text import comparable as comparable
from apun.phonetics.mandarin.text import han as han
from apun.phonetics.mandarin.text import is_han as is_han
from apun.phonetics.mandarin.text import numerals as numerals
from apun.phonetics.mandarin.text import simplified as simplified
from apun.registry import optional

SPACED = False
_SOURCE = "pypinyin"
_MAX_READINGS = 8
# Runs of letters that may be Chinese, of digits, of Latin letters; any other character alone.
_PART = re.compile(r"[^\W\d_a-zA-Z]+|[0-9]+|[a-zA-Z][a-zA-Z'-]*|\S")
_OTHER = re.compile(r"[a-zA-Z][a-zA-Z'-]*|\S")


def words(text: str) -> tuple[Word, ...]:
    """Characters of a text with their readings; runs of Latin letters are one word."""
    found: list[Word] = []
    at = 0
    for chinese, chars in itertools.groupby(text, is_han):
        run = "".join(chars)
        if chinese:
            found += _characters(run, at)
        else:
            others = (part for part in _OTHER.finditer(run) if _says_something(part[0][0]))
            found += [read(part[0], at + part.start(), "zh") for part in others]
        at += len(run)
    return tuple(found)


def sounds(word: str) -> tuple[Sound, ...]:
    """Readings of a word or phrase: the one in context, then, for one character, its others.

    Raises:
        PhoneticError: nothing in it can be said, or a part of it cannot.
    """
    parts = [part for part in _PART.findall(word) if _says_something(part[0])]
    if not parts:
        raise PhoneticError(f"{word!r} holds nothing that can be said")
    if len(parts) == 1 and len(parts[0]) == 1 and is_han(parts[0]):
        usual = _each(parts[0])
        return tuple(_sound((s,)) for s in dict.fromkeys((*usual, *all_readings(parts[0]))))[:_MAX_READINGS]
    spoken = [_sound(_each(part)) if is_han(part[0]) else _other(part) for part in parts]
    segments = sum((sound.segments for sound in spoken), ())
    return (Sound(segments, sum((sound.tones for sound in spoken), ()), _SOURCE),)


def readings(text: str) -> tuple[Syllable, ...]:
    """Syllables of a Chinese text, one a character, read in context.

    Words are cut by jieba and read by pypinyin, so that a polyphone is read by the word it stands in.
    Punctuation and spaces are passed over.

    Raises:
        PhoneticError: a character has no Mandarin reading, or is a letter or digit.
        MissingDependency: pypinyin or jieba is not installed (extra ``zh``).
    """
    found = _readings(text)
    if isinstance(found, str):
        raise PhoneticError(found)
    return found


@lru_cache(maxsize=16_384)
def all_readings(char: str) -> tuple[Syllable, ...]:
    """Every reading that pypinyin lists for one character, the usual one first; empty where it knows none.

    Raises:
        MissingDependency: pypinyin is not installed (extra ``zh``).
    """
    if len(char) != 1 or not is_han(char):
        return ()
    found: dict[Syllable, None] = {}
    for spelled in _pinyin("pinyin", char, heteronym=True)[0]:
        try:
            found.update(dict.fromkeys(parse(spelled)))
        except PhoneticError:
            continue  # pypinyin hands back a character that it does not know
    return tuple(found)


def _characters(run: str, start: int) -> list[Word]:
    """Each character of a run of Chinese ones with its reading in context."""
    try:
        context = _each(run)
    except PhoneticError:
        return [read(char, start + i, "zh") for i, char in enumerate(run)]
    return [
        Word(char, start + i, start + i + 1, (_sound((syllable,)),))
        for i, (char, syllable) in enumerate(zip(run, context, strict=True))
    ]


def _says_something(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "S"


def _other(part: str) -> Sound:
    """Digits one by one; anything else as English."""
    if part[0] in "0123456789":
        return _sound(readings(part.translate(DIGITS)))
    return sounds_of(part, "en")[0]


def _each(run: str) -> tuple[Syllable, ...]:
    """One syllable a character; raises rather than leave one out."""
    syllables = readings(run)
    if len(syllables) != len(run):
        raise PhoneticError(f"a character of {run!r} has no Mandarin reading")
    return syllables


@lru_cache(maxsize=65536)
def _sound(syllables: tuple[Syllable, ...]) -> Sound:
    segments = tuple(segment for syllable in syllables for segment in to_ipa(syllable))
    return Sound(segments, tuple(syllable.tone for syllable in syllables), _SOURCE)


@lru_cache(maxsize=65_536)
def _readings(text: str) -> tuple[Syllable, ...] | str:
    """Syllables, or why there are none (so that failures are cached as well)."""
    found: list[Syllable] = []
    for word in segmented(unicodedata.normalize("NFC", text)):
        if not any(char.isalnum() for char in word):
            continue
        for char in word:
            if not is_han(char):
                return f"no Mandarin reading of {char!r} in {text!r}: write it in Chinese characters"
        spelled = _pinyin("lazy_pinyin", word, errors=lambda _: [""])
        if len(spelled) != len(word):
            return f"pypinyin gives {len(spelled)} readings for the {len(word)} characters of {word!r}"
        for char, syllable in zip(word, spelled, strict=True):
            try:
                found.extend(parse(syllable)[:1])
            except PhoneticError:
                return f"no Mandarin reading of {char!r} in {text!r}"
    return tuple(found)


def _pinyin(function: str, text: str, **options: Any) -> Any:
    """pypinyin's answer, tones as digits, 5 for the neutral one, ``ü`` as it is."""
    pypinyin = optional("pypinyin", "zh")
    style = {"style": pypinyin.Style.TONE3, "neutral_tone_with_five": True, "v_to_u": True}
    return getattr(pypinyin, function)(text, **style, **options)
