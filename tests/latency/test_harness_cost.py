"""The harness's own work per sample does not grow with the run; ``scripts/bench_harness.py`` tells its milliseconds."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_harness", ROOT / "scripts" / "bench_harness.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def calls(module: ModuleType, items: int) -> int:
    """Python calls of a run of so many items: what it costs, on any machine and under any load."""
    count = 0

    def counted(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(counted)
    try:
        module.measure(items)
    finally:
        sys.setprofile(None)
    return count


def test_work_is_the_same_for_each_sample_and_little() -> None:
    module = bench()
    module.measure(50)  # imports and first-use tables
    small, large = calls(module, 200), calls(module, 1000)
    each = (large - small) / (2 * 800)  # two questions an item
    assert 20 < each < 400
    assert large / small < 5.2
