#!/usr/bin/env python3
"""Kill a run at seeded random instants and start it again; count what was lost and what was repeated.

usage: python scripts/inject_faults.py [--kills 50] [--engine local|ray] [--workers 1] [--items 400]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def command(folder: Path, log: Path, args: argparse.Namespace) -> list[str]:
    """The same run every time."""
    engine = ["--engine", args.engine, "--workers", str(args.workers), "--batch-size", "2"]
    mock = ["--model", "mock:always=odd", "--model-arg", f"log={log}", "--model-arg", "delay=0.01"]
    toy = [sys.executable, str(ROOT / "tests" / "support" / "toy_eval.py")]
    return [*toy, *mock, *engine, "--modality", "text", "--out", str(folder), "--no-report", "--json"]


def lines(path: Path) -> set[str]:
    """Whole lines of a log, as the questions that have a usable reply."""
    if not path.exists():
        return set()
    whole = path.read_bytes().rpartition(b"\n")[0].splitlines()
    return {record["question"] for record in map(json.loads, whole) if record["status"] == "ok"}


def main() -> int:
    """Returns 1 when a reply was lost or the summaries differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--engine", default="local")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--items", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    support = ROOT / "tests" / "support"
    environment = {**os.environ, "TOY_ITEMS": str(args.items), "PYTHONPATH": f"{ROOT}{os.pathsep}{support}"}
    chance = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        started = time.perf_counter()
        whole = command(base / "whole", base / "whole.log", args)
        subprocess.run(whole, env=environment, check=True, capture_output=True)
        undisturbed = time.perf_counter() - started
        if len(lines(base / "whole" / "replies.jsonl")) != args.items:
            raise SystemExit("the undisturbed run has failures; there is nothing to compare with")
        folder, log = base / "cut", base / "cut.log"
        lost = killed = restarts = 0
        before: set[str] = set()
        while killed < args.kills:
            process = subprocess.Popen(
                command(folder, log, args),
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            restarts += 1
            try:
                process.wait(chance.uniform(0.0, undisturbed))
                if process.returncode != 0:
                    raise SystemExit(process.stderr.read().decode() if process.stderr else "failed")
                folder.rename(base / f"done{restarts}")  # finished before the kill: start a new one
                before = set()
                continue
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                killed += 1
            now = lines(folder / "replies.jsonl")
            lost += len(before - now)
            before = now
        subprocess.run(command(folder, log, args), env=environment, check=True, capture_output=True)
        same = (folder / "summary.json").read_bytes() == (base / "whole" / "summary.json").read_bytes()
        logged = Counter(json.loads(line)["question"] for line in (folder / "replies.jsonl").read_bytes().splitlines())
        twice = sum(count - 1 for count in logged.values())
        answered = len(log.read_text().split())
        runs = 1 + sum(1 for _ in base.glob("done*"))
    print(
        f"engine {args.engine}, {args.workers} worker(s), {args.items} items: {killed} kills over {runs} run(s); "
        f"replies lost {lost}, logged twice {twice}, "
        f"answers the kills cut off before they could be logged {answered - runs * args.items}; "
        f"summary {'equal' if same else 'DIFFERENT'}"
    )
    return int(bool(lost or twice or not same))


if __name__ == "__main__":
    raise SystemExit(main())
