"""Spreadsheet files: CSV, TSV and XLSX as rows of text, written for spreadsheets and read back from them.

CSV is written with a byte-order mark and CRLF, so that Excel shows it as UTF-8; what comes back may
have lost the mark, gained blank rows, semicolons or tabs, and its columns in another order. xlsx is
read and written with openpyxl, as text only: nothing in a sheet is ever evaluated. Rows are read
through ``apun.records``.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apun.errors import DataError, UsageError
from apun.paths import read_text, replacing

SUFFIXES = (".csv", ".tsv", ".xlsx")
_DELIMITERS = ",;\t"
_FORMULA = "=+-@\t\r"
_LARGEST_BYTES = 256 * 1024 * 1024  # unpacked; a sheet people fill in is a thousandth of it
_SAVE_AGAIN = "Save it again as 'CSV UTF-8' or as .xlsx."


def write_sheet(path: str | Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows for a person to fill in.

    Cells that a spreadsheet would run as a formula get a leading apostrophe in CSV, which reading
    takes off again; xlsx cells are typed as text.

    Args:
        path: ``.csv``, ``.tsv`` or ``.xlsx``; written whole or not at all.
        columns: column heads, in order.
        rows: cells by column; absent or None is an empty cell.

    Raises:
        UsageError: another suffix, repeated column heads, or a row with a column that has no head.
    """
    path = Path(path)
    if len(set(columns)) != len(columns):
        raise UsageError(f"the sheet {path.name} would have a column twice: {', '.join(columns)}")
    table: list[list[str]] = []
    for row in rows:
        if extra := sorted(set(row) - set(columns)):
            raise UsageError(f"a row for {path.name} has {extra[0]!r}, which is not a column of the sheet")
        table.append(["" if row.get(column) is None else str(row[column]) for column in columns])
    with replacing(path) as temporary:
        if path.suffix.lower() == ".xlsx":
            _write_xlsx(temporary, columns, table)
            return
        _require_suffix(path)
        delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
        with temporary.open("w", encoding="utf-8-sig", newline="") as handle:
            writer = csv.writer(handle, delimiter=delimiter, lineterminator="\r\n")
            writer.writerow(columns)
            writer.writerows([_defused(cell) for cell in cells] for cells in table)


def rows(
    path: Path,
    required: Sequence[str] = (),
    optional: Sequence[str] | None = None,
    aliases: Mapping[str, str] | None = None,
) -> list[tuple[int, dict[str, str]]]:
    """Lines and cells by column head of a sheet; see ``apun.records.read``.

    Column heads are matched without regard to case, surrounding space, or spaces for underscores;
    they may stand in any order. Rows with no text at all are skipped. Line breaks inside a cell are kept.

    Raises:
        DataError: missing file, wrong encoding or format, missing, repeated or unknown column, or more
            cells than heads; names file, line and field.
        UsageError: an unknown suffix.
    """
    _require_suffix(path)
    if not path.is_file():
        raise DataError("no such sheet", file=path, fix="Give the path of the filled-in .csv or .xlsx file.")
    lines = _read_xlsx(path) if path.suffix.lower() == ".xlsx" else _read_csv(path)
    lines = [(line, cells) for line, cells in lines if any(cells)]
    if not lines:
        raise DataError("holds no rows", file=path, fix=f"The first row must name the columns: {', '.join(required)}.")
    head_line, head = lines[0]
    columns = _columns(path, head_line, head, required, optional, aliases or {})
    return [(line, _values(path, line, columns, cells)) for line, cells in lines[1:]]


def _columns(
    path: Path,
    line: int,
    head: Sequence[str],
    required: Sequence[str],
    optional: Sequence[str] | None,
    aliases: Mapping[str, str],
) -> list[str]:
    """The heads as they are called here."""
    known = [*required, *(optional or ())]
    names = {_folded(name): name for name in known} | {_folded(other): name for other, name in aliases.items()}
    columns = [names.get(_folded(cell), cell) for cell in head]
    while columns and not columns[-1]:
        columns.pop()
    for index, column in enumerate(columns):
        if not column:
            raise DataError(f"column {index + 1} has no name", file=path, line=line, fix="Name it or delete it.")
        if column in columns[:index]:
            raise DataError("the column stands twice", file=path, line=line, field=column, fix="Delete one.")
    for column in required:
        if column not in columns:
            fix = f"Columns found: {', '.join(columns)}. Needed: {', '.join(required)}."
            raise DataError("the column is missing", file=path, line=line, field=column, fix=fix)
    if optional is not None and (extra := [c for c in columns if c not in known]):
        fix = f"Known: {', '.join(known)}."
        raise DataError("not a column of this sheet", file=path, line=line, field=extra[0], fix=fix)
    return columns


