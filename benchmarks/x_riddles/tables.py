"""Tables in the paper's layout: of finished runs, and of what people rated.

Percentages of runs are over all items, failures included. Ratings: each text counts once, by the mean of its ratings.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apun.errors import UsageError
from apun.report.tables import Cell, Table
from apun.scores import Score, failure_rate, of_tasks
from apun.tasks import Runs, Task
from benchmarks.x_riddles.tasks import SPLITS, both_readings, creating, explaining, matching

if TYPE_CHECKING:
    from benchmarks.x_riddles.ratings import Rating, Sample

SEED = 0  # of the intervals; they depend on it and on the items alone
_TYPES = (("homophonic", "Homophony"), ("polysemous", "Polysemy"), ("direct", "Other"))
_YES = {"Y": 1.0, "N": 0.0, "U": 0.0}.get  # NA does not count
_NONE: Mapping[str, Any] = {"value": None, "low": None, "high": None}


def all_tables(runs: Runs) -> list[Table]:
    """Every table there are scores for."""
    matched = of_tasks(runs, matching.NAME)
    made = [make(matched) for make in (memorisation, token_effort, by_type, conditions) if matched]
    made += [_checks(runs, *layout) for layout in _CHECKED]
    return [table for table in made if table.rows]


def memorisation(runs: Runs) -> Table:
    """Table 4: homophonic xiehouyu by familiarity, and Δacc = low − new with its interval."""
    rows: list[tuple[Cell, ...]] = []
    for name, scores in runs:
        splits = [f"accuracy_{split}" for split in SPLITS]
        found = measured(matching.TASK, scores, *splits, "delta_acc")
        cells = [_percent(found[metric]) for metric in splits]
        limits = [_percent(found["delta_acc"], limit) for limit in ("value", "low", "high")]
        rows.append((name, *cells, *limits, failure_rate(scores)))
    return Table(
        name="xriddles_table4",
        title="Accuracy (%) on homophonic xiehouyu by familiarity (Table 4)",
        columns=("Model", "High", "Low", "New", "Δ", "Δ from", "Δ to", "Failed"),
        rows=tuple(rows),
        notes=(
            "Δ = Low − New with its 95 % bootstrap interval over xiehouyu; large: memorised rather than reasoned.",
            "High from a mean familiarity of 2.5 on 1-4; the embedded sample's bands are estimates, not ratings.",
        ),
        decimals=1,
    )


def token_effort(runs: Runs) -> Table:
    """Table 5: change of the mean number of generated tokens between splits, in percent."""
    rows: list[tuple[Cell, ...]] = []
    for name, scores in runs:
        effort = ("delta_acc", "effort_low_high", "effort_new_high", "effort_new_low")
        found = measured(matching.TASK, scores, *effort)
        values = [_percent(found[metric]) for metric in effort]
        counted = sum(score.statistics.get(f"{split}_counted", 0.0) for score in scores for split in SPLITS)
        rows.append((name, *values, int(counted)))
    return Table(
        name="xriddles_table5",
        title="Token effort (%) between splits of homophonic xiehouyu (Table 5)",
        columns=("Model", "Δacc", "L / H", "N / H", "N / L", "Replies counted"),
        rows=tuple(rows),
        notes=("Tokens generated, thinking included, over replies whose token count is known.",),
        decimals=1,
    )


def by_type(runs: Runs) -> Table:
    """Table 3: accuracy by type and familiarity."""
    kinds = [(label, split, (kind, split)) for kind, label in _TYPES for split in ("high", "low", "unrated")]
    kinds.insert(3, ("New", "-", ("homophonic", "new")))
    rows: list[tuple[Cell, ...]] = []
    for label, split, key in kinds:
        chosen = [[s for s in scores if (s.labels["type"], s.labels["split"]) == key] for _, scores in runs]
        if any(chosen):
            cells = [_accuracy(scores) for scores in chosen]
            rows.append((label, split, *cells, max(map(len, chosen))))
    return Table(
        name="xriddles_table3",
        title="Accuracy (%) by type and familiarity (Table 3)",
        columns=("Type", "Familiarity", *(name for name, _ in runs), "n"),
        rows=tuple(rows),
        decimals=1,
    )


def conditions(runs: Runs) -> Table:
    """Appendix A: accuracy by condition; no rows where there is one condition alone."""
    names = sorted({score.variant for _, scores in runs for score in scores})
    rows: list[tuple[Cell, ...]] = []
    for condition in names if len(names) > 1 else ():
        chosen = [[score for score in scores if score.variant == condition] for _, scores in runs]
        rows.append((condition, *(_accuracy(scores) for scores in chosen)))
    return Table(
        name="xriddles_conditions",
        title="Accuracy (%) of matching by condition (Appendix A)",
        columns=("Condition", *(name for name, _ in runs)),
        rows=tuple(rows),
        decimals=1,
    )


_CHECKED: Sequence[tuple[Task, str, str, tuple[str, ...]]] = (
    (both_readings.TASK, "xriddles_both_readings", "Both readings of an answer that is heard once (%)", ()),
    (
        explaining.TASK,
        "xriddles_table8",
        "Explanations: homophone named, by familiarity (cf. Table 8), and claimed homophones that are false (%)",
        ("A claim is false when no reading of its words agrees, be it only nearly; people rate the rest (Table 7).",),
    ),
    (
        creating.TASK,
        "xriddles_table10_checks",
        "Created xiehouyu: what a machine can check (%; overlap as in Table 10)",
        ("Reasonable and funny are rated by people: python -m benchmarks.x_riddles creations.",),
    ),
)
"""The machine's part of Tables 8 and 10, and one spoken answer with two readings: task, name, title and notes."""


