"""Words to sounds, one front end a language: text as written, words as said, sounds.

``sounds(word, language)`` gives the readings of a word as canonical IPA, ``words(text,
language)`` the words of a text with theirs. The languages are the packages ``english``, ``mandarin`` and
``japanese``; what they know by heart lies in their ``tables``. Gold readings live in the items; these
are for what models answer, and for what voices say.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from apun.errors import PhoneticError, UsageError


def table(language: str, name: str) -> list[dict[str, str]]:
    """Rows of a language's data table (tab separated, the first line names the columns).

    Args:
        language: name of the language's package.
        name: file name without ``.tsv``.
    """
    path = Path(__file__).parent / language / "tables" / f"{name}.tsv"
    heads, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [dict(zip(heads, row, strict=True)) for row in rows]


Language = Literal["en", "zh", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "zh", "ja")

_generation = 0
_MODULES = {
    "en": "apun.phonetics.english",
    "zh": "apun.phonetics.mandarin",
    "ja": "apun.phonetics.japanese",
}


@dataclass(frozen=True, slots=True)
class Sound:
    """One reading of one word.

    Attributes:
        segments: canonical IPA segments.
        tones: tone of each syllable, in order (Mandarin: 1-5); empty where the language has none.
        source: where the reading comes from (``cmudict``, ``letters``, ``espeak``, ``pypinyin`` …).
        phones: English only: the same in ARPABET, vowels with their stress; empty from a backend that gives IPA.
    """

    segments: tuple[str, ...]
    tones: tuple[int, ...] = ()
    source: str = ""
    phones: tuple[str, ...] = ()

    @property
    def ipa(self) -> str:
        """The segments as one string."""
        return "".join(self.segments)


class Word(NamedTuple):
    """A word of a text; a tuple, as a text's words are made anew each time.

    Attributes:
        text: the word as written.
        start: index of its first character in the text.
        end: index after its last character.
        readings: every reading, the most usual first; empty when the word cannot be pronounced.
        problem: why there is no reading; empty otherwise.
    """

    text: str
    start: int
    end: int
    readings: tuple[Sound, ...]
    problem: str = ""


def sounds(word: str, language: str = "en") -> tuple[Sound, ...]:
    """Every reading of a word or short text, the most usual first.

    Args:
        word: a word; several words are read as one, their sounds in a row.
        language: ``en``, ``zh`` or ``ja``.

    Raises:
        PhoneticError: nothing in it can be pronounced, or a part of it cannot; names the part.
        UsageError: unknown language.
    """
    return _sounds(word, check_language(language))


def words(text: str | Sequence[str], language: str = "en") -> tuple[Word, ...]:
    """The words of a text with their readings. Only punctuation and space are left out; never raises on text.

    Args:
        text: a text, split by the language's rule (English: space, hyphen and punctuation; Mandarin:
            characters; Japanese: dictionary words); or ready tokens, each of which becomes one word
            whatever it holds, with ``start`` and ``end`` counted as if joined by single spaces.
        language: ``en``, ``zh`` or ``ja``.

    Raises:
        UsageError: unknown language.
    """
    module = _module(check_language(language))
    if isinstance(text, str):
        return cast("tuple[Word, ...]", module.words(text))
    found, at = [], 0
    for token in text:
        found.append(read(token, at, language))
        at += len(token) + 1
    return tuple(found)


def read(token: str, start: int, language: str) -> Word:
    """One token as a ``Word``; its problem instead of an error when it cannot be read."""
    try:
        return Word(token, start, start + len(token), _sounds(token, check_language(language)))
    except PhoneticError as error:
        return Word(token, start, start + len(token), (), str(error))


@lru_cache(maxsize=65536)
def _sounds(word: str, language: Language) -> tuple[Sound, ...]:
    return cast("tuple[Sound, ...]", _module(language).sounds(word))


@lru_cache(maxsize=8)
def _module(language: Language) -> Any:
    return importlib.import_module(_MODULES[language])


def forget() -> None:
    """Forget every reading, after a backend was changed; caches elsewhere hold the old ``generation``."""
    global _generation
    _sounds.cache_clear()
    _generation += 1


def generation() -> int:
    """How often readings were forgotten: part of the key of whatever is kept about them."""
    return _generation


def check_language(language: str) -> Language:
    """The language itself; raises ``UsageError`` for one that has no phonetics."""
    if language not in LANGUAGES:
        raise UsageError(f"there is no phonetics for language {language!r}; there is: {', '.join(LANGUAGES)}")
    return language
