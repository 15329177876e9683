"""Mandarin: characters to syllables, the two rhyme systems, similarity types, near sounds and IPA.

Two rhyme systems live side by side, and they are not interchangeable:

* 18 **rhyme groups** (``rhyme_group``) decide whether lines rhyme: en/eng and in/ing are apart, i and ü
  together, the vowel of zhi and zi counts as i.
* 19 **final classes** (``final_class``) are the "final" of phonetic similarity: en/eng together, in/ing
  together, ian/üan apart from an/uan, the vowel of zhi apart from i, and beng peng meng feng with ong.

Both are data tables in ``mandarin_tables``, as are the syllables there are and their IPA. The syllable
itself, its spelling and its parser are in ``apun.phonetics.pinyin``.
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal

from apun.errors import MissingDependency, PhoneticError
from apun.paths import cache_dir
from apun.phonetics.pinyin import NEUTRAL, Syllable, inventory, parse, spelling, table

__all__ = [
    "NEUTRAL",
    "Match",
    "SimilarityType",
    "Syllable",
    "all_readings",
    "final_class",
    "inventory",
    "is_han",
    "match",
    "parse",
    "readings",
    "rhyme_group",
    "similarity_type",
    "spelling",
    "syllable_rhyme",
    "to_ipa",
    "type_of",
]

SimilarityType = Literal["T0", "T1", "T2", "T3", "T4", "T5", "T6", "T7"]
Match = Literal["same", "tone", "near", "different"]

_NEAR_INITIALS = frozenset(
    frozenset(pair) for pair in (("s", "sh"), ("z", "zh"), ("c", "ch"), ("n", "l"), ("f", "h"), ("r", "l"))
)
_TYPES: Mapping[tuple[bool, bool, bool], SimilarityType] = {
    (False, False, False): "T0",
    (True, False, False): "T1",
    (False, True, False): "T2",
    (False, False, True): "T3",
    (True, True, False): "T4",
    (True, False, True): "T5",
    (False, True, True): "T6",
    (True, True, True): "T6",  # different syllables all the same
}


def is_han(char: str) -> bool:
    """Whether a character is a Chinese one (any CJK ideograph, extensions and 〇 included)."""
    return char == "〇" or unicodedata.name(char, "").startswith("CJK ")


def rhyme_group(final: str) -> str:
    """The rhyme group of a strict final, one of 18 (Phun-Bench §4.3 and its rhyme rule).

    ``ê`` stands outside the 18 groups and is its own.

    Raises:
        PhoneticError: no such final, or one without a vowel (m, n, ng).
    """
    return _look_up(_rhyme_groups(), final, "rhyme group")


def final_class(final: str, initial: str = "") -> str:
    """The class of a strict final after an initial, one of 19 (the "final" of Phun-Bench §4.4).

    The initial matters twice: ``i`` after zh ch sh r z c s is ``-i``; ``eng`` after b p m f is ``ong``.

    Raises:
        PhoneticError: no such final, or one without a vowel (m, n, ng).
    """
    classes = _final_classes()
    return classes.get((final, initial)) or _look_up(classes, (final, "*"), "final class")


def syllable_rhyme(syllable: Syllable) -> str:
    """The rhyme group of a syllable."""
    return rhyme_group(syllable.final)


def similarity_type(a: Syllable, b: Syllable) -> SimilarityType:
    """How alike two syllables are: T0 (nothing) to T7 (the same syllable in the same tone).

    Initial, final class and tone are compared (Phun-Bench Figure 1b): T1 initial, T2 final, T3 tone,
    T4 initial and final, T5 initial and tone, T6 final and tone. Two syllables that agree in all three
    and still differ (``lan2``/``luan2``: the medial is no part of a class) are T6, as in the released data.
    A zero initial equals a zero initial.
    """
    if a == b:
        return "T7"
    final = _class_of(a.final, a.initial) == _class_of(b.final, b.initial)
    return type_of(a.initial == b.initial, final, a.tone == b.tone)


def type_of(initial: bool, final: bool, tone: bool) -> SimilarityType:
    """The type of two different syllables from what they share; see ``similarity_type``."""
    return _TYPES[initial, final, tone]


def _class_of(final: str, initial: str) -> str:
    """The final class; finals without a vowel are alike only with themselves."""
    classes = _final_classes()
    return classes.get((final, initial)) or classes.get((final, "*")) or final


def match(a: Syllable, b: Syllable) -> Match:
    """How two syllables agree as homophones.

    Returns:
        ``same``; ``tone`` (only the tone differs); ``near`` (whatever the tone, they differ only in sounds
        that many speakers merge: s-sh, z-zh, c-ch, n-l, r-l, f-h, and n-ng after the same vowel);
        ``different``.
    """
    if (a.initial, a.final) == (b.initial, b.final):
        return "same" if a.tone == b.tone else "tone"
    initials = frozenset((a.initial, b.initial))
    if len(initials) == 2 and initials not in _NEAR_INITIALS:
        return "different"
    finals = [_merged(syllable, labial_glide=initials == {"f", "h"}) for syllable in (a, b)]
    return "near" if finals[0] == finals[1] else "different"


def _merged(syllable: Syllable, *, labial_glide: bool) -> str:
    """The final with ng taken for n, and without the glide of h (hui-fei, huang-fang) where f stands against h."""
    final = syllable.final
    if final[-2:] == "ng" and len(final) > 2 and final not in ("ong", "iong"):
        final = final[:-1]
    if labial_glide and syllable.initial == "h" and final[0] == "u" and len(final) > 1:
        final = final[1:]
    return final


def to_ipa(syllable: Syllable) -> tuple[str, ...]:
    """Canonical IPA segments, each known to panphon; the tone stays apart in ``syllable.tone``.

    Raises:
        PhoneticError: the syllable has a part the table does not know.
    """
    segments = _segments()
    onset = _look_up(segments, (syllable.initial, "initial"), "IPA").split() if syllable.initial else []
    rime = segments.get((syllable.final, syllable.initial)) or _look_up(segments, (syllable.final, "*"), "IPA")
    return (*onset, *rime.split())


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


@lru_cache(maxsize=65_536)
def _readings(text: str) -> tuple[Syllable, ...] | str:
    pypinyin = _pypinyin()
    found: list[Syllable] = []
    for word in _segmenter().cut(unicodedata.normalize("NFC", text)):
        if not any(char.isalnum() for char in word):
            continue
        for char in word:
            if not is_han(char):
                return f"no Mandarin reading of {char!r} in {text!r}: write it in Chinese characters"
        spelled = pypinyin.lazy_pinyin(
            word, style=pypinyin.Style.TONE3, neutral_tone_with_five=True, v_to_u=True, errors=lambda _: [""]
        )
        if len(spelled) != len(word):
            return f"pypinyin gives {len(spelled)} readings for the {len(word)} characters of {word!r}"
        for char, syllable in zip(word, spelled, strict=True):
            try:
                found.extend(parse(syllable)[:1])
            except PhoneticError:
                return f"no Mandarin reading of {char!r} in {text!r}"
    return tuple(found)


@lru_cache(maxsize=16_384)
def all_readings(char: str) -> tuple[Syllable, ...]:
    """Every reading that pypinyin lists for one character, the usual one first; empty where it knows none.

    Raises:
        MissingDependency: pypinyin is not installed (extra ``zh``).
    """
    if len(char) != 1 or not is_han(char):
        return ()
    pypinyin = _pypinyin()
    style = {"style": pypinyin.Style.TONE3, "heteronym": True, "neutral_tone_with_five": True, "v_to_u": True}
    found: dict[Syllable, None] = {}
    for spelled in pypinyin.pinyin(char, **style)[0]:
        try:
            found.update(dict.fromkeys(parse(spelled)))
        except PhoneticError:
            continue  # pypinyin hands back a character that it does not know
    return tuple(found)


def _pypinyin() -> Any:
    try:
        import pypinyin
    except ImportError as error:
        raise MissingDependency("pypinyin", "zh") from error
    return pypinyin


@lru_cache(maxsize=1)
def _segmenter() -> Any:
    """jieba with its own dictionary; its cache lies in the user's cache folder, not in the shared /tmp."""
    try:
        import jieba
    except ImportError as error:
        raise MissingDependency("jieba", "zh") from error
    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    with suppress(OSError):  # a read-only home: jieba builds its table afresh
        tokenizer.tmp_dir = str(cache_dir("jieba"))
    return tokenizer


@lru_cache(maxsize=1)
def _rhyme_groups() -> Mapping[str, str]:
    groups = {final: row["group"] for row in table("rhyme_groups.tsv") for final in row["finals"].split()}
    return {**groups, "ê": "ê"}


@lru_cache(maxsize=1)
def _final_classes() -> Mapping[tuple[str, str], str]:
    return {
        (final, initial): row["class"]
        for row in table("final_classes.tsv")
        for final in row["finals"].split()
        for initial in row["initials"].split()
    }


@lru_cache(maxsize=1)
def _segments() -> Mapping[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for row in table("ipa.tsv"):
        for initial in row["initials"].split():
            key = (row["pinyin"], "initial" if row["part"] == "initial" else initial)
            found[key] = row["segments"]
    return found


def _look_up(found: Mapping[Any, str], key: Any, what: str) -> str:
    try:
        return found[key]
    except KeyError:
        final = key if isinstance(key, str) else key[0]
        raise PhoneticError(f"there is no {what} of {final!r}; is it a strict final such as 'iou' or 'uei'?") from None
