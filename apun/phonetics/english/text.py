"""English text as written to words as said.

``pieces`` finds the written words, ``spoken`` says what is said for one of them, ``said`` for a whole text,
where context tells more: "St. Ives", "$2.5 million", "at 7:00", and the punctuation that makes a pause.

Splitting: space, hyphens, slashes and other punctuation part words. A hyphen does not where one side
is a single letter (``x-ray``), a point does not inside a number or an abbreviation in letters (``U.S.A.``), and
an apostrophe does not before a clitic (``dog's``, ``can't``). A symbol is a word where it has a name
(``&``, ``%``); any other symbol, letter of another script or emoji is a word that cannot be read.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from apun.phonetics import table
from apun.phonetics.english import dictionary, numbers

SYMBOLS = {row["written"]: row["said"] for row in table("english", "symbols")}
_ABBREVIATED = {"vs": "versus"}  # CMUdict spells it out
_WITH_POINT = {row["written"]: row["said"] for row in table("english", "abbreviations")}
_SCALES = {"k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion"}
MARKS = frozenset(".,;:!?—…")
CLITICS = ("'s", "'ve", "'ll", "'re", "'d", "'m", "n't")

_APOSTROPHES = "'’‘ʼʹ′`´＇\u201b\u02bb"
_QUOTES = str.maketrans(dict.fromkeys(_APOSTROPHES, "'") | {"‐": "-", "‑": "-", "−": "-"})
_LETTERS_APART = str.maketrans(
    {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ß": "ss", "ẞ": "SS", "ł": "l", "Ł": "L"}
    | {"đ": "d", "Đ": "D", "ð": "th", "Ð": "Th", "þ": "th", "Þ": "Th", "ı": "i", "ſ": "s", "ŋ": "ng", "ħ": "h"}
)

_LONGEST_WORD = 60  # characters of a word whose apostrophes are looked at one by one

_L = r"(?:[^\W\d_][\u0300-\u036f]*)"  # a letter with its combining marks
_A = f"[{_APOSTROPHES}]"
_FRACTIONS = "¼-¾⅐-⅞"
_CHUNK = re.compile(r"\S+")
_PIECE = re.compile(
    rf"""
    (?:{_L}\.){{2,}}{_L}?(?!\w)                               # U.S.A, a.m.
  | (?<![-‐‑])\b{_L}[-‐‑](?:{_L}{{2,}})(?:{_A}{_L}+)*                    # x-ray
  | [$£€¥₹]?(?:\d+(?:[.,:/⁄]\d+)*|\.\d+)(?:(?:st|nd|rd|th|s)\b|[%°])?[{_FRACTIONS}]?(?![^\W_])  # 3rd, $1,000.50
  | [{_FRACTIONS}]
  | (?:(?<!\w){_A}(?=(?:tis|twas|em|til|cause|bout|round|n|kay)\b))?    # 'tis
    (?:{_L}|\d)+(?:{_A}(?:{_L}|\d)+)*(?:(?<=s){_A}(?!\w)|(?<=in){_A}(?!\w))?    # word, can't, dogs', goin'
  | [^\w\s]
    """,
    re.VERBOSE | re.IGNORECASE,
)

_IN_CONTEXT = re.compile(
    rf"""
    \b(?P<short>(?:{"|".join(short.rstrip(".") for short in _WITH_POINT)})\.)(?=\s)
  | (?P<money>[$£€¥₹])\s?(?P<number>\d[\d,]*(?:\.\d+)?)
      (?:[ -]?(?P<scale>thousand|million|billion|trillion)|\s?(?P<letter>k|mn?|bn?))\b
  | (?<![\d:.])(?P<hour>[1-9]|1[0-2]):00\b(?![:\d]|\s*[ap]\.?m\b|\s*o['’]clock)
    """,
    re.VERBOSE,
)
_PAUSE = re.compile(r"(?P<dots>\.{2,}|…)|(?P<dash>\s-+\s|--+|[–—])|(?P<mark>[.,;:!?])")
_SAYABLE = re.compile(r"'*[a-z][a-z']*|[a-z]\.(?:'[a-z]*)*")  # a word, or a letter by its name
_FOREIGN_MARKS = str.maketrans({"。": ".", "、": ",", "，": ",", "！": "!", "？": "?", "：": ":", "；": ";"})


def said(text: str) -> list[str]:
    """Words of a text as said, in lower case, and the marks of ``MARKS`` that make pauses, in order.

    What is never spoken (quotes, brackets, emoji, other scripts) vanishes. An abbreviated title and a full
    hour are spelled out, and a currency follows its number.
    """
    found: list[str] = []
    at = 0
    for match in _IN_CONTEXT.finditer(text):
        found += _plainly(text[at : match.start()])
        if match["short"]:
            found += _WITH_POINT[match["short"]].split()
        elif match["hour"]:
            found += [*numbers.cardinal(int(match["hour"])), "o'clock"]
        else:
            found += numbers.amount(match["money"], match["number"], match["scale"] or _SCALES[match["letter"]])
        at = match.end()
    return found + _plainly(text[at:])


def _plainly(text: str) -> list[str]:
    found: list[str] = []
    at = 0
    for piece, start, end in [*pieces(text), ("", len(text), len(text))]:
        for pause in _PAUSE.finditer(text[at:start].translate(_FOREIGN_MARKS)):
            found.append("…" if pause["dots"] else "—" if pause["dash"] else pause["mark"])
        found += [word for word in spoken(piece) if _SAYABLE.fullmatch(word) or dictionary.listed(word)]
        at = end
    return found


def pieces(text: str) -> list[tuple[str, int, int]]:
    """The words of a text as ``(word, start, end)``; only punctuation, space and control characters are left out."""
    found = []
    for chunk in _CHUNK.finditer(text):
        whole, at = chunk[0], chunk.start()
        if whole.isascii() and whole.isalpha():
            found.append((whole, at, at + len(whole)))
        else:
            found += [(piece, at + start, at + end) for piece, start, end in _split(whole)]
    return found


@lru_cache(maxsize=65536)
def _split(chunk: str) -> tuple[tuple[str, int, int], ...]:
    found: list[tuple[str, int, int]] = []
    for match in _PIECE.finditer(chunk):
        text, start = match[0], match.start()
        if len(text) == 1 and not text.isalnum():
            if text in SYMBOLS or (unicodedata.category(text)[0] == "S" and text not in "`´^¨"):
                found.append((text, start, match.end()))
            continue
        for part in _parted(text):
            if part:
                found.append((part, start, start + len(part)))
            start += len(part) + 1
    return tuple(found)


def _parted(word: str) -> list[str]:
    """A word cut at apostrophes that only join words by accident (``other'You're``); others stay whole."""
    if len(word) > _LONGEST_WORD:
        return re.split(_A, word)
    parts: list[str] = []
    while True:
        first = next((i for i, char in enumerate(word) if char in _APOSTROPHES and 0 < i < len(word) - 1), 0)
        if not first or keeps_apostrophe(word):
            return [*parts, word]
        parts.append(word[:first])
        word = word[first + 1 :]


def keeps_apostrophe(word: str) -> bool:
    """Whether the apostrophes belong to the word: it is listed, or a clitic follows, or one letter leads."""
    plain = simplified(word).lower()
    if dictionary.listed(plain):
        return True
    stem, clitic = split_clitic(plain)
    return bool(clitic and "'" not in stem) or plain.find("'") == 1 or "'n'" in plain


def split_clitic(word: str) -> tuple[str, str]:
    """A lower-case word with a straight apostrophe, its last clitic apart: ``dog's`` → ``dog``, ``'s``."""
    for clitic in CLITICS:
        if word.endswith(clitic) and len(word) > len(clitic):
            return word.removesuffix(clitic), clitic
    return (word[:-1], "'") if word.endswith("'") and len(word) > 1 else (word, "")


def simplified(text: str) -> str:
    """Compatibility forms resolved, curly apostrophes straight, accents and joined letters written plainly."""
    text = unicodedata.normalize("NFKC", text.translate(_QUOTES)).translate(_QUOTES).translate(_LETTERS_APART)
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if unicodedata.category(char) not in ("Mn", "Cf"))


@lru_cache(maxsize=65536)
def spoken(token: str) -> tuple[str, ...]:
    """What is said for a written token, a word each.

    Numbers become words; what is spelled out becomes its letters, each with a point (``f.``); capitals
    that the dictionary lacks are spelled out when they are at most five or hold no vowel. Anything
    else is a lower-case word with its clitics. What cannot be read stays as it is.
    """
    said: list[str] = []
    for piece, _, _ in pieces(token.translate(_QUOTES)):
        plain = simplified(piece)
        if plain in SYMBOLS:
            said.append(SYMBOLS[plain])
        elif plain[-1:] in "¼½¾" or "⁄" in plain or any(char.isdigit() for char in plain):
            said += _with_digits(piece)
        else:
            said += _word(plain)
    return tuple(said)


def _with_digits(piece: str) -> list[str]:
    mixed = re.fullmatch(rf"(\d+)([{_FRACTIONS}])", piece)
    if mixed:  # 1½
        return [*_with_digits(mixed[1]), "and", *_with_digits(mixed[2])]
    plain = simplified(piece)
    number = numbers.spoken(plain)
    if number is not None:
        return number
    said: list[str] = []
    for part in re.findall(r"\d+|[^\W\d_']+(?:'[^\W\d_]+)?|'[^\W\d_]+", plain):  # MP3, B2B, 80's
        if part[0].isdigit():
            said += numbers.spoken(part) or []
        elif part.lower() in CLITICS and said:
            said[-1] += part.lower()
        else:
            said += _spelled(part) if part.isupper() or len(part) == 1 else _word(part)
    return said or [plain]


def _word(word: str) -> list[str]:
    lower = word.lower()
    if lower in _ABBREVIATED:
        return [_ABBREVIATED[lower]]
    if dictionary.listed(lower):
        return [lower]
    if "." in word:
        whole = word if word.endswith(".") else word + "."
        if dictionary.listed(whole.lower()):
            return [whole.lower()]
        return _spelled(word)
    if "-" in word:
        return [said for part in word.split("-") for said in ([f"{part.lower()}."] if len(part) == 1 else _word(part))]
    stem, clitic = split_clitic(lower)
    if word[: len(stem)].isupper() and (2 <= len(stem) <= 5 or not set(stem) & set("aeiouy")):
        if dictionary.listed(stem):
            return [stem + clitic]
        letters = _spelled(stem)
        return [*letters[:-1], letters[-1] + clitic] if letters else [lower]
    return [lower]


def _spelled(text: str) -> list[str]:
    return [f"{char}." for char in text.lower() if char.isalnum()]
