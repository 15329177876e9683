"""The normaliser ``whisper-en`` of error rates: case, punctuation, contractions, numbers, British spelling, fillers.

It is OpenAI's, from the openai-whisper package but without importing torch: published word error rates use it.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import lru_cache

from apun.errors import MissingDependency
from apun.registry import package_folder


def comparable(text: str) -> str:
    """A text as word error rates compare it.

    Raises:
        MissingDependency: openai-whisper (extra ``asr``) is not installed.
    """
    return str(_whisper()(text)).strip()


@lru_cache(maxsize=1)
def _whisper() -> Callable[[str], str]:
    """``EnglishTextNormalizer``, loaded from its folder: importing ``whisper`` itself would import torch."""
    package = sys.modules.get("whisper.normalizers")
    if package is None:
        folder = package_folder("whisper", "asr", "openai-whisper") / "normalizers"
        path = folder / "__init__.py"
        inner = importlib.util.spec_from_file_location(
            "apun_whisper_normalizers", path, submodule_search_locations=[str(folder)]
        )
        if inner is None or inner.loader is None or not path.is_file():
            raise MissingDependency("openai-whisper", "asr")
        package = importlib.util.module_from_spec(inner)
        sys.modules[inner.name] = package  # its own relative imports look it up
        inner.loader.exec_module(package)
    normalizer: Callable[[str], str] = package.EnglishTextNormalizer()
    return normalizer
