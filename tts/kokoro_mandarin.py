"""Pinyin to the symbols Kokoro was trained on for Mandarin: misaki's IPA with arrows for tones."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from apun.errors import DataError
from apun.phonetics import mandarin, pinyin
from apun.phonetics.pinyin import Syllable

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
_MARKS = {"，": ",", "、": ",", "。": ".", "！": "!", "？": "?", "：": ":", "；": ";", "…": "…", "—": "—"}


def chinese(text: str, reading: str = "") -> str:
    """Kokoro's phonemes of a Chinese text; words are set apart, punctuation is kept for its pauses.

    Args:
        text: the text as written.
        reading: forced pinyin with tone digits, one syllable a character; pypinyin's reading in
            context when empty.

    Raises:
        DataError: the reading does not have one syllable a character.
        PhoneticError: not pinyin, or a character without a reading.
    """
    han = sum(mandarin.is_han(char) for char in text)
    syllables = list(pinyin.parse(reading) if reading else mandarin.readings(text))
    if len(syllables) != han:
        if han == 0:
            return " ".join(symbols(syllable) for syllable in syllables) + "."
        raise DataError(
            f"the reading {reading!r} has {len(syllables)} syllables for the {han} characters of {text!r}",
            field="pinyin",
            fix="Give one syllable a character.",
        )
    pieces: list[str] = []
    for is_han, run in itertools.groupby(text, mandarin.is_han):
        chars = "".join(run)
        if is_han:
            pieces += ["".join(symbols(syllables.pop(0)) for _ in word) for word in _words(chars)]
        elif pieces:
            marks = [_MARKS.get(char, char) for char in chars]
            pieces[-1] += "".join(mark for mark in marks if mark in _MARKS.values())
    out = " ".join(pieces)
    return out if out[-1:] in ".!?…" else out + "."


def symbols(syllable: Syllable) -> str:
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


def _words(piece: str) -> Sequence[str]:
    try:
        import jieba
    except ImportError:
        return [piece]
    import logging

    jieba.setLogLevel(logging.WARNING)
    words: list[str] = jieba.lcut(piece)
    return words
