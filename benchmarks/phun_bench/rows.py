"""Items as rows of ``items.jsonl``: what lies beside the clips of a rendered or recorded split."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from apun.errors import DataError
from apun.splits import read_rows
from benchmarks.phun_bench.files import Record
from benchmarks.phun_bench.items import (
    HOMOPHONE,
    LETTERS,
    PERTURBATIONS,
    CharItem,
    GroupItem,
    HomophoneItem,
    PhunItem,
    PunItem,
    RhymeItem,
    SimilarityItem,
)

ROWS = "items.jsonl"


def read_items(file: Path) -> list[PhunItem]:
    """Items that ``to_json`` wrote, one a line.

    Raises:
        DataError: a row is malformed, of no known kind, or has the id of another.
    """
    found: dict[str, PhunItem] = {}
    for line, row in read_rows(file):
        record = Record(file, f"line {line}", row)
        id, kind = record.text("id"), record.text("kind")
        if kind not in _READERS:
            raise record.fault(f"{kind!r} is no kind of item; known: {', '.join(_READERS)}", "kind")
        if id in found:
            raise record.fault(f"the id {id!r} stands twice", "id")
        found[id] = _READERS[kind](id, record)
    if not found:
        raise DataError("holds no items", file=file, fix="Render the split again.")
    return list(found.values())


def _char(id: str, record: Record) -> CharItem:
    text = record.han("text", 1)
    return CharItem(id, text, record.reading("syllable", text)[0], record.one_of("tier", "123"))


def _group(id: str, record: Record) -> GroupItem:
    chars = record.texts("chars")
    return GroupItem(id, record.reading("syllable", chars[0])[0], chars)


def _homophone(id: str, record: Record) -> HomophoneItem:
    text, target = record.han("text"), record.han("target")
    return HomophoneItem(
        id,
        text,
        record.reading("reading", text),
        target,
        record.reading("target_reading", target),
        record.texts("alternatives"),
        str(record.values.get("perturbation", HOMOPHONE)),
    )


def _pun(id: str, record: Record) -> PunItem:
    pun = record.han("pun")
    return PunItem(id, record.text("text"), pun, record.han("target"), record.reading("reading", pun))


def _rhyme(id: str, record: Record) -> RhymeItem:
    return RhymeItem(id, record.text("text"), record.groups("groups"))


def _similarity(id: str, record: Record) -> SimilarityItem:
    text, candidates, spelled = record.han("text"), record.texts("candidates", 4), record.texts("readings", 4)
    perturbation = record.text("perturbation")
    if perturbation not in PERTURBATIONS:
        raise record.fault(f"must be one of {', '.join(PERTURBATIONS)}, is {perturbation!r}", "perturbation")
    return SimilarityItem(
        id,
        text,
        record.reading("reading", text),
        candidates,
        tuple(record.pinyin(p, "readings", c) for p, c in zip(spelled, candidates, strict=True)),
        LETTERS.index(record.one_of("answer", LETTERS)),
        perturbation,
    )


_READERS: Mapping[str, Callable[[str, Record], PhunItem]] = {
    "char": _char,
    "group": _group,
    "homophone": _homophone,
    "pun": _pun,
    "rhyme": _rhyme,
    "similarity": _similarity,
}
