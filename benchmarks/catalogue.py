"""Benchmarks by command-line name. Paths, not imports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from apun.registry import entry_points, load_path, unknown

if TYPE_CHECKING:
    from apun.tasks import Benchmark, Task

BENCHMARKS: Mapping[str, str] = {
    "apun": "benchmarks.apun_bench.benchmark:BENCHMARK",
    "phun": "benchmarks.phun_bench.benchmark:BENCHMARK",
    "xriddles": "benchmarks.x_riddles.benchmark:BENCHMARK",
    "yomi": "benchmarks.yomi_bench.benchmark:BENCHMARK",
}


def names() -> list[str]:
    """Built-in and third-party benchmarks."""
    return sorted({**BENCHMARKS, **entry_points("apun.benchmarks")})


def load(name: str) -> Benchmark:
    """The benchmark of that name.

    Raises:
        UsageError: there is none; suggests the nearest.
    """
    path = BENCHMARKS.get(name)
    if path is None:  # reading entry points takes milliseconds: only for names that are not built in
        others = entry_points("apun.benchmarks")
        if name not in others:
            raise unknown("benchmark", name, [*BENCHMARKS, *others])
        path = others[name]
    benchmark: Benchmark = load_path(path)
    return benchmark


def task(name: str) -> Task:
    """A task by full name, such as ``apun.location``.

    Raises:
        UsageError: there is no such benchmark or task.
    """
    owner, _, short = name.partition(".")
    tasks = load(owner).tasks
    if short not in tasks:
        raise unknown("task", name, [f"{owner}.{key}" for key in tasks])
    return tasks[short]
