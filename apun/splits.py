"""Splits: AudioFolders of clips, read with every check that protects a run from a bad sheet.

A split is a folder with ``metadata.jsonl`` (or ``metadata.csv``) beside its audio, as
``datasets.load_dataset("audiofolder", data_dir=…)`` opens it. A row names its file
(``file_name``), its item (``item_id`` or ``id``), the part of the question it is (``part``,
``main`` when absent) and whatever else is known of it. Audio is decoded on first use only.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from apun.clips import Clip
from apun.errors import AudioError, DataError
from apun.prompts import MAIN
from apun.speech import Split

SHEETS = ("metadata.jsonl", "metadata.csv")
ITEM_FIELDS = ("item_id", "id")
_NUMBERS = ("seconds", "sampling_rate", "loudness")
_LONGEST_NAME = 1_024


def read_split(folder: str | Path, *, verify: bool = False) -> Split:
    """Read an AudioFolder.

    Args:
        folder: the folder that holds ``metadata.jsonl`` or ``metadata.csv``.
        verify: also compare every file with the ``sha256`` and ``sampling_rate`` its row states, where it
            states them, and decode it.

    Returns:
        The split; rows in the sheet's order, clips decoded lazily.

    Raises:
        DataError: no folder, no sheet, or two; a malformed row, a duplicate, a path that leaves
            the folder. Names file, line and field.
        AudioError: an audio file is missing, empty, or not the one its row states.
    """
    folder = Path(folder)
    sheet = find_sheet(folder)
    rows: dict[tuple[str, str], Mapping[str, Any]] = {}
    clips: dict[tuple[str, str], Clip] = {}
    lines: dict[tuple[str, str], int] = {}
    root = folder.resolve()
    for number, row in read_rows(sheet):
        item = _item_of(row, sheet, number)
        part = row.get("part") or MAIN
        if not isinstance(part, str):
            raise DataError(f"must be text, is {part!r}", file=sheet, line=number, field="part")
        key = (item, part)
        if key in rows:
            raise DataError(
                f"item {item!r}, part {part!r} was already given in line {lines[key]}",
                file=sheet,
                line=number,
                fix="Keep one row for each clip, or tell the clips of one item apart by a 'part' column.",
            )
        for name in _NUMBERS:
            row = _with_number(row, name, sheet, number)
        path = path_inside(root, row.get("file_name"), sheet, number)
        if verify:
            _verify(path, row, sheet, number)
        rows[key], lines[key] = row, number
        clips[key] = Clip(path)
    if not rows:
        raise DataError("holds no rows", file=sheet, fix="Render or ingest at least one clip.")
    return Split(folder, rows, clips)


def find_sheet(folder: Path) -> Path:
    """The metadata sheet of a folder.

    Raises:
        DataError: there is no folder, no sheet, or more than one.
    """
    if not folder.is_dir():
        raise DataError("is not a folder", file=folder, fix="Name the folder that holds metadata.jsonl.")
    found = [folder / name for name in SHEETS if (folder / name).is_file()]
    if not found:
        raise DataError(
            "has no metadata.jsonl or metadata.csv",
            file=folder,
            fix="Render one with 'apun synth' or make one from recordings with 'apun ingest'.",
        )
    if len(found) > 1:
        raise DataError(
            "has both metadata.jsonl and metadata.csv", file=folder, fix="Remove the one that is out of date."
        )
    return found[0]


def read_rows(sheet: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows of a sheet with their 1-based line numbers; empty lines are passed over.

    Raises:
        DataError: a line is not UTF-8, not a JSON object, repeats a key or holds NaN; or a CSV
            row has more or fewer cells than the header.
    """
    text = _decoded(sheet)
    yield from _csv_rows(text, sheet) if sheet.suffix == ".csv" else _json_rows(text, sheet)


