"""What ratings say: Tables 7, 8 and 10, and whether longer explanations are rated better."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apun.errors import UsageError
from apun.report.tables import Cell, Table
from benchmarks.x_riddles.ratings import Rating, Sample


@dataclass(frozen=True, slots=True)
class Regression:
    """Ordinary least squares of a mean rating on text length.

    Attributes:
        slope: change of the rating for each character.
        intercept: rating at length 0.
        r_squared: share of variance explained.
        p: two-sided p-value of the slope.
        n: texts.
    """

    slope: float
    intercept: float
    r_squared: float
    p: float
    n: int


def quality_by_length(ratings: Sequence[Rating], key: Mapping[str, Sample], field: str = "quality") -> Regression:
    """The regression of §5.2: mean rating of a text on its length in characters.

    Raises:
        UsageError: fewer than three rated texts, or all of one length.
    """
    import statsmodels.api as sm

    means = _means(ratings, field)
    rows = sorted(means)
    lengths = [float(key[row].length) for row in rows]
    if len(rows) < 3 or len(set(lengths)) < 2:
        raise UsageError("the regression needs three rated texts or more, of different lengths")
    fit = sm.OLS([means[row] for row in rows], sm.add_constant(lengths)).fit()
    intercept, slope = (float(value) for value in fit.params)
    return Regression(slope, intercept, float(fit.rsquared), float(fit.pvalues[1]), len(rows))


def table7(ratings: Sequence[Rating], key: Mapping[str, Sample]) -> Table:
    """Ratings of explanations: quality, homophone named, understood, length (Table 7)."""
    quality = _means(ratings, "quality")
    named, understood = _shares(ratings, "homophone_named"), _shares(ratings, "understood")
    rows: list[tuple[Cell, ...]] = []
    for run in _runs(key):
        own = [row for row in key if key[row].run == run]
        scores = [quality[row] for row in own if row in quality]
        rows.append(
            (
                run,
                *_mean_sd(scores),
                _mean([named[row] for row in own if row in named]),
                _mean([understood[row] for row in own if row in understood]),
                _mean([float(key[row].length) for row in own]),
                len(scores),
            )
        )
    return Table(
        name="xriddles_table7",
        title="Ratings of explanations (Table 7)",
        columns=("Model", "Quality", "SD", "Acc", "Understd.", "Res. Len.", "n"),
        rows=tuple(rows),
        notes=(
            "Each text counts once, by the mean of its ratings. Acc: named Y among Y and N; NA is left out.",
            "Understd.: Y among Y, N and U.",
        ),
    )


def table8(ratings: Sequence[Rating], key: Mapping[str, Sample]) -> Table:
    """Whether the homophone was named, by familiarity, in percent (Table 8)."""
    named = _shares(ratings, "homophone_named")
    rows: list[tuple[Cell, ...]] = []
    for run in _runs(key):
        cells = []
        for split in ("new", "low", "high"):
            own = [named[row] for row in named if key[row].run == run and key[row].split == split]
            cells.append(100 * _mean(own))
        rows.append((run, *cells))
    return Table(
        name="xriddles_table8_rated",
        title="Homophone named, as rated, by familiarity (%; Table 8)",
        columns=("Model", "New", "Low", "High"),
        rows=tuple(rows),
        decimals=1,
    )


def table10(ratings: Sequence[Rating], key: Mapping[str, Sample]) -> Table:
    """Created xiehouyu: reasonable, funny, and their largest overlap with known ones (Table 10)."""
    reasonable, funny = _means(ratings, "reasonable"), _means(ratings, "funny")
    how = _means(ratings, "how_reasonable")
    rows: list[tuple[Cell, ...]] = []
    for run in _runs(key):
        own = [row for row in key if key[row].run == run]
        parts = [[values[row] for row in own if row in values] for values in (reasonable, how, funny)]
        overlap = _mean([key[row].overlap for row in own])
        rows.append((run, len(own), *_mean_sd(parts[0]), _mean(parts[1]), *_mean_sd(parts[2]), overlap))
    return Table(
        name="xriddles_table10",
        title="Created xiehouyu as rated (Table 10)",
        columns=("Src.", "N", "Reasonable", "SD", "How (1-3)", "Funniness", "SD ", "Max Ovrlp"),
        rows=tuple(rows),
        notes=("Each xiehouyu counts once, by the mean of its ratings.",),
    )


def _runs(key: Mapping[str, Sample]) -> list[str]:
    return list(dict.fromkeys(sorted(sample.run for sample in key.values())))


def _means(ratings: Sequence[Rating], field: str) -> dict[str, float]:
    """Mean of a numeric field by row."""
    values: dict[str, list[float]] = {}
    for rating in ratings:
        if field in rating.values:
            values.setdefault(rating.sample, []).append(float(rating.values[field]))
    return {row: _mean(found) for row, found in values.items()}


def _shares(ratings: Sequence[Rating], field: str) -> dict[str, float]:
    """Share of Y among the raters of each row; rows that are NA to everybody are left out."""
    values: dict[str, list[float]] = {}
    for rating in ratings:
        value = rating.values.get(field, "NA")
        if value != "NA":
            values.setdefault(rating.sample, []).append(float(value == "Y"))
    return {row: _mean(found) for row, found in values.items()}


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else math.nan


def _mean_sd(values: Sequence[float]) -> tuple[float, float]:
    return _mean(values), statistics.stdev(values) if len(values) > 1 else math.nan
