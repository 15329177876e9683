"""Items of the ``synthetic`` and ``real`` subsets, read from the user's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apun.errors import DataError
from benchmarks.apun_bench.items import PunItem, item_from, load_items, unique

ITEM_FILES = ("items.jsonl", "items.csv", "items.tsv", "items.xlsx")
NEEDED = ("text", "type")
LAYOUT = (
    'either each row of metadata.jsonl holds the item ("text", "type", "pun_word", and "alternatives" or '
    '"meanings"), or an items.jsonl, items.csv or items.xlsx beside it does ("id", "text", "type", ...)'
)


def read_folder(folder: Path) -> Sequence[PunItem]:
    """The annotated items of a folder.

    In this order: one of ``ITEM_FILES``; the columns of ``metadata.jsonl`` (or ``.csv``); the original
    SemEval archive or ``semeval_apun_schema.jsonl``.

    Raises:
        DataError: nothing of that kind is there, or it is malformed; says exactly what to put where.
    """
    from apun.splits import SHEETS
    from benchmarks.apun_bench import semeval

    found = [folder / name for name in ITEM_FILES if (folder / name).is_file()]
    if len(found) > 1:
        raise DataError(
            f"holds both {found[0].name} and {found[1].name}", file=folder, fix="Keep the one that is up to date."
        )
    if found:
        return load_items(found[0])
    if any((folder / name).is_file() for name in SHEETS):
        return _from_metadata(folder)
    if semeval.is_here(folder):
        return semeval.read(folder)
    raise DataError("holds no items", file=folder, fix=f"Put metadata.jsonl and its audio there; {LAYOUT}.")


def _from_metadata(folder: Path) -> Sequence[PunItem]:
    from apun.splits import ITEM_FIELDS, find_sheet, read_rows

    sheet = find_sheet(folder)
    items: dict[str, PunItem] = {}
    plain = 0
    for line, row in read_rows(sheet):
        name = next((row[field] for field in ITEM_FIELDS if row.get(field)), None)
        if not isinstance(name, str) or name in items or (row.get("part") or "main") != "main":
            continue  # further clips of an item; read_split reports a clip without an item
        if not row.get("type"):
            plain += 1
            continue
        items[name] = item_from(_item_columns(row, name), sheet, line)
    if not items:
        raise DataError(
            f"none of its {plain} rows says what the clip's pun is",
            file=sheet,
            field="type",
            fix=f"Annotate: {LAYOUT}.",
        )
    if plain:
        raise DataError(
            f"{plain} rows have no 'type', the others do", file=sheet, field="type", fix="Annotate or remove them."
        )
    return unique(list(items.values()), sheet)


def _item_columns(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An item's columns of a clip's row; what was really said stands in for a missing text."""
    columns = {key: value for key, value in row.items() if key in PunItem.__dataclass_fields__ and value is not None}
    columns["id"] = name
    columns.setdefault("text", row.get("transcript"))
    return {key: value for key, value in columns.items() if value is not None}
