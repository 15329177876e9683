"""Rating sheets: explanations and created xiehouyu go out blind, ratings come back (X-Riddles §5.1, §6.1).

A sheet shows no model's name; rows are in an order of their own, and ``key.json`` tells what each row
is. Explanations are rated for whether the homophone is named (Y, N, or NA where there is none),
whether the xiehouyu was understood (Y, N, U for uncertain) and quality (1-5). Creations are rated for
whether they are reasonable (1 or 0), how reasonable (1-3, where they are) and how funny (1-4).
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from apun.errors import DataError
from apun.sheets import read_sheet, write_sheet

EXPLANATION_FIELDS: Mapping[str, tuple[str, ...]] = {
    "homophone_named": ("Y", "N", "NA"),
    "understood": ("Y", "N", "U"),
    "quality": ("1", "2", "3", "4", "5"),
}
CREATION_FIELDS: Mapping[str, tuple[str, ...]] = {
    "reasonable": ("0", "1"),
    "how_reasonable": ("1", "2", "3"),
    "funny": ("1", "2", "3", "4"),
}
EXPLANATION_SHOWN = ("riddle", "answer", "explanation")
CREATION_SHOWN = ("riddle", "literal", "intended", "meaning", "example")

STRATA: Mapping[tuple[str, str], int] = {
    ("homophonic", "high"): 12,
    ("homophonic", "low"): 12,
    ("polysemous", "high"): 20,
    ("polysemous", "low"): 20,
    ("direct", "high"): 20,
    ("direct", "low"): 20,
    ("homophonic", "new"): 40,
}
"""Xiehouyu whose explanations are rated, by type and familiarity (Table 6)."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One text to be rated.

    Attributes:
        run: whose it is.
        question: the question's id.
        item: the xiehouyu's id.
        type: its type.
        split: ``high``, ``low`` or ``new``.
        length: characters of the text.
        overlap: largest overlap with a known xiehouyu; 0 for explanations.
        shown: what the rater sees, by column.
    """

    run: str
    question: str
    item: str
    type: str
    split: str
    length: int
    overlap: float
    shown: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rating:
    """What one rater wrote in one row; a field left empty is not in ``values``."""

    rater: str
    sample: str
    values: Mapping[str, str]


def stratified(samples: Sequence[Sample], seed: int, strata: Mapping[tuple[str, str], int] = STRATA) -> list[Sample]:
    """The same xiehouyu of every run: as many of each type and familiarity as Table 6 has, or all there are."""
    kinds = {sample.item: (sample.type, sample.split) for sample in samples}
    ranked = sorted(kinds, key=lambda item: hashlib.sha256(f"{seed}:{item}".encode()).digest())
    kept: set[str] = set()
    for kind, wanted in strata.items():
        kept |= set([item for item in ranked if kinds[item] == kind][:wanted])
    return [sample for sample in samples if sample.item in kept]


def write_ratings(
    path: Path, samples: Sequence[Sample], shown: Sequence[str], fields: Mapping[str, tuple[str, ...]], seed: int
) -> Path:
    """Write a blind sheet and, beside it, its key.

    Args:
        path: ``.xlsx`` or ``.csv``.
        samples: what is to be rated.
        shown: columns the rater reads.
        fields: columns the rater fills, with what may stand in them.
        seed: of the order.

    Returns:
        Path of the key, ``NAME.key.json``; it must not reach the raters.
    """
    order = list(samples)
    random.Random(f"ratings:{seed}").shuffle(order)
    named = {_row_id(sample, seed): sample for sample in order}
    rows = [{"row": row, **{name: sample.shown.get(name, "") for name in shown}} for row, sample in named.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_sheet(path, ("row", *shown, *fields), rows)
    key = path.with_suffix(".key.json")
    key.write_text(
        json.dumps({row: asdict(sample) for row, sample in named.items()}, ensure_ascii=False, indent=1),
        encoding="utf-8",
    )
    return key


def read_key(path: Path) -> dict[str, Sample]:
    """The samples of a sheet, by row.

    Raises:
        DataError: the key is missing or is none.
    """
    try:
        return {row: Sample(**record) for row, record in json.loads(path.read_text(encoding="utf-8")).items()}
    except FileNotFoundError as error:
        raise DataError("no such key", file=path, fix="It was written beside the sheet.") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise DataError("is not the key of a rating sheet", file=path) from error


def read_ratings(
    sheets: Sequence[Path], key: Mapping[str, Sample], shown: Sequence[str], fields: Mapping[str, tuple[str, ...]]
) -> list[Rating]:
    """Read filled-in sheets; one sheet a rater, named by its file or by a column ``rater``.

    Raises:
        DataError: names the sheet, row and field: an unknown or repeated row, or a value that may not
            stand there.
    """
    ratings: list[Rating] = []
    for sheet in sheets:
        seen: set[tuple[str, str]] = set()
        for row in read_sheet(sheet, required=("row", *fields), optional=(*shown, "rater")):
            rater = row.values.get("rater") or sheet.stem
            name = row.values["row"]
            if name not in key:
                raise DataError(
                    f"{name!r} is no row of this sheet", file=sheet, line=row.line, field="row", fix="Keep the names."
                )
            if (rater, name) in seen:
                raise DataError(f"{name!r} is rated twice", file=sheet, line=row.line, field="row")
            seen.add((rater, name))
            values = {field: row.values[field].strip().upper() for field in fields if row.values[field].strip()}
            for field, value in values.items():
                if value not in fields[field]:
                    raise DataError(
                        f"{value!r} cannot stand here",
                        file=sheet,
                        line=row.line,
                        field=field,
                        fix=f"Write one of: {', '.join(fields[field])}.",
                    )
            ratings.append(Rating(rater, name, values))
    return ratings


def _row_id(sample: Sample, seed: int) -> str:
    """A name that tells nothing of the model."""
    return "r" + hashlib.sha256(f"{seed}:{sample.run}:{sample.question}".encode()).hexdigest()[:10]
