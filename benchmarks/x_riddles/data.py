"""Subsets: the embedded sample, item files, public lists through the importer; and the xiehouyu that are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from apun.errors import DataError
from apun.records import Record, read, unique
from apun.tasks import Subset
from benchmarks.x_riddles.build import from_printed, import_entries, is_printed
from benchmarks.x_riddles.distractors import with_distractors
from benchmarks.x_riddles.items import Riddle, read_items
from benchmarks.x_riddles.lists import LISTS, read_entries, take_apart
from benchmarks.x_riddles.novelty import Corpus

_DATA = Path(__file__).with_name("data")
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
    found: list[tuple[Record, Riddle]] = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            continue
        if path.match(ITEM_FILES):
            found += _items(path)
        elif path.name in LISTS:
            found += [(Record({}, path), item) for item in import_entries(read_entries(path)).items]
    if not found:
        raise DataError("holds no xiehouyu", file=folder, fix=_EXPECTED)
    return unique(found, folder)


def read_item_file(path: Path) -> list[Riddle]:
    """An item file in our schema, or in the shape of the paper's printed examples."""
    return unique(_items(path), path)


def _items(path: Path) -> Iterator[tuple[Record, Riddle]]:
    for record in read(path):
        if is_printed(record):
            made = from_printed(record).to_json()
            yield record, Riddle.from_record(Record(made, record.file, record.line))
        else:
            yield record, Riddle.from_record(record)


@lru_cache(maxsize=4)
def known(dictionary: str = "") -> Corpus:
    """The union of the embedded traditional xiehouyu and the lists under a path.

    Args:
        dictionary: a list, or a folder with lists below it; empty for the embedded ones alone.

    Raises:
        DataError: no list is there.
    """
    pairs = [(item.riddle, item.intended) for item in traditional()]
    if dictionary:
        path = Path(dictionary)
        files = [path] if path.is_file() else [file for name in LISTS for file in sorted(path.rglob(name))]
        if not files:
            raise DataError("holds no xiehouyu list", file=path, fix=f"Put {' or '.join(LISTS)} there.")
        for file in files:
            # homophones and explanations in parentheses are left out
            pairs += [
                (entry.riddle, take_apart(text).printed) for entry in read_entries(file) for text in entry.variants
            ]
    return Corpus(tuple(dict.fromkeys(pairs)))
