"""What was recorded: the sheet of texts, and where in which file each is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from apun.errors import DataError
from apun.paths import read_text
from apun.phonetics import LANGUAGES
from apun.prompts import MAIN
from apun.records import Record, read
from apun.speech import Utterance
from apun.splits import ITEM_FIELDS, part_of

READINGS = ("ipa", "pinyin", "kana")
CUT = ("item_id", "start", "end")
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
    takes: dict[tuple[str, str], Take] = {}
    for record in read(sheet, ("text",)):
        take = _take(record, language, speaker)
        key = (take.item, take.part)
        if key in takes:
            problem = f"item {take.item!r}, part {take.part!r} was already given in line {takes[key].line}"
            raise record.fault(problem, fix="Keep one row for each clip.")
        takes[key] = take
    if not takes:
        raise DataError("holds no rows", file=sheet, fix="One row a recorded text: item_id, text.")
    return list(takes.values())


def _take(record: Record, language: str, speaker: str) -> Take:
    start, end = seconds(record, "start"), seconds(record, "end")
    _check_cut(start, end, record)
    return Take(
        item=record.identity([name for name in ITEM_FIELDS if record.has(name)] or ITEM_FIELDS),
        part=part_of(record),
        text=record.text("text"),
        language=record.one_of("language", LANGUAGES, language),
        line=record.line or 0,
        file_name=record.text("file_name", ""),
        start=start,
        end=end,
        speaker=record.text("speaker", speaker),
        reading={form: record.text(form) for form in READINGS if record.has(form)},
        extra={name: value for name, value in record.values.items() if name not in OWN and record.has(name)},
    )


def seconds(record: Record, name: str) -> float | None:
    """A time as seconds, from ``12.5``, ``1:02.5`` or ``1:00:02``; None for an empty cell.

    Raises:
        DataError: anything else, or a negative or infinite number.
    """
    value = record.values.get(name)
    if not record.has(name):
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value)
    else:
        match = _CLOCK.fullmatch(str(value).strip())
        hours, minutes, rest = match.groups() if match else (None, None, "nan")
        number = int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest.replace(",", "."))
    if not math.isfinite(number) or number < 0:
        fix = "Write seconds (12.5) or minutes and seconds (1:02.5)."
        raise record.fault(f"is no time: {value!r}", name, fix)
    return number


def _check_cut(start: float | None, end: float | None, record: Record) -> None:
    if (start is None) != (end is None):
        raise record.fault("needs both start and end", "end" if end is None else "start")
    if start is not None and end is not None and end <= start:
        raise record.fault(f"ends at {end:g} s, before it starts ({start:g} s)", "end")


def with_cuts(takes: Sequence[Take], cuts: Path) -> list[Take]:
    """Takes with the times of a cut list.

    The list is a sheet with ``item_id``, ``start``, ``end`` and, where needed, ``part`` and ``file_name``; or a label
    track as Audacity exports it (``.txt``: start, end, label between tabs), the label being the item's id,
    followed by ``/part`` where it is not ``main``.

    Raises:
        DataError: malformed, a cut of an unknown item, an item without a cut, or two cuts of one item.
    """
    found: dict[tuple[str, str], Record] = {}
    known = {(take.item, take.part) for take in takes}
    for record in _label_track(cuts) if cuts.suffix == ".txt" else read(cuts, CUT, ("part", "file_name")):
        first, last = seconds(record, "start"), seconds(record, "end")
        if first is None or last is None:
            raise record.fault("needs both start and end")
        _check_cut(first, last, record)
        key = item, part = record.text("item_id"), part_of(record)
        if key not in known:
            raise record.fault(f"there is no item {item!r}, part {part!r}", fix="Use the ids of the sheet of texts.")
        if key in found:
            raise record.fault(f"item {item!r}, part {part!r} is cut twice", fix="Keep one.")
        found[key] = record
    if missing := [take for take in takes if (take.item, take.part) not in found]:
        problem = f"has no cut for item {missing[0].item!r}, part {missing[0].part!r} ({len(missing)} are missing)"
        raise DataError(problem, file=cuts, fix="Add it, or remove it from the sheet of texts.")
    return [
        replace(
            take,
            start=seconds(cut, "start"),
            end=seconds(cut, "end"),
            file_name=cut.text("file_name", "") or take.file_name,
        )
        for take in takes
        for cut in (found[take.item, take.part],)
    ]


def _label_track(cuts: Path) -> Iterator[Record]:
    """Audacity's labels: start, end and ``ITEM`` or ``ITEM/PART`` between tabs."""
    for number, line in enumerate(read_text(cuts, fix="Export the labels again.").splitlines(), 1):
        if not line.strip() or line.startswith("\\"):  # a label's frequency range
            continue
        cells = line.split("\t")
        if len(cells) != 3:
            raise DataError("is no label: start, end and item id between tabs", file=cuts, line=number)
        item, _, part = cells[2].strip().partition("/")
        yield Record({"item_id": item, "part": part or MAIN, "start": cells[0], "end": cells[1]}, cuts, number)
