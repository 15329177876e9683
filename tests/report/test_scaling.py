"""Sizes and seconds behind the scaling figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apun.report.figures import cost_tables, figure, parameters, seconds_a_question
from apun.report.runs import open_runs
from apun.report.tables import Table


@pytest.mark.parametrize(
    ("model", "billions"),
    [
        ("qwen2.5-omni", 8.9),
        ("smollm2-135m", 0.135),
        ("whisper-base+smollm2-135m", 0.074 + 0.135),
        ("whisper-large-v3+solver", 1.55),
        ("hf:Org/Some-Model-13b-chat", 13.0),
        ("openai:gpt-audio-1.5", None),
        ("mock:perfect", None),
    ],
)
def test_parameters(model: str, billions: float | None) -> None:
    assert parameters(model) == (None if billions is None else pytest.approx(billions))


def test_tables_need_two_runs_and_leave_unknown_sizes_out(page_run: Path) -> None:
    one, two = open_runs([page_run, page_run])
    assert cost_tables([one]) == []
    record = {**one.record, "asked": {**one.record["asked"], "model": "qwen2.5-omni"}}
    size, seconds = cost_tables([replace(one, record=record), two])
    assert [row[1] for row in size.rows] == [8.9, 8.9] and len(seconds.rows) == 4
    assert seconds_a_question(one) == pytest.approx(seconds.rows[0][1])
    chart = figure(size)
    assert chart is not None and chart["data"][0]["type"] == "scatter"


def test_figures_draw_numbers_only() -> None:
    table = Table("t", "T", ("model", "note", "a", "b"), (("x", "n", 1.0, None), ("y", "n", 2, 3)))
    chart = figure(table)
    assert chart is not None and [trace["y"] for trace in chart["data"]] == [[1.0, None], [2.0, 3.0]]
    assert figure(replace(table, rows=(("x", "n", "a", "b"),))) is None
