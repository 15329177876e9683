"""Every task through the runner, in writing and by ear; and a sheet that people filled in."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from apun import eval as evaluate
from apun import sheet
from apun.records import read
from apun.report.tables import Table
from apun.scores import Score
from apun.sheets import write_sheet
from benchmarks.phun_bench import two_step
from benchmarks.phun_bench.benchmark import BENCHMARK

BY_EAR = {name for name, task in BENCHMARK.tasks.items() if "audio" in task.modalities}


def run(out: Path, *options: str) -> dict[str, Any]:
    arguments = ["--benchmark", "phun", "--out", str(out), "--no-report"]
    assert evaluate.main([*arguments, *options]) == 0
    tasks: dict[str, Any] = json.loads((out / "summary.json").read_text("utf-8"))["tasks"]
    return {name.partition(".")[2]: task for name, task in tasks.items()}


def primary(tasks: dict[str, Any]) -> dict[str, float]:
    return {name: next(iter(task["metrics"].values()))["value"] for name, task in tasks.items()}


def test_gold_and_solver_in_writing(tmp_path: Path) -> None:
    gold = run(tmp_path / "gold", "--model", "mock:perfect", "--modality", "text")
    assert gold.keys() == BENCHMARK.tasks.keys()
    assert all(task["counts"] == {"scored": task["n"]} for task in gold.values())
    assert set(primary(gold).values()) == {1.0}
    solver = run(tmp_path / "solver", "--model", "solver", "--modality", "text")
    assert {name for name, value in primary(solver).items() if value < 1.0} <= {"contextual_homophone"}
    assert solver["similarity"]["n"] == 60 and "accuracy.pert4" in solver["similarity"]["metrics"]


def test_wrong_and_unreadable_answers_through_the_runner(tmp_path: Path) -> None:
    wrong = run(tmp_path / "wrong", "--model", "mock:always=抱歉，我无法回答。", "--modality", "text")
    assert set(primary(wrong).values()) == {0.0}
    assert all(task["counts"] == {"unparsed": task["n"]} and task["failure_rate"] == 1.0 for task in wrong.values())
    always_a = run(tmp_path / "a", "--model", "mock:always=A", "--modality", "text", "--tasks", "similarity")
    assert 0.0 < primary(always_a)["similarity"] < 0.6
    assert always_a["similarity"]["counts"] == {"scored": 60}


def test_limit_is_a_stratum_and_the_same_command_asks_nothing_twice(tmp_path: Path) -> None:
    options = ["--model", "mock:perfect", "--modality", "text", "--limit", "2", "--tasks", "similarity,char2pinyin"]
    first = run(tmp_path / "run", *options)
    assert (first["similarity"]["n"], first["char2pinyin"]["n"]) == (8, 6)
    lines = (tmp_path / "run/replies.jsonl").read_bytes()
    assert run(tmp_path / "run", *options) == first
    assert (tmp_path / "run/replies.jsonl").read_bytes() == lines


def test_tables_and_two_step_of_a_finished_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path / "run", "--model", "solver", "--modality", "text")
    scores = [Score.from_json(json.loads(line)) for line in (tmp_path / "run/scores.jsonl").open(encoding="utf-8")]
    found = BENCHMARK.tables([("solver", scores)])
    assert [table.name for table in found] == ["table2", "table7", "table3", "rhyme_causes", "table5", "figure5"]
    assert all(isinstance(table, Table) and table.to_text() and table.to_latex() and table.to_csv() for table in found)
    capsys.readouterr()
    assert two_step.main([str(tmp_path / "run")]) == 0
    assert "paper Table 2" in capsys.readouterr().out


def test_a_sheet_goes_out_is_filled_in_and_is_scored_like_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "people.csv"
    settings = ["char2pinyin", "homophone_recall", "contextual_homophone", "similarity"]  # what the paper's people did
    asked = ["--benchmark", "phun", "--tasks", ",".join(settings), "--modality", "text", "--prompt-variant", "human"]
    assert sheet.main([*asked, "--items", "2", "--seed", "5", "--out", str(out)]) == 0
    commands = [shlex.split(line) for line in capsys.readouterr().out.splitlines() if "apun.eval" in line]
    rows = [dict(row.values) for row in read(out)]
    assert len(rows) == 3 * 2 + 2 + 2 + 4 * 2
    assert all(len(row["asked"].split("\n")) > 1 and not row["answer"] for row in rows), "an instruction and an item"
    assert {row["task"] for row in rows} == set(settings)
    for row in rows:
        row["answer"] = "B" if row["task"] == "similarity" else ""
    write_sheet(out, list(rows[0]), rows[::-1])
    tasks = {}
    for number, command in enumerate(commands):
        assert command[:3] == ["python", "-m", "apun.eval"]
        tasks |= run(tmp_path / str(number), *command[3:])
    assert tasks.keys() == set(settings)
    assert tasks["similarity"]["counts"] == {"scored": 8}
    assert tasks["char2pinyin"]["counts"] == {"error": 6}, "a blank cell is no answer"
    letters = [json.loads(line) for line in (tmp_path / "3/scores.jsonl").open(encoding="utf-8")]
    right = [s["labels"]["gold"] == "B" for s in letters if s["task"] == "phun.similarity"]
    assert primary(tasks)["similarity"] == pytest.approx(sum(right) / 8)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["whole", "clips", "clips_only"])
def test_gold_by_ear(tmp_path: Path, form: str) -> None:
    """Rendered by the embedded voice; a task that has no sound is asked in writing."""
    tasks = run(tmp_path / "run", "--model", "mock:perfect", "--limit", "1", "--set", f"form={form}")
    assert set(primary(tasks).values()) == {1.0}
    replies = [json.loads(line) for line in (tmp_path / "run/replies.jsonl").open(encoding="utf-8")]
    heard = {reply["question"].split("/")[0][5:] for reply in replies if reply.get("consumed", {}).get("clips")}
    assert heard == BY_EAR


@pytest.mark.slow
@pytest.mark.parametrize("modality", ["text", "audio"])
def test_the_default_offline_model(tmp_path: Path, modality: str) -> None:
    """Every task with the model that is used when none is named; what it scores is not our concern here."""
    tasks = run(tmp_path / "run", "--modality", modality, "--limit", "1", "--max-new-tokens", "16")
    assert tasks.keys() == BENCHMARK.tasks.keys()
    assert all(task["n"] > 0 and task["missing"] == 0 and "error" not in task["counts"] for task in tasks.values())


@pytest.mark.slow
def test_a_recogniser_and_the_solver_by_ear(tmp_path: Path) -> None:
    """Hearing and reasoning apart: the solver on what Whisper heard of sentences beats chance by far."""
    tasks = run(tmp_path / "run", "--model", "whisper-base+solver", "--tasks", "rhyme_1,dictation", "--limit", "4")
    assert tasks["rhyme_1"]["counts"].get("scored", 0) >= 3
    assert primary(tasks)["rhyme_1"] >= 0.5
