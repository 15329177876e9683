"""What the tables share: scores of runs by task and prompt variant, metrics over them, the paper's own figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from apun.records import read_json
from apun.scores import Score, of_tasks
from apun.tasks import Metric, Runs, Task

MARK = "quoted"  # rows of the paper's figures, shipped as reference data; not measured


@lru_cache(maxsize=1)
def _published() -> dict[str, Any]:
    found: dict[str, Any] = read_json(Path(__file__).parents[1] / "data" / "quoted.json")["tables"]
    return found


def quoted(table: str) -> list[dict[str, Any]]:
    """The rows of a published table, such as ``table2``, by column name."""
    found = _published()[table]
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


def base_variant(score: Score) -> str:
    """The prompt variant without its condition: ``p0`` of ``p0.pun``."""
    return score.variant.partition(".")[0]


def of_task(scores: Iterable[Score], task: str) -> list[Score]:
    """Scores of a task."""
    return [score for score in scores if score.task == task]


def rows_of(runs: Runs, task: str) -> list[tuple[str, list[Score]]]:
    """One ``(label, scores)`` pair a run and prompt variant that has scores of the task.

    The label is the run's name; with several variants, the variant follows it.
    """
    found = []
    for name, scores in of_tasks(runs, task):
        by_variant: dict[str, list[Score]] = {}
        for score in scores:
            by_variant.setdefault(base_variant(score), []).append(score)
        for variant, own in by_variant.items():
            found.append((name if list(by_variant) == ["p0"] else f"{name} [{variant}]", own))
    return found


def value(metric: Metric, scores: Iterable[Score]) -> float | None:
    """The metric over the scores that match its labels, in percent where it is one; None without any."""
    import numpy as np

    rows = [
        [score.statistics.get(name, 0.0) for name in metric.statistics]
        for score in scores
        if all(score.labels.get(label) == wanted for label, wanted in metric.where.items())
    ]
    if not rows:
        return None
    found = float(metric.compute(np.asarray(rows, dtype=np.float64).sum(axis=0)))
    if found != found:
        return None
    return found * 100 if metric.percent else found


def values(task: Task, scores: Iterable[Score], names: Sequence[str]) -> list[float | None]:
    """Several metrics of one task over its scores among the given ones."""
    metrics = {metric.name: metric for metric in task.metrics}
    own = of_task(scores, task.name)
    return [value(metrics[name], own) for name in names]
