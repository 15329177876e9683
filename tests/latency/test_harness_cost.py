"""The harness's own time per sample: under half a millisecond, and no more for a longer run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_half_a_millisecond_a_sample_and_no_growth() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "bench_harness.py"), "--sizes", "1000", "5000"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    costs = [float(cost) for cost in re.findall(r"\(([\d.]+) ms of processor", done.stdout)]
    assert len(costs) == 2 and all(0 < cost <= 0.5 for cost in costs), done.stdout
