"""IPA: one canonical spelling, and the articulatory features of its segments.

Writers of IPA disagree: ``g`` or ``ɡ``, ``ʧ`` or ``tʃ`` or ``t͜ʃ`` or ``t͡ʃ``, ``:`` or ``ː``, ``ɝ`` or ``əɹ``.
panphon silently drops what it does not know, so "gas" would become "as". Here every such symbol has
a rule, and what has none raises.

Features are panphon's table, read once and held as one matrix. Its own ``FeatureTable`` costs 1 s to import and
build and looks segments up one at a time; only its data file is used here: 6,367 segments × 24 features,
each +1, 0 or -1.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from apun.errors import PhoneticError
from apun.registry import package_folder

# Applied to NFD text, in this order.
_RULES: tuple[tuple[str, str], ...] = (
    ("g", "ɡ"),
    ("\u035c", "\u0361"),  # tie below → tie above
    ("ʦ", "t͡s"), ("ʣ", "d͡z"), ("ʧ", "t͡ʃ"), ("ʤ", "d͡ʒ"), ("ʨ", "t͡ɕ"), ("ʥ", "d͡ʑ"), ("ꭧ", "ʈ͡ʂ"), ("ꭦ", "ɖ͡ʐ"),
    (":", "ː"), ("：", "ː"),
    ("ɚ", "əɹ"), ("ɝ", "əɹ"), ("ɜ˞", "əɹ"), ("ə˞", "əɹ"), ("˞", "ɹ"),  # r-coloured: as CMUdict
    ("ᵻ", "ɪ"), ("ᵿ", "ʊ"), ("ᵊ", "ə"), ("ı", "ɪ"), ("ɩ", "ɪ"), ("ɷ", "ʊ"),
    ("ɿ", "ɹ̩"), ("ʅ", "ɻ̩"), ("ʮ", "ɹ̩ʷ"), ("ʯ", "ɻ̩ʷ"),  # Sinologists' apical vowels
    ("\u030d", "\u0329"),  # syllabic mark above → below
    ("ɯᵝ", "ɯ̟"), ("ᵝ", ""),  # compressed Japanese u
    ("ʱ", "ʰ"), ("’", "ʼ"), ("'", "ˈ"), ("\u02c0", "ʔ"),
)  # fmt: skip

# Affricates written without a tie. English "courtship" pays for it, every eSpeak "church" gains.
_UNTIED = re.compile("(t)(ʃ)|(d)(ʒ)|(t)(ɕ)|(d)(ʑ)|(ʈ)(ʂ)|(ɖ)(ʐ)")

_PROSODY = set("ˈˌ.ˑ|‖‿_-/[]()͍ \t\n\u200d\u200b\u2060\ufeff\u0306\u032f")  # stress, breaks, brackets, extra-short
_TONE = set("˥˦˧˨˩꜈꜉꜊꜋꜌↗↘↑↓¹²³⁴⁵⁰0123456789") | {"\u0301", "\u0300", "\u0302", "\u030c", "\u0304"}


@dataclass(frozen=True, slots=True)
class Transcription:
    """Canonical segments, with tone on a tier of its own.

    Attributes:
        segments: canonical segments, each one known to the feature table.
        tones: tone marks as written, in order; digits and Chao letters in a row are one mark.
    """

    segments: tuple[str, ...]
    tones: tuple[str, ...] = ()


def canonical(ipa: str) -> str:
    """IPA in its canonical spelling: segments only, no stress, breaks or tone. Idempotent.

    Args:
        ipa: any IPA text of one word.

    Raises:
        PhoneticError: a symbol has no features and no rule.
    """
    segments = parse(ipa).segments
    joined = "".join(segments)
    # "t.ʃ" is two segments and "tʃ" one: a break is kept where leaving it out would change the reading.
    return joined if parse(joined).segments == segments else ".".join(segments)


@lru_cache(maxsize=65536)
def parse(ipa: str) -> Transcription:
    """Canonical segments and tones of IPA text.

    Args:
        ipa: any IPA text of one word; may be empty.

    Raises:
        PhoneticError: a symbol has no features and no rule; the message names both.
    """
    text = unicodedata.normalize("NFD", ipa)
    for old, new in _RULES:
        text = text.replace(old, new)
    # Diacritics that a rule brought in may follow others: NFD again puts them in canonical order.
    text = unicodedata.normalize("NFD", _UNTIED.sub(_tied, text))
    known = feature_table().index
    segments: list[str] = []
    tones: list[str] = []
    at, in_tone = 0, False
    while at < len(text):
        size = next((n for n in range(min(_longest(), len(text) - at), 0, -1) if text[at : at + n] in known), 0)
        char = text[at]
        if char in _TONE:
            if in_tone:
                tones[-1] += char
            else:
                tones.append(char)
            at, in_tone = at + 1, True
            continue
        in_tone = False
        if size:
            segments.append(text[at : at + size])
            at += size
        elif char in _PROSODY:
            at += 1
        else:
            raise PhoneticError(f"{ipa!r}: no features are known for {char!r} (U+{ord(char):04X})")
    return Transcription(tuple(segments), tuple(tones))


def _tied(match: re.Match[str]) -> str:
    first, second = (group for group in match.groups() if group)
    return f"{first}\u0361{second}"


@lru_cache(maxsize=1)
def _longest() -> int:
    return max(map(len, feature_table().index))


@dataclass(frozen=True)
class FeatureTable:
    """Every segment panphon knows.

    Attributes:
        names: the 24 features, panphon's order.
        index: segment, composed or decomposed, to its row.
        values: features, shape (segments, 24), int8 in {-1, 0, +1}.
    """

    names: tuple[str, ...]
    index: Mapping[str, int]
    values: NDArray[np.int8]


@lru_cache(maxsize=1)
def feature_table() -> FeatureTable:
    """The process's one feature table.

    Raises:
        MissingDependency: panphon is not installed.
    """
    path = package_folder("panphon", "phonetics") / "data" / "ipa_all.csv"
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    sign = {"+": 1, "0": 0, "-": -1}
    values = np.array([[sign[cell] for cell in row[1:]] for row in rows], dtype=np.int8)
    # Both spellings of what Unicode can compose, "ç" above all: a segment must not be lost to its encoding.
    index = {unicodedata.normalize(form, row[0]): i for form in ("NFC", "NFD") for i, row in enumerate(rows)}
    return FeatureTable(tuple(head[1:]), index, values)


def feature_rows(segments: Sequence[str]) -> list[int]:
    """Rows of canonical segments.

    Raises:
        PhoneticError: a segment is not in the table; nothing is dropped.
    """
    index = feature_table().index
    try:
        return [index[segment] for segment in segments]
    except KeyError as error:
        raise PhoneticError(
            f"the segment {error.args[0]!r} in {' '.join(segments)!r} has no features; canonicalise the IPA first"
        ) from None


def features(segments: Sequence[str]) -> NDArray[np.int8]:
    """Features of canonical segments, shape (len(segments), 24)."""
    return feature_table().values[feature_rows(segments)]


def encode(segments: Sequence[str]) -> str:
    """One private-use character a segment, so that edit distances count segments and not code points."""
    return "".join([chr(0xF0000 + row) for row in feature_rows(segments)])
