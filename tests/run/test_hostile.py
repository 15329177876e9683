"""What models and machines do to a run: huge and strange replies, full disks, credentials in addresses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from apun import registry
from apun.models import Generation, LoadOptions, ModelInfo
from apun.prompts import Prompt
from apun.replies import Reply
from apun.report.page import write_page
from apun.run.data import Selection
from apun.run.evaluate import Outcome, Request, evaluate
from apun.tasks import Conditions

ROOT = Path(__file__).resolve().parents[2]
NASTY = {
    "huge": "odd " * 2_500_000,
    "escapes": "\x1b[2J\x1b]0;owned\x07odd\x00\x08",
    "surrogate": "odd \ud800",
    "separators": 'odd\u2028\u2029\x85\n\n{"question": "x"}',
    "nan": "NaN",
}


class Says:
    """Gives one text to everything."""

    def __init__(self, text: str) -> None:
        self.text, self.info = text, ModelInfo("says", "test", "1", True, max_batch=4)

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        return [Reply(status="ok", text=self.text, answer=self.text) for _ in prompts]

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BENCHMARKS, "toy", "toy_benchmark:BENCHMARK")
    monkeypatch.setenv("TOY_ITEMS", "3")


def go(folder: Path, text: str) -> Outcome:
    request = Request(Selection("toy", conditions=Conditions("text")), "says", out=folder)
    return evaluate(request, load=lambda name, options: Says(text))


@pytest.mark.parametrize("kind", sorted(NASTY))
def test_strange_replies_are_logged_whole_and_scored(tmp_path: Path, kind: str) -> None:
    outcome = go(tmp_path / "run", NASTY[kind])
    assert outcome.summary["tasks"]["toy.parity"]["counts"] == {"unparsed": 3}
    lines = (outcome.folder / "replies.jsonl").read_bytes().split(b"\n")
    assert len(lines) == 4 and lines[-1] == b""
    logged = json.loads(lines[0])["text"]
    assert logged == NASTY[kind] or (kind == "surrogate" and logged.startswith("odd "))
    assert go(tmp_path / "run", NASTY[kind]).asked == 0
    write_page([outcome.folder], outcome.folder / "report.html")
    assert (outcome.folder / "report.html").stat().st_size < 5_000_000


def test_a_full_disk_stops_cleanly_and_the_run_goes_on_later(tmp_path: Path) -> None:
    support = ROOT / "tests" / "support"
    environment = {**os.environ, "TOY_ITEMS": "200", "PYTHONPATH": f"{ROOT}{os.pathsep}{support}"}
    options = ["--model", "mock:perfect", "--modality", "text", "--no-report", "--json", "--out", str(tmp_path / "run")]
    limited = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)); "
        f"sys.argv = ['toy'] + {options!r}; runpy.run_path({str(support / 'toy_eval.py')!r}, run_name='__main__')"
    )
    full = subprocess.run([sys.executable, "-c", limited], env=environment, capture_output=True, text=True)
    assert full.returncode == 2 and "Make room, then run the same command again" in full.stderr
    whole = (tmp_path / "run" / "replies.jsonl").read_bytes()
    assert whole.endswith(b"\n") and 10 < whole.count(b"\n") < 200
    command = [sys.executable, str(support / "toy_eval.py"), *options]
    again = subprocess.run(command, env=environment, capture_output=True, text=True)
    task = json.loads(again.stdout)["mock:perfect"]["tasks"]["toy.parity"]
    assert task["counts"] == {"scored": 200} and (tmp_path / "run" / "replies.jsonl").read_bytes().startswith(whole)


def test_credentials_in_an_address_do_not_reach_the_run_folder(tmp_path: Path) -> None:
    url = "http://user:hunter2@127.0.0.1:9/v1?token=hunter3"
    selection = Selection("toy", conditions=Conditions("text"))
    request = Request(selection, "openai:toy", LoadOptions(base_url=url, args={"tries": "1"}), out=tmp_path / "run")
    outcome = evaluate(request)
    assert outcome.summary["tasks"]["toy.parity"]["counts"] == {"error": 3}
    for path in outcome.folder.iterdir():
        assert b"hunter" not in path.read_bytes(), path.name


def test_a_plus_sign_in_a_mocks_text_is_no_cascade() -> None:
    from audio_models.catalogue import resolve

    assert resolve("mock:always=a+b", LoadOptions())[0] == "audio_models.mock:create"
