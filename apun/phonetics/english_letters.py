"""Letter-to-sound for English words that no dictionary has: ours, always there, no GPL.

First the word is taken apart: a regular ending or a prefix on a word the dictionary has, or two such
words in a row (``honeybee``). What is left is read letter by letter with the rules of
``letter_rules.tsv.gz``: for each letter the longest known context decides. The rules were learned from
CMUdict (Carnegie Mellon University, BSD licence) by ``scripts/build_letter_rules.py``, which prints their
error on held-out words.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from apun.phonetics import english_dictionary
from apun.phonetics.english_dictionary import to_ipa

PAD = "_"
# How a letter's context grows: (letters to the left, letters to the right).
GROWTH = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4))

_RULES = Path(__file__).with_name("letter_rules.tsv.gz")

_SHORTEST_PART = 3  # letters of a part of a compound
_LONGEST_COMPOUND = 60  # letters of a word that is still taken apart

# ending: (what may stand in the stem's place of it, phones). Longest first.
_ENDINGS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("ousness", ("ous",), "N AH0 S"),
    ("fulness", ("ful",), "N AH0 S"),
    ("lessness", ("less",), "N AH0 S"),
    ("iness", ("y",), "N AH0 S"),
    ("ingly", ("ing",), "L IY0"),
    ("ically", ("ic",), "L IY0"),
    ("ness", ("",), "N AH0 S"),
    ("less", ("",), "L AH0 S"),
    ("ship", ("",), "SH IH0 P"),
    ("like", ("",), "L AY0 K"),
    ("ment", ("",), "M AH0 N T"),
    ("wise", ("",), "W AY0 Z"),
    ("able", ("", "e"), "AH0 B AH0 L"),
    ("ably", ("", "e"), "AH0 B L IY0"),
    ("ible", ("", "e"), "AH0 B AH0 L"),
    ("fest", ("",), "F EH0 S T"),
    ("ings", ("", "e"), "IH0 NG Z"),
    ("ing", ("", "e"), "IH0 NG"),
    ("ily", ("y",), "AH0 L IY0"),
    ("ful", ("",), "F AH0 L"),
    ("ish", ("", "e"), "IH0 SH"),
    ("ism", ("", "e", "y"), "IH0 Z AH0 M"),
    ("ist", ("", "e", "y"), "IH0 S T"),
    ("ier", ("y",), "ER0"),
    ("est", ("", "e"), "AH0 S T"),
    ("ers", ("", "e"), "ER0 Z"),
    ("ies", ("y",), "Z"),
    ("ied", ("y",), "D"),
    ("ly", ("",), "L IY0"),
    ("er", ("", "e"), "ER0"),
    ("ed", ("", "e"), "'d"),
    ("es", ("", "e"), "'s"),
    ("s", ("",), "'s"),
    ("y", ("", "e"), "IY0"),
)
_PREFIXES: tuple[tuple[str, str], ...] = (
    ("counter", "K AW1 N T ER0"),
    ("under", "AH1 N D ER0"),
    ("super", "S UW1 P ER0"),
    ("inter", "IH1 N T ER0"),
    ("micro", "M AY1 K R OW0"),
    ("multi", "M AH1 L T IY0"),
    ("over", "OW1 V ER0"),
    ("anti", "AE1 N T IY0"),
    ("semi", "S EH1 M IY0"),
    ("mis", "M IH0 S"),
    ("non", "N AA1 N"),
    ("out", "AW1 T"),
    ("pre", "P R IY0"),
    ("dis", "D IH0 S"),
    ("un", "AH0 N"),
    ("re", "R IY0"),
    ("de", "D IY0"),
)


def pronounce(word: str) -> tuple[tuple[str, ...], ...]:
    """Canonical segments of a lower-case word of Latin letters, likeliest first; never empty.

    A word all of whose letters are silent by the rules is spelled out.

    Args:
        word: ASCII letters only.
    """
    apart = _taken_apart(word, 2)
    if apart:
        return apart
    phones = tuple("AH0" if phone == "AX" else phone for phone in by_rules(word, _rules()))
    return (to_ipa(phones) or tuple(s for letter in word for s in english_dictionary.LETTERS[letter]),)


def by_rules(word: str, rules: Mapping[tuple[str, str, str], str]) -> list[str]:
    """Phones of a word by letter rules alone; a doubled consonant is said once."""
    padded = PAD * 8 + word + PAD * 8
    phones: list[str] = []
    for at in range(8, 8 + len(word)):
        for left, right in reversed(GROWTH):
            said = rules.get((padded[at - left : at], padded[at], padded[at + 1 : at + 1 + right]))
            if said is not None:
                phones += said.split()
                break
    return phones


def _taken_apart(word: str, depth: int) -> tuple[tuple[str, ...], ...]:
    """Readings of a word made of known parts; empty when it is not."""
    if depth == 0 or len(word) > _LONGEST_COMPOUND:
        return ()
    for ending, stems, phones in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            for stem in stems:
                found = _known(word.removesuffix(ending) + stem, depth) or (
                    _undoubled(word.removesuffix(ending), depth) if ending[0] in "aeiy" and not stem else ()
                )
                if found:
                    return tuple(_ended(segments, phones) for segments in found)
    for prefix, phones in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= _SHORTEST_PART:
            found = english_dictionary.variants(word.removeprefix(prefix))
            if found:
                return tuple(to_ipa(tuple(phones.split())) + segments for segments in found)
    return _compound(word)


def _known(stem: str, depth: int) -> tuple[tuple[str, ...], ...]:
    if len(stem) < 2:
        return ()
    return english_dictionary.variants(stem) or _taken_apart(stem, depth - 1)


def _undoubled(stem: str, depth: int) -> tuple[tuple[str, ...], ...]:
    """``hummable`` without its ending is ``humm``: the word is ``hum``."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiou":
        return english_dictionary.variants(stem[:-1])
    return ()


def _compound(word: str) -> tuple[tuple[str, ...], ...]:
    """Two dictionary words in a row, cut where the shorter one is longest."""
    cuts = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    for cut in sorted(cuts, key=lambda i: (-min(i, len(word) - i), i)):
        first, second = english_dictionary.variants(word[:cut]), english_dictionary.variants(word[cut:])
        if first and second:
            return tuple(a + b for a in first[:2] for b in second[:2])
    return ()


def _ended(segments: tuple[str, ...], phones: str) -> tuple[str, ...]:
    from apun.phonetics.english import with_clitic

    return with_clitic(segments, phones) if phones.startswith("'") else segments + to_ipa(tuple(phones.split()))


@lru_cache(maxsize=1)
def _rules() -> Mapping[tuple[str, str, str], str]:
    found = {}
    with gzip.open(_RULES, "rt", encoding="utf-8") as file:
        for line in file:
            left, letter, right, said = line.rstrip("\n").split("\t")
            found[left, letter, right] = said
    return found
