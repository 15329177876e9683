"""Questions for people, of any benchmark: drawn by task, written as sheet or page, scored like a model's."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from apun import eval as evaluation
from apun import people, sheet
from apun.records import read
from apun.registry import benchmark, benchmark_names
from apun.run.data import Selection, open_data
from apun.tasks import Conditions


@pytest.mark.parametrize("name", benchmark_names())
def test_every_benchmark_has_a_sheet_that_scores(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    tasks = [short for short, task in benchmark(name).tasks.items() if "text" in task.modalities][:2]
    asked = ["--benchmark", name, "--tasks", ",".join(tasks), "--modality", "text", "--items", "2", "--seed", "3"]
    assert sheet.main([*asked, "--out", "people.csv"]) == 0
    commands = [line.strip() for line in capsys.readouterr().out.splitlines() if "apun.eval" in line]
    assert len(commands) == len(tasks)
    rows = [dict(record.values) for record in read(Path("people.csv"))]
    perfect = {}
    for task in tasks:
        for question in open_data(
            Selection(benchmark=name, tasks=(task,), conditions=Conditions(modality="text", seed=3))
        ).questions():
            perfect[question.id] = benchmark(name).tasks[task].perfect(question)
    answers = [{"question": row["question"], "answer": perfect[row["question"]]} for row in rows]
    people.write_sheet(Path("people.csv"), ("question", "answer"), answers)
    for number, command in enumerate(commands):
        line = shlex.split(command)[3:]
        assert evaluation.main([*line, "--out", f"run{number}", "--json", "--no-report"]) == 0
        (summary,) = json.loads(capsys.readouterr().out).values()
        for part in summary["tasks"].values():
            assert part["missing"] == 0
            assert part["counts"] == {"scored": part["n"]}
            first = next(iter(part["metrics"].values()))
            assert first["value"] == 1.0


def test_mixed_or_in_order(tmp_path: Path) -> None:
    drawn = people.draw(
        Selection(tasks=("location", "inference"), conditions=Conditions(modality="text", seed=1)), count=4
    )
    asked = people.questions(drawn)
    assert [question.task for question in asked] == ["apun.location"] * 4 + ["apun.inference"] * 4
    mixed = people.mixed(asked, 1)
    assert sorted(q.id for q in mixed) == sorted(q.id for q in asked)
    assert mixed != asked
    assert mixed == people.mixed(asked[::-1], 1)


def test_limit_and_ids_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        sheet.main(["--limit", "3", "--out", str(tmp_path / "a.csv")])
    assert "--items says how many" in capsys.readouterr().err
