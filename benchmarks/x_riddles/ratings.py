"""Rating sheets: explanations and created xiehouyu go out blind, ratings come back (X-Riddles §5.1, §6.1).

A sheet shows no model's name; rows are in an order of their own, and ``key.json`` tells what each row
is. Explanations are rated for whether the homophone is named (Y, N, or NA where there is none),
whether the xiehouyu was understood (Y, N, U for uncertain) and quality (1-5). Creations are rated for
whether they are reasonable (1 or 0), how reasonable (1-3, where they are) and how funny (1-4).

How far raters agree: Krippendorff's α, and Cohen's κ for two.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from apun import draws
from apun.errors import DataError
from apun.paths import write_atomic
from apun.records import read, read_keyed
from apun.run.folder import read_scores
from apun.run.log import read_records
from apun.scores import Score
from apun.scoring.statistics import cohen_kappa
from apun.sheets import write_sheet
from benchmarks.x_riddles.tasks import creating, explaining


@dataclass(frozen=True, slots=True)
class Sheet:
    """A kind of rating sheet.

    Attributes:
        shown: columns the rater reads.
        fields: columns the rater fills, with what may stand in them.
    """

    shown: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]


EXPLANATIONS = Sheet(
    ("riddle", "answer", "explanation"),
    {"homophone_named": ("Y", "N", "NA"), "understood": ("Y", "N", "U"), "quality": ("1", "2", "3", "4", "5")},
)
CREATIONS = Sheet(
    ("riddle", "literal", "intended", "meaning", "example"),
    {"reasonable": ("0", "1"), "how_reasonable": ("1", "2", "3"), "funny": ("1", "2", "3", "4")},
)
ORDINAL = ("quality", "how_reasonable", "funny")  # the others are nominal
Scale = Literal["nominal", "ordinal"]
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
    ranked = draws.shuffled(kinds, seed)
    kept: set[str] = set()
    for kind, wanted in strata.items():
        kept |= set([item for item in ranked if kinds[item] == kind][:wanted])
    return [sample for sample in samples if sample.item in kept]


def write_ratings(path: Path, samples: Sequence[Sample], sheet: Sheet, seed: int) -> Path:
    """Write a blind sheet and, beside it, its key.

    Args:
        path: ``.xlsx`` or ``.csv``.
        samples: what is to be rated.
        sheet: its columns.
        seed: of the order.

    Returns:
        Path of the key, ``NAME.key.json``; it must not reach the raters.
    """
    order = list(samples)
    draws.generator(f"ratings:{seed}").shuffle(order)
    # the row's name tells nothing of the model
    named = {f"r{draws.rank(seed, f'{sample.run}:{sample.question}').hex()[:10]}": sample for sample in order}
    rows = [{"row": row, **{name: sample.shown.get(name, "") for name in sheet.shown}} for row, sample in named.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_sheet(path, ("row", *sheet.shown, *sheet.fields), rows)
    key = path.with_suffix(".key.json")
    content = {row: asdict(sample) for row, sample in named.items()}
    write_atomic(key, json.dumps(content, ensure_ascii=False, indent=1))
    return key


def read_key(path: Path) -> dict[str, Sample]:
    """The samples of a sheet, by row.

    Raises:
        DataError: the key is missing or is none.
    """
    try:
        return {record.key: Sample(**record.values) for record in read_keyed(path)}
    except TypeError as error:
        raise DataError("is not the key of a rating sheet", file=path) from error


def read_ratings(paths: Sequence[Path], key: Mapping[str, Sample], sheet: Sheet) -> list[Rating]:
    """Read filled-in sheets; one sheet a rater, named by its file or by a column ``rater``.

    Raises:
        DataError: names the sheet, row and field: an unknown or repeated row, or a value that may not
            stand there.
    """
    ratings: dict[tuple[str, str], Rating] = {}
    for path in paths:
        for record in read(path, ("row", *sheet.fields), (*sheet.shown, "rater")):
            rater, row = record.text("rater", path.stem), record.values["row"]
            if row not in key:
                raise record.fault(f"{row!r} is no row of this sheet", "row", "Keep the names.")
            if (rater, row) in ratings:
                raise record.fault(f"{row!r} is rated twice", "row")
            values = {field: record.text(field).upper() for field in sheet.fields if record.has(field)}
            for field, value in values.items():
                if value not in sheet.fields[field]:
                    fix = f"Write one of: {', '.join(sheet.fields[field])}."
                    raise record.fault(f"{value!r} cannot stand here", field, fix)
            ratings[rater, row] = Rating(rater, row, values)
    return list(ratings.values())


def explained(folder: Path) -> list[Sample]:
    """The explanations of a run that were answered, with the riddle and answer they explain.

    Raises:
        DataError: the run has none.
    """
    answers = {str(record["question"]): record.get("answer") for _, record in read_records(folder / "replies.jsonl")}
    samples = []
    for score in _scored(folder, explaining.NAME):
        text = str(answers.get(score.question) or "")
        shown = {"riddle": score.detail["riddle"], "answer": score.detail["answer"], "explanation": text}
        samples.append(_sample(folder, score, len(text), 0.0, shown))
    return _some(samples, folder, "explanation")


def created(folder: Path) -> list[Sample]:
    """The created xiehouyu of a run that could be read.

    Raises:
        DataError: the run has none.
    """
    samples = []
    for score in _scored(folder, creating.NAME):
        parsed = score.parsed
        shown = {name: str(parsed[name]) for name in CREATIONS.shown}
        text = shown["riddle"] + shown["intended"]
        samples.append(_sample(folder, score, len(text), float(score.statistics["overlap"]), shown))
    return _some(samples, folder, "created xiehouyu")


def _scored(folder: Path, task: str) -> Iterator[Score]:
    return (score for score in read_scores(folder) if score.task == task and score.status == "scored")


def _sample(folder: Path, score: Score, length: int, overlap: float, shown: dict[str, str]) -> Sample:
    return Sample(
        run=folder.name,
        question=score.question,
        item=score.item,
        type=score.labels["type"],
        split=score.labels["split"],
        length=length,
        overlap=overlap,
        shown=shown,
    )


def _some(samples: list[Sample], folder: Path, what: str) -> list[Sample]:
    if not samples:
        raise DataError(f"holds no {what}", file=folder, fix="Run that task of xriddles first.")
    return samples


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far raters agree on one field.

    Attributes:
        field: what was rated.
        alpha: Krippendorff's α, ordinal for scales and nominal otherwise; NaN where it is undefined.
        kappa: Cohen's κ on the rows both rated, where there are exactly two raters; else None.
        raters: number of raters.
        rows: rows with two ratings or more.
    """

    field: str
    alpha: float
    kappa: float | None
    raters: int
    rows: int


