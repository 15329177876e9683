"""Free-form arguments of recognisers, checked; device and numeric type by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from apun.errors import UsageError
from apun.models import LoadOptions


def check(options: LoadOptions, known: Iterable[str]) -> None:
    """Refuse arguments that the engine would ignore.

    Raises:
        UsageError: an argument is unknown; lists those there are.
    """
    allowed = {*known, "download"}
    for key in options.args:
        if key not in allowed:
            raise UsageError(f"this recogniser takes no argument {key!r}; it takes {', '.join(sorted(allowed))}")


def number(options: LoadOptions, key: str, default: int) -> int:
    """A whole number.

    Raises:
        UsageError: it is not one.
    """
    text = options.args.get(key)
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"the recogniser argument {key}={text!r} must be a whole number") from None


def switch(options: LoadOptions, key: str, default: bool) -> bool:
    """``yes`` or ``no``.

    Raises:
        UsageError: anything else.
    """
    text = options.args.get(key)
    if text is None:
        return default
    if text not in ("yes", "no"):
        raise UsageError(f"the recogniser argument {key}={text!r} must be yes or no")
    return text == "yes"


def torch_device(options: LoadOptions) -> str:
    """The device's name; ``auto`` is the first CUDA device there is, else the CPU.

    Raises:
        UsageError: CUDA was asked for and torch sees none.
    """
    import torch

    if options.device in ("auto", "spread"):
        return "cuda" if torch.cuda.is_available() else "cpu"
    if options.device.startswith("cuda") and not torch.cuda.is_available():
        raise UsageError(f"device {options.device!r} was asked for, but torch sees no CUDA device; use --device cpu")
    return options.device


def torch_dtype(options: LoadOptions, device: str) -> Any:
    """The torch dtype; ``auto`` is float16 on an accelerator and float32 on a CPU.

    Raises:
        UsageError: there is no such floating-point type.
    """
    import torch

    if options.dtype == "auto":
        return torch.float32 if device == "cpu" else torch.float16
    dtype = getattr(torch, options.dtype, None)
    if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        raise UsageError(f"there is no numeric type {options.dtype!r}; use auto, float32, float16 or bfloat16")
    return dtype


def synchronise(device: str) -> None:
    """Wait for the accelerator, so that a wall time covers the work and not just its launch."""
    if device.startswith("cuda"):
        import torch

        torch.cuda.synchronize(device)
