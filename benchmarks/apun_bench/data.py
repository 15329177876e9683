"""Subsets: the embedded sample, and the user's folders of clips; items written out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from apun.audio_folder import json_lines
from apun.errors import DataError, UsageError
from apun.paths import write_atomic
from apun.prompts import MAIN
from apun.records import Record, read, unique
from apun.sheets import write_sheet
from apun.splits import ITEM_FIELDS, SHEETS, find_sheet, part_of
from apun.tasks import Subset
from benchmarks.apun_bench.items import PunItem, item_from, load_items

SAMPLE = Path(__file__).parent / "data" / "sample.jsonl"
ITEM_FILES = ("items.jsonl", "items.csv", "items.tsv", "items.xlsx")
LAYOUT = (
    'either each row of metadata.jsonl holds the item ("text", "type", "pun_word", and "alternatives" or '
    '"meanings"), or an items.jsonl, items.csv or items.xlsx beside it does ("id", "text", "type", ...)'
)


def load(subset: Subset) -> Sequence[PunItem]:
    """Items of a subset; ``sample`` is embedded, the others are read from the user's folder."""
    if subset.folder is not None:
        return read_folder(subset.folder)
    if subset.name == "sample":
        return load_items(SAMPLE)
    raise UsageError(
        f"subset {subset.name!r} needs a folder: give --data-dir DIR (or set APUN_DATA), where DIR/{subset.name}/ or "
        "DIR holds metadata.jsonl with one row a clip (file_name, item_id) and either the items' columns "
        "(id, text, type, pun_word, alternatives or meanings) or an items.jsonl, items.csv or items.xlsx beside it"
    )


def load_subset(name: str, data_dir: Path | None) -> Sequence[PunItem]:
    """Items of a subset by name, as ``apun eval`` finds them."""
    from apun.run.data import find_folder

    return load(Subset(name, None if name == "sample" else find_folder("apun", name, data_dir)))


def read_folder(folder: Path) -> Sequence[PunItem]:
    """The annotated items of a folder.

    In this order: one of ``ITEM_FILES``; the columns of ``metadata.jsonl`` (or ``.csv``); the original
    SemEval archive or ``semeval_apun_schema.jsonl``.

    Raises:
        DataError: nothing of that kind is there, or it is malformed; says exactly what to put where.
    """
    from benchmarks.apun_bench import semeval

    found = [folder / name for name in ITEM_FILES if (folder / name).is_file()]
    if len(found) > 1:
        problem = f"holds both {found[0].name} and {found[1].name}"
        raise DataError(problem, file=folder, fix="Keep the one that is up to date.")
    if found:
        return load_items(found[0])
    if any((folder / name).is_file() for name in SHEETS):
        return _from_metadata(find_sheet(folder))
    if semeval.is_here(folder):
        return semeval.read_folder(folder)
    raise DataError("holds no items", file=folder, fix=f"Put metadata.jsonl and its audio there; {LAYOUT}.")


def _from_metadata(sheet: Path) -> Sequence[PunItem]:
    """The items in the rows of clips: an item's first main clip states it."""
    rows: dict[str, Record] = {}
    for row in read(sheet):
        if part_of(row) == MAIN:
            rows.setdefault(row.identity(ITEM_FIELDS), row)
    plain = [row for row in rows.values() if not row.has("type")]
    if plain:
        problem, fix = f"{len(plain)} rows have no 'type', the others do", "Annotate or remove them."
        if len(plain) == len(rows):
            problem, fix = f"none of its {len(plain)} rows says what the clip's pun is", f"Annotate: {LAYOUT}."
        raise DataError(problem, file=sheet, field="type", fix=fix)
    return unique(((row, item_from(_item_row(row, name))) for name, row in rows.items()), sheet)


def _item_row(row: Record, name: str) -> Record:
    """A clip's row as its item's; what was really said stands in for a missing text."""
    text = row.values.get("text") or row.values.get("transcript")
    return replace(row, values={**row.values, "id": name, "text": text})


def export_items(
    out: Path, *, subset: str = "sample", data_dir: Path | None = None, commercial: bool = False
) -> tuple[int, int]:
    """Write a subset's items.

    Args:
        out: ``.jsonl``, ``.csv``, ``.tsv`` or ``.xlsx``; ``load_items`` reads it back.
        subset: ``sample``, ``synthetic`` or ``real``.
        data_dir: the user's data folder.
        commercial: leave out rows under a non-commercial licence, or under none that is stated.

    Returns:
        How many items were written, and how many were left out.
    """
    items = load_subset(subset, data_dir)
    kept = [item for item in items if item.commercial or not commercial]
    write_items(out, kept)
    return len(kept), len(items) - len(kept)


def write_items(out: Path, items: Sequence[PunItem]) -> None:
    """Write items as JSONL or, by suffix, as a sheet."""
    if out.suffix == ".jsonl":
        write_atomic(out, json_lines(item.to_json() for item in items))
        return
    rows = [{name: _cell(value) for name, value in item.to_json().items()} for item in items]
    write_sheet(out, tuple(PunItem.__dataclass_fields__), rows)


def _cell(value: Any) -> Any:
    return "; ".join(value) if isinstance(value, list | tuple) else value
