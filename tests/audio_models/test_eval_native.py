"""``python -m apun.eval`` on public speech with every native class, loaded from a saved tiny checkpoint."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from asking import AUDIO_FAMILIES

from apun import registry
from apun.eval import main

ROOT = Path(__file__).resolve().parents[2]


def replies_of(folder: Path) -> list[dict[str, object]]:
    lines = (folder / "replies.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("family", AUDIO_FAMILIES)
def test_eval_command(
    family: str,
    checkpoint: Callable[[str], Path],
    shared_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("HEARD_SPEECH", str(shared_data / "speech"))
    monkeypatch.setitem(registry.BENCHMARKS, "heard", "heard_benchmark:BENCHMARK")  # type: ignore[arg-type]
    arguments = ["--benchmark", "heard", "--model", str(checkpoint(family)), "--family", family, "--device", "cpu"]
    extra = ["--model-arg", "adapter=none"] if family == "phi-4-multimodal" else []
    out = ["--out", str(tmp_path / "run"), "--no-report", "--json"]
    assert main([*arguments, *extra, *out]) == 0
    printed = json.loads(capsys.readouterr().out)
    task = next(iter(printed.values()))["tasks"]["heard.words"]
    assert task["failure_rate"] is not None
    replies = replies_of(tmp_path / "run")
    assert len(replies) == 6
    for line in replies:
        text = json.dumps(line)
        assert '"audio_tokens"' in text and '"status": "error"' not in text and '"status":"error"' not in text


def test_eval_in_a_process_of_its_own(checkpoint: Callable[[str], Path], shared_data: Path, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "HEARD_SPEECH": str(shared_data / "speech"),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "support"), str(ROOT)]),
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [
            *(sys.executable, str(ROOT / "tests" / "support" / "heard_eval.py")),
            *("--model", str(checkpoint("qwen2.5-omni")), "--family", "qwen2.5-omni", "--limit", "2"),
            *("--out", str(tmp_path / "run"), "--no-report"),
        ],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(replies_of(tmp_path / "run")) == 2
    assert "heard.words" in done.stdout or "Acc." in done.stdout
