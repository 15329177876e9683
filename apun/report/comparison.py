"""Paired comparison of runs over the same questions, and what is significant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from apun import registry
from apun.errors import UsageError
from apun.registry import unknown
from apun.report.runs import Run
from apun.report.tables import Cell, Table
from apun.tasks import Metric, Task

MUST_MATCH = {
    "benchmark": "benchmark",
    "subset": "subset",
    "limit": "number of items (--limit)",
    "ids": "items (--ids)",
    "variants": "prompt variants (--prompt-variant)",
    "prompts": "prompt file (--prompts)",
    "seed": "seed",
    "options": "task options (--set)",
    "modality": "modality",
    "voices": "voices (--voices)",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """One metric of one task in two runs.

    Attributes:
        first, second: run names.
        task, metric: full task name, metric name.
        label: the metric's column head.
        difference, low, high: first minus second, with its bootstrap interval.
        p: exact McNemar where every answer is right or wrong and no two questions belong together,
            else paired permutation by cluster.
        test: which of the two.
        holm: p corrected over all pairs of runs for this metric.
        n: paired questions.
    """

    first: str
    second: str
    task: str
    metric: str
    label: str
    difference: float
    low: float
    high: float
    p: float
    test: str
    holm: float
    n: int


def check_comparable(runs: Sequence[Run], free: Sequence[str] = ()) -> None:
    """Refuse to compare what does not match.

    Args:
        runs: at least two.
        free: selection fields that may differ (``modality`` for text against audio).

    Raises:
        UsageError: names the first field that differs, with both values.
    """
    for name in free:
        if name not in MUST_MATCH:
            raise unknown("field to compare across", name, MUST_MATCH)
    if len(runs) < 2:
        raise UsageError("a comparison needs at least two runs")
    first = runs[0]
    for other in runs[1:]:
        for field, words in MUST_MATCH.items():
            a, b = first.selection.get(field), other.selection.get(field)
            if a != b and field not in free:
                raise UsageError(
                    f"{first.name} and {other.name} differ in {words}: {a!r} and {b!r}; they cannot be compared"
                )
        if first.record["asked"].get("data") != other.record["asked"].get("data"):
            raise UsageError(f"{first.name} and {other.name} were asked different items (data digests differ)")
        for task in sorted(set(first.summary["tasks"]) & set(other.summary["tasks"])):
            versions = [_version(run.summary["tasks"][task]["signature"]) for run in (first, other)]
            if versions[0] != versions[1]:
                raise UsageError(f"{first.name} and {other.name} used versions {' and '.join(versions)} of {task}")


def compare(runs: Sequence[Run], seed: int = 0, free: Sequence[str] = ()) -> list[Pair]:
    """Every common metric of every pair of runs.

    Raises:
        UsageError: the runs do not match, or share no question.
    """
    check_comparable(runs, free)
    tasks = set.intersection(*[set(run.summary["tasks"]) for run in runs])
    if not tasks:
        raise UsageError("the runs have no task in common")
    pairs: list[Pair] = []
    for name in sorted(tasks):
        task = registry.task(name)
        for metric in task.metrics:
            found = [_pair(a, b, task, metric, seed) for a, b in combinations(runs, 2)]
            pairs += _corrected([pair for pair in found if pair is not None])
    return pairs


def _pair(first: Run, second: Run, task: Task, metric: Metric, seed: int) -> Pair | None:
    import numpy as np

    from apun.scoring.statistics import mcnemar, paired_bootstrap, permutation

    ours, theirs = first.by_question(task.name), second.by_question(task.name)
    shared = [
        key
        for key in ours
        if key in theirs
        and all(ours[key].labels.get(k) == v and theirs[key].labels.get(k) == v for k, v in metric.where.items())
    ]
    if not shared:
        return None
    a, b = (
        np.array([[scores[key].statistics[name] for name in metric.statistics] for key in shared], dtype=np.float64)
        for scores in (ours, theirs)
    )
    clusters = [ours[key].cluster for key in shared]
    difference = paired_bootstrap(a, b, clusters, metric.compute, seed=seed)
    binary = (
        len(set(clusters)) == len(clusters)  # McNemar takes questions as independent; variants of one item are not
        and a.shape[1] == 2
        and (a[:, 1] == 1).all()
        and (b[:, 1] == 1).all()
        and set(np.unique([a[:, 0], b[:, 0]])) <= {0.0, 1.0}
    )
    if binary:
        test, p = "McNemar", mcnemar(a[:, 0] == 1, b[:, 0] == 1).p
    else:
        test, p = "permutation", permutation(a, b, clusters, metric.compute, seed=seed)
    interval = difference.interval
    return Pair(
        first=first.name,
        second=second.name,
        task=task.name,
        metric=metric.name,
        label=metric.label,
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        p=p,
        test=test,
        holm=p,
        n=len(shared),
    )


def _corrected(pairs: list[Pair]) -> list[Pair]:
    from dataclasses import replace

    from apun.scoring.statistics import holm

    adjusted = holm({f"{pair.first}\0{pair.second}": pair.p for pair in pairs})
    return [replace(pair, holm=adjusted[f"{pair.first}\0{pair.second}"]) for pair in pairs]


def difference_table(pairs: Sequence[Pair]) -> Table:
    """Differences in points, with intervals, tests and corrected p-values."""
    rows: list[tuple[Cell, ...]] = [
        (
            pair.task,
            pair.label,
            pair.first,
            pair.second,
            f"{100 * pair.difference:+.1f} [{100 * pair.low:+.1f}, {100 * pair.high:+.1f}]",
            shown_p(pair.p),
            shown_p(pair.holm),
            pair.test,
            pair.n,
        )
        for pair in pairs
        if pair.difference == pair.difference
    ]
    return Table(
        "differences",
        "Paired differences in points (first minus second) with 95 % intervals",
        ("task", "metric", "first", "second", "difference", "p", "p (Holm)", "test", "n"),
        tuple(rows),
        (
            "McNemar is exact; where questions belong together (prompts of one item, variants of one pun), clusters "
            "are permuted instead. Holm corrects over the pairs of runs of each metric.",
        ),
    )


def shown_p(p: float) -> str:
    """A p-value as papers print it."""
    if p != p:
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def disagreements(first: Run, second: Run, task: str, most: int = 20) -> Table:
    """Questions whose primary statistic differs between two runs: the ones to listen to."""
    statistic = registry.task(task).metrics[0].statistics[0]
    ours, theirs = first.by_question(task), second.by_question(task)
    rows: list[tuple[Cell, ...]] = []
    for key in ours:
        if key in theirs and ours[key].statistics.get(statistic) != theirs[key].statistics.get(statistic):
            rows.append((key, _short(ours[key].parsed), _short(theirs[key].parsed)))
    return Table(
        "disagreements",
        f"{task}: {len(rows)} questions on which {first.name} and {second.name} differ",
        ("question", first.name, second.name),
        tuple(rows[:most]),
    )


def _short(value: Any) -> str:
    text = "-" if value is None else str(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _version(signature: str) -> str:
    return next((part for part in signature.split("|") if part.startswith("v:")), "v:?")
