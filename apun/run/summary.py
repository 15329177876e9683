"""Summary: metrics with intervals, counts of every status, and a signature."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apun import __version__
from apun.scores import Score
from apun.tasks import Metric, Task

SAMPLES = 1000


class Columns:
    """Scores of one task as columns of statistics; holds numbers and labels, not texts."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.names = tuple(dict.fromkeys(name for metric in task.metrics for name in metric.statistics))
        self.rows: list[tuple[float, ...]] = []
        self.clusters: list[str] = []
        self.labels: list[Mapping[str, str]] = []
        self._distinct: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}  # few label sets, many scores
        self._wanted = tuple(dict.fromkeys(key for metric in task.metrics for key in metric.where))
        self.counts: Counter[str] = Counter()

    def add(self, score: Score) -> None:
        """Take in one score; a statistic it lacks is NaN until a metric asks for it."""
        self.counts[score.status] += 1
        self.rows.append(tuple(float(score.statistics.get(name, math.nan)) for name in self.names))
        self.clusters.append(sys.intern(score.cluster))
        labels = tuple((key, score.labels[key]) for key in self._wanted if key in score.labels)
        self.labels.append(self._distinct.setdefault(labels, dict(labels)))

    def select(self, metric: Metric) -> list[int]:
        """Rows that a metric counts."""
        if not metric.where:
            return list(range(len(self.rows)))
        wanted = metric.where.items()
        return [i for i, labels in enumerate(self.labels) if all(labels.get(key) == value for key, value in wanted)]


def measure(columns: Columns, metric: Metric, seed: int, samples: int = SAMPLES) -> dict[str, Any] | None:
    """One metric with its interval; None when no score is in its scope."""
    import numpy as np

    from apun.scoring.statistics import bootstrap

    rows = columns.select(metric)
    if not rows:
        return None
    places = [columns.names.index(name) for name in metric.statistics]
    statistics = np.array([[columns.rows[i][place] for place in places] for i in rows], dtype=np.float64)
    if np.isnan(statistics).any():
        raise ValueError(f"{columns.task.name}: a score in the scope of {metric.name} lacks one of {metric.statistics}")
    interval = bootstrap(statistics, [columns.clusters[i] for i in rows], metric.compute, seed=seed, samples=samples)
    return {
        "label": metric.label,
        "value": _number(interval.value),
        "low": _number(interval.low),
        "high": _number(interval.high),
        "n": len(rows),
        "percent": metric.percent,
        "higher_is_better": metric.higher_is_better,
    }


def _number(value: float) -> float | None:
    return None if value != value else float(value)


def summarise(
    tasks: Sequence[Task], scores: Iterable[Score], signature: Mapping[str, str], seed: int, missing: Mapping[str, int]
) -> dict[str, Any]:
    """``summary.json``.

    Args:
        tasks: the tasks asked.
        scores: every score of the run, streamed.
        signature: what every number depends on.
        seed: bootstrap seed.
        missing: questions without any reply yet, by task.
    """
    columns = {task.name: Columns(task) for task in tasks}
    for score in scores:
        columns[score.task].add(score)
    result: dict[str, Any] = {}
    for task in tasks:
        own = columns[task.name]
        n = len(own.rows)
        failed = n - own.counts["scored"]
        measured = {metric.name: measure(own, metric, seed) for metric in task.metrics}
        result[task.name] = {
            "title": task.title,
            "n": n,
            "missing": missing.get(task.name, 0),
            "counts": dict(sorted(own.counts.items())),
            "failure_rate": failed / n if n else None,
            "metrics": {name: value for name, value in measured.items() if value is not None},
            "signature": sign(task, signature, n),
        }
    return {"signature": dict(signature), "tasks": result}


def sign(task: Task, signature: Mapping[str, str], n: int) -> str:
    """A number's signature, in one line: same signature, same inputs, same number."""
    extra = task.signature() if task.signature else {}
    prompt = {"prompt": "+".join(task.variants)} if signature.get("prompt") == "default" else {}
    parts = {
        "apun": __version__,
        "bench": task.name,
        "v": str(task.version),
        **signature,
        **prompt,
        "n": str(n),
        **extra,
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items())
