"""Articulatory features of IPA segments: panphon's table, read once and held as one matrix.

panphon's own ``FeatureTable`` costs 1 s to import and build and looks segments up one at a time;
only its data file is used here: 6,367 segments × 24 features, each +1, 0 or -1.
"""

from __future__ import annotations

import csv
import importlib.util
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apun.errors import MissingDependency, PhoneticError


@dataclass(frozen=True)
class FeatureTable:
    """Every segment panphon knows.

    Attributes:
        names: the 24 features, panphon's order.
        index: segment, composed or decomposed, to its row.
        values: features, shape (segments, 24), int8 in {-1, 0, +1}.
    """

    names: tuple[str, ...]
    index: Mapping[str, int]
    values: NDArray[np.int8]


@lru_cache(maxsize=1)
def table() -> FeatureTable:
    """The process's one feature table.

    Raises:
        MissingDependency: panphon is not installed.
    """
    spec = importlib.util.find_spec("panphon")
    if spec is None or not spec.submodule_search_locations:
        raise MissingDependency("panphon", "phonetics")
    path = Path(next(iter(spec.submodule_search_locations))) / "data" / "ipa_all.csv"
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    sign = {"+": 1, "0": 0, "-": -1}
    values = np.array([[sign[cell] for cell in row[1:]] for row in rows], dtype=np.int8)
    # Both spellings of what Unicode can compose, "ç" above all: a segment must not be lost to its encoding.
    index = {unicodedata.normalize(form, row[0]): i for form in ("NFC", "NFD") for i, row in enumerate(rows)}
    return FeatureTable(tuple(head[1:]), index, values)


def rows(segments: Sequence[str]) -> list[int]:
    """Rows of canonical segments.

    Raises:
        PhoneticError: a segment is not in the table; nothing is dropped.
    """
    index = table().index
    try:
        return [index[segment] for segment in segments]
    except KeyError as error:
        raise PhoneticError(
            f"the segment {error.args[0]!r} in {' '.join(segments)!r} has no features; canonicalise the IPA first"
        ) from None


def matrix(segments: Sequence[str]) -> NDArray[np.int8]:
    """Features of canonical segments, shape (len(segments), 24)."""
    return table().values[rows(segments)]


def encode(segments: Sequence[str]) -> str:
    """One private-use character a segment, so that edit distances count segments and not code points."""
    return "".join([chr(0xF0000 + row) for row in rows(segments)])
