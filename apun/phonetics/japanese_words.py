"""Japanese for the shared interface: dictionary words, their kana reading in context as IPA."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from apun.errors import PhoneticError
from apun.phonetics import japanese
from apun.phonetics.sounds import Sound, Word, read

_SILENT = ("空白", "補助記号")  # space, punctuation
_PARTICLES = {"は": "わ", "へ": "え"}  # said otherwise than written


def words(text: str) -> tuple[Word, ...]:
    """The words SudachiDict finds in a text, each with its reading in context; punctuation is left out."""
    found = []
    for morpheme in japanese._sudachi().tokenize(text):
        surface, kind = morpheme.surface(), morpheme.part_of_speech()[0]
        if not surface.strip() or (kind in _SILENT and not _says_something(surface)):
            continue
        start = morpheme.begin()
        kana = japanese.normalise(morpheme.reading_form())
        if kind == "助詞":
            kana = _PARTICLES.get(surface, kana)
        if morpheme.is_oov() or not japanese.is_kana(kana):
            found.append(read(surface, start, "ja"))
            continue
        try:
            found.append(Word(surface, start, morpheme.end(), (_sound(kana),)))
        except PhoneticError as error:
            found.append(Word(surface, start, morpheme.end(), (), str(error)))
    return tuple(found)


def readings(word: str) -> tuple[Sound, ...]:
    """The dictionary's reading of a word or phrase; kana are read as they stand.

    Raises:
        PhoneticError: nothing in it can be said, or a part of it has no reading.
    """
    if not any(char.isalnum() for char in word):
        raise PhoneticError(f"{word!r} holds nothing that can be said")
    kana = japanese.normalise(word) if japanese.is_kana(word) else japanese.kana_of(word)
    if not japanese.is_kana(kana):
        raise PhoneticError(f"{word!r} has no reading in kana")
    return (_sound(kana),)


def _says_something(surface: str) -> bool:
    return any(char.isalnum() or unicodedata.category(char)[0] == "S" for char in surface)


@lru_cache(maxsize=65536)
def _sound(kana: str) -> Sound:
    return Sound(japanese.to_ipa(kana), (), "sudachi")
