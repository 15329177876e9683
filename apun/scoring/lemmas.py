"""Fine location and exact match: are two answers the same word, inflection, case and clitics aside?

A word is normalised - compatibility characters, case, curly quotes, outer punctuation, a possessive ``'s``,
a leading article or ``to`` - and lemmatised with lemminflect. As its part of speech is unknown, a word
has every lemma it may have (``leaves``: leaf, leave), and two words match when they share one. Hyphens
and spaces do not count (``x-ray``, ``x ray``, ``xray``); apostrophes inside a word do (``we'll`` is not ``well``).
Chinese and Japanese words are compared as normalised characters (Chinese in simplified ones).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼʹ′`´＇", "'"))
_LEADING = re.compile(r"(?:an?|the|to)\s+(?=\S)")
_LONGEST = 200  # characters of a text that is still lemmatised


def normalise_word(text: str) -> str:
    """The word in lower case without what does not belong to it; empty when nothing is left.

    Args:
        text: a word or short phrase in any spelling.
    """
    word = unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)).translate(_APOSTROPHES).casefold()
    word = "".join(char for char in word if unicodedata.category(char) not in ("Cf", "Cc") or char.isspace())
    word = " ".join(word.split())
    start, end = 0, len(word)
    while start < end and not _inside(word[start]):
        start += 1
    while end > start and not _inside(word[end - 1]):
        end -= 1
    word = _LEADING.sub("", word[start:end], count=1) if _LEADING.match(word[start:end]) else word[start:end]
    return word.removesuffix("'s")


def _inside(char: str) -> bool:
    """Letters, digits, marks and symbols belong to a word; punctuation at its ends does not."""
    return unicodedata.category(char)[0] in "LNMS"


@lru_cache(maxsize=65536)
def lemmas(word: str, language: str = "en") -> frozenset[str]:
    """Keys under which a word matches: itself and every lemma, hyphens and spaces taken out; empty for no word.

    Args:
        word: a word or short phrase; of a phrase, the last word is lemmatised and each word likewise.
        language: ``en``, ``zh`` or ``ja``.
    """
    plain = normalise_word(word)
    if not plain:
        return frozenset()
    if language == "zh":
        from apun.phonetics.mandarin.text import simplified

        return frozenset({simplified(plain)})
    if language != "en" or len(plain) > _LONGEST:
        return frozenset({plain})
    *front, last = re.split(r"[\s\-‐‑]+", plain)
    heads = ["".join(front)]
    if front:
        heads.append("".join(min(lemmas_of(part)) for part in front))
    return frozenset(head + lemma for head in heads for lemma in lemmas_of(last))


def same_lemma(first: str, second: str, language: str = "en") -> bool:
    """Whether two answers are the same word (APUN-Bench, fine location and equation 4); never for empty ones."""
    return not lemmas(first, language).isdisjoint(lemmas(second, language))


@lru_cache(maxsize=65536)
def lemmas_of(word: str) -> frozenset[str]:
    """An English word, a final apostrophe aside, and every lemma it may have, whatever its part of speech.

    Args:
        word: in lower case.
    """
    from lemminflect import getAllLemmas

    stem = word.removesuffix("'")
    return frozenset({stem, *(lemma for found in getAllLemmas(stem).values() for lemma in found)})
