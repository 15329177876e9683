"""Japanese: text to words and their reading in kana, and kana to sounds.

Written readings come from SudachiDict, and from Open JTalk for words it does not know; what is said, with
particles and long vowels as pronounced, from Open JTalk. Kana themselves are in ``kana``, their Latin
spellings in ``romaji``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from apun.errors import MissingDependency, PhoneticError
from apun.phonetics import Sound, Word, read
from apun.phonetics.japanese.kana import LONG as LONG
from apun.phonetics.japanese.kana import LONG_SPELLINGS as LONG_SPELLINGS
from apun.phonetics.japanese.kana import NASAL as NASAL
from apun.phonetics.japanese.kana import ONSET_OF as ONSET_OF
from apun.phonetics.japanese.kana import SMALL as SMALL
from apun.phonetics.japanese.kana import STOP as STOP
from apun.phonetics.japanese.kana import VOWEL_OF as VOWEL_OF
from apun.phonetics.japanese.kana import is_kana as is_kana
from apun.phonetics.japanese.kana import morae as morae
from apun.phonetics.japanese.kana import normalise as normalise
from apun.phonetics.japanese.kana import prolonged as prolonged
from apun.phonetics.japanese.kana import same_reading as same_reading
from apun.phonetics.japanese.kana import to_ipa as to_ipa
from apun.phonetics.japanese.kana import vowel_sequence as vowel_sequence
from apun.phonetics.japanese.romaji import from_romaji as from_romaji
from apun.registry import optional

_SILENT = ("空白", "補助記号")  # space, punctuation
_PARTICLES = {"は": "わ", "へ": "え"}  # said otherwise than written


def words(text: str) -> tuple[Word, ...]:
    """The words SudachiDict finds in a text, each with its reading in context; punctuation is left out."""
    found = []
    for morpheme in _sudachi().tokenize(text):
        surface, kind = morpheme.surface(), morpheme.part_of_speech()[0]
        if not surface.strip() or (kind in _SILENT and not _says_something(surface)):
            continue
        start = morpheme.begin()
        kana = normalise(morpheme.reading_form())
        if kind == "助詞":
            kana = _PARTICLES.get(surface, kana)
        if morpheme.is_oov() or not is_kana(kana):
            found.append(read(surface, start, "ja"))
            continue
        try:
            found.append(Word(surface, start, morpheme.end(), (_sound(kana),)))
        except PhoneticError as error:
            found.append(Word(surface, start, morpheme.end(), (), str(error)))
    return tuple(found)


def sounds(word: str) -> tuple[Sound, ...]:
    """The dictionary's reading of a word or phrase; kana are read as they stand.

    Raises:
        PhoneticError: nothing in it can be said, or a part of it has no reading.
    """
    if not any(char.isalnum() for char in word):
        raise PhoneticError(f"{word!r} holds nothing that can be said")
    kana = normalise(word) if is_kana(word) else kana_of(word)
    if not is_kana(kana):
        raise PhoneticError(f"{word!r} has no reading in kana")
    return (_sound(kana),)


def kana_of(text: str) -> str:
    """The reading of Japanese text in hiragana, by SudachiDict, then Open JTalk for unknown words.

    A dictionary's guess: gold readings are never taken from here at scoring time.

    Raises:
        MissingDependency: neither dictionary is installed.
        PhoneticError: a word has no reading in either; names it.
    """
    return "".join(_readings(text))


def said(text: str) -> Iterator[tuple[str, str]]:
    """Words of a text as written and as Open JTalk pronounces them: in kana, the particle は as ワ, long vowels as ー.

    Punctuation comes with what Open JTalk makes of it, which is no kana.

    Raises:
        MissingDependency: pyopenjtalk-plus is not installed.
    """
    nodes: list[dict[str, Any]] = _open_jtalk().run_frontend(text, use_sudachi_kanji_yomi=False)
    for node in nodes:
        yield str(node["string"]), _without_accents(str(node["pron"]))


def open_jtalk_reading(word: str) -> str:
    """The pronunciation Open JTalk's dictionary gives, in hiragana; long vowels are ``ー``.

    Raises:
        MissingDependency: pyopenjtalk is not installed.
    """
    return normalise(_without_accents(str(_open_jtalk().g2p(word, kana=True))))


def _readings(text: str) -> Iterator[str]:
    for morpheme in _sudachi().tokenize(unicodedata.normalize("NFKC", text)):
        surface = morpheme.surface()
        if is_kana(surface):
            yield normalise(surface)
            continue
        if not surface.strip() or morpheme.part_of_speech()[0] in _SILENT:
            continue
        reading = normalise(morpheme.reading_form())
        if morpheme.is_oov() or not is_kana(reading):
            reading = open_jtalk_reading(surface)
        if not is_kana(reading):
            raise PhoneticError(f"{surface!r} has no reading in SudachiDict or Open JTalk")
        yield reading


def _says_something(surface: str) -> bool:
    return any(char.isalnum() or unicodedata.category(char)[0] == "S" for char in surface)


@lru_cache(maxsize=65536)
def _sound(kana: str) -> Sound:
    return Sound(to_ipa(kana), (), "sudachi")


@lru_cache(maxsize=1)
def _sudachi() -> Any:
    sudachi = optional("sudachipy", "ja")
    dictionary = sudachi.Dictionary
    try:
        return (
            dictionary().tokenizer(sudachi.SplitMode.C) if hasattr(dictionary, "tokenizer") else dictionary().create()
        )
    except ModuleNotFoundError as error:  # sudachipy without sudachidict-core
        raise MissingDependency("sudachidict-core", "ja") from error


def _open_jtalk() -> Any:
    return optional("pyopenjtalk", "ja", "pyopenjtalk-plus")


def _without_accents(pronunciation: str) -> str:
    return pronunciation.replace("’", "").replace("'", "")
