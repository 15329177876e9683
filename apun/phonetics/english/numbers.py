"""English numbers in words, as they are read aloud."""

from __future__ import annotations

import re

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ("", "thousand", "million", "billion", "trillion", "quadrillion", "quintillion")
_ORDINAL = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_LARGEST = 10 ** (3 * len(_SCALES))

_LONGEST = 40  # characters
_WRITTEN = set("0123456789,./:⁄$£€¥₹%°stndrh")

_CURRENCY = {
    "$": ("dollar", "dollars"),
    "£": ("pound", "pounds"),
    "€": ("euro", "euros"),
    "¥": ("yen", "yen"),
    "₹": ("rupee", "rupees"),
}
_CLOCK = re.compile(r"(\d{1,2}):0([1-9])")
_NUMBER = re.compile(r"([$£€¥₹]?)(\d[\d,]*)?(?:\.(\d+))?(st|nd|rd|th|s)?([%°]?)")


def cardinal(n: int) -> list[str]:
    """Words of a whole number: 342 is three hundred forty two. Digit by digit from 10²¹ on."""
    if n >= _LARGEST:
        return digits(str(n))
    if n < 20:
        return [_ONES[n]]
    if n < 100:
        return [_TENS[n // 10], *([_ONES[n % 10]] if n % 10 else [])]
    if n < 1000:
        return [_ONES[n // 100], "hundred", *(cardinal(n % 100) if n % 100 else [])]
    words: list[str] = []
    for power in range(len(_SCALES) - 1, -1, -1):
        group = n // 1000**power % 1000
        if group:
            words += [*cardinal(group), *([_SCALES[power]] if power else [])]
    return words


def ordinal(n: int) -> list[str]:
    """Words of an ordinal: 21 is twenty first."""
    *front, last = cardinal(n)
    if last in _ORDINAL:
        return [*front, _ORDINAL[last]]
    return [*front, last.removesuffix("y") + "ieth" if last.endswith("y") else last + "th"]


def year(n: int) -> list[str]:
    """Words of a year from 1100 to 2099: 1905 is nineteen oh five, 2000 two thousand."""
    century, rest = divmod(n, 100)
    if 2000 <= n < 2010:
        return cardinal(n)
    if rest == 0:
        return [*cardinal(century), "hundred"]
    return [*cardinal(century), *(["oh"] if rest < 10 else []), *cardinal(rest)]


def digits(text: str) -> list[str]:
    """Each digit by its name."""
    return [_ONES[int(char)] for char in text]


def fraction(top: int, bottom: int) -> list[str]:
    """Words of a fraction: 2/3 is two thirds."""
    if bottom == 0:
        return [*cardinal(top), "over", "zero"]
    name = {2: ["half"], 4: ["quarter"]}.get(bottom) or ordinal(bottom)
    if top != 1:
        name = [*name[:-1], "halves" if name[-1] == "half" else name[-1] + "s"]
    return [*cardinal(top), *name]


def spoken(text: str) -> list[str] | None:
    """Words of a number as written: ``1,000`` ``3.14`` ``3rd`` ``$5`` ``50%`` ``80s`` ``10:05`` ``24/7`` ``2⁄3``.

    Four digits from 1100 to 2099 without a comma are read as a year; a number with a leading zero digit by
    digit; ``a/b`` as two numbers, but a half, thirds and quarters and anything with a true fraction slash
    as a fraction.

    Returns:
        None when the text is no number of these kinds.
    """
    if not text.isascii():
        # "٣" and "３" are digits to Python as well: read them by their value.
        text = "".join(str(int(char)) if char.isdecimal() else char for char in text)
    if len(text) > _LONGEST:  # nobody reads such a number out, and int() refuses thousands of digits
        return digits("".join(char for char in text if char.isdigit())) or None if set(text) <= _WRITTEN else None
    parts = re.fullmatch(r"(\d+)([/⁄])(\d+)", text)
    if parts:
        top, bottom = int(parts[1]), int(parts[3])
        if parts[2] == "⁄" or (top < bottom and bottom in (2, 3, 4)):
            return fraction(top, bottom)
    clock = _CLOCK.fullmatch(text)
    if clock:
        return [*cardinal(int(clock[1])), "oh", *cardinal(int(clock[2]))]
    for mark in ("/", ":", "⁄"):
        if mark in text:
            pieces = [spoken(piece) for piece in text.split(mark) if piece not in ("", "00")]
            return None if None in pieces or not pieces else [word for piece in pieces for word in piece or ()]
    match = _NUMBER.fullmatch(text)
    if not match or not (match[2] or match[3]):
        return None
    money, whole, decimals, suffix, unit = match.groups()
    return _read(money, whole or "", decimals or "", suffix or "", unit)


def amount(money: str, number: str, scale: str) -> list[str]:
    """Words of money with a scale: ``$2.5 million`` is two point five million dollars."""
    return [*(spoken(number) or [number]), scale, _CURRENCY[money][1]]


def _read(money: str, whole: str, decimals: str, suffix: str, unit: str) -> list[str]:
    plain = whole.replace(",", "")
    value = int(plain) if plain else 0
    if money:
        one, many = _CURRENCY[money]
        words = [*_whole(plain, whole), one if value == 1 else many]
        if decimals and len(decimals) == 2 and int(decimals):
            return [*words, *cardinal(int(decimals))]
        return [*_whole(plain, whole), "point", *digits(decimals), many] if decimals and int(decimals) else words
    if suffix in ("st", "nd", "rd", "th") and not decimals:
        words = ordinal(value)
    else:
        words = _whole(plain, whole)
        if decimals:
            words = [*words, "point", *digits(decimals)]
        if suffix == "s":
            last = words[-1]
            words = [*words[:-1], _plural(last)]
    return [*words, *{"%": ["percent"], "°": ["degrees"]}.get(unit, [])]


def _plural(word: str) -> str:
    if word.endswith("y"):
        return word.removesuffix("y") + "ies"
    return word + ("es" if word.endswith("x") else "s")


def _whole(plain: str, written: str) -> list[str]:
    if not plain:
        return ["zero"]
    if len(plain) > 1 and plain[0] == "0":
        return digits(plain)
    value = int(plain) if len(plain) <= 21 else None
    if value is None:
        return digits(plain)
    return year(value) if len(plain) == 4 and plain == written and 1100 <= value <= 2099 else cardinal(value)