def path_inside(root: Path, name: Any, sheet: Path, line: int) -> Path:
    """The path of a row's audio file, which must exist and lie inside ``root`` (already resolved).

    Raises:
        DataError: not a file name, absolute, or outside the folder (``..`` or a link).
        AudioError: the file is missing or holds no bytes.
    """

    def refuse(problem: str, fix: str) -> DataError:
        return DataError(problem, file=sheet, line=line, field="file_name", fix=fix)

    if not isinstance(name, str) or not name.strip():
        raise refuse("must name an audio file", "Give each row the path of its audio, relative to the folder.")
    if "\0" in name or len(name) > _LONGEST_NAME:
        raise refuse(f"is not a usable path: {name[:60]!r}", "Rename the file.")
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or (pure.parts and pure.parts[0].endswith(":")):
        raise refuse(f"leaves the folder: {name!r}", "Use a path relative to the folder, without '..'.")
    path = root / pure
    if not path.resolve().is_relative_to(root):
        raise refuse(f"leads out of the folder through a link: {name!r}", "Copy the audio into the folder.")
    if not path.is_file():
        raise AudioError(
            f"audio file {name!r} is missing",
            file=sheet,
            line=line,
            field="file_name",
            fix="Restore it or remove the row.",
        )
    if path.stat().st_size == 0:
        raise AudioError(
            f"audio file {name!r} holds no bytes",
            file=sheet,
            line=line,
            field="file_name",
            fix="Record or render it again.",
        )
    return path


def file_sha256(path: Path) -> str:
    """Hex digest of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _verify(path: Path, row: Mapping[str, Any], sheet: Path, line: int) -> None:
    stated = row.get("sha256")
    if stated and file_sha256(path) != stated:
        raise AudioError(
            f"{path.name!r} is not the file that was listed",
            file=sheet,
            line=line,
            field="sha256",
            fix="Restore the original, or render or ingest it again.",
        )
    stated_rate = row.get("sampling_rate")
    if stated_rate not in (None, ""):
        import soundfile

        try:
            rate = soundfile.info(str(path)).samplerate
        except (soundfile.SoundFileError, RuntimeError, TypeError, ValueError) as error:
            raise AudioError(f"not readable as audio ({error})", file=path, fix="Record or render it again.") from error
        if rate != float(stated_rate):
            raise AudioError(
                f"{path.name!r} is sampled at {rate} Hz, the row says {stated_rate}",
                file=sheet,
                line=line,
                field="sampling_rate",
                fix="Correct the row, or ingest the recording again.",
            )
    clip = Clip(path)
    _ = clip.samples
    clip.release()


def _item_of(row: Mapping[str, Any], sheet: Path, line: int) -> str:
    for name in ITEM_FIELDS:
        if name in row:
            item = row[name]
            if isinstance(item, str) and item.strip():
                return item
            raise DataError(f"must be a non-empty text, is {item!r}", file=sheet, line=line, field=name)
    raise DataError("is missing", file=sheet, line=line, field="item_id", fix="Say which item each clip belongs to.")


def _with_number(row: dict[str, Any], name: str, sheet: Path, line: int) -> dict[str, Any]:
    value = row.get(name)
    if value is None or value == "":
        return row
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise DataError(f"must be a finite number, is {value!r}", file=sheet, line=line, field=name)
    return {**row, name: number} if isinstance(value, str) else row


def _decoded(sheet: Path) -> str:
    data = sheet.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError("is not UTF-8 text", file=sheet, line=line, fix="Save the sheet as UTF-8.") from None


def _json_rows(text: str, sheet: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    def no_constant(name: str) -> float:
        raise ValueError(f"{name} is not JSON")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        row = dict(pairs)
        if len(row) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"the key {twice!r} is given twice")
        return row

    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_constant=no_constant, object_pairs_hook=once)
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"is not a JSON object ({error})", file=sheet, line=number, fix="Correct the line."
            ) from None
        if not isinstance(row, dict):
            raise DataError(
                f"is a {type(row).__name__}, not a JSON object", file=sheet, line=number, fix="Correct the line."
            )
        yield number, row


def _csv_rows(text: str, sheet: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)  # U+2028 and its like end no row
    try:
        header = next(reader, [])
        if len(set(header)) != len(header):
            raise DataError("two columns have the same name", file=sheet, line=1, fix="Rename one.")
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise DataError(
                    f"has {len(cells)} cells for {len(header)} columns",
                    file=sheet,
                    line=reader.line_num,
                    fix="Quote cells that hold commas.",
                )
            yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise DataError(
            f"is not CSV ({error})", file=sheet, line=reader.line_num, fix="Save the sheet as CSV again."
        ) from None
