"""The harness's own time per sample: everything outside model calls, over a mock model.

``python scripts/bench_harness.py`` runs APUN-Bench's recognition task in text over 1,000, 5,000 and
50,000 items (the sample's, repeated under new ids): asking, keys, the engine, the log, scoring and the
summary. It fails when 5,000 items cost more than 0.5 ms each, or when a sample costs more at 50,000
items than at 1,000. On a machine with more work than cores the wall clock measures the neighbours, so
there the process's own processor time is judged.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path

from apun import registry
from apun.models import Generation, ModelInfo
from apun.prompts import Prompt
from apun.replies import Reply
from apun.run.data import Data, Selection
from apun.run.evaluate import Request, evaluate
from apun.tasks import Conditions, Subset

BUDGET_MS = 0.5
GROWTH = 1.15  # of the cost per sample from the fewest to the most items; timer noise on a shared machine
SIZES = (1_000, 5_000, 50_000)
CHECKED = 5_000


class Counting:
    """Answers yes at once; counts the seconds spent inside its calls."""

    info = ModelInfo("counting", "mock", "1", audio=True, max_batch=16)

    def __init__(self) -> None:
        self.wall = self.processor = 0.0
        self.calls = 0

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """One reply a prompt."""
        start, spent = time.perf_counter(), time.process_time()
        replies = [Reply("ok", text="yes", answer="yes", tokens_out=1) for _ in prompts]
        self.wall += time.perf_counter() - start
        self.processor += time.process_time() - spent
        self.calls += len(prompts)
        return replies

    def close(self) -> None:
        """Nothing to free."""


def data_of(count: int) -> Data:
    """``count`` items: the sample's, repeated under ids of their own."""
    benchmark = registry.benchmark("apun")
    sample = benchmark.load(Subset("sample"))
    items = [
        replace(item, id=f"{item.id}-{index}", cluster_id=f"{item.cluster}-{index}")
        for index, item in enumerate(islice(cycle(sample), count))
    ]
    return Data(benchmark, (benchmark.tasks["recognition"],), items, None, Conditions(modality="text"), f"bench{count}")


@dataclass(frozen=True)
class Cost:
    """Milliseconds a sample outside model calls, by the wall clock and in processor time of all threads."""

    wall: float
    processor: float


def measure(count: int) -> Cost:
    """Run ``count`` items and take the model's own time away."""
    data, model = data_of(count), Counting()
    with tempfile.TemporaryDirectory() as folder:
        request = Request(
            selection=Selection(tasks=("recognition",), conditions=data.conditions),
            model="counting",
            out=Path(folder) / "run",
            batch_size=16,
        )
        start, spent = time.perf_counter(), time.process_time()
        outcome = evaluate(request, data, lambda name, options: model)
        wall, processor = time.perf_counter() - start, time.process_time() - spent
    asked = sum(1 for _ in data.questions())
    if outcome.asked != asked or model.calls != asked or outcome.failures:
        raise SystemExit(f"the run is not whole: {outcome.asked} of {asked} asked, failures {dict(outcome.failures)}")
    return Cost((wall - model.wall) / asked * 1000, (processor - model.processor) / asked * 1000)


def main() -> int:
    """Measure and judge."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="numbers of items")
    sizes = parser.parse_args().sizes
    measure(50)  # imports and first-use tables
    costs: dict[int, float] = {}
    busy = False
    for size in sizes:
        cost = measure(size)
        crowded = os.getloadavg()[0] > (os.cpu_count() or 1) if hasattr(os, "getloadavg") else False
        busy |= crowded
        costs[size] = cost.processor if crowded else cost.wall
        print(f"{size:>7,} items: {cost.wall:.3f} ms a sample outside the model ({cost.processor:.3f} ms of processor)")
    if busy:
        print("The machine is busy with other work: judged by processor time.")
    failed = False
    if costs.get(CHECKED, 0.0) > BUDGET_MS:
        print(f"over the budget of {BUDGET_MS} ms", file=sys.stderr)
        failed = True
    growth = costs[sizes[-1]] / costs[sizes[0]]
    print(f"cost at {sizes[-1]:,} items over cost at {sizes[0]:,}: {growth:.2f}")
    if growth > GROWTH:
        print(f"the cost grows with the run (limit {GROWTH})", file=sys.stderr)
        failed = True
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