def _checks(runs: Runs, task: Task, name: str, title: str, notes: tuple[str, ...]) -> Table:
    """All metrics of a task."""
    rows: list[tuple[Cell, ...]] = []
    for run, scores in of_tasks(runs, task.name):
        found = measured(task, scores)
        cells = [
            _percent(found[metric.name]) if metric.percent else found[metric.name]["value"] for metric in task.metrics
        ]
        rows.append((run, *cells, len(scores), failure_rate(scores)))
    heads = ("Model", *(metric.label for metric in task.metrics), "n", "Failed")
    return Table(name, title, heads, tuple(rows), notes)


def measured(task: Task, scores: Sequence[Score], *names: str) -> dict[str, Mapping[str, Any]]:
    """Value and interval of a task's metrics (all, or those named) over a run's scores; the clusters are xiehouyu."""
    from apun.run.summary import Columns, measure

    columns = Columns(task)
    for score in scores:
        columns.add(score)
    wanted = [metric for metric in task.metrics if metric.name in names or not names]
    return {metric.name: measure(columns, metric, SEED) or _NONE for metric in wanted}


def _accuracy(scores: Sequence[Score]) -> float | None:
    return _percent(measured(matching.TASK, scores, "accuracy")["accuracy"])


def _percent(measure: Mapping[str, Any], part: str = "value") -> float | None:
    return None if measure[part] is None else 100 * float(measure[part])


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
    named, understood = _means(ratings, "homophone_named", _YES), _means(ratings, "understood", _YES)
    rows: list[tuple[Cell, ...]] = []
    for run, own in _rows_of_runs(key):
        scores, length = _among(quality, own), _mean([float(key[row].length) for row in own])
        shares = [_mean(_among(values, own)) for values in (named, understood)]
        rows.append((run, *_mean_sd(scores), *shares, length, len(scores)))
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
    named = _means(ratings, "homophone_named", _YES)
    rows: list[tuple[Cell, ...]] = []
    for run, own in _rows_of_runs(key):
        by_split = [[row for row in own if key[row].split == split] for split in ("new", "low", "high")]
        rows.append((run, *(100 * _mean(_among(named, split)) for split in by_split)))
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
    for run, own in _rows_of_runs(key):
        parts = [_among(values, own) for values in (reasonable, how, funny)]
        overlap = _mean([key[row].overlap for row in own])
        rows.append((run, len(own), *_mean_sd(parts[0]), _mean(parts[1]), *_mean_sd(parts[2]), overlap))
    return Table(
        name="xriddles_table10",
        title="Created xiehouyu as rated (Table 10)",
        columns=("Src.", "N", "Reasonable", "SD", "How (1-3)", "Funniness", "SD ", "Max Ovrlp"),
        rows=tuple(rows),
        notes=("Each xiehouyu counts once, by the mean of its ratings.",),
    )


def _rows_of_runs(key: Mapping[str, Sample]) -> list[tuple[str, list[str]]]:
    """The rows of a sheet by whose they are."""
    found: dict[str, list[str]] = {}
    for row, sample in key.items():
        found.setdefault(sample.run, []).append(row)
    return sorted(found.items())


def _means(ratings: Sequence[Rating], field: str, value: Callable[[str], float | None] = float) -> dict[str, float]:
    """Mean of a field by row, over the raters who filled it in; a value that is None does not count."""
    values: dict[str, list[float]] = {}
    for rating in ratings:
        number = value(rating.values[field]) if field in rating.values else None
        if number is not None:
            values.setdefault(rating.sample, []).append(number)
    return {row: _mean(found) for row, found in values.items()}


def _among(values: Mapping[str, float], rows: Sequence[str]) -> list[float]:
    return [values[row] for row in rows if row in values]


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else math.nan


def _mean_sd(values: Sequence[float]) -> tuple[float, float]:
    return _mean(values), statistics.stdev(values) if len(values) > 1 else math.nan
