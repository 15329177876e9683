"""Romaji to hiragana: Hepburn, Kunrei and Nihon-shiki, with or without macrons."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import islice, product

from apun.phonetics import table

MOST_CANDIDATES = 64

_LONG = {"a": ("ああ",), "i": ("いい",), "u": ("うう",), "e": ("えい", "ええ"), "o": ("おう", "おお")}
_ACCENTS = {"\u0304", "\u0302"}  # macron, circumflex


_TOKEN = re.compile(
    r"(?P<stop>(?P<c>[kstpgzjdbfrhc])(?=(?P=c))|t(?=ch)|[xl]ts?u)"
    r"|(?P<nasal>n'|nn$|n(?![aiueoy])|m(?=[bpm]))"
    r"|(?P<syllable>[bcdfghjkmnprstvwyz]{0,3}[aiueo])(?P<long>_?)"
)


@lru_cache(maxsize=1)
def _syllables() -> dict[str, tuple[str, ...]]:
    """Kana of each syllable, most usual first: ``ji zu ti di`` do not say which of two is meant."""
    return {row["romaji"]: tuple(row["kana"].split()) for row in table("japanese", "romaji")}


def from_romaji(text: str) -> tuple[str, ...]:
    """Hiragana that a romaji spelling may stand for, most usual first; empty when it is not romaji.

    A macron or circumflex is a long vowel in every usual spelling (``kō`` is ``こう`` or ``こお``), as are
    doubled vowels; ``ji`` and ``zu`` may be ``ぢ`` and ``づ``. A plain vowel is short: ``ko`` is never ``こう``.
    A word of more than 64 candidates gives the first 64.
    """
    word = _plain(text)
    if word is None:
        return ()
    choices: list[tuple[str, ...]] = []
    position = 0
    while position < len(word):
        match = _TOKEN.match(word, position)
        if match is None:
            return ()
        if match["stop"]:
            choices.append(("っ",))
        elif match["nasal"]:
            choices.append(("ん",))
        else:
            kana = _syllables().get(match["syllable"])
            if kana is None:
                return ()
            vowel = match["syllable"][-1]
            choices.append(kana)
            if match["long"]:
                choices.append(tuple(spelling[1] for spelling in _LONG[vowel]))
            elif match["syllable"] == vowel and vowel in "oe" and word[:position].endswith(vowel):
                choices[-1] = tuple(spelling[1] for spelling in reversed(_LONG[vowel]))
        position = match.end()
    return tuple(dict.fromkeys("".join(parts) for parts in islice(product(*choices), MOST_CANDIDATES)))


def _plain(text: str) -> str | None:
    """Lower-case ASCII with ``_`` after a long vowel; None when the text is no romaji."""
    word: list[str] = []
    for char in unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).strip().lower()):
        if char in _ACCENTS:
            if not word or word[-1] not in "aiueo":
                return None
            word.append("_")
        elif char in "’ʼ`'":
            word.append("'")
        elif "a" <= char <= "z":
            word.append(char)
        elif char in " -‐‑・.":
            continue
        else:
            return None
    return "".join(word) or None
