"""Mandarin and Japanese as Kokoro was trained on them: misaki's IPA with arrows for tones, and its kana romaniser."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from apun.errors import DataError
from apun.phonetics import japanese as kana
from apun.phonetics.mandarin import Syllable, is_han, numerals, parse, readings
from apun.phonetics.mandarin.text import segmented

_INITIALS = {
    "b": "p", "p": "pʰ", "m": "m", "f": "f", "d": "t", "t": "tʰ", "n": "n", "l": "l", "g": "k", "k": "kʰ", "h": "x",
    "j": "ʨ", "q": "ʨʰ", "x": "ɕ", "zh": "ꭧ", "ch": "ꭧʰ", "sh": "ʂ", "r": "ɻ", "z": "ʦ", "c": "ʦʰ", "s": "s",
}  # fmt: skip
# ``0`` marks where the tone arrow goes: behind the syllable's vowel.
_FINALS = {
    "a": "a0", "ai": "ai0", "an": "a0n", "ang": "a0ŋ", "ao": "au0", "e": "ɤ0", "ei": "ei0", "en": "ə0n", "eng": "ə0ŋ",
    "i": "i0", "ia": "ja0", "iai": "jai0", "ian": "jɛ0n", "iang": "ja0ŋ", "iao": "jau0", "ie": "je0", "in": "i0n",
    "iou": "jou0", "ing": "i0ŋ", "io": "jɔ0", "iong": "jʊ0ŋ", "ong": "ʊ0ŋ", "ou": "ou0", "u": "u0", "uei": "wei0",
    "ua": "wa0", "uai": "wai0", "uan": "wa0n", "uen": "wə0n", "uang": "wa0ŋ", "ueng": "wə0ŋ", "uo": "wo0", "ü": "y0",
    "üe": "ɥe0", "üan": "ɥɛ0n", "ün": "y0n", "er": "ɚ0", "ê": "ɛ0", "m": "m0", "n": "n0", "ng": "ŋ0",
}  # fmt: skip
_TONES = {1: "→", 2: "↗", 3: "↓", 4: "↘", 5: ""}
_CHINESE_MARKS = {"，": ",", "、": ",", "。": ".", "！": "!", "？": "?", "：": ":", "；": ";", "…": "…", "—": "—"}

# Broad IPA of apun.phonetics to misaki's signs, by onset.
_ONSETS = {"d͡ʑ": "ʥ", "t͡ɕ": "ʨ", "t͡s": "ʦ", "w": "β", "z": "ʣ"}
# Combinations of loanwords, as the romaniser spells them.
_LOANWORDS = {
    **{"きぇ": "kʲe", "つぃ": "ʦʲi", "てぃ": "tʲi", "でぃ": "dʲi", "とぅ": "tɯ", "どぅ": "dɯ"},
    **{"くぁ": "kᵝa", "くぃ": "kᵝi", "くぇ": "kᵝe", "くぉ": "kᵝo", "ぐぁ": "ɡᵝa", "ぐぃ": "ɡᵝi", "ぐぇ": "ɡᵝe"},
    **{"ぐぉ": "ɡᵝo", "ふぃ": "ɸʲi", "ふゅ": "ɸʲɨ", "ふょ": "ɸʲo"},
}
_OBSOLETE = str.maketrans("ゐゑ", "いえ")
_CENTRAL_U = frozenset("すずづつ")
_PALATAL_BEFORE_I = frozenset("きぎびぴみり")
_JAPANESE_MARKS = {
    "。": ".",
    "、": ",",
    "，": ",",
    "？": "?",
    "！": "!",
    "…": "…",
    "：": ":",
    "；": ";",
    "?": "?",
    "!": "!",
}
_PIECE = re.compile(r"[。、，？！…：；?!.,]|[^\s。、，？！…：；?!.,]+")


def mandarin(text: str, reading: str = "") -> str:
    """Kokoro's phonemes of a Chinese text; words are set apart, punctuation is kept for its pauses.

    Args:
        text: the text as written.
        reading: forced pinyin with tone digits, one syllable a character; pypinyin's reading in
            context when empty, numerals as they are read.

    Raises:
        DataError: the reading does not have one syllable a character.
        PhoneticError: not pinyin, or a character without a reading.
    """
    text = text if reading else numerals(text)
    han = sum(map(is_han, text))
    syllables = list(parse(reading) if reading else readings(text))
    if len(syllables) != han:
        if han == 0:
            return " ".join(of_syllable(syllable) for syllable in syllables) + "."
        raise DataError(
            f"the reading {reading!r} has {len(syllables)} syllables for the {han} characters of {text!r}",
            field="pinyin",
            fix="Give one syllable a character.",
        )
    pieces: list[str] = []
    for chinese, run in itertools.groupby(text, is_han):
        chars = "".join(run)
        if chinese:
            pieces += ["".join(of_syllable(syllables.pop(0)) for _ in word) for word in segmented(chars)]
        elif pieces:
            marks = [_CHINESE_MARKS.get(char, char) for char in chars]
            pieces[-1] += "".join(mark for mark in marks if mark in _CHINESE_MARKS.values())
    out = " ".join(pieces)
    return out if out[-1:] in ".!?…" else out + "."


def of_syllable(syllable: Syllable) -> str:
    """Kokoro's phonemes of one syllable."""
    if syllable.final in ("m", "ng") and syllable.initial == "h":
        return "h" + _FINALS[syllable.final].replace("0", _TONES[syllable.tone])
    if syllable.final == "i" and syllable.initial in ("zh", "ch", "sh", "r", "z", "c", "s"):
        final = "ɨ0"
    elif syllable.final == "o" and syllable.initial:
        final = "wo0"
    else:
        final = {"o": "ɔ0"}.get(syllable.final) or _FINALS[syllable.final]
    return _INITIALS.get(syllable.initial, "") + final.replace("0", _TONES[syllable.tone])


