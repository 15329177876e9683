"""American English as phonemes, from text or from a forced IPA reading, in misaki's alphabet.

Kokoro reads it as it is; the engines that read eSpeak's IPA or mnemonics map from it, sign by sign. It is
IPA with one capital for each diphthong (``A`` eɪ, ``I`` aɪ, ``O`` oʊ, ``W`` aʊ, ``Y`` ɔɪ), ligatures for
affricates, ``T`` for the flap, ``ᵊ`` for the vowel of a syllabic consonant, and the stress mark right
before the vowel (misaki's EN_PHONES.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from apun.errors import PhoneticError
from apun.phonetics.english.connected_speech import phones_in_context, weak_forms
from apun.phonetics.english.dictionary import Phones, is_vowel, phones_of
from apun.phonetics.english.text import MARKS, said

_VOWELS = {
    "AA": "ɑ", "AE": "æ", "AO": "ɔ", "AW": "W", "AY": "I", "EH": "ɛ", "EY": "A", "IH": "ɪ", "IX": "ɪ", "IY": "i",
    "OW": "O", "OY": "Y", "UH": "ʊ", "UW": "u",
}  # fmt: skip
_CONSONANTS = {
    "B": "b", "CH": "ʧ", "D": "d", "DH": "ð", "F": "f", "G": "ɡ", "HH": "h", "JH": "ʤ", "K": "k", "L": "l", "M": "m",
    "N": "n", "NG": "ŋ", "P": "p", "R": "ɹ", "S": "s", "SH": "ʃ", "T": "t", "TH": "θ", "V": "v", "W": "w", "Y": "j",
    "Z": "z", "ZH": "ʒ",
}  # fmt: skip
_STRESS = {"0": "", "1": "ˈ", "2": "ˌ"}
_IPA = {
    "t͡ʃ": "ʧ", "t͜ʃ": "ʧ", "tʃ": "ʧ", "ʧ": "ʧ", "d͡ʒ": "ʤ", "d͜ʒ": "ʤ", "dʒ": "ʤ", "ʤ": "ʤ",
    "eɪ": "A", "aɪ": "I", "oʊ": "O", "əʊ": "O", "aʊ": "W", "ɔɪ": "Y", "ɝ": "ɜɹ", "ɜ˞": "ɜɹ", "ɚ": "əɹ", "ə˞": "əɹ",
    "ɜɹ": "ɜɹ", "ɜ": "ɜɹ", "g": "ɡ", "r": "ɹ", "ɫ": "l", "ʍ": "w", "e": "A", "o": "O", "a": "ɑ", "ɒ": "ɑ",
    "ɐ": "ə", "ɨ": "ɪ", "ᵻ": "ɪ", "ʉ": "u", "ɾ": "T", "n̩": "ᵊn", "l̩": "ᵊl", "m̩": "ᵊm",
    **{sign: sign for sign in "bdfhijklmnpstuvwzðŋɡɹʃʒθæɑɔəɛɪʊʌɹᵊ"},
}  # fmt: skip
_IPA_TOKEN = re.compile("|".join(sorted((re.escape(sign) for sign in _IPA), key=len, reverse=True)))
_IPA_VOWELS = frozenset("AIOWYiuæɑɔəɛɜɪʊʌ")
_IGNORED = frozenset("ː.ˑ‿ʰ̚ʔ-")


def english(text: str) -> str:
    """Kokoro's phonemes of English text, by CMUdict; punctuation is kept for its pauses."""
    pieces: list[str] = []
    phrase: list[str] = []
    for token in [*said(text), ""]:
        if token and token not in MARKS:
            phrase.append(token)
            continue
        if phrase:
            pieces.append(" ".join(map(from_arpabet, phones_in_context(phrase))))
            phrase = []
        if token and pieces:
            pieces[-1] += token
    return _closed(" ".join(pieces))


