"""English text as spoken words: numbers, money, times, abbreviations and odd typography.

Speech front ends differ most in what they do with "$5", "St." and curly quotes; here every
engine that is fed phonemes shares one small, predictable reading.
"""

from __future__ import annotations

import re
import unicodedata

_ONES = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (10**3, "thousand"))
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_ABBREVIATIONS = {
    "mr.": "mister",
    "mrs.": "missus",
    "ms.": "miz",
    "dr.": "doctor",
    "prof.": "professor",
    "vs.": "versus",
    "etc.": "et cetera",
    "jr.": "junior",
    "sr.": "senior",
    "no.": "number",
    "st.": "saint",
}
_SYMBOLS = {"&": "and", "%": "percent", "+": "plus", "=": "equals", "@": "at", "#": "number", "°": "degrees"}
_PUNCTUATION = {"–": "—", "-": "—", "‘": "'", "’": "'", "“": '"', "”": '"', "…": "…", "。": ".", "，": ","}
_TOKEN = re.compile(
    r"""(?P<money>\$\d[\d,]*(?:\.\d\d)?)
      | (?P<time>\d{1,2}:\d\d)
      | (?P<ordinal>\d[\d,]*(?:st|nd|rd|th)\b)
      | (?P<decade>\d+0s\b)
      | (?P<number>\d[\d,]*(?:\.\d+)?)
      | (?P<initials>(?:[A-Za-z]\.){2,})
      | (?P<abbreviation>(?:Mrs?|Ms|Dr|Prof|vs|etc|Jr|Sr|No|St)\.(?=\s))
      | (?P<word>'?[A-Za-z]+(?:'[A-Za-z]+)*'?)
      | (?P<symbol>[&%+=@\#°])
      | (?P<dots>\.{2,}|…)
      | (?P<dash>\s-+\s|--+|—)
      | (?P<mark>[.,;:!?])
    """,
    re.VERBOSE,
)


def spoken_tokens(text: str) -> list[str]:
    """Words (lower case, apostrophes kept) and punctuation (``. , ; : ! ? — …``) in speaking order.

    Words written in capitals only, of two to four letters and without a vowel letter, are left in
    capitals: they are spelled out. Characters that are never spoken (quotes, brackets) vanish.
    """
    plain = unicodedata.normalize("NFKD", "".join(_PUNCTUATION.get(c, c) if c != "-" else c for c in text))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    tokens: list[str] = []
    for match in _TOKEN.finditer(plain):
        tokens += _spoken(match.lastgroup or "", match.group())
    return tokens


def _spoken(kind: str, raw: str) -> list[str]:
    if kind == "money":
        whole, _, cents = raw[1:].partition(".")
        value = int(whole.replace(",", ""))
        words = [*number_words(value), "dollar" if value == 1 else "dollars"]
        return [*words, "and", *number_words(int(cents)), "cents"] if cents and int(cents) else words
    if kind == "time":
        hour, minute = (int(part) for part in raw.split(":"))
        rest = [] if minute == 0 else (["oh"] if minute < 10 else []) + number_words(minute)
        return [*number_words(hour), *(rest or ["o'clock"])]
    if kind == "ordinal":
        return ordinal_words(int(raw[:-2].replace(",", "")))
    if kind == "decade":
        words = year_words(int(raw[:-1]))
        return [*words[:-1], words[-1][:-1] + "ies" if words[-1].endswith("y") else words[-1] + "s"]
    if kind == "number":
        return _number(raw)
    if kind == "initials":
        return [letter.upper() for letter in raw if letter != "."]
    if kind == "abbreviation":
        return _ABBREVIATIONS[raw.lower()].split()
    if kind == "word":
        word = raw.rstrip("'") if raw.count("'") == 1 and raw.endswith("'") and not raw.startswith("'") else raw
        spelled = 2 <= len(word) <= 4 and word.isupper() and not set(word) & set("AEIOUY")
        return list(word) if spelled else [word.lower()]
    if kind == "symbol":
        return [_SYMBOLS[raw]]
    return ["…" if kind == "dots" else "—" if kind == "dash" else raw]


def _number(raw: str) -> list[str]:
    whole, _, fraction = raw.partition(".")
    if "," not in whole and not fraction and len(whole) == 4 and whole[0] in "12":
        return year_words(int(whole))
    if len(whole) > 1 and whole.startswith("0"):
        return [_ONES[int(digit)] for digit in whole if digit.isdigit()]
    words = number_words(int(whole.replace(",", "")))
    return [*words, "point", *(_ONES[int(digit)] for digit in fraction)] if fraction else words


def number_words(value: int) -> list[str]:
    """A cardinal from 0 up; beyond 10**15 it is read digit by digit."""
    if value >= 10**15:
        return [_ONES[int(digit)] for digit in str(value)]
    if value < 20:
        return [_ONES[value]]
    if value < 100:
        return [_TENS[value // 10]] + ([_ONES[value % 10]] if value % 10 else [])
    if value < 1_000:
        rest = value % 100
        return [_ONES[value // 100], "hundred"] + (number_words(rest) if rest else [])
    scale, name = next(pair for pair in _SCALES if value >= pair[0])
    rest = value % scale
    return [*number_words(value // scale), name] + (number_words(rest) if rest else [])


def ordinal_words(value: int) -> list[str]:
    """An ordinal: ``21`` gives twenty first."""
    *front, last = number_words(value)
    if last in _ORDINALS:
        return [*front, _ORDINALS[last]]
    return [*front, last[:-1] + "ieth" if last.endswith("y") else last + "th"]


def year_words(value: int) -> list[str]:
    """A year: 1999, 2000, 2007 and 1905 as they are said; other numbers as cardinals."""
    high, low = divmod(value, 100)
    if not 1_100 <= value <= 2_099 or (value >= 2_000 and low < 10):
        return number_words(value)
    tail = ["hundred"] if low == 0 else (["oh"] if low < 10 else []) + number_words(low)
    return [*number_words(high), *tail]
