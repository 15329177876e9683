"""What SudachiDict knows: whether a kana word exists, and every reading of a written word."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from apun.errors import MissingDependency
from apun.phonetics.japanese import is_kana, kana_of, normalise, open_jtalk_reading, same_reading
from apun.registry import optional

_WORD_CLASSES = ("名詞", "動詞", "形容詞", "形状詞", "副詞", "代名詞", "感動詞", "連体詞", "接続詞")


@lru_cache(maxsize=1)
def _dictionary() -> Any:
    sudachi = optional("sudachipy", "ja")
    try:
        return sudachi.Dictionary()
    except ModuleNotFoundError as error:  # sudachipy without its dictionary package
        raise MissingDependency("sudachidict-core", "ja") from error


@lru_cache(maxsize=1)
def readings() -> frozenset[str]:
    """Readings in hiragana of all words that are no proper nouns, particles or affixes; about 2 s once.

    Raises:
        MissingDependency: SudachiPy (0.7 or newer) or its dictionary is not installed.
    """
    dictionary = _dictionary()
    if not hasattr(dictionary, "entries"):
        raise MissingDependency("sudachipy>=0.7", "ja")
    found: set[str] = set()
    for entry in dictionary.entries():
        kind = entry.part_of_speech()
        if kind[0] in _WORD_CLASSES and kind[1] != "固有名詞":
            found.add(entry.reading_form())
    return frozenset(normalise(reading) for reading in found)


def exists(kana: str) -> bool | None:
    """Whether some word is read so; None when no dictionary is installed."""
    try:
        return normalise(kana) in readings()
    except MissingDependency:
        return None


def dictionary_readings(word: str) -> set[str]:
    """Readings of a written word in hiragana by two dictionaries; more than one where they differ.

    SudachiDict gives every entry of that spelling, or else its segmenter's reading; Open JTalk's
    dictionary gives one, whose long vowels are written ``ー`` and agree with any spelling of them.
    """
    found = {
        normalise(entry.reading_form())
        for entry in _dictionary().lookup(word)
        if entry.part_of_speech()[1] != "固有名詞" and entry.part_of_speech()[0] not in ("接尾辞", "接頭辞")
    }
    found = {kana for kana in found if is_kana(kana)} or {kana_of(word)}
    second = open_jtalk_reading(word)
    if not is_kana(second) or any(same_reading(second, kana) for kana in found):
        return found
    return {*found, second}


def ranked_readings(word: str) -> list[str]:
    """``dictionary_readings`` in a fixed order, the segmenter's first."""
    first = kana_of(word)
    return [first, *sorted(dictionary_readings(word) - {first})]


def readings_of_kanji(char: str) -> tuple[str, ...]:
    """Readings under which a single kanji is listed, names and affixes among them."""
    found = (normalise(entry.reading_form()) for entry in _dictionary().lookup(char))
    return tuple(sorted({kana for kana in found if is_kana(kana)}))
