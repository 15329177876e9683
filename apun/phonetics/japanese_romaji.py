"""Romaji to hiragana: Hepburn, Kunrei and Nihon-shiki, with or without macrons."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import islice, product

MOST_CANDIDATES = 64

_ROWS = {
    "": "あいうえお",
    "k": "かきくけこ",
    "g": "がぎぐげご",
    "s": "さしすせそ",
    "z": "ざじずぜぞ",
    "t": "たちつてと",
    "d": "だぢづでど",
    "n": "なにぬねの",
    "h": "はひふへほ",
    "b": "ばびぶべぼ",
    "p": "ぱぴぷぺぽ",
    "m": "まみむめも",
    "r": "らりるれろ",
}
_GLIDES = {
    "ky": "き",
    "gy": "ぎ",
    "sy": "し",
    "zy": "じ",
    "ty": "ち",
    "dy": "ぢ",
    "ny": "に",
    "hy": "ひ",
    "by": "び",
    "py": "ぴ",
    "my": "み",
    "ry": "り",
    "sh": "し",
    "j": "じ",
    "ch": "ち",
    "jy": "じ",
}
_LONG = {"a": ("ああ",), "i": ("いい",), "u": ("うう",), "e": ("えい", "ええ"), "o": ("おう", "おお")}
_ACCENTS = {"\u0304", "\u0302"}  # macron, circumflex


@lru_cache(maxsize=1)
def _syllables() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for consonant, row in _ROWS.items():
        table |= {consonant + vowel: (kana,) for vowel, kana in zip("aiueo", row, strict=True)}
    for consonant, kana in _GLIDES.items():
        table |= {consonant + v: (kana + s,) for v, s in zip("auo", "ゃゅょ", strict=True)}
    table |= {"shi": ("し",), "chi": ("ち",), "tsu": ("つ",), "fu": ("ふ",), "wa": ("わ",), "wo": ("を",)}
    table |= {
        "ya": ("や",),
        "yu": ("ゆ",),
        "yo": ("よ",),
        "she": ("しぇ",),
        "che": ("ちぇ",),
        "je": ("じぇ",),
        "ye": ("いぇ",),
    }
    table |= {"f" + v: ("ふ" + s,) for v, s in zip("aieo", "ぁぃぇぉ", strict=True)}
    table |= {"v" + v: ("ゔ" + s,) for v, s in zip("aieo", "ぁぃぇぉ", strict=True)} | {"vu": ("ゔ",)}
    table |= {"wi": ("うぃ", "ゐ"), "we": ("うぇ", "ゑ"), "tsa": ("つぁ",), "dzu": ("づ",), "dji": ("ぢ",)}
    # four kana for two sounds: romaji does not say which is meant
    for sound, pair in {"j": "じぢ", "zy": "じぢ"}.items():
        table |= {sound + v: tuple(k + s for k in pair) for v, s in zip("auo", "ゃゅょ", strict=True)}
    table |= {"ji": ("じ", "ぢ"), "zi": ("じ", "ぢ"), "zu": ("ず", "づ"), "ti": ("ち", "てぃ"), "di": ("ぢ", "でぃ")}
    return table


_TOKEN = re.compile(
    r"(?P<stop>(?P<c>[kstpgzjdbfrhc])(?=(?P=c))|t(?=ch)|[xl]ts?u)"
    r"|(?P<nasal>n'|nn$|n(?![aiueoy])|m(?=[bpm]))"
    r"|(?P<syllable>[bcdfghjkmnprstvwyz]{0,3}[aiueo])(?P<long>_?)"
)


def from_romaji(text: str) -> tuple[str, ...]:
    """Hiragana that a romaji spelling may stand for, most usual first; empty when it is not romaji.

    A macron or circumflex is a long vowel in every usual spelling (``kō`` is ``こう`` or ``こお``), as are
    doubled vowels; ``ji`` and ``zu`` may be ``ぢ`` and ``づ``. A plain vowel is short: ``ko`` is never ``こう``.
    A word of more than 64 candidates gives the first 64.
    """
    word = _plain(text)
    if word is None:
        return ()
    choices: list[tuple[str, ...]] = []
    position = 0
    while position < len(word):
        match = _TOKEN.match(word, position)
        if match is None:
            return ()
        if match["stop"]:
            choices.append(("っ",))
        elif match["nasal"]:
            choices.append(("ん",))
        else:
            kana = _syllables().get(match["syllable"])
            if kana is None:
                return ()
            vowel = match["syllable"][-1]
            choices.append(kana)
            if match["long"]:
                choices.append(tuple(spelling[1] for spelling in _LONG[vowel]))
            elif match["syllable"] == vowel and vowel in "oe" and word[:position].endswith(vowel):
                choices[-1] = tuple(spelling[1] for spelling in reversed(_LONG[vowel]))
        position = match.end()
    return tuple(dict.fromkeys("".join(parts) for parts in islice(product(*choices), MOST_CANDIDATES)))


def _plain(text: str) -> str | None:
    """Lower-case ASCII with ``_`` after a long vowel; None when the text is no romaji."""
    word: list[str] = []
    for char in unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).strip().lower()):
        if char in _ACCENTS:
            if not word or word[-1] not in "aiueo":
                return None
            word.append("_")
        elif char in "’ʼ`'":
            word.append("'")
        elif "a" <= char <= "z":
            word.append(char)
        elif char in " -‐‑・.":
            continue
        else:
            return None
    return "".join(word) or None
