"""Text made comparable before word or character errors are counted; the name belongs to the signature.

* ``whisper-en``: OpenAI's English normaliser (case, punctuation, contractions, numbers, British
  spelling, fillers), from the openai-whisper package but without importing torch.
* ``zh-1``: NFKC, lower case, Traditional to Simplified characters (OpenCC), Arabic numerals as Chinese ones
  (a year, a long number or one with a leading zero digit by digit; 两 stays 两), punctuation and space out.
* ``ja-1``: NFKC, lower case, punctuation and space out, every prolonging mark as ー. Kanji and kana are
  kept apart: another spelling of the right word is an error, as in published character error rates.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import unicodedata
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from apun.errors import MissingDependency
from apun.phonetics.sounds import check_language

NAMES = {"en": "whisper-en", "zh": "zh-1", "ja": "ja-1"}

_CACHE = 16384
_ZH_DIGITS = str.maketrans("0123456789", "零一二三四五六七八九")
_SPELLED_DIGITS = re.compile(r"(?<![\d.])(?:0\d+|\d{9,})(?![\d.]*\.\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DECIMALS = re.compile(r"\d*\.\d+")
_LONG_MARKS = re.compile(r"(?<=[ぁ-ゖァ-ヺー])[〜~\u2010-\u2015\u2212-]+")


def normalise(text: str, language: str = "en") -> str:
    """Normalised text of a language; may be empty.

    Args:
        text: a transcript or reference.
        language: ``en``, ``zh`` or ``ja``.

    Raises:
        UsageError: unknown language.
        MissingDependency: openai-whisper (extra ``asr``), or opencc or cn2an (extra ``zh``) is not installed.
    """
    return {"en": english, "zh": mandarin, "ja": japanese}[check_language(language)](text)


@lru_cache(maxsize=_CACHE)
def english(text: str) -> str:
    """Whisper's English normaliser."""
    return str(_whisper()(text)).strip()


@lru_cache(maxsize=_CACHE)
def mandarin(text: str) -> str:
    """The Mandarin normaliser ``zh-1``."""
    plain = _THOUSANDS.sub("", simplified(unicodedata.normalize("NFKC", text).lower()))
    plain = "".join(str(int(char)) if char.isdecimal() else char for char in plain)
    if any("0" <= char <= "9" for char in plain):
        plain = _SPELLED_DIGITS.sub(lambda match: match[0].translate(_ZH_DIGITS), plain)
        plain = _chinese_numerals(plain)
    return _words_only(plain)


@lru_cache(maxsize=_CACHE)
def japanese(text: str) -> str:
    """The Japanese normaliser ``ja-1``."""
    return _words_only(_LONG_MARKS.sub("ー", unicodedata.normalize("NFKC", text).lower()))


def simplified(text: str) -> str:
    """Traditional Chinese characters as simplified ones.

    Raises:
        MissingDependency: opencc-python-reimplemented is not installed (extra ``zh``).
    """
    return text if text.isascii() else str(_opencc().convert(text))


def _words_only(text: str) -> str:
    """Letters, digits and marks; a single space is kept only between two Latin words."""
    kept = "".join(char if unicodedata.category(char)[0] in "LNM" else " " for char in text)
    joined = re.sub(r"(?<![a-z0-9]) +| +(?![a-z0-9])", "", " ".join(kept.split()))
    composed = unicodedata.normalize("NFKC", joined)
    return composed if composed == text else _words_only(composed)  # a mark may now stand beside another letter


def _chinese_numerals(text: str) -> str:
    """Arabic numerals as Chinese ones; what cn2an refuses is read digit by digit."""
    try:
        import cn2an
    except ImportError as error:
        raise MissingDependency("cn2an", "zh") from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of what it leaves as it is; those digits are read below
        said = str(cn2an.transform(text, "an2cn"))
    said = _DECIMALS.sub(lambda match: match[0].replace(".", "点"), said)
    return said.translate(_ZH_DIGITS)


@lru_cache(maxsize=1)
def _opencc() -> Any:
    try:
        from opencc import OpenCC
    except ImportError as error:
        raise MissingDependency("opencc-python-reimplemented", "zh") from error
    return OpenCC("t2s")


@lru_cache(maxsize=1)
def _whisper() -> Callable[[str], str]:
    """``EnglishTextNormalizer``, loaded from its folder: importing ``whisper`` itself would import torch."""
    package = sys.modules.get("whisper.normalizers")
    if package is None:
        spec = importlib.util.find_spec("whisper")
        folder = Path(next(iter(spec.submodule_search_locations or ()), "")) if spec else Path()
        path = folder / "normalizers" / "__init__.py"
        if spec is None or not path.is_file():
            raise MissingDependency("openai-whisper", "asr")
        inner = importlib.util.spec_from_file_location(
            "apun_whisper_normalizers", path, submodule_search_locations=[str(path.parent)]
        )
        if inner is None or inner.loader is None:
            raise MissingDependency("openai-whisper", "asr")
        package = importlib.util.module_from_spec(inner)
        sys.modules[inner.name] = package  # its own relative imports look it up
        inner.loader.exec_module(package)
    normalizer: Callable[[str], str] = package.EnglishTextNormalizer()
    return normalizer
