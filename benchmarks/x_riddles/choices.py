"""Reading a choice out of an answer: a letter, one of 甲乙丙丁, or the option itself. Never a guess."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence

LETTERS = "ABCD"
STEMS = "甲乙丙丁"
"""Spoken labels: they have a pinyin, so that a voice can be told how to say them."""

_MARKED = re.compile(
    r"(?:正确答案|答案|选项|选择|answer|option|choice)\s*(?:是|为|应为|应该是|is|选)?\s*[:：]?\s*[*_\"“「『(（\[【]*",
    re.I,
)
_VERBS = "is|because|as|since|fits|seems|would|makes|works|and|or|but"
# A capital A before a small letter is an article, unless what follows speaks of an option.
_LETTER = re.compile(rf"(?<![A-Za-z])(?:[B-D]|A(?!\s+(?!(?:{_VERBS})\b)[a-z]))(?![A-Za-z'’])")
_SEVERAL = re.compile(r"[A-D甲乙丙丁]\s*(?:[、,/和或与及&]|or\b|and\b)\s*[A-D甲乙丙丁]")
_STEM = re.compile(r"(?<![\u4e00-\u9fff])[甲乙丙丁](?![\u4e00-\u9fff])|(?<=选)[甲乙丙丁](?![\u4e00-\u9fff])")
_JSON = re.compile(r"\{[^{}]*\}")


def read_choice(answer: str, options: Sequence[str]) -> int | None:
    """Which option an answer names.

    Tried in order: the last JSON object with an ``answer``; what follows the last "答案"/"answer";
    a single label in the whole text; a single option quoted in it. Labels are capitals that stand
    alone, so that an English article is none.

    Args:
        answer: the model's answer, without its thinking.
        options: the options' texts, in the order shown.

    Returns:
        0-based place of the option, or None where the answer names none or several.
    """
    text = unicodedata.normalize("NFKC", answer).strip()
    for part in _answers(text):
        found = _single(part, options)
        if found is not None:
            return found
    return None


def _answers(text: str) -> list[str]:
    parts: list[str] = []
    for found in reversed(_JSON.findall(text)):
        try:
            value = json.loads(found)
        except ValueError:
            continue
        named = value.get("answer", value.get("答案")) if isinstance(value, dict) else None
        if isinstance(named, str):
            parts.append(named)
            break
    marks = list(_MARKED.finditer(text))
    if marks:
        rest = text[marks[-1].end() :].split("\n", 1)[0]
        parts += [rest[:1], rest] if not _SEVERAL.match(rest) and not _latin(rest[1:2]) else [rest]
    parts.append(text)
    return parts


def _latin(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _single(text: str, options: Sequence[str]) -> int | None:
    labels = {LETTERS.index(letter) for letter in _LETTER.findall(text)}
    labels |= {STEMS.index(stem) for stem in _STEM.findall(text)}
    labels = {label for label in labels if label < len(options)}
    if len(labels) == 1:
        return labels.pop()
    if labels:
        return None
    named = [place for place, option in enumerate(options) if option and option in text]
    return named[0] if len(named) == 1 else None
