"""Kana: morae, vowel sequences and IPA.

A *mora* is one kana with the small kana that follow it (``しょ``), ``ん``, ``っ`` or ``ー``. Everything
here takes hiragana or katakana of any width; readings come back in hiragana.
"""

from __future__ import annotations

import re
import unicodedata

from apun.errors import PhoneticError
from apun.phonetics import only_words, table

_KANA = {row["kana"]: row for row in table("japanese", "kana")}
VOWEL_OF = {kana: row["vowel"] for kana, row in _KANA.items()}
ONSET_OF = {kana: row["onset"].strip("-") for kana, row in _KANA.items()}
SMALL = "ゃゅょぁぃぅぇぉゎ"
NASAL, STOP, LONG = "ん", "っ", "ー"
LONG_SPELLINGS = {"a": "あ", "i": "い", "u": "う", "e": "いえ", "o": "うお"}
_LONG_MARKS = r"(?<=[ぁ-ゖァ-ヺー])[〜~\u2010-\u2015\u2212-]+"
_STRETCH = re.compile(_LONG_MARKS)
_STRETCH_INSIDE = re.compile(_LONG_MARKS + r"(?=[ぁ-ゖー]|$)")


def prolonged(text: str) -> str:
    """The text with ``ー`` for every wave or dash that follows a kana."""
    return _STRETCH.sub(LONG, text)


def comparable(text: str) -> str:
    """A text as character error rates compare it, the normaliser ``ja-1``.

    NFKC, lower case, punctuation and space out, every prolonging mark as ー. Kanji and kana are kept apart: another
    spelling of the right word is an error, as in published character error rates.
    """
    return only_words(prolonged(unicodedata.normalize("NFKC", text).lower()))


def normalise(text: str) -> str:
    """Hiragana of full width, composed, with iteration marks written out.

    Half-width kana and separate voicing marks are composed (NFKC), katakana becomes hiragana, ``ゝゞ``
    repeat the kana before them, and a wave or dash that prolongs a kana becomes ``ー``. Whatever
    is not kana (kanji, Latin letters) stays.
    """
    # a free-standing voicing mark is no combining one: NFKC would put a space before it
    text = text.replace("゛", "\u3099").replace("゜", "\u309a")
    text = unicodedata.normalize("NFKC", text)
    out: list[str] = []
    for char in text:
        if "ァ" <= char <= "ヶ" or char in "ヽヾ":
            char = chr(ord(char) - 0x60)
        char = {"ゕ": "か", "ゖ": "け", "ヷ": "ゔぁ", "ヸ": "ゔぃ", "ヹ": "ゔぇ", "ヺ": "ゔぉ"}.get(char, char)
        if char in "ゝゞ" and out and out[-1] in VOWEL_OF:
            plain = unicodedata.normalize("NFD", out[-1])[0]
            char = _KANA[plain]["voiced"] if char == "ゞ" and _KANA[plain]["voiced"] != "-" else plain
        out.append(char)
    return _STRETCH_INSIDE.sub(LONG, "".join(out)).strip()


def is_kana(text: str) -> bool:
    """Whether the text, once normalised, holds kana only and at least one."""
    kana = normalise(text)
    return bool(kana) and all(char in VOWEL_OF or char in (NASAL, STOP, LONG) for char in kana)


def morae(kana: str) -> tuple[str, ...]:
    """The morae of a word in hiragana: ``キョウト`` is ``("きょ", "う", "と")``.

    Raises:
        PhoneticError: a character is not kana, or a small kana or ``ー`` has nothing to attach to.
    """
    word = normalise(kana)
    found: list[str] = []
    for char in word:
        if char in SMALL:
            if not found or found[-1] in (NASAL, STOP, LONG) or len(found[-1]) > 1:
                raise PhoneticError(f"{kana!r}: the small kana {char!r} has no full kana before it")
            found[-1] += char
        elif char == LONG:
            if not found or found[-1] in (NASAL, STOP):
                raise PhoneticError(f"{kana!r}: {LONG!r} has no vowel before it to prolong")
            found.append(char)
        elif char in VOWEL_OF or char in (NASAL, STOP):
            found.append(char)
        else:
            raise PhoneticError(f"{kana!r}: {char!r} is not kana")
    if not found:
        raise PhoneticError(f"{kana!r} holds no kana")
    return tuple(found)


def vowel_sequence(kana: str) -> str:
    """One symbol a mora: the vowel ``a i u e o``, ``n`` for ``ん``, ``q`` for ``っ``.

    ``ゃゅょ`` and other small kana replace the vowel of the kana before them. Long vowels count as
    they are written (``こう`` is ``ou``, ``こお`` is ``oo``); ``ー`` repeats the vowel before it. This
    is the conversion of YOMI-Bench's rhyme tasks (section 3.3).

    Raises:
        PhoneticError: as in ``morae``.
    """
    symbols: list[str] = []
    for mora in morae(kana):
        if mora == LONG:
            symbols.append(symbols[-1])
        else:
            symbols.append({NASAL: "n", STOP: "q"}.get(mora) or VOWEL_OF[mora[-1]])
    return "".join(symbols)


