"""Chinese text as written to characters as said: script, numerals, words."""

from __future__ import annotations

import logging
import re
import unicodedata
import warnings
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any

from apun.paths import cache_dir
from apun.phonetics import only_words
from apun.registry import optional

DIGITS = str.maketrans("0123456789", "零一二三四五六七八九")

_SPELLED_DIGITS = re.compile(r"(?<![\d.])(?:0\d+|\d{9,})(?![\d.]*\.\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DECIMALS = re.compile(r"\d*\.\d+")


def is_han(char: str) -> bool:
    """Whether a character is a Chinese one (any CJK ideograph, extensions and 〇 included)."""
    return char == "〇" or unicodedata.name(char, "").startswith("CJK ")


def han(text: str) -> str:
    """The Chinese characters of a text, in order."""
    return "".join(char for char in text if is_han(char))


def simplified(text: str) -> str:
    """Traditional Chinese characters as simplified ones.

    Raises:
        MissingDependency: opencc-python-reimplemented is not installed (extra ``zh``).
    """
    return text if text.isascii() else str(_opencc().convert(text))


def numerals(text: str) -> str:
    """Arabic numerals as Chinese ones, as they are read: 2023年 is 二零二三年, 1,000元 一千元, 50% 百分之五十.

    A year, a long number or one with a leading zero is read digit by digit; so is what cn2an refuses.

    Raises:
        MissingDependency: cn2an is not installed (extra ``zh``).
    """
    text = "".join(str(int(char)) if char.isdecimal() else char for char in text)
    if not any("0" <= char <= "9" for char in text):
        return text
    text = _SPELLED_DIGITS.sub(lambda match: match[0].translate(DIGITS), _THOUSANDS.sub("", text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of what it leaves as it is; those digits are read below
        text = str(optional("cn2an", "zh").transform(text, "an2cn"))
    return _DECIMALS.sub(lambda match: match[0].replace(".", "点"), text).translate(DIGITS)


def comparable(text: str) -> str:
    """A text as character error rates compare it, the normaliser ``zh-1``.

    NFKC, lower case, Traditional to Simplified characters (OpenCC), Arabic numerals as Chinese ones (a year, a long
    number or one with a leading zero digit by digit; 两 stays 两), punctuation and space out.
    """
    return only_words(numerals(simplified(unicodedata.normalize("NFKC", text).lower())))


def segmented(text: str) -> Iterable[str]:
    """Words of a text by jieba's dictionary; everything between them is a piece as well.

    Raises:
        MissingDependency: jieba is not installed (extra ``zh``).
    """
    pieces: Iterable[str] = _jieba().cut(text)
    return pieces


@lru_cache(maxsize=1)
def _opencc() -> Any:
    return optional("opencc", "zh", "opencc-python-reimplemented").OpenCC("t2s")


@lru_cache(maxsize=1)
def _jieba() -> Any:
    """jieba with its own dictionary; its cache lies in the user's cache folder, not in the shared /tmp."""
    jieba = optional("jieba", "zh")
    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    with suppress(OSError):  # a read-only home: jieba builds its table afresh
        tokenizer.tmp_dir = str(cache_dir("jieba"))
    return tokenizer