def from_reading(ipa: str, text: str = "") -> str:
    """Kokoro's phonemes of a forced IPA reading; punctuation is taken from the text where words match.

    Args:
        ipa: words separated by spaces. Stress marks are optional: a word without one takes
            CMUdict's where the written word matches, else its first full vowel is stressed.
        text: the text as written.

    Raises:
        PhoneticError: a segment that American English does not have.
    """
    pieces = []
    for word, spelled in with_spelling(ipa, text):
        tail = "".join(c for c in spelled[-3:] if c in MARKS)[:1]
        pieces.append(from_ipa(word, spelled) + tail)
    last = text.rstrip("\"'”’) ")[-1:]
    if pieces and last in MARKS and pieces[-1][-1] not in MARKS:
        pieces[-1] += last
    return _closed(" ".join(pieces))


def with_spelling(ipa: str, text: str) -> list[tuple[str, str]]:
    """Words of a reading, each with the written word it reads; with nothing where their numbers differ."""
    words, written = ipa.split(), text.split()
    return list(zip(words, written if len(words) == len(written) else [""] * len(words), strict=True))


@lru_cache(maxsize=20_000)
def from_arpabet(phones: Phones) -> str:
    """One word: ARPABET symbols with stress digits to Kokoro's phonemes."""
    out = ""
    for index, phone in enumerate(phones):
        base, stress = phone.rstrip("012"), phone[-1] if phone[-1].isdigit() else ""
        if base == "AH":
            syllabic = stress == "0" and index == len(phones) - 2 and phones[-1] in ("L", "N") and index > 0
            out += (
                "ᵊ"
                if syllabic and not is_vowel(phones[index - 1])
                else _STRESS[stress] + ("ə" if stress == "0" else "ʌ")
            )
        elif base == "ER":
            out += _STRESS[stress] + ("əɹ" if stress == "0" else "ɜɹ")
        elif base in _VOWELS:
            out += _STRESS[stress] + _VOWELS[base]
        elif base == "T" and _is_flap(phones, index):
            out += "T"
        else:
            out += _CONSONANTS[base]
    return out


def from_ipa(word: str, spelled: str = "") -> str:
    """One word of IPA to Kokoro's phonemes.

    Raises:
        PhoneticError: a segment that American English does not have.
    """
    out: list[str] = []
    stress = ""
    at = 0
    while at < len(word):
        sign = word[at]
        if sign in "ˈˌ'":
            stress, at = "ˌ" if sign == "ˌ" else "ˈ", at + 1
            continue
        match = _IPA_TOKEN.match(word, at)
        if match is None:
            if sign not in _IGNORED:
                raise PhoneticError(f"the reading {word!r} holds {sign!r}, which Kokoro's English does not have")
            at += 1
            continue
        piece = _IPA[match.group()]
        if match.group() == "ɜ" and word[match.end() : match.end() + 2].lstrip("ː")[:1] in ("ɹ", "r"):
            piece = "ɜ"
        if stress and piece[0] in _IPA_VOWELS:
            piece, stress = stress + piece, ""
        out.append(piece)
        at = match.end()
    return _stressed(out, spelled)


def _stressed(pieces: list[str], spelled: str) -> str:
    plain = "".join(pieces)
    if "ˈ" in plain or "ˌ" in plain:
        return plain
    key = spelled.lower().strip("\"'“”‘’.,;:!?()—…")
    if key in weak_forms():
        return plain
    for known in map(from_arpabet, phones_of(key)):
        if _bare(known) == _bare(plain):
            return known
    for index, piece in enumerate(pieces):
        if piece[0] in _IPA_VOWELS and piece[0] != "ə":
            return "".join([*pieces[:index], "ˈ", *pieces[index:]])
    return plain


def _bare(phonemes: str) -> str:
    return re.sub("[ˈˌ]", "", phonemes).replace("T", "t").replace("ᵊ", "ə").replace("ʌ", "ə").replace("ɜɹ", "əɹ")


def _is_flap(phones: Sequence[str], index: int) -> bool:
    if not 0 < index < len(phones) - 1:
        return False
    before, after = phones[index - 1], phones[index + 1]
    return (is_vowel(before) or before == "R") and after[-1] == "0"


def _closed(phonemes: str) -> str:
    return phonemes if phonemes[-1:] in MARKS or not phonemes else phonemes + "."