def agreement(ratings: Sequence[Rating], field: str) -> Agreement:
    """Agreement of the raters on one field."""
    units: dict[str, dict[str, str]] = {}
    for rating in ratings:
        if field in rating.values:
            units.setdefault(rating.sample, {})[rating.rater] = rating.values[field]
    raters = sorted({rater for row in units.values() for rater in row})
    kappa = None
    if len(raters) == 2:
        both = [row for row in units.values() if len(row) == 2]
        kappa = cohen_kappa(*([row[rater] for row in both] for rater in raters))
    values = [list(row.values()) for row in units.values()]
    alpha = krippendorff_alpha(values, "ordinal" if field in ORDINAL else "nominal")
    return Agreement(field, alpha, kappa, len(raters), sum(len(row) >= 2 for row in values))


def krippendorff_alpha(units: Sequence[Sequence[str]], scale: Scale) -> float:
    """Krippendorff's α of the values that raters gave to each unit.

    From the coincidence matrix (Krippendorff 2011, "Computing Krippendorff's alpha-reliability"), because the
    usual package is under the GPL; tests compare the two.

    Args:
        units: values of each unit, in any order; units with fewer than two say nothing.
        scale: ``nominal``, or ``ordinal`` for numbers on a scale.

    Returns:
        1 for perfect agreement, 0 for chance; NaN where fewer than two different values were given.
    """
    import numpy as np

    pairable = [unit for unit in units if len(unit) >= 2]
    domain = sorted({value for unit in pairable for value in unit})
    if scale == "ordinal":
        domain.sort(key=float)
    if len(domain) < 2:
        return math.nan
    place = {value: i for i, value in enumerate(domain)}
    together = np.zeros((len(domain), len(domain)))
    for unit in pairable:
        counts = np.bincount([place[value] for value in unit], minlength=len(domain)).astype(np.float64)
        together += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    totals = together.sum(axis=1)
    # 0 or 1, or by how many ratings lie between two values, half of their own counted, squared
    middle = np.cumsum(totals) - totals / 2
    distance = (middle[:, None] - middle) ** 2 if scale == "ordinal" else 1.0 - np.eye(len(domain))
    expected = (np.outer(totals, totals) * distance).sum() / (totals.sum() - 1)
    return float(1 - (together * distance).sum() / expected) if expected else math.nan
