"""Lines that a reply writes: one line of verse, or lines with labels."""

from __future__ import annotations

import re
from collections.abc import Mapping

from apun.phonetics.mandarin import is_han
from apun.readers import denials, objects, text
from apun.readers.one import Parsed, one, only

_REMARK = re.compile(r"^\s*[(（].*[)）]\s*$", re.MULTILINE)


def verse(reply: str) -> Parsed[str]:
    """The line of Chinese verse answered, with its own punctuation; remarks in brackets on other lines are none."""
    cleaned = text.clean(reply, "verse", fold=False)

    def alone(piece: str) -> list[tuple[str]]:
        piece = piece.strip().strip("*_`")
        foreign = any(char.isalnum() and not is_han(char) for char in piece)
        led = re.search("[:：\n]", piece)  # 答案：…
        return [(piece,)] if any(map(is_han, piece)) and not (foreign or led or denials.refuses(piece)) else []

    return only(one(_REMARK.sub("", cleaned.text).strip(), alone, label="verse_word"))


def labelled(reply: str, labels: Mapping[str, str], *, inline: bool = False, fold: bool = True) -> dict[str, str]:
    """What a reply writes after each label (前半句：…), or in a JSON field of that name; the last of each counts.

    Args:
        reply: what the model wrote.
        labels: a name for each label, and the pattern of its wordings.
        inline: whether labels may also stand inside a line, after a comma or full stop, and be followed by 是 or "is".
        fold: whether full-width marks and letters become plain ones; the texts keep their own where they do not.

    Returns:
        The texts by name, each one line without emphasis; those that are not there are left out.
    """
    prose = text.prose(reply, fold=fold)
    return fields(prose, labels) or _lines(prose.replace("*", "").replace("`", ""), labels, inline)


def fields(prose: str, labels: Mapping[str, str]) -> dict[str, str]:
    """The fields of the last JSON object that has any of them, by name of label."""
    for found in reversed(objects.objects(prose)):
        keys = {name: key for key in found for name, form in labels.items() if re.fullmatch(form, key, re.IGNORECASE)}
        if keys:
            return {name: objects.as_text(found[key]) for name, key in keys.items()}
    return {}


def _lines(plain: str, labels: Mapping[str, str], inline: bool) -> dict[str, str]:
    forms = "|".join(f"(?P<{name}>{form})" for name, form in labels.items())
    start, sign = (r"(?:^|[,，;；.。、])", r"(?:[:：|]|应该是|是|为|is\b)") if inline else ("^", "[:：|]")
    before = r"[^\w\n]{0,8}(?:\d{1,2}[.)、][^\w\n]{0,4})?"
    after = r"[^\w\n:：|]{0,4}(?:[(（][^()（）:：\n]{0,12}[)）])?\s?"
    form = f"{start}{before}(?:{forms}){after}{sign}"
    marks = list(re.finditer(form, plain, re.IGNORECASE | re.MULTILINE))
    ends = [*(mark.start() for mark in marks[1:]), len(plain)]
    found = {}
    for mark, end in zip(marks, ends, strict=False):
        name = next(name for name in labels if mark[name] is not None)
        found[name] = plain[mark.end() : end].strip(" \t\n:：|").split("\n", 1)[0].strip(" \t|")
    return found
