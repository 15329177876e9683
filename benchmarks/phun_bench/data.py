"""Items of a folder: the released data set, what the builder wrote, the embedded sample, or a split's own rows.

The first three have the released files, one JSON object each; a folder may hold some of them only, and a task
without its file has no questions. A rendered or recorded split has ``items.jsonl`` beside its clips.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from apun import digests
from apun.errors import DataError, PhoneticError
from apun.phonetics.mandarin import is_han, numbered, parse
from apun.records import Record, read, read_keyed, unique
from apun.tasks import Subset
from benchmarks.phun_bench import lexicon
from benchmarks.phun_bench.items import (
    HOMOPHONE,
    KINDS,
    LEGACY,
    PERTURBATIONS,
    TIERS,
    CharItem,
    GroupItem,
    HomophoneItem,
    PhunItem,
    PunItem,
    RhymeItem,
    SimilarityItem,
    pinyin,
    read_item,
)

SAMPLE = Path(__file__).with_name("data")
ROWS = "items.jsonl"
GROUPS, PUNS, LINES = "char_group_5_plus.json", "puns_filter_homo_public.json", "rhyme_gen_public.json"
IDIOMS = "idioms_filtered10.json"  # every chengyu of the data set, perturbed or not
_FIX = "Restore the released file, or build it again."
_HOMOPHONE = {"text": "new_w", "reading": "new_py2", "target": "w", "target_reading": "py2"}
_PUN = {"text": "s", "pun": "pw", "target": "aw", "reading": "pinyin"}
_SIMILARITY = {"text": "w", "reading": "py2", "candidates": "w_pert", "readings": "py2_pert"}


def load(subset: Subset) -> list[PhunItem]:
    """The items of a subset.

    Raises:
        DataError: the folder holds none of the files, or a record is malformed.
    """
    return load_folder(SAMPLE if subset.folder is None else subset.folder)


def load_folder(folder: Path) -> list[PhunItem]:
    """Every item of a folder: of its ``items.jsonl``, else of the released files in it or its ``dataset`` folder."""
    if (folder / ROWS).is_file():
        return unique(((row, _of_row(row)) for row in read(folder / ROWS)), folder / ROWS)
    if (folder / "dataset").is_dir():
        folder = folder / "dataset"
    files = _files(folder)
    present = {folder / name: item_of for name, item_of in files.items() if (folder / name).is_file()}
    if not present:
        raise DataError(
            f"holds none of the Phun-Bench files ({next(iter(files))} … {next(reversed(files))})",
            file=folder,
            fix="Name the folder of the released data set, or one that benchmarks.phun_bench.build wrote.",
        )
    return [item_of(row) for file, item_of in present.items() for row in read_keyed(file, _FIX)]


def _of_row(row: Record) -> PhunItem:
    id = row.text("id")
    return read_item(KINDS[row.one_of("kind", tuple(KINDS))], row, id)


def _files(folder: Path) -> dict[str, Callable[[Record], PhunItem]]:
    """The released files, and what a record of each is."""
    known = _idioms(folder / IDIOMS)
    return {
        **{f"char_tier_{tier}.json": partial(_char, tier) for tier in TIERS},
        GROUPS: lambda row: read_item(GroupItem, row, f"group.{_opaque(row)}", {"syllable": "py2"}),
        **{f"idioms_{kind}_perturbed.json": partial(_homophone, kind, known) for kind in (HOMOPHONE, *LEGACY)},
        PUNS: lambda row: read_item(PunItem, row, f"pun.{row.key}", _PUN),
        LINES: lambda row: read_item(RhymeItem, row, f"rhyme.{row.key}", {"text": "s", "groups": "rg"}),
        **{f"sim_word_{kind}.json": partial(_similarity, kind) for kind in PERTURBATIONS},
    }


def _idioms(file: Path) -> Mapping[str, list[str]]:
    """Chengyu of the data set by sound; a reading that cannot be parsed (the release has one) is passed over."""
    found: dict[str, list[str]] = {}
    for row in read_keyed(file, _FIX) if file.is_file() else ():
        try:
            found.setdefault(numbered(parse(row.text("py2"))), []).append(row.text("w"))
        except PhoneticError:
            continue
    return found


def _opaque(row: Record) -> str:
    """A name for a key that is the answer: people see questions' ids on their sheets."""
    return digests.of_text(row.key, 10)


def _char(tier: str, row: Record) -> CharItem:
    if len(row.key) != 1 or not is_han(row.key):
        raise row.fault("the key must be one Chinese character")
    marked, with_digit = row.texts("values", 2)
    if (reading := pinyin(row, "values", marked, row.key)) != pinyin(row, "values", with_digit, row.key):
        raise row.fault(f"{marked!r} and {with_digit!r} are two readings", "values")
    return CharItem(f"char{tier}.{ord(row.key):x}", row.key, reading[0], tier)


def _homophone(kind: str, known: Mapping[str, list[str]], row: Record) -> HomophoneItem:
    given: dict[str, Any] = {"alternatives": (), "perturbation": kind}
    item = read_item(HomophoneItem, row, f"{kind}.{_opaque(row)}", _HOMOPHONE, **given)
    if kind != HOMOPHONE:
        return item
    return replace(item, alternatives=lexicon.other_idioms(item.target, numbered(item.target_reading), known))


def _similarity(kind: str, row: Record) -> SimilarityItem:
    return read_item(SimilarityItem, row, f"{kind}.{row.key}", _SIMILARITY, perturbation=kind)
