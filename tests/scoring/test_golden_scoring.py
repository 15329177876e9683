"""Golden files: reference, prediction, expected output, one file a metric."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apun.scoring.inference import classify_inference
from apun.scoring.location import Span, hit, locate, overlap
from apun.scoring.statistics import bootstrap
from apun.scoring.wer import count_errors
from benchmarks.apun_bench.tasks import recognition

FOLDER = Path(__file__).with_name("golden")


def cases(name: str) -> Any:
    rows = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert rows
    return pytest.mark.parametrize("case", rows, ids=[f"{name}{i}" for i in range(len(rows))])


@cases("location")
def test_location(case: dict[str, Any]) -> None:
    if case["language"] != "en":
        pytest.importorskip({"zh": "pypinyin", "ja": "sudachipy"}[case["language"]])
    found = locate(case["prediction"], case["text"], case["language"])
    for name, value in case["expected"].items():
        expected = pytest.approx(value, abs=1e-5) if isinstance(value, float) else value
        assert getattr(found, name) == expected, name


@cases("inference")
def test_inference(case: dict[str, Any]) -> None:
    expected = case.pop("expected")
    prediction = case.pop("prediction")
    found = classify_inference(prediction, **case)
    assert {"correct": found.correct, "error": found.error} == expected


@cases("errors")
def test_errors(case: dict[str, Any]) -> None:
    pytest.importorskip("whisper" if case["language"] == "en" else "opencc")
    found = count_errors(case["reference"], case["prediction"], case["language"])
    assert {name: getattr(found, name) for name in case["expected"]} == case["expected"]


@cases("recognition")
def test_recognition(case: dict[str, Any]) -> None:
    counts = [
        recognition.confusion(bool(gold), None if said is None else bool(said))
        for gold, said in zip(case["reference"], case["prediction"], strict=True)
    ]
    sums = np.array([[sum(count[name] for count in counts) for name in recognition.STATISTICS]])
    for name, value in case["expected"].items():
        found = float(recognition.compute(name, sums)[0])
        assert found == pytest.approx(float("nan") if value is None else value, nan_ok=True), name


@cases("seconds")
def test_seconds(case: dict[str, Any]) -> None:
    predicted, gold = Span(*case["prediction"]), Span(*case["reference"])
    assert hit(predicted, gold) is case["expected"]["hit"]
    assert overlap(predicted, gold) == pytest.approx(case["expected"]["overlap"])


@cases("interval")
def test_interval(case: dict[str, Any]) -> None:
    values = np.stack([case["hits"], np.ones(len(case["hits"]))], axis=1)
    found = bootstrap(values, case["clusters"], lambda s: s[..., 0] / s[..., 1], seed=case["seed"])
    for name, value in case["expected"].items():
        assert getattr(found, name) == pytest.approx(value), name
