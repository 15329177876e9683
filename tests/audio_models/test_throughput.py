"""Batches are encoded ahead, across calls too, and that pays; the replies stay the same."""

from __future__ import annotations

import importlib.util
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from asking import ask, tone
from hypothesis import given
from hypothesis import strategies as st

from apun.models import Generation, ModelInfo
from apun.prompts import Prompt
from apun.replies import Consumed, Reply
from apun.run import answering
from apun.tasks import Question

ROOT = Path(__file__).resolve().parents[2]


def script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_bench_prints_ratio_and_idle_share(capsys: pytest.CaptureFixture[str]) -> None:
    """The same replies both ways, fewer calls, and batches are the faster way."""
    assert script("bench_throughput").main(["--clips", "32", "--max-new-tokens", "8"]) == 0
    printed = capsys.readouterr().out
    assert "network idle %" in printed
    ratio = re.search(r"ratio ([\d.]+)", printed)
    assert ratio is not None and float(ratio.group(1)) > 1.0, printed


class Preparing:
    """A model that notes what it was told to prepare and when it was asked."""

    info = ModelInfo("preparing", "test", "1", True, None, max_batch=2)

    def __init__(self) -> None:
        self.events: list[tuple[str, tuple[str, ...]]] = []

    def prepare(self, prompts: Sequence[Prompt]) -> None:
        self.events.append(("prepare", tuple(p.id for p in prompts)))

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        self.events.append(("generate", tuple(p.id for p in prompts)))
        return [Reply(status="ok", text="x", answer="x", consumed=Consumed(1, p.seconds)) for p in prompts]

    def close(self) -> None:
        pass


def test_every_next_batch_is_prepared_before_the_one_in_hand_is_asked() -> None:
    """Over several windows of the engine, so over their borders too."""
    model = Preparing()

    def questions() -> Iterator[Question]:
        for i in range(23):
            prompt = ask([tone(0.1 + 0.01 * i)], id=f"q{i}")
            yield Question(prompt.id, "t", None, "p0", prompt)  # type: ignore[arg-type]

    answered = list(answering.InProcess(model, 2).run(questions(), lambda question: Generation(), lambda: False))
    assert len(answered) == 23
    asked = [ids for kind, ids in model.events if kind == "generate"]
    prepared = [ids for kind, ids in model.events if kind == "prepare"]
    assert prepared == asked[1:]
    for earlier, later in itertools.pairwise(asked):
        assert model.events.index(("prepare", later)) < model.events.index(("generate", earlier))


@given(st.lists(st.integers()))
def test_lookahead(things: list[int]) -> None:
    assert list(answering.lookahead(things)) == list(zip(things, [*things[1:], None], strict=False))