def _values(path: Path, line: int, columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    if any(cells[len(columns) :]):
        raise DataError(
            f"has {len(cells)} cells for {len(columns)} columns",
            file=path,
            line=line,
            fix="Quote cells that hold the delimiter, or save as .xlsx.",
        )
    return {column: cells[i] if i < len(cells) else "" for i, column in enumerate(columns)}


def _folded(head: str) -> str:
    return head.strip().casefold().replace(" ", "_")


def _require_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path.name} is not a sheet apun knows; use {', '.join(SUFFIXES)}")


def _defused(cell: str) -> str:
    bare = cell.lstrip("'")
    return f"'{cell}" if bare and bare[0] in _FORMULA else cell


def _refused(cell: str) -> str:
    """The cell as it was before ``_defused``, stripped."""
    cell = cell.strip()
    bare = cell.lstrip("'")
    return cell[1:] if bare and bare[0] in _FORMULA and cell[0] == "'" else cell


def _read_csv(path: Path) -> list[tuple[int, list[str]]]:
    text = read_text(path, largest=_LARGEST_BYTES, fix=_SAVE_AGAIN)
    if "\0" in text:
        raise DataError("is not a text file", file=path, fix=_SAVE_AGAIN)
    first = next((line for line in re.split(r"\r\n?|\n", text) if line.strip(_DELIMITERS + " \"'")), "")
    delimiter = max(_DELIMITERS, key=first.count) if any(d in first for d in _DELIMITERS) else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines: list[tuple[int, list[str]]] = []
    start = 1
    try:
        for cells in reader:
            lines.append((start, [_refused(cell) for cell in cells]))
            start = reader.line_num + 1
    except csv.Error as error:
        raise DataError(
            f"cannot be read as CSV ({error})", file=path, line=start, fix="Close the quotation mark, or save as .xlsx."
        ) from error
    return lines


def _read_xlsx(path: Path) -> list[tuple[int, list[str]]]:
    import openpyxl

    fix = "Open it in a spreadsheet program and save it again as .xlsx."
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _LARGEST_BYTES:
                raise DataError("unpacks to more than any sheet people fill in", file=path)
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except DataError:
        raise
    except Exception as error:  # openpyxl lets through whatever a broken archive provokes
        raise DataError(f"cannot be read as xlsx ({type(error).__name__})", file=path, fix=fix) from error
    try:
        rows = book.worksheets[0].iter_rows(values_only=True)
        return [(number, [_shown(cell) for cell in cells]) for number, cells in enumerate(rows, 1)]
    except Exception as error:  # the same, while rows are parsed lazily
        raise DataError(f"cannot be read as xlsx ({type(error).__name__})", file=path, fix=fix) from error
    finally:
        book.close()


def _shown(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return _refused(str(cell))


def _write_xlsx(path: Path, columns: Sequence[str], table: Sequence[Sequence[str]]) -> None:
    import openpyxl
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = openpyxl.Workbook()
    sheet = book.active
    for number, cells in enumerate([columns, *table], 1):
        for position, text in enumerate(cells, 1):
            cell = sheet.cell(number, position)
            cell.value = _printable(_defused(text) if text[:1] == "'" else text)
            cell.data_type = "s"
            if number == 1:
                cell.font = Font(bold=True)
    for position in range(1, len(columns) + 1):
        widest = max(len(cells[position - 1]) for cells in [columns, *table])
        sheet.column_dimensions[get_column_letter(position)].width = min(60, widest + 2)
    sheet.freeze_panes = "A2"
    book.save(path)


def _printable(text: str) -> str:
    """xlsx cannot hold control characters; they are shown as U+FFFD rather than lost."""
    return "".join("\ufffd" if ord(c) < 32 and c not in "\t\n\r" else c for c in text)
