"""Counting scores: the value of a metric over some of them, grouped by run and label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from apun.scores import Score
from apun.tasks import Metric, Task

Runs = Sequence[tuple[str, Sequence[Score]]]


def of_task(scores: Iterable[Score], task: str, variant: str | None = None) -> list[Score]:
    """Scores of a task; of one prompt variant (the part of ``variant`` before the condition) where named."""
    return [s for s in scores if s.task == task and (variant is None or base_variant(s) == variant)]


def base_variant(score: Score) -> str:
    """The prompt variant without its condition: ``p0`` of ``p0.pun``."""
    return score.variant.partition(".")[0]


def variants_of(scores: Iterable[Score]) -> list[str]:
    """Prompt variants in order of first appearance."""
    return list(dict.fromkeys(base_variant(s) for s in scores))


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


def values(task: Task, scores: Sequence[Score], names: Sequence[str]) -> list[float | None]:
    """Several metrics of one task over its scores."""
    metrics = {metric.name: metric for metric in task.metrics}
    return [value(metrics[name], scores) for name in names]


def share(scores: Sequence[Score], holds: Callable[[Score], bool]) -> float | None:
    """Percentage of scores for which something holds; None without scores."""
    return 100 * sum(map(holds, scores)) / len(scores) if scores else None


def failures(scores: Sequence[Score]) -> float | None:
    """Percentage of scores without a readable answer."""
    return share(scores, lambda s: s.status != "scored")


def rows_of(runs: Runs, task: str) -> list[tuple[str, list[Score]]]:
    """One ``(label, scores)`` pair a run and prompt variant that has scores of the task.

    The label is the run's name; with several variants, the variant follows it.
    """
    found = []
    for name, scores in runs:
        own = of_task(scores, task)
        kinds = variants_of(own)
        for kind in kinds:
            label = name if len(kinds) == 1 and kind == "p0" else f"{name} [{kind}]"
            found.append((label, [s for s in own if base_variant(s) == kind]))
    return found
