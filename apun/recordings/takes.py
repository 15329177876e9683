"""What was recorded: the sheet of texts, and where in which file each is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from apun.errors import DataError
from apun.prompts import MAIN
from apun.sheets import read_sheet
from apun.speech import Utterance
from apun.splits import ITEM_FIELDS, read_rows

READINGS = ("ipa", "pinyin", "kana")
OWN = (*ITEM_FIELDS, "part", "text", "language", "file_name", "start", "end", "speaker", *READINGS, "key_words")
_CLOCK = re.compile(r"(?:(?:(\d+):)?(\d{1,2}):)?(\d+(?:[.,]\d+)?)")


@dataclass(frozen=True, slots=True)
class Take:
    """One recorded text.

    Attributes:
        item, part: which question's clip it is.
        text: what was read.
        language: ``en``, ``zh`` or ``ja``.
        line: line of the sheet.
        file_name: its file, relative to the recordings; empty: found by the item's id.
        start, end: seconds in that file; None for the whole file.
        speaker: who read it.
        reading: reading by form (``ipa``, ``pinyin``, ``kana``), where the sheet gives one.
        extra: the sheet's other columns; they go into the metadata as they are.
    """

    item: str
    part: str
    text: str
    language: str
    line: int
    file_name: str = ""
    start: float | None = None
    end: float | None = None
    speaker: str = ""
    reading: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def utterance(self) -> Utterance:
        """As the speech package knows it."""
        return Utterance(self.item, self.text, self.language, self.part, self.reading)


def read_takes(sheet: Path, language: str = "en", speaker: str = "") -> list[Take]:
    """The rows of a sheet (``.csv``, ``.tsv``, ``.xlsx`` or ``.jsonl``).

    Columns: ``item_id`` (or ``id``) and ``text``; ``part``, ``language``, ``file_name``, ``start``, ``end``,
    ``speaker`` and the readings where there are any; others are kept.

    Args:
        sheet: the sheet.
        language, speaker: for rows that do not say.

    Raises:
        DataError: a missing or malformed value, or an item's part given twice; names line and field.
    """
    if sheet.suffix == ".jsonl":
        rows: Iterable[tuple[int, Mapping[str, Any]]] = read_rows(_existing(sheet))
    else:
        rows = [(row.line, row.values) for row in read_sheet(sheet, ("text",))]
    takes: list[Take] = []
    seen: dict[tuple[str, str], int] = {}
    for line, row in rows:
        take = _take(row, sheet, line, language, speaker)
        key = (take.item, take.part)
        if key in seen:
            problem = f"item {take.item!r}, part {take.part!r} was already given in line {seen[key]}"
            raise DataError(problem, file=sheet, line=line, fix="Keep one row for each clip.")
        seen[key] = line
        takes.append(take)
    if not takes:
        raise DataError("holds no rows", file=sheet, fix="One row a recorded text: item_id, text.")
    return takes


def _existing(sheet: Path) -> Path:
    if not sheet.is_file():
        raise DataError("no such sheet", file=sheet, fix="Give the path of the sheet of texts.")
    return sheet


def _take(row: Mapping[str, Any], sheet: Path, line: int, language: str, speaker: str) -> Take:
    def text(name: str, default: str = "") -> str:
        value = row.get(name)
        if value is None or value == "":
            return default
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise DataError(f"must be text, is {value!r}", file=sheet, line=line, field=name)
        return value.strip()

    item = text("item_id") or text("id")
    if not item:
        fix = "Say which item each recording is of."
        raise DataError("is missing", file=sheet, line=line, field="item_id", fix=fix)
    if not text("text"):
        raise DataError("is missing", file=sheet, line=line, field="text", fix="Give the words that were read.")
    spoken = text("language", language)
    if spoken not in ("en", "zh", "ja"):
        raise DataError(f"must be en, zh or ja, is {spoken!r}", file=sheet, line=line, field="language")
    start, end = (seconds(row.get(name), sheet, line, name) for name in ("start", "end"))
    _check_cut(start, end, sheet, line)
    return Take(
        item=item,
        part=text("part", MAIN),
        text=text("text"),
        language=spoken,
        line=line,
        file_name=text("file_name"),
        start=start,
        end=end,
        speaker=text("speaker", speaker),
        reading={form: text(form) for form in READINGS if text(form)},
        extra={name: value for name, value in row.items() if name not in OWN and value not in (None, "")},
    )


def seconds(value: Any, sheet: Path, line: int, name: str) -> float | None:
    """A time as seconds, from ``12.5``, ``1:02.5`` or ``1:00:02``; None for an empty cell.

    Raises:
        DataError: anything else, or a negative or infinite number.
    """
    if value is None or value == "":
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value)
    else:
        match = _CLOCK.fullmatch(str(value).strip())
        hours, minutes, rest = match.groups() if match else (None, None, "nan")
        number = int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest.replace(",", "."))
    if not math.isfinite(number) or number < 0:
        fix = "Write seconds (12.5) or minutes and seconds (1:02.5)."
        raise DataError(f"is no time: {value!r}", file=sheet, line=line, field=name, fix=fix)
    return number


def _check_cut(start: float | None, end: float | None, sheet: Path, line: int) -> None:
    if (start is None) != (end is None):
        raise DataError("needs both start and end", file=sheet, line=line, field="end" if end is None else "start")
    if start is not None and end is not None and end <= start:
        raise DataError(f"ends at {end:g} s, before it starts ({start:g} s)", file=sheet, line=line, field="end")


def with_cuts(takes: Sequence[Take], cuts: Path) -> list[Take]:
    """Takes with the times of a cut list.

    The list is a sheet with ``item_id``, ``start``, ``end`` and, where needed, ``part`` and ``file_name``; or a label
    track as Audacity exports it (``.txt``: start, end, label between tabs), the label being the item's id,
    followed by ``/part`` where it is not ``main``.

    Raises:
        DataError: malformed, a cut of an unknown item, an item without a cut, or two cuts of one item.
    """
    found: dict[tuple[str, str], tuple[float, float, str]] = {}
    known = {(take.item, take.part) for take in takes}
    for line, item, part, start, end, name in _label_track(cuts) if cuts.suffix == ".txt" else _cut_sheet(cuts):
        first, last = seconds(start, cuts, line, "start"), seconds(end, cuts, line, "end")
        if first is None or last is None:
            raise DataError("needs both start and end", file=cuts, line=line)
        _check_cut(first, last, cuts, line)
        if (item, part) not in known:
            fix = "Use the ids of the sheet of texts."
            raise DataError(f"there is no item {item!r}, part {part!r}", file=cuts, line=line, fix=fix)
        if (item, part) in found:
            raise DataError(f"item {item!r}, part {part!r} is cut twice", file=cuts, line=line, fix="Keep one.")
        found[item, part] = (first, last, name)
    if missing := [take for take in takes if (take.item, take.part) not in found]:
        problem = f"has no cut for item {missing[0].item!r}, part {missing[0].part!r} ({len(missing)} are missing)"
        raise DataError(problem, file=cuts, fix="Add it, or remove it from the sheet of texts.")
    return [
        replace(take, start=cut[0], end=cut[1], file_name=cut[2] or take.file_name)
        for take in takes
        for cut in (found[take.item, take.part],)
    ]


Cut = tuple[int, str, str, Any, Any, str]


def _cut_sheet(cuts: Path) -> list[Cut]:
    rows = read_sheet(cuts, ("item_id", "start", "end"), ("part", "file_name"))
    found: list[Cut] = []
    for row in rows:
        value = row.values
        part, name = value.get("part") or MAIN, value.get("file_name", "")
        found.append((row.line, value["item_id"], part, value["start"], value["end"], name))
    return found


def _label_track(cuts: Path) -> list[Cut]:
    found: list[Cut] = []
    try:
        lines = _existing(cuts).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise DataError("is not UTF-8 text", file=cuts, fix="Export the labels again.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("\\"):  # a label's frequency range
            continue
        cells = line.split("\t")
        if len(cells) != 3:
            raise DataError("is no label: start, end and item id between tabs", file=cuts, line=number)
        item, _, part = cells[2].strip().partition("/")
        found.append((number, item, part or MAIN, cells[0], cells[1], ""))
    return found
