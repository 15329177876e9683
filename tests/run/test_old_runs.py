"""Runs that version 1.0.0 wrote are read, scored, compared and continued as if they were ours.

The folders under ``data/version_1.0.0`` are as that version left them (``apun.eval --no-report``), but for the
processor's name; ``apun-compare.json`` is what its ``apun.compare --json`` printed.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apun import compare, registry, score
from apun import eval as evaluation
from apun.clips import Clip
from apun.report.__main__ import main as write_report
from apun.run.folder import read_run, read_scores, read_summary
from apun.speech import MAIN, Split

OLD = Path(__file__).with_name("data") / "version_1.0.0"
NAMES = sorted(path.name for path in OLD.iterdir() if path.is_dir())
SPOKEN, SOLVER, PERFECT = "apun-audio", "apun-solver", "apun-perfect"
EXACT = {"rel": 1e-12, "nan_ok": True}


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copies of the folders. Clips have the old voices and no sound of theirs: scoring may not listen."""

    def render(wanted: Any, *_: object) -> Split:
        voices = {score.item: score.labels["voice"] for score in read_scores(OLD / SPOKEN)}
        rows = {(clip.item, clip.part): {"voice": voices[clip.item]} for clip in wanted if clip.part == MAIN}
        noise = np.random.default_rng(0).standard_normal(1600).astype(np.float32) / 10
        return Split(tmp_path, rows, {place: Clip(samples=noise) for place in rows})

    monkeypatch.setattr(registry, "render_speech", render)
    return Path(shutil.copytree(OLD, tmp_path / "runs"))


def numbers(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary without the version in its signatures."""
    tasks = {
        name: {**task, "signature": task["signature"].partition("|")[2]} for name, task in summary["tasks"].items()
    }
    return {**summary, "tasks": tasks}


def test_there_are_runs_of_every_benchmark() -> None:
    assert {read_run(OLD / name)["asked"]["selection"]["benchmark"] for name in NAMES} == set(registry.BENCHMARKS)
    assert all(read_run(OLD / name)["environment"]["packages"]["apun"] == "1.0.0" for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_scoring_again_gives_the_old_numbers(old: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert score.main([str(old / name), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)[str(old / name)]
    before = numbers(read_summary(OLD / name))
    assert numbers(printed) == before and numbers(read_summary(old / name)) == before


@pytest.mark.parametrize("name", NAMES)
def test_scoring_again_gives_the_old_scores(old: Path, name: str) -> None:
    score.main([str(old / name)])
    now, before = ({s.question: s for s in read_scores(folder / name)} for folder in (old, OLD))
    assert list(now) == list(before)
    for question, score_then in before.items():  # details and labels may have been added since
        score_now = now[question]
        assert score_now.labels.items() >= score_then.labels.items()
        assert replace(score_now, labels={}, detail={}) == replace(score_then, labels={}, detail={})


def test_old_runs_are_compared_as_they_were(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main([str(old / SOLVER), str(old / PERFECT), "--json"]) == 0
    now, before = json.loads(capsys.readouterr().out), json.loads((OLD / "apun-compare.json").read_text())
    assert [pair["metric"] for pair in now] == [pair["metric"] for pair in before]
    for one, other in zip(now, before, strict=True):
        for name, value in other.items():
            assert one[name] == (pytest.approx(value, **EXACT) if isinstance(value, float) else value), name


def test_an_old_run_and_one_scored_now_are_the_same_run(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score.main([str(old / SOLVER)])
    capsys.readouterr()
    assert compare.main([str(OLD / SOLVER), str(old / SOLVER), "--json"]) == 0
    pairs = json.loads(capsys.readouterr().out)
    assert pairs and {pair["difference"] for pair in pairs if pair["difference"] == pair["difference"]} == {0.0}


@pytest.mark.parametrize("name", [SPOKEN, SOLVER, "xriddles-solver"])
def test_an_old_run_is_reported_without_scoring_it_again(old: Path, name: str) -> None:
    assert write_report([str(old / name), "--tables", str(old / "tables")]) == 0
    page = (old / name / "report.html").read_text(encoding="utf-8")
    for task in read_summary(OLD / name)["tasks"].values():
        assert task["signature"] in page
    assert list((old / "tables").glob("*.csv"))
    assert (old / name / "scores.jsonl").read_bytes() == (OLD / name / "scores.jsonl").read_bytes()


def test_old_runs_stand_in_a_leaderboard(old: Path) -> None:
    assert write_report([*(str(old / name) for name in NAMES), "--leaderboard", str(old / "site")]) == 0
    page = (old / "site" / "index.html").read_text(encoding="utf-8")
    assert all(read_run(OLD / name)["asked"]["model"] in page for name in NAMES)


@pytest.mark.parametrize("name", [name for name in NAMES if name != SPOKEN])
def test_the_old_command_finds_its_replies_and_asks_nothing(old: Path, name: str) -> None:
    asked = read_run(OLD / name)["asked"]
    selection = asked["selection"]
    command = ["--benchmark", selection["benchmark"], "--tasks", ",".join(selection["tasks"])]
    command += ["--limit", str(selection["limit"]), "--modality", "text", "--model", asked["model"]]
    assert evaluation.main([*command, "--no-report", "--out", str(old / name)]) == 0
    assert (old / name / "replies.jsonl").read_bytes() == (OLD / name / "replies.jsonl").read_bytes()
    assert numbers(read_summary(old / name)) == numbers(read_summary(OLD / name))


def test_the_folders_name_no_machine() -> None:
    for path in OLD.rglob("*.json*"):
        text = path.read_text(encoding="utf-8")
        assert not any(place in text for place in ("/home", "/root", "/tmp", "/work", "/Users", "site-packages")), path
