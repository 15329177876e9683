"""``python toy_eval.py …``: apun.eval with the toy benchmark known, for tests that need a process."""

from __future__ import annotations

import sys

from apun import cli, registry
from apun.eval import main

registry.BENCHMARKS["toy"] = "toy_benchmark:BENCHMARK"  # type: ignore[index]

if __name__ == "__main__":
    raise SystemExit(cli.run(main, ["--benchmark", "toy", *sys.argv[1:]]))
