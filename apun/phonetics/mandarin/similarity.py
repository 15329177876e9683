"""How alike Mandarin syllables are: rhyme groups, final classes, similarity types, near sounds.

Two rhyme systems live side by side, and they are not interchangeable:

* 18 **rhyme groups** (``rhyme_group``) decide whether lines rhyme: en/eng and in/ing are apart, i and ü
  together, the vowel of zhi and zi counts as i.
* 19 **final classes** (``final_class``) are the "final" of phonetic similarity: en/eng together, in/ing
  together, ian/üan apart from an/uan, the vowel of zhi apart from i, and beng peng meng feng with ong.

Both are data in ``tables``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from apun.phonetics import table
from apun.phonetics.mandarin.pinyin import Syllable, look_up

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


def rhyme_group(final: str) -> str:
    """The rhyme group of a strict final, one of 18 (Phun-Bench §4.3 and its rhyme rule).

    ``ê`` stands outside the 18 groups and is its own.

    Raises:
        PhoneticError: no such final, or one without a vowel (m, n, ng).
    """
    return look_up(_rhyme_groups(), final, "rhyme group")


def final_class(final: str, initial: str = "") -> str:
    """The class of a strict final after an initial, one of 19 (the "final" of Phun-Bench §4.4).

    The initial matters twice: ``i`` after zh ch sh r z c s is ``-i``; ``eng`` after b p m f is ``ong``.

    Raises:
        PhoneticError: no such final, or one without a vowel (m, n, ng).
    """
    classes = _final_classes()
    return classes.get((final, initial)) or look_up(classes, (final, "*"), "final class")


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


@lru_cache(maxsize=1)
def _rhyme_groups() -> Mapping[str, str]:
    groups = {final: row["group"] for row in table("mandarin", "rhyme_groups") for final in row["finals"].split()}
    return {**groups, "ê": "ê"}


@lru_cache(maxsize=1)
def _final_classes() -> Mapping[tuple[str, str], str]:
    return {
        (final, initial): row["class"]
        for row in table("mandarin", "final_classes")
        for final in row["finals"].split()
        for initial in row["initials"].split()
    }