def japanese(text: str, reading: str = "") -> str:
    """Kokoro's phonemes of a Japanese text, or of its forced kana reading.

    Args:
        text: the text as written.
        reading: kana as pronounced (the particle は as わ); words may be separated by spaces.

    Raises:
        PhoneticError: the reading is not kana, or a word has no known reading.
        MissingDependency: pyopenjtalk-plus is needed to read kanji and is not installed.
    """
    pieces: list[str] = []
    for piece in _PIECE.findall(reading) if reading else _said(text):
        if piece in _JAPANESE_MARKS or piece in ".,":
            if pieces:
                pieces[-1] += _JAPANESE_MARKS.get(piece, piece)
        else:
            pieces.append(of_kana(piece))
    last = _JAPANESE_MARKS.get(text.rstrip("」』）\"' ")[-1:], "")
    out = " ".join(pieces)
    return out if out[-1:] in ".!?…" else out + (last or ".")


def of_kana(word: str) -> str:
    """Kokoro's phonemes of kana, which is read as it is written."""
    units = kana.morae(word)
    out: list[str] = []
    for index, mora in enumerate(units):
        if mora == kana.LONG:
            out.append("ː")
        elif mora == kana.STOP:
            out.append("ʔ")
        elif mora == kana.NASAL:
            out.append(_nasal(_mora(units[index + 1]) if index + 1 < len(units) else ""))
        else:
            out.append(_mora(mora))
    return "".join(out)


def _mora(mora: str) -> str:
    if mora in (kana.NASAL, kana.STOP, kana.LONG):
        return ""
    if mora in _LOANWORDS:
        return _LOANWORDS[mora]
    *onset, vowel = kana.to_ipa(mora.translate(_OBSOLETE))
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


def _said(text: str) -> Iterator[str]:
    """Words of a text in kana as they are said, punctuation between; a volitional う belongs to its verb."""
    word = ""
    for written, spoken in kana.said(text):
        if written in _JAPANESE_MARKS:
            yield from filter(None, (word, written))
            word = ""
        elif kana.is_kana(spoken):
            if word and kana.normalise(spoken)[0] == kana.LONG:
                word += spoken
            else:
                yield from filter(None, (word,))
                word = spoken
    yield from filter(None, (word,))