def same_reading(first: str, second: str) -> bool:
    """Whether two kana spellings are the same reading.

    Script and width do not matter. ``ー`` agrees with each usual spelling of the long vowel it stands
    for (``カクセー`` is ``かくせい``); two words that spell a long vowel differently without ``ー``
    (``こう``, ``こお``) differ. False where either is not kana.
    """
    if normalise(first) == normalise(second):
        return is_kana(first)
    try:
        left, right = morae(first), morae(second)
    except PhoneticError:
        return False
    if len(left) != len(right):
        return False
    vowel = ""
    for a, b in zip(left, right, strict=True):
        other = b if a == LONG else a
        if a != b and (LONG not in (a, b) or other not in LONG_SPELLINGS.get(vowel, "")):
            return False
        if other != LONG:
            vowel = {NASAL: "n", STOP: "q"}.get(other) or VOWEL_OF[other[-1]]
    return True


_IPA_VOWEL = {"a": "a", "i": "i", "u": "ɯ", "e": "e", "o": "o"}
_PALATAL = {
    "k": "kʲ", "ɡ": "ɡʲ", "b": "bʲ", "p": "pʲ", "m": "mʲ", "ɾ": "ɾʲ", "n": "ɲ", "h": "ç", "t": "tʲ", "d": "dʲ",
    "v": "vʲ",
}  # fmt: skip
_NASAL_BEFORE = {
    **dict.fromkeys(("p", "b", "m"), "m"),
    **dict.fromkeys(("t", "d", "n", "t͡s", "z", "ɾ"), "n"),
    **dict.fromkeys(("t͡ɕ", "d͡ʑ", "ɲ"), "ɲ"),
    **dict.fromkeys(("k", "ɡ"), "ŋ"),
}


def to_ipa(kana: str) -> tuple[str, ...]:
    """Broad IPA segments of Tokyo Japanese, every one known to panphon.

    Long vowels are one segment (``きょう`` is ``kʲ oː``): ``ー``, a repeated vowel, ``えい`` and ``おう``, as they
    are pronounced inside a morpheme. ``っ`` lengthens the consonant after it, or is a glottal stop at
    the end; ``ん`` takes the place of the consonant after it and is uvular at the end. Devoicing and
    pitch are left out.

    Raises:
        PhoneticError: as in ``morae``.
    """
    segments: list[str] = []
    pending = ""  # a っ or ん that waits for its consonant
    vowel = ""
    for mora in morae(kana):
        if mora in (NASAL, STOP):
            if pending:
                segments.append(_coda(pending, ""))
            pending, vowel = mora, ""
            continue
        if mora == LONG or (len(mora) == 1 and mora in LONG_SPELLINGS.get(vowel, "")):
            if not segments[-1].endswith("ː"):
                segments[-1] += "ː"
            if mora != LONG:  # a third vowel in a row starts a segment of its own
                vowel = ""
            continue
        onset, vowel = _onset_and_vowel(mora)
        first = onset[0] if onset else ""
        if pending == NASAL:
            segments.append(_coda(NASAL, first))
        elif pending == STOP and not first:
            segments.append(_coda(STOP, ""))
        elif pending == STOP:
            onset = (first + "ː", *onset[1:])
        pending = ""
        segments += [*onset, _IPA_VOWEL[vowel]]
    if pending:
        segments.append("ɴ" if pending == NASAL else "ʔ")
    return tuple(segments)


def _coda(kana: str, after: str) -> str:
    if kana == STOP:
        return "ʔ"
    return _NASAL_BEFORE.get(after.removesuffix("ʲ"), "ɰ̃")


def _onset_and_vowel(mora: str) -> tuple[tuple[str, ...], str]:
    onset, vowel = ONSET_OF[mora[0]], VOWEL_OF[mora[-1]]
    if len(mora) == 2:
        if mora[1] in "ゃゅょ":
            if onset in _PALATAL:
                return (_PALATAL[onset],), vowel
            return ((onset,) if onset in ("ɕ", "d͡ʑ", "t͡ɕ", "ç") else tuple(filter(None, (onset, "j")))), vowel
        if (not onset and mora[0] in "うい") or mora[1] == "ゎ":  # うぃ, いぇ, くゎ
            return tuple(filter(None, (onset, "j" if mora[0] == "い" else "w"))), vowel
        if mora[1] == "ぃ" and onset == "d͡ʑ":
            return ("d͡ʑ",), vowel
    if mora == "を":
        return (), vowel
    return ((onset,) if onset else ()), vowel
