"""Precision, recall, F1 and accuracy against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.apun_bench.tasks.recognition import STATISTICS, compute, confusion

metrics = pytest.importorskip("sklearn.metrics")

ANSWERS = st.lists(st.tuples(st.booleans(), st.sampled_from([True, False, None])), min_size=1, max_size=30)


def sums(answers: list[tuple[bool, bool | None]]) -> np.ndarray:
    rows = [confusion(gold, said) for gold, said in answers]
    return np.array([[sum(row[name] for row in rows) for name in STATISTICS]])


@given(ANSWERS)
@settings(deadline=None, max_examples=150)
def test_against_scikit_learn(answers: list[tuple[bool, bool | None]]) -> None:
    gold = [int(g) for g, _ in answers]
    said = [2 if s is None else int(s) for _, s in answers]  # unread answers are a class of their own
    total = sums(answers)
    assert compute("accuracy", total)[0] == pytest.approx(metrics.accuracy_score(gold, said))
    theirs = {
        "precision": metrics.precision_score(gold, said, labels=[1], average="macro", zero_division=np.nan),
        "recall": metrics.recall_score(gold, said, labels=[1], average="macro", zero_division=np.nan),
        "f1": metrics.f1_score(gold, said, labels=[1], average="macro", zero_division=np.nan),
    }
    for name, value in theirs.items():
        assert compute(name, total)[0] == pytest.approx(value, nan_ok=True), name
    assert compute("pun_share", total)[0] == pytest.approx(said.count(1) / len(said))


def test_sums_of_any_leading_shape() -> None:
    total = sums([(True, True), (True, False), (False, None)])
    stacked = np.broadcast_to(total, (4, 3, 5))
    for metric in ("accuracy", "precision", "recall", "f1", "pun_share"):
        assert compute(metric, stacked).shape == (4, 3)


def test_an_unread_answer_is_wrong_but_claims_nothing() -> None:
    assert dict(confusion(True, None)) == {"n": 1, "tp": 0, "fp": 0, "fn": 1, "tn": 0}
    assert dict(confusion(False, None)) == {"n": 1, "tp": 0, "fp": 0, "fn": 0, "tn": 0}
