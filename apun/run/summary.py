"""Summary: metrics with intervals, counts of every status, and a signature; a pure pass over a run's log.

Everything but the replies can be rebuilt from them.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from apun import __version__
from apun.paths import replacing
from apun.run import folder as folders
from apun.run.data import Data, Selection, conditions_for, open_data
from apun.run.log import build_index, read_at
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


def score_folder(folder: Path, data: Data | None = None) -> dict[str, Any]:
    """Score every reply of a run folder; writes ``scores.jsonl`` and ``summary.json``.

    Args:
        folder: the run folder.
        data: opened data; read anew from ``run.json`` when None.

    Returns:
        The summary.

    Raises:
        ApunError: the folder or its data cannot be read.
    """
    run = folders.read_run(folder)
    if data is None:
        data = open_data(Selection.from_json(run["asked"]["selection"]))
    log = folder / "replies.jsonl"
    index = build_index(log)
    missing: Counter[str] = Counter()

    def stream() -> Iterator[Score]:
        with (
            log.open("rb") as replies,
            replacing(folder / "scores.jsonl") as temporary,
            temporary.open("w", encoding="utf-8", errors="backslashreplace") as out,
        ):
            for question in data.questions():
                entry = index.get(question.id)
                if entry is None:
                    missing[question.task] += 1
                    continue
                reply, _ = read_at(replies, entry.offset)
                score = tasks[question.task].score(question, reply)
                out.write(json.dumps(score.to_json(), ensure_ascii=False, default=_plain) + "\n")
                yield score

    tasks = {task.name: task for task in data.tasks}
    log.touch()
    summary = summarise(data.tasks, stream(), signature(run, data), data.conditions.seed, missing)
    folders.write_json(folder / "summary.json", summary)
    return summary


def signature(run: Mapping[str, Any], data: Data) -> dict[str, str]:
    """What every number of a run depends on, short enough for a line."""
    asked, selection = run["asked"], run["asked"]["selection"]
    model = run.get("model", {})
    conditions = data.conditions
    modality = {conditions_for(task, conditions).modality for task in data.tasks}
    parts = {
        "subset": selection["subset"],
        "data": data.digest,
        "model": f"{asked['model']}@{model.get('revision', '?')}",
        "dtype": str(model.get("dtype", "")),
        "prompt": "+".join(conditions.variants) or "default",
        "modality": "+".join(sorted(modality)),
        "temp": f"{asked['temperature']:g}",
        "seed": str(conditions.seed),
    }
    voices = selection.get("voices", "default")
    if "audio" in modality and selection["subset"] == "sample" and voices != "default":  # who spoke moves the number
        parts["voices"] = voices
    if prompts := asked.get("prompts"):
        parts["prompts"] = prompts
    parts.update(sorted(conditions.options.items()))
    return {key: value.replace("|", "/") for key, value in parts.items() if value}


def _plain(value: Any) -> Any:
    """NumPy scalars as Python numbers."""
    if hasattr(value, "item"):
        return value.item()
    return str(value)
