"""Killed at any instant and started again: no reply lost, none paid for twice, the same summary."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ITEMS = 30


def start(folder: Path, log: Path, delay: float = 0.0, engine: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "TOY_ITEMS": str(ITEMS),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests' / 'support'}",
    }
    command = [
        sys.executable, str(ROOT / "tests" / "support" / "toy_eval.py"), "--model", "mock:perfect",
        "--modality", "text",
        "--out", str(folder), "--no-report", "--json", "--batch-size", "1",
        "--model-arg", f"log={log}", "--model-arg", f"delay={delay}", *engine,
    ]  # fmt: skip
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for(process: subprocess.Popen[str], path: Path, count: int) -> None:
    deadline = time.monotonic() + 60
    while lines(path) < count:
        if process.poll() is not None or time.monotonic() > deadline:
            raise AssertionError(process.communicate()[1])
        time.sleep(0.002)


def test_sigkill_at_five_points(tmp_path: Path) -> None:
    undisturbed = start(tmp_path / "whole", tmp_path / "whole.log")
    assert undisturbed.wait(60) == 0, undisturbed.communicate()[1]
    folder, log = tmp_path / "cut", tmp_path / "cut.log"
    for point in (1, 7, 8, 19, 29):
        process = start(folder, log, delay=0.05)
        wait_for(process, folder / "replies.jsonl", point)
        process.send_signal(signal.SIGKILL)
        assert process.wait(10) == -signal.SIGKILL
        assert not (folder / "summary.json").exists()
    last = start(folder, log)
    out, err = last.communicate(timeout=60)
    assert last.returncode == 0, err
    assert (folder / "summary.json").read_bytes() == (tmp_path / "whole" / "summary.json").read_bytes()
    asked = Counter(log.read_text().split())
    assert len(asked) == ITEMS and set(asked.values()) == {1}
    assert json.loads(out)["mock:perfect"]["tasks"]["toy.parity"]["metrics"]["accuracy"]["value"] == 1.0


def test_ctrl_c_finishes_the_batch_writes_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder, log = tmp_path / "run", tmp_path / "log"
    process = start(folder, log, delay=0.05)
    wait_for(process, folder / "replies.jsonl", 3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Run the same command again" in err
    assert 3 <= lines(folder / "replies.jsonl") == lines(log) < ITEMS
    assert json.loads((folder / "summary.json").read_text())["tasks"]["toy.parity"]["missing"] == ITEMS - lines(log)
