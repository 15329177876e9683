#!/usr/bin/env python3
"""What the harness costs: overhead a sample in each engine, growth with items, memory, and the gain of workers.

usage: python scripts/bench_engines.py [--growth 1000,10000,200000] [--overhead 4000] [--speedup 1500]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run(items: int, folder: Path, engine: str = "local", workers: int = 1, **args: float) -> tuple[float, float]:
    """Seconds and peak memory (MB, of the runner itself) of one whole command."""
    support = ROOT / "tests" / "support"
    environment = {**os.environ, "TOY_ITEMS": str(items), "PYTHONPATH": f"{ROOT}{os.pathsep}{support}"}
    command = [sys.executable, __file__, "--child", "--out", str(folder), "--engine", engine, "--workers", str(workers)]
    command += [f"--model-arg={name}={value}" for name, value in args.items()]
    started = time.perf_counter()
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return time.perf_counter() - started, json.loads(done.stdout.splitlines()[-1])["rss_mb"]


def child(rest: list[str]) -> int:
    """The command under test, which reports its own peak memory at the end."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from apun import registry
    from apun.eval import main

    registry.BENCHMARKS["toy"] = "toy_benchmark:BENCHMARK"  # type: ignore[index]
    options = ["--benchmark", "toy", "--model", "mock:always=odd", "--modality", "text", "--no-report", "--json"]
    code = main([*options, *rest])
    print(json.dumps({"rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
    return code


def machine() -> str:
    """The machine, in words."""
    from apun.run.machine import processor

    return f"{processor()}, {os.cpu_count()} cores, Python {sys.version.split()[0]}"


def main() -> int:
    """Print three tables."""
    if "--child" in sys.argv:
        return child(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--growth", default="1000,10000,200000")
    parser.add_argument("--overhead", type=int, default=4000)
    parser.add_argument("--speedup", type=int, default=1500)
    args = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        print("\nGrowth (local engine, mock model, whole command):\n   items  seconds  ms/item above start-up  peak MB")
        start, _ = run(1, base / "start")
        for items in map(int, args.growth.split(",")):
            spent, memory = run(items, base / f"growth{items}")
            print(f"{items:>8}  {spent:>7.1f}  {1000 * (spent - start) / items:>22.3f}  {memory:>7.0f}")
        print(f"\nOverhead a sample ({args.overhead} items, start-up subtracted):\nengine  workers  ms/item")
        for engine, workers in (("local", 1), ("local", 2), ("ray", 2)):
            idle, _ = run(8, base / f"idle{engine}{workers}", engine, workers)
            spent, _ = run(args.overhead, base / f"over{engine}{workers}", engine, workers)
            print(f"{engine:>6}  {workers:>7}  {1000 * (spent - idle) / args.overhead:>7.3f}")
        print(f"\nTwo workers against one ({args.speedup} prompts, 20 ms of computing each, start-up subtracted):")
        for engine in ("local", "ray"):
            seconds = []
            for workers in (1, 2):
                idle, _ = run(4, base / f"i{engine}{workers}", engine, workers, work=0.02, batch=2)
                spent, _ = run(args.speedup, base / f"s{engine}{workers}", engine, workers, work=0.02, batch=2)
                seconds.append(spent - idle)
            print(f"{engine:>6}: {seconds[0]:.1f} s / {seconds[1]:.1f} s = {seconds[0] / seconds[1]:.2f} times")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
