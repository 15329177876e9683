"""What a run or a timing was taken on: versions, processor, devices, clocks, load.

Without paths, names of people, or secrets.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_QUERY = "name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,power.limit,temperature.gpu"
_PACKAGES = (
    "apun",
    "numpy",
    "scipy",
    "panphon",
    "jiwer",
    "torch",
    "torchaudio",
    "transformers",
    "faster-whisper",
    "openai-whisper",
    "funasr",
    "ctranslate2",
    "onnxruntime",
    "soundfile",
    "soxr",
    "pypinyin",
    "jieba",
    "sudachipy",
    "pyopenjtalk-plus",
    "sentence-transformers",
    "ray",
    "vllm",
)


def describe() -> dict[str, Any]:
    """Python, packages, processor and devices."""
    from importlib import metadata

    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "devices": devices(),
        "packages": versions,
    }


def processor() -> str:
    """The processor's name as the system gives it."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as handle:
            for line in handle:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"


def devices() -> list[str]:
    """Accelerators, if torch is loaded already; it is not imported for this."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return []
    return [str(torch.cuda.get_device_name(index)) for index in range(torch.cuda.device_count())]


def describe_for_timing() -> dict[str, Any]:
    """The machine with what times depend on: clock, memory, threads."""
    clock = time.get_clock_info("perf_counter")
    torch = sys.modules.get("torch")
    return {
        **describe(),
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
