"""Which device and numeric type, how much memory is left, and what an out-of-memory error looks like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from apun.errors import UsageError

DTYPES = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}


def pick_device(asked: str, *, mps: bool = True, spread: bool = True) -> str:
    """The device's name: ``auto`` is the first accelerator there is, else the CPU.

    Args:
        asked: as the user named it; ``spread`` lays one model over every accelerator (``device_map="auto"``).
        mps: whether Apple's accelerator counts for ``auto``.
        spread: whether a model can be spread; else the word means ``auto``.

    Raises:
        UsageError: a CUDA device is asked for and torch sees none.
    """
    import torch

    if asked == "auto" or (asked == "spread" and not spread):
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if mps and torch.backends.mps.is_available() else "cpu"
    if asked.startswith("cuda") and not torch.cuda.is_available():
        raise UsageError(f"device {asked!r} was asked for, but torch sees no CUDA device; use --device cpu")
    return asked


def pick_dtype(asked: str, device: str, accelerated: str = "bfloat16") -> Any:
    """The torch dtype: ``auto`` is float32 on a CPU and ``accelerated`` elsewhere.

    Raises:
        UsageError: there is no such floating-point type.
    """
    import torch

    if asked == "auto":
        return torch.float32 if device == "cpu" else getattr(torch, accelerated)
    dtype = getattr(torch, DTYPES.get(asked, asked), None)
    if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        raise UsageError(f"there is no numeric type {asked!r}; use auto, float32, bfloat16 or float16")
    return dtype


def synchronise(device: str) -> None:
    """Wait for the accelerator, so that a wall time covers the work and not just its launch."""
    if device.startswith("cuda"):
        import torch

        torch.cuda.synchronize(device)


def out_of_memory(error: BaseException) -> bool:
    """Whether an exception says that memory ran out."""
    import torch

    if isinstance(error, (torch.cuda.OutOfMemoryError, MemoryError)):
        return True
    told = str(error).lower()
    return isinstance(error, RuntimeError) and ("can't allocate memory" in told or "out of memory" in told)


def release_memory(device: str) -> None:
    """Hand cached blocks back after an out-of-memory error; not called otherwise, it is slow."""
    import gc

    import torch

    gc.collect()
    if device.startswith("cuda") or device == "spread":
        torch.cuda.empty_cache()


def memory_free(device: str) -> float | None:
    """Share of the device's memory that is still free, 0 to 1; None where nothing tells."""
    if device.startswith("cuda"):
        import torch

        free, total = torch.cuda.mem_get_info(device)
        reusable = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return float((free + reusable) / total)
    if device == "cpu":
        return _host_memory_free()
    return None


def _host_memory_free() -> float | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        sizes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
        return sizes["MemAvailable"] / sizes["MemTotal"]
    except (OSError, KeyError, ValueError, IndexError):
        return None
