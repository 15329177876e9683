"""``python heard_eval.py …``: apun.eval with the benchmark over the public clips known."""

from __future__ import annotations

import sys

from apun import cli, registry
from apun.eval import main

registry.BENCHMARKS["heard"] = "heard_benchmark:BENCHMARK"  # type: ignore[index]

if __name__ == "__main__":
    raise SystemExit(cli.run(main, ["--benchmark", "heard", *sys.argv[1:]]))
