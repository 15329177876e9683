"""Fixtures of the Phun-Bench tests: replies, speech without a synthesiser, the released items."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apun.clips import Clip
from apun.replies import Reply
from benchmarks.phun_bench.data import load_folder
from benchmarks.phun_bench.items import PhunItem


class FakeSpeech:
    """A distinct tone for every part of every item; remembers what was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def clip(self, item: str, part: str = "main") -> Clip:
        self.asked.append((item, part))
        pitch = 100 + int.from_bytes(hashlib.sha256(f"{item}/{part}".encode()).digest()[:2], "big") % 2000
        time = np.arange(3200) / 16_000
        return Clip(samples=(0.3 * np.sin(2 * np.pi * pitch * time)).astype(np.float32))

    def parts(self, item: str) -> tuple[str, ...]:
        return ("main", "whole", "ask", "ref", "a", "b", "c", "d")

    def row(self, item: str, part: str = "main") -> Mapping[str, Any]:
        return {}


@pytest.fixture
def speech() -> FakeSpeech:
    """Clips for anything."""
    return FakeSpeech()


@pytest.fixture(scope="session")
def ok() -> Callable[[str], Reply]:
    """A reply that came through."""
    return lambda text: Reply(status="ok", text=text, answer=text)


@pytest.fixture(scope="session")
def released(shared_data: Path) -> Sequence[PhunItem]:
    """Every item of the released data set."""
    return load_folder(shared_data / "phun-bench")
