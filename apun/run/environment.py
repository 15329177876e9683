"""What a run ran on: versions and machine, without paths, names of people, or secrets."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any

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
        with open("/proc/cpuinfo", encoding="utf-8") as handle:  # noqa: PTH123 - a kernel file
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
