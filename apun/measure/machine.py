"""What a timing was taken on: processor, clocks, devices, threads, load."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from apun.run import environment

_QUERY = "name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,power.limit,temperature.gpu"


def describe() -> dict[str, Any]:
    """The machine and its versions, as plain JSON."""
    clock = time.get_clock_info("perf_counter")
    torch = sys.modules.get("torch")
    return {
        **environment.describe(),
        "clock": {"name": "perf_counter", "resolution_s": clock.resolution, "monotonic": clock.monotonic},
        "memory_total_bytes": _total_memory(),
        "torch_threads": torch.get_num_threads() if torch is not None else None,
        "omp_num_threads": os.environ.get("OMP_NUM_THREADS"),
    }


def state() -> dict[str, Any]:
    """What changes while timing: clock rates and load. Taken before and after, so that drift shows."""
    return {
        "cpu_mhz": _cpu_mhz(),
        "load_average": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        "gpus": _gpus(),
    }


def _cpu_mhz() -> list[float]:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return [float(line.partition(":")[2]) for line in lines if line.startswith("cpu MHz")]
    except (OSError, ValueError):
        return []


def _total_memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _gpus() -> list[dict[str, str]]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    try:
        done = subprocess.run(
            [program, f"--query-gpu={_QUERY}", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    names = _QUERY.split(",")
    return [
        dict(zip(names, (cell.strip() for cell in line.split(",")), strict=False))
        for line in done.stdout.splitlines()
        if line.strip()
    ]
