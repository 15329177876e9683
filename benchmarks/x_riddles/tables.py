"""Tables of finished runs, in the paper's layout. Percentages; every one over all items, failures included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apun.report.tables import Cell, Table
from apun.scores import Score
from apun.tasks import Metric
from benchmarks.x_riddles import creating, explaining, heard, matching

if TYPE_CHECKING:
    from apun.scoring.statistics import Interval

Runs = Sequence[tuple[str, Sequence[Score]]]
SEED = 0  # of the intervals; they depend on it and on the items alone
_TYPES = (("homophonic", "Homophony"), ("polysemous", "Polysemy"), ("direct", "Other"))
_METRICS = {metric.name: metric for metric in matching.METRICS}


def tables(runs: Runs) -> list[Table]:
    """Every table there are scores for."""
    made: list[Table] = []
    if found := _of(runs, matching.NAME):
        made += [memorisation(found), token_effort(found), by_type(found)]
        if len({score.variant for _, scores in found for score in scores}) > 1:
            made.append(conditions(found))
    if found := _of(runs, heard.NAME):
        made.append(both_readings(found))
    if found := _of(runs, explaining.NAME):
        made.append(explanations(found))
    if found := _of(runs, creating.NAME):
        made.append(creations(found))
    return made


def memorisation(runs: Runs) -> Table:
    """Table 4: homophonic xiehouyu by familiarity, and Δacc = low − new with its interval."""
    rows: list[tuple[Cell, ...]] = []
    for name, scores in runs:
        delta = interval(scores, _METRICS["delta_acc"])
        cells = [_percent(interval(scores, _METRICS[f"accuracy_{split}"]).value) for split in matching.SPLITS]
        limits = (_percent(delta.value), _percent(delta.low), _percent(delta.high))
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
        effort = ("effort_low_high", "effort_new_high", "effort_new_low")
        values = [_percent(interval(scores, _METRICS[metric]).value) for metric in ("delta_acc", *effort)]
        counted = sum(score.statistics.get(f"{split}_counted", 0.0) for score in scores for split in matching.SPLITS)
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
            cells = [_percent(interval(scores, _METRICS["accuracy"]).value) for scores in chosen]
            rows.append((label, split, *cells, max(map(len, chosen))))
    return Table(
        name="xriddles_table3",
        title="Accuracy (%) by type and familiarity (Table 3)",
        columns=("Type", "Familiarity", *(name for name, _ in runs), "n"),
        rows=tuple(rows),
        decimals=1,
    )


def conditions(runs: Runs) -> Table:
    """Appendix A: accuracy by condition."""
    names = sorted({score.variant for _, scores in runs for score in scores})
    rows: list[tuple[Cell, ...]] = []
    for condition in names:
        chosen = [[score for score in scores if score.variant == condition] for _, scores in runs]
        rows.append((condition, *(_percent(interval(scores, _METRICS["accuracy"]).value) for scores in chosen)))
    return Table(
        name="xriddles_conditions",
        title="Accuracy (%) of matching by condition (Appendix A)",
        columns=("Condition", *(name for name, _ in runs)),
        rows=tuple(rows),
        decimals=1,
    )


def both_readings(runs: Runs) -> Table:
    """One spoken answer, two readings."""
    metrics = heard.TASK.metrics
    return _plain(
        runs, metrics, "xriddles_both_readings", "Both readings of an answer that is heard once (%)", ("n", "Failed")
    )


def explanations(runs: Runs) -> Table:
    """What is checked of explanations: Table 8's rows by machine, and hallucinated homophones."""
    return _plain(
        runs,
        explaining.TASK.metrics,
        "xriddles_table8",
        "Explanations: homophone named, by familiarity (cf. Table 8), and claimed homophones that are false (%)",
        ("n", "Failed"),
        ("A claim is false when no reading of its words agrees, be it only nearly; people rate the rest (Table 7).",),
    )


def creations(runs: Runs) -> Table:
    """The machine's part of Table 10."""
    return _plain(
        runs,
        creating.TASK.metrics,
        "xriddles_table10_checks",
        "Created xiehouyu: what a machine can check (%; overlap as in Table 10)",
        ("n", "Failed"),
        ("Reasonable and funny are rated by people: python -m benchmarks.x_riddles creations.",),
    )


def interval(scores: Sequence[Score], metric: Metric) -> Interval:
    """A metric of a run with its interval; the clusters are xiehouyu."""
    import numpy as np

    from apun.scoring.statistics import bootstrap

    inside = [s for s in scores if all(s.labels.get(key) == value for key, value in metric.where.items())]
    statistics = np.array([[s.statistics[name] for name in metric.statistics] for s in inside], dtype=np.float64)
    statistics = statistics.reshape(len(inside), len(metric.statistics))
    return bootstrap(statistics, [s.cluster for s in inside], metric.compute, seed=SEED)


def failure_rate(scores: Sequence[Score]) -> float | None:
    """Percentage of questions without a scored answer."""
    return 100 * sum(score.status != "scored" for score in scores) / len(scores) if scores else None


def _plain(
    runs: Runs,
    metrics: Sequence[Metric],
    name: str,
    title: str,
    last: tuple[str, str],
    notes: tuple[str, ...] = (),
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run, scores in runs:
        values = [(metric, interval(scores, metric).value) for metric in metrics]
        cells = [_percent(value) if metric.percent else value for metric, value in values]
        rows.append((run, *cells, len(scores), failure_rate(scores)))
    return Table(name, title, ("Model", *(metric.label for metric in metrics), *last), tuple(rows), notes)


def _of(runs: Runs, task: str) -> list[tuple[str, list[Score]]]:
    own = [(name, [score for score in scores if score.task == task]) for name, scores in runs]
    return [(name, scores) for name, scores in own if scores]


def _percent(value: float) -> float:
    return 100 * value
