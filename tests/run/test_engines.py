"""Several workers: the same run folder and the same result, through the deaths of workers."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_benchmark import BENCHMARK

from apun import registry
from apun.errors import ModelUnavailable
from apun.models import Generation, LoadOptions
from apun.replies import Reply
from apun.run import pool
from apun.run.data import Selection
from apun.run.evaluate import Request, evaluate
from apun.run.processes import Processes, device_for
from apun.tasks import Conditions, Question, Subset


def questions(modality: str = "text") -> Iterator[Question]:
    task = BENCHMARK.tasks["parity"]
    return iter(list(task.ask(BENCHMARK.load(Subset("sample")), Conditions(modality), None)))  # type: ignore[arg-type]


def go(args: dict[str, str], modality: str = "text", workers: int = 2) -> dict[str, Reply]:
    crew = Processes("fatal", LoadOptions(args=args), loader="fatal_model:load")
    try:
        answered = list(pool.run(crew, questions(modality), lambda q: Generation(), 3, workers, lambda: False))
    finally:
        crew.close()
    assert len(answered) == 20 and len({a.question.id for a in answered}) == 20
    return {a.question.id: a.reply for a in answered}


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    support = Path(__file__).resolve().parents[1] / "support"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(support), os.environ.get("PYTHONPATH", "")]))


def test_processes_answer_everything_by_eye_and_by_ear() -> None:
    assert Counter(reply.status for reply in go({}, "audio").values()) == {"ok": 20}


def test_a_worker_that_dies_once_is_replaced_and_its_prompts_asked_again(tmp_path: Path) -> None:
    replies = go({"die": "n00004", "once": str(tmp_path / "once")})
    assert Counter(reply.status for reply in replies.values()) == {"ok": 20}


def test_a_prompt_that_kills_twice_is_set_aside_and_no_other_with_it() -> None:
    replies = go({"die": "n00004 n00011"})
    bad = {name for name, reply in replies.items() if reply.status == "error"}
    assert bad == {"toy.parity/n00004/p0", "toy.parity/n00011/p0"}
    assert "a worker died 2 times on it (worker exit 9)" in str(replies["toy.parity/n00004/p0"].reason)


def test_a_model_that_cannot_be_loaded_says_why() -> None:
    with pytest.raises(ModelUnavailable, match="no weights of fatal here"):
        go({"missing": "yes"})


def test_workers_that_die_before_answering_end_the_run() -> None:
    with pytest.raises(ModelUnavailable, match="keep dying"):
        go({"die": "n"}, workers=1)


def test_devices_are_shared_out_only_when_left_to_apun(monkeypatch: pytest.MonkeyPatch) -> None:
    assert device_for(3, "cpu") == "cpu"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,7")  # what a scheduler lends of a machine with more
    assert [device_for(worker, "auto") for worker in range(3)] == ["cuda:0", "cuda:1", "cuda:0"]
    assert device_for(3, "cuda:1") == "cuda:1"
    for none in ("", "-1"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", none)
        assert device_for(1, "auto") == "auto"


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_engines_give_the_same_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    if engine == "ray":
        pytest.importorskip("ray", reason="ray is not installed")
    monkeypatch.setitem(registry.BENCHMARKS, "toy", "toy_benchmark:BENCHMARK")
    selection = Selection("toy", conditions=Conditions("audio"))
    one = evaluate(Request(selection, "mock:always=odd", out=tmp_path / "one"))
    two = evaluate(Request(selection, "mock:always=odd", out=tmp_path / "two", engine=engine, workers=2))
    assert (one.folder / "scores.jsonl").read_bytes() == (two.folder / "scores.jsonl").read_bytes()
    assert one.summary == two.summary
    assert json.loads((two.folder / "run.json").read_text())["engine"]["name"] == engine
