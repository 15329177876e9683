"""Kana to the symbols Kokoro was trained on for Japanese: misaki 0.7's romaniser, mora by mora."""

from __future__ import annotations

import re
from typing import Any

from apun.errors import MissingDependency
from apun.phonetics import japanese

# Broad IPA of apun.phonetics to misaki's signs, by onset.
_ONSETS = {"d͡ʑ": "ʥ", "t͡ɕ": "ʨ", "t͡s": "ʦ", "w": "β", "z": "ʣ"}
# Combinations of loanwords, as the romaniser spells them.
_LOANWORDS = {
    **{"きぇ": "kʲe", "つぃ": "ʦʲi", "てぃ": "tʲi", "でぃ": "dʲi", "とぅ": "tɯ", "どぅ": "dɯ"},
    **{"くぁ": "kᵝa", "くぃ": "kᵝi", "くぇ": "kᵝe", "くぉ": "kᵝo", "ぐぁ": "ɡᵝa", "ぐぃ": "ɡᵝi", "ぐぇ": "ɡᵝe"},
    **{"ぐぉ": "ɡᵝo", "ふぃ": "ɸʲi", "ふゅ": "ɸʲɨ", "ふょ": "ɸʲo"},
}
_OBSOLETE = str.maketrans("ゐゑ", "いえ")
_CENTRAL_U = frozenset("す ず づ つ".split())  # noqa: SIM905
_PALATAL_BEFORE_I = frozenset("きぎびぴみり")
_MARKS = {"。": ".", "、": ",", "，": ",", "？": "?", "！": "!", "…": "…", "：": ":", "；": ";", "?": "?", "!": "!"}
_PIECE = re.compile(r"[。、，？！…：；?!.,]|[^\s。、，？！…：；?!.,]+")


def japanese_phonemes(text: str, reading: str = "") -> str:
    """Kokoro's phonemes of a Japanese text, or of its forced kana reading.

    Args:
        text: the text as written.
        reading: kana as pronounced (the particle は as わ); words may be separated by spaces.

    Raises:
        PhoneticError: the reading is not kana, or a word has no known reading.
        MissingDependency: pyopenjtalk-plus is needed to read kanji and is not installed.
    """
    pieces: list[str] = []
    for piece in _PIECE.findall(reading) if reading else _pronounced(text):
        if piece in _MARKS or piece in ".,":
            if pieces:
                pieces[-1] += _MARKS.get(piece, piece)
        else:
            pieces.append(symbols(piece))
    last = _MARKS.get(text.rstrip("」』）\"' ")[-1:], "")
    out = " ".join(pieces)
    return out if out[-1:] in ".!?…" else out + (last or ".")


def symbols(kana: str) -> str:
    """Kokoro's phonemes of kana, which is read as it is written."""
    units = japanese.morae(kana)
    out: list[str] = []
    for index, mora in enumerate(units):
        if mora == japanese.LONG:
            out.append("ː")
        elif mora == japanese.STOP:
            out.append("ʔ")
        elif mora == japanese.NASAL:
            out.append(_nasal(_mora(units[index + 1]) if index + 1 < len(units) else ""))
        else:
            out.append(_mora(mora))
    return "".join(out)


def _mora(mora: str) -> str:
    if mora in (japanese.NASAL, japanese.STOP, japanese.LONG):
        return ""
    if mora in _LOANWORDS:
        return _LOANWORDS[mora]
    *onset, vowel = japanese.to_ipa(mora.translate(_OBSOLETE))
    head = "".join(_ONSETS.get(segment, segment) for segment in onset).replace("ɲj", "ɲ")
    if mora[0] in _PALATAL_BEFORE_I and len(mora) == 1:
        head += "ʲ"
    if mora in ("ず", "づ"):
        head = "z"
    if vowel == "ɯ" and (mora in _CENTRAL_U or len(mora) == 2):
        vowel = "ɨ"
    return head + vowel


def _nasal(following: str) -> str:
    if following[:1] in ("m", "p", "b"):
        return "m"
    if following[:1] in ("k", "ɡ"):
        return "ŋ"
    if following[:1] in ("ɲ", "ʨ", "ʥ"):
        return "ɲ"
    return "n" if following[:1] in ("n", "t", "d", "ɾ", "z") else "ɴ"


def _pronounced(text: str) -> list[str]:
    """Words of a text as Open JTalk pronounces them, punctuation between."""
    try:
        import pyopenjtalk
    except ImportError as error:
        raise MissingDependency("pyopenjtalk-plus", "ja") from error
    out: list[str] = []
    nodes: list[dict[str, Any]] = pyopenjtalk.run_frontend(text, use_sudachi_kanji_yomi=False)
    for node in nodes:
        if node["string"] in _MARKS:
            out.append(node["string"])
        else:
            pron = str(node["pron"]).replace("’", "").replace("'", "")
            if japanese.is_kana(pron):
                if japanese.normalise(pron)[0] == japanese.LONG and out:  # a volitional う belongs to its verb
                    out[-1] += pron
                else:
                    out.append(pron)
    return out
