"""Strict rows: JSON lines, CSV, TSV and XLSX read alike, with checked access to their fields.

Whatever is wrong is a ``DataError`` that names file, line, field and what to do. A key given twice, NaN, text that
is not Unicode, a column without a name or a row with more cells than columns is refused, never guessed at.
Spreadsheets may come back with a byte-order mark, in UTF-16, with semicolons or tabs, blank rows and columns in
another order (``apun.sheets``). Ids are text, whatever a spreadsheet made of them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from apun import sheets
from apun.errors import DataError
from apun.paths import read_text

LARGEST_LINE = 8 << 20
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Record:
    """One row, with checked access to its fields.

    Attributes:
        values: fields by name; of a sheet, stripped text.
        file: where it stands.
        line: 1-based line or spreadsheet row; None where the file has none.
        key: the record's name in a file that is one JSON object.
        fix: what to do about a fault that does not say it.
    """

    values: Mapping[str, Any]
    file: Path | None = None
    line: int | None = None
    key: str = ""
    fix: str | None = None

    def fault(self, problem: str, field: str | None = None, fix: str | None = None) -> DataError:
        """An error that names this row."""
        named = f"record {self.key!r}: {problem}" if self.key else problem
        return DataError(named, file=self.file, line=self.line, field=field, fix=fix or self.fix)

    def has(self, name: str) -> bool:
        """Whether a field holds anything."""
        return self.values.get(name) not in (None, "")

    def text(self, name: str, default: str | None = None) -> str:
        """A text without surrounding space; must hold something unless there is a default.

        Raises:
            DataError: missing, empty, or no text.
        """
        value = self.values.get(name)
        if default is not None and (value is None or value == ""):
            return default
        if not isinstance(value, str) or not value.strip():
            raise self.fault(f"must be a non-empty text, is {shown(value)}", name)
        return value.strip()

    def identity(self, names: Sequence[str] = ("id",)) -> str:
        """The row's id, under the first of several names that it has."""
        name = next((name for name in names if name in self.values), names[0])
        return self.text(name)

    def texts(self, name: str, count: int | None = None, *, separator: str = ";") -> tuple[str, ...]:
        """A list of non-empty texts; in a sheet one text with separators. Empty where the field is.

        Raises:
            DataError: another kind of value, an empty entry, or not ``count`` entries.
        """
        value = self.values.get(name)
        if isinstance(value, str):
            value = [part for part in value.split(separator) if part.strip()]
        if value is None:
            value = []
        if not isinstance(value, list | tuple) or not all(isinstance(text, str) and text.strip() for text in value):
            fix = f"In a sheet, separate them by {separator!r}."
            raise self.fault(f"must be a list of texts, is {shown(value)}", name, fix)
        if count is not None and len(value) != count:
            raise self.fault(f"must hold {count} texts, holds {len(value)}", name)
        return tuple(text.strip() for text in value)

    def number(self, name: str, default: float | None = None) -> float | None:
        """A finite number, also where a sheet has it as text; the default where the field is empty."""
        value = self.values.get(name)
        if value is None or value == "":
            return default
        try:
            number = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            raise self.fault(f"must be a finite number, is {shown(value)}", name)
        return number

    def whole(self, name: str, lowest: int, highest: int, default: int | None = None) -> int:
        """A whole number within bounds; the default, where there is one, for an empty field."""
        value = self.values.get(name)
        if default is not None and (value is None or value == ""):
            return default
        text = str(value).strip()
        digits = text.isascii() and text.isdigit() and len(text) < 19 and not isinstance(value, float)
        if isinstance(value, bool) or not digits or not lowest <= int(text) <= highest:
            raise self.fault(f"must be a whole number from {lowest} to {highest}, is {shown(value)}", name)
        return int(text)

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false, also as a word of a sheet; the default where the field is empty."""
        value = self.values.get(name)
        if value is None or value == "":
            return default
        word = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value).strip().casefold()
        if word not in _TRUE | _FALSE:
            raise self.fault(f"{shown(value)} is neither true nor false", name)
        return word in _TRUE

    def one_of(self, name: str, allowed: Sequence[str], default: str | None = None) -> str:
        """One of the given texts; the default, where there is one, for an empty field."""
        value = self.values.get(name)
        if default is not None and (value is None or value == ""):
            return default
        if not isinstance(value, str) or value.strip() not in allowed:
            fix = f"Use one of: {', '.join(filter(None, allowed))}."
            raise self.fault(f"must be one of {', '.join(filter(None, allowed))}, is {shown(value)}", name, fix)
        return value.strip()

    def only(self, known: Iterable[str]) -> None:
        """Refuse fields beside the known ones."""
        names = list(known)
        if extra := sorted(set(self.values) - set(names)):
            raise self.fault("is not a known field", extra[0], f"Known: {', '.join(names)}.")


_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


def shown(value: Any) -> str:
    """A value as an error shows it; a missing one is called that."""
    if value is None:
        return "missing"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def read(
    path: str | Path,
    required: Sequence[str] = (),
    optional: Sequence[str] | None = None,
    aliases: Mapping[str, str] | None = None,
) -> Iterator[Record]:
    """Rows of ``.jsonl``, ``.csv``, ``.tsv`` or ``.xlsx`` in file order; empty ones are passed over.

    Args:
        path: the file.
        required: columns that a sheet must have; JSON rows are checked where their fields are read.
        optional: further known columns of a sheet; when given, any other is refused by name.
        aliases: other heads of a sheet by what they are called here; case, space and underscores do not count.

    Raises:
        DataError: missing file, wrong encoding or format; names file, line and field.
        UsageError: a suffix that is none of these.
    """
    path = Path(path)
    if path.suffix.lower() == ".jsonl":
        return _json_lines(path)
    return (Record(values, path, line) for line, values in sheets.rows(path, required, optional, aliases))


def _json_lines(path: Path) -> Iterator[Record]:
    for number, line in enumerate(read_text(path).split("\n"), 1):  # U+2028 and its like end no row
        if not line.strip():
            continue
        if len(line) > LARGEST_LINE:
            raise DataError(f"is longer than {LARGEST_LINE >> 20} MiB", file=path, line=number, fix="Split the row.")
        try:
            row = strict_json(line)
        except (ValueError, RecursionError) as error:
            fix = "Correct the line."
            raise DataError(f"is not a JSON object ({error})", file=path, line=number, fix=fix) from None
        if not isinstance(row, dict):
            problem = f"is a {type(row).__name__}, not a JSON object"
            raise DataError(problem, file=path, line=number, fix="Correct the line.")
        yield Record(row, path, number)


def read_keyed(path: str | Path, fix: str | None = None) -> Iterator[Record]:
    """The records of a file that is one JSON object, by key; a record that is a list is its field ``values``.

    Args:
        path: the file.
        fix: what to do about a faulty file or record, where nothing better can be said.

    Raises:
        DataError: as ``read_json``; or the file is no object, or a record neither an object nor a list.
    """
    path = Path(path)
    found = read_json(path, fix)
    if not isinstance(found, dict):
        raise DataError(f"must hold one JSON object, holds {shown(found)}", file=path, fix=fix)
    for key, value in found.items():
        if not isinstance(value, dict | list):
            raise DataError(f"record {key!r} must be an object, is {shown(value)}", file=path, fix=fix)
        yield Record(value if isinstance(value, dict) else {"values": value}, path, None, key, fix)


def read_json(path: str | Path, fix: str | None = None) -> Any:
    """A JSON document, strictly.

    Raises:
        DataError: the file is missing, too large, not Unicode, no JSON, has a key twice or holds NaN.
    """
    path = Path(path)
    try:
        return strict_json(read_text(path))
    except json.JSONDecodeError as error:
        raise DataError(f"is not JSON ({error.msg})", file=path, line=error.lineno, fix=fix) from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"is not usable JSON ({error})", file=path, fix=fix) from error


def strict_json(text: str) -> Any:
    """A JSON value without repeated keys, NaN or infinity; raises ``ValueError`` or ``RecursionError``."""
    return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} is given twice")
    return row


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def unique(
    things: Iterable[tuple[Record, T]],
    path: str | Path,
    identity: Callable[[T], str] = lambda thing: str(thing.id),  # type: ignore[attr-defined]
) -> list[T]:
    """What the rows of a file hold, in order; none twice, and at least one.

    Args:
        things: each with the row it was read from.
        path: the file or folder, for the error when there is none.
        identity: what may not occur twice; ``id`` by default.

    Raises:
        DataError: an id occurs twice, or there is nothing.
    """
    found: dict[str, tuple[Record, T]] = {}
    for record, thing in things:
        name = identity(thing)
        if name in found:
            before = found[name][0]
            where = f", first in line {before.line}" if before.line and before.file == record.file else ""
            raise record.fault(f"the id {name!r} stands twice{where}", "id", "Give every item its own id.")
        found[name] = (record, thing)
    if not found:
        raise DataError("holds no items", file=path)
    return [thing for _, thing in found.values()]
