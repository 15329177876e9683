"""Items small enough to count by hand, and a way to put a task to a scripted answerer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from apun.records import Record
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, Subset, Task
from benchmarks.apun_bench.benchmark import BENCHMARK
from benchmarks.apun_bench.items import PunItem, item_from

Answer = Callable[[Question], "str | None"]
STATIC = {"similarity": "wordllama"}  # the embedder that needs no torch


def put_to(task: Task, items: Sequence[PunItem], answer: Answer, **options: str) -> list[Score]:
    """Scores of a task asked in text; an answer of None is a failed reply."""
    conditions = Conditions(modality="text", options={**STATIC, **options})
    scores = []
    for question in task.ask(items, conditions, None):
        said = answer(question)
        reply = Reply.error("scripted failure") if said is None else Reply("ok", text=said, answer=said)
        scores.append(task.score(question, reply))
    return scores


def measured(task: Task, scores: Sequence[Score]) -> dict[str, float]:
    """Every metric of a task over its scores, NaN where undefined."""
    found = {}
    for metric in task.metrics:
        rows = [
            [score.statistics[name] for name in metric.statistics]
            for score in scores
            if all(score.labels.get(key) == value for key, value in metric.where.items())
        ]
        found[metric.name] = float(metric.compute(np.asarray(rows).sum(axis=0))) if rows else float("nan")
    return found


@pytest.fixture(scope="session")
def sample() -> list[PunItem]:
    """The embedded sample."""
    return list(BENCHMARK.load(Subset("sample")))


@pytest.fixture(scope="session")
def five() -> list[PunItem]:
    """Three puns, one of each type, and two negatives. Pun words stand at 5 of 5, 3 of 5, and 5 of 10."""
    rows = [
        {"id": "a", "text": "The bees want only honey.", "type": "heterographic", "pun_word": "honey"}
        | {"alternatives": ["money"], "swap_word": "money"},
        {"id": "b", "text": "They sink oar swim today.", "type": "homophonic", "pun_word": "oar"}
        | {"alternatives": ["or"], "swap_word": "or"},
        {"id": "c", "text": "The dog adores the bark of one old oak tree.", "type": "homographic", "pun_word": "bark"}
        | {"meanings": ["sound a dog makes", "outer skin of a tree"]},
        {"id": "d", "text": "The cook peeled potatoes.", "type": "negative"},
        {"id": "e", "text": "It rained on Monday.", "type": "negative"},
    ]
    return [item_from(Record(row, Path("five.jsonl"), line)) for line, row in enumerate(rows, 1)]


@pytest.fixture(scope="session")
def ask() -> Callable[..., list[Score]]:
    """``put_to``, for tests."""
    return put_to


@pytest.fixture(scope="session")
def metrics() -> Callable[..., dict[str, float]]:
    """``measured``, for tests."""
    return measured
