"""Loading items: the embedded sample, item files, and public lists through the importer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from apun.errors import DataError
from apun.tasks import Subset
from benchmarks.x_riddles.dictionary import read_entries
from benchmarks.x_riddles.distractors import with_distractors
from benchmarks.x_riddles.importer import import_entries
from benchmarks.x_riddles.item_file import from_record, read_items
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.printed import from_printed, is_printed

_DATA = Path(__file__).with_name("data")
LISTS = ("xiehouyu.json", "vocabs.txt")
ITEM_FILES = "items*.jsonl"
_EXPECTED = (
    f"Put item files ({ITEM_FILES}, see benchmarks/x_riddles/items.py) or public lists ({' or '.join(LISTS)}) there."
)


@lru_cache(maxsize=1)
def sample() -> tuple[Riddle, ...]:
    """The embedded items: new homophonic xiehouyu, then traditional ones, with candidates drawn."""
    return tuple(with_distractors([*novel(), *traditional()]))


@lru_cache(maxsize=1)
def novel() -> tuple[Riddle, ...]:
    """The xiehouyu written for this project."""
    return tuple(read_items(_DATA / "novel.jsonl"))


@lru_cache(maxsize=1)
def traditional() -> tuple[Riddle, ...]:
    """Folk xiehouyu, with examples and glosses of our own; their bands are our estimate, not ratings."""
    return tuple(read_items(_DATA / "traditional.jsonl"))


def load(subset: Subset) -> Sequence[Riddle]:
    """Items of a subset.

    A folder may hold item files, the two public lists (split by the importer), or both; all are read,
    also from folders below. Candidates for wrong options are drawn from everything that was loaded.

    Raises:
        DataError: nothing readable is in the folder, or a file is at fault.
    """
    if subset.folder is None:
        return sample()
    return with_distractors(read_folder(subset.folder))


def read_folder(folder: Path) -> list[Riddle]:
    """Everything in a folder, unique by id."""
    if not folder.is_dir():
        raise DataError("no such folder", file=folder, fix=_EXPECTED)
    found: dict[str, Riddle] = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            continue
        items: Sequence[Riddle] = ()
        if path.match(ITEM_FILES):
            items = read_item_file(path)
        elif path.name in LISTS:
            items = import_entries(read_entries(path)).items
        for item in items:
            if item.id in found:
                raise DataError(f"repeats the item {item.id!r} of another file", file=path, fix="Ids must be unique.")
            found[item.id] = item
    if not found:
        raise DataError("holds no xiehouyu", file=folder, fix=_EXPECTED)
    return list(found.values())


def read_item_file(path: Path) -> list[Riddle]:
    """An item file in our schema, or in the shape of the paper's printed examples (told by its first line)."""
    with path.open(encoding="utf-8-sig", errors="replace") as handle:
        first = handle.readline()
    try:
        record: Any = json.loads(first)
    except ValueError:
        record = None
    if not is_printed(record):
        return read_items(path)
    lines = enumerate(path.read_text(encoding="utf-8-sig").split("\n"), start=1)
    return [
        from_record(from_printed(json.loads(line), path, number).to_json(), path, number)
        for number, line in lines
        if line.strip()
    ]
