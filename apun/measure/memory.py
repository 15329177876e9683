"""Memory of one model among several that share a process: what loading added, and the peak of a call."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True)
class Reading:
    """Bytes in use now, and the most in use since ``mark``; None where the system does not tell."""

    host: int | None = None
    host_peak: int | None = None
    device: int | None = None
    device_peak: int | None = None


def mark() -> None:
    """Start new peaks: the process's resident set and torch's allocator on every CUDA device."""
    with suppress(OSError):  # not Linux, or not allowed: the peak is then the process's own, and never too small
        _CLEAR.write_text("5", encoding="ascii")
    cuda = _cuda()
    if cuda is not None:
        for index in range(cuda.device_count()):
            cuda.reset_peak_memory_stats(index)


def read() -> Reading:
    """Memory now and its peaks since the last ``mark``, in bytes."""
    cuda = _cuda()
    device = peak = None
    if cuda is not None:
        devices = range(cuda.device_count())
        device = sum(int(cuda.memory_allocated(index)) for index in devices)
        peak = sum(int(cuda.max_memory_allocated(index)) for index in devices)
    host, host_peak = _host()
    return Reading(host, host_peak, device, peak)


def synchronise() -> None:
    """Wait for every CUDA device, so that a wall time covers the work and not just its launch."""
    cuda = _cuda()
    if cuda is not None:
        for index in range(cuda.device_count()):
            cuda.synchronize(index)


def _cuda() -> Any:
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return None
    return torch.cuda


def _host() -> tuple[int | None, int | None]:
    try:
        rows = dict(line.split(":", 1) for line in _STATUS.read_text(encoding="ascii").splitlines() if ":" in line)
        return _bytes(rows["VmRSS"]), _bytes(rows["VmHWM"])
    except (OSError, KeyError, ValueError):
        return None, None


def _bytes(text: str) -> int:
    return int(text.split()[0]) * 1024
