"""Items written out, without the rows whose licence bars commercial use where that is asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apun.paths import write_atomic
from apun.sheets import write_sheet
from apun.tasks import Subset
from benchmarks.apun_bench.items import PunItem


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


def load_subset(subset: str, data_dir: Path | None) -> Sequence[PunItem]:
    """Items of a subset by name, as ``apun eval`` finds them."""
    from apun.run.data import find_folder
    from benchmarks.apun_bench.benchmark import load

    folder = None if subset == "sample" else find_folder("apun", subset, data_dir)
    return load(Subset(subset, folder))


def write_items(out: Path, items: Sequence[PunItem]) -> None:
    """Write items as JSONL or, by suffix, as a sheet."""
    if out.suffix == ".jsonl":
        write_atomic(out, "".join(json.dumps(item.to_json(), ensure_ascii=False) + "\n" for item in items))
        return
    columns = tuple(PunItem.__dataclass_fields__)
    write_sheet(out, columns, [{name: _cell(value) for name, value in item.to_json().items()} for item in items])


def _cell(value: Any) -> Any:
    return "; ".join(value) if isinstance(value, list | tuple) else value
