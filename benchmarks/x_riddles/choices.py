"""Reading a choice out of an answer: a letter, one of 甲乙丙丁, or the option itself. Never a guess."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence

LETTERS = "ABCD"
STEMS = "甲乙丙丁"
"""Spoken labels: they have a pinyin, so that a voice can be told how to say them."""

_IS = r"\s*(?:是|为|应为|应该是|is|选)?\s*[:：]?\s*[*_\"“「『(（\[【]*"
# A word for the answer counts before a word for an option: "答案：C。其他选项都不对" answers C.
_MARKS = tuple(re.compile(words + _IS, re.I) for words in ("(?:答案|answer)", "(?:选项|选择|option|choice)"))
_NEGATED = re.compile(
    r"(?:不是|并非|不选|不能选|排除|not|isn['’]t|cannot be)\s*(?:选项|option)?\s*[A-D甲乙丙丁](?![A-Za-z])"
    r"|(?<![A-Za-z])[A-D甲乙丙丁]\s*(?:不对|不正确|不是答案|是?错|is\s+(?:wrong|incorrect|not\b))",
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

    Tried in order: the last JSON object with an ``answer``; what follows the last "答案"/"answer", then
    the last "选项"/"option"; a single label in the whole text; a single option quoted in it. Labels are
    capitals that stand alone, so that an English article is none; "不是A" names nothing.

    Args:
        answer: the model's answer, without its thinking.
        options: the options' texts, in the order shown.

    Returns:
        0-based place of the option, or None where the answer names none or several.
    """
    text = _NEGATED.sub("", unicodedata.normalize("NFKC", answer).strip())
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
    for mark in _MARKS:
        found_marks = list(mark.finditer(text))
        if found_marks:
            rest = text[found_marks[-1].end() :].split("\n", 1)[0]
            leads = (_LETTER.match(rest) or rest[:1] in STEMS) and not _SEVERAL.match(rest)
            parts += [rest[:1], rest] if rest and leads else [rest]
    parts.append(text)
    return parts


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
