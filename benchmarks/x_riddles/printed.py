"""Xiehouyu given as the paper prints them: riddle, two answers and the homophones, without pinyin.

One JSON object a line: ``riddle``, ``answer_literal`` (null for the direct type), ``answer_intended``,
``homophones`` (``[in the literal answer, in the intended one]``, null where there is none) and,
where known, ``origin``. Readings are derived here, once, and stored in the item.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from apun.errors import DataError, PhoneticError
from apun.phonetics.mandarin import readings
from benchmarks.x_riddles.homophony import han
from benchmarks.x_riddles.importer import aligned_pair, pinyin_text
from benchmarks.x_riddles.items import Pair, Riddle

_FIELDS = ("riddle", "answer_literal", "answer_intended")


def is_printed(record: Any) -> bool:
    """Whether a line has this shape."""
    return isinstance(record, dict) and all(name in record for name in _FIELDS)


def from_printed(record: Any, file: str | Path | None = None, line: int | None = None) -> Riddle:
    """An item, its homophones judged by pinyin.

    Raises:
        DataError: a field is missing or contradicts another; names it.
    """

    def fail(problem: str, field: str) -> DataError:
        return DataError(problem, file=file, line=line, field=field)

    if not is_printed(record):
        raise DataError("needs " + ", ".join(_FIELDS), file=file, line=line)
    riddle, literal, intended = (record[name] for name in _FIELDS)
    for name, text in zip(_FIELDS, (riddle, literal or "-", intended), strict=True):
        if not isinstance(text, str) or not text:
            raise fail("must be text", name)
    try:
        sounds = {text: list(readings(text)) for text in (riddle, literal, intended) if text}
    except PhoneticError as error:
        raise fail(str(error), "riddle") from error
    pairs: tuple[Pair, ...] = ()
    homophones = record.get("homophones")
    if homophones:
        if not isinstance(homophones, list) or len(homophones) != 2:
            raise fail("must be [in the literal answer, in the intended one]", "homophones")
        a, b = _whole(literal or "", intended, homophones[0], homophones[1])
        start = (literal or "").find(a)
        if start < 0 or not intended.startswith(b, start) or len(a) != len(b):
            raise fail(f"{a}/{b} do not stand at one place of {literal} and {intended}", "homophones")
        pair, ours, theirs = aligned_pair(a, b)
        sounds[literal][start : start + len(a)] = ours
        sounds[intended][start : start + len(b)] = theirs
        pairs = (pair,)
    kind = "homophonic" if pairs else "polysemous" if literal else "direct"
    origin = str(record.get("origin") or "")
    return Riddle(
        id=f"printed-{hashlib.sha256(f'{riddle}{intended}'.encode()).hexdigest()[:8]}",
        riddle=riddle,
        intended=intended,
        type=kind,
        literal=literal,
        riddle_pinyin=pinyin_text(sounds[riddle]),
        literal_pinyin=pinyin_text(sounds[literal]) if literal else "",
        intended_pinyin=pinyin_text(sounds[intended]),
        pairs=pairs,
        novel=origin.startswith("new"),
        origin=origin,
    )


def _whole(literal: str, intended: str, a: str, b: str) -> tuple[str, str]:
    """The printed homophones, widened to every place where the answers differ: 舅/疚 becomes 欠舅/歉疚."""
    if len(literal) != len(intended) or len(han(literal)) != len(literal):
        return a, b
    differing = [place for place in range(len(literal)) if literal[place] != intended[place]]
    start, stop = literal.find(a), literal.find(a) + len(a)
    if start < 0 or not differing:
        return a, b
    start, stop = min(start, differing[0]), max(stop, differing[-1] + 1)
    return literal[start:stop], intended[start:stop]
