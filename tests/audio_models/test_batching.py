"""The batch size grows, halves when memory runs out, and writes down what it used; nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asking import ask, tone
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import UsageError
from apun.models import Generation, LoadOptions
from audio_models.core.native import BatchSize

SHORT = Generation(max_new_tokens=2)


def test_grows_only_while_memory_is_free() -> None:
    size = BatchSize.parse("auto", limit=32)
    size.succeeded(4, free=0.9)
    assert size.current == 8
    size.succeeded(8, free=0.2)
    assert size.current == 8
    size.succeeded(3, free=0.9)  # the last, smaller batch of a call says nothing about a full one
    assert size.current == 8
    size.succeeded(8, free=None)
    assert size.current == 16
    assert size.summary() == {"next": 16, "used": {"3": 1, "4": 1, "8": 2}, "out_of_memory": []}


def test_halves_for_good() -> None:
    size = BatchSize.parse(None, limit=16)
    size.current = 16
    assert size.ran_out(16) and size.current == 8
    size.succeeded(8, free=0.9)
    assert size.current == 8, "a size that failed is not tried again"
    assert not size.ran_out(1), "there is nothing smaller than one"
    assert size.out_of_memory == [16, 1]


def test_a_fixed_size_stays() -> None:
    size = BatchSize.parse("6", limit=64)
    size.succeeded(6, free=1.0)
    assert size.current == 6
    assert BatchSize.parse("100", limit=8).current == 8


@pytest.mark.parametrize("asked", ["0", "-1", "many", "2.5"])
def test_bad_sizes(asked: str) -> None:
    with pytest.raises(UsageError, match="auto or a number"):
        BatchSize.parse(asked)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), max_size=40))
@settings(deadline=None)
def test_always_between_one_and_the_limit(events: list[tuple[bool, float]]) -> None:
    size = BatchSize.parse("auto", limit=64)
    for failed, free in events:
        if failed:
            size.ran_out(size.current)
        else:
            size.succeeded(size.current, free)
        assert 1 <= size.current <= size.limit <= 64


@pytest.fixture
def omni(checkpoint: Callable[[str], Path]) -> Any:
    from audio_models.catalogue import load

    return load(str(checkpoint("qwen2.5-omni")), LoadOptions(family="qwen2.5-omni"))


class Limited:
    """A network whose memory holds only so many rows."""

    def __init__(self, network: Any, rows: int) -> None:
        self._network, self._rows = network, rows
        self.sizes: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._network, name)

    def generate(self, **arguments: Any) -> Any:
        import torch

        rows = arguments["input_ids"].shape[0]
        self.sizes.append(rows)
        if rows > self._rows:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB")
        return self._network.generate(**arguments)


def test_out_of_memory_halves_and_every_prompt_is_answered(omni: Any) -> None:
    prompts = [ask([tone(1.0 + 0.1 * i)], id=str(i)) for i in range(11)]
    expected = [reply.text for reply in omni.generate(prompts, SHORT)]
    omni.batch_size = BatchSize.parse("8")
    omni.network = limited = Limited(omni.network, rows=3)
    replies = omni.generate(prompts, SHORT)
    assert [reply.text for reply in replies] == expected
    assert limited.sizes[:3] == [8, 4, 2]
    assert omni.batch_size.out_of_memory == [8, 4] and max(limited.sizes[2:]) == 2
    assert {reply.extra["batch"] for reply in replies} <= {1, 2}


def test_out_of_memory_with_a_single_prompt_is_its_error(omni: Any) -> None:
    omni.network = Limited(omni.network, rows=0)
    replies = omni.generate([ask([tone(1.0)]), ask([tone(1.2)])], SHORT)
    assert [reply.status for reply in replies] == ["error", "error"]
    assert all("memory" in str(reply.reason) for reply in replies)


def test_order_is_kept_whatever_the_lengths(omni: Any) -> None:
    seconds = [3.0, 0.5, 2.0, 0.4, 6.0, 1.0, 0.3]
    replies = omni.generate([ask([tone(s)], id=str(s)) for s in seconds], SHORT)
    assert [round(reply.consumed.seconds, 1) for reply in replies] == seconds


def test_similar_lengths_share_a_batch(omni: Any) -> None:
    omni.batch_size = BatchSize.parse("2")
    seen: list[list[float]] = []
    encode = omni.encode
    omni.encode = lambda prompts: (seen.append([p.seconds for p in prompts]), encode(prompts))[1]
    omni.generate([ask([tone(s)]) for s in (1.0, 8.0, 1.1, 8.1)], SHORT)
    assert seen == [[8.1, 8.0], [1.1, 1.0]]


def test_next_batch_is_encoded_while_the_network_is_busy(omni: Any) -> None:
    import threading

    omni.batch_size = BatchSize.parse("1")
    encode, generate = omni.encode, omni.network.generate
    second = threading.Event()
    started = 0

    def encoded(prompts: Any) -> Any:
        nonlocal started
        started += 1
        if started == 2:
            second.set()
        return encode(prompts)

    waited: list[bool] = []

    class Busy(Limited):
        def generate(self, **arguments: Any) -> Any:
            if not waited:
                waited.append(second.wait(20))
            return generate(**arguments)

    omni.encode = encoded
    omni.network = Busy(omni.network, rows=9)
    omni.generate([ask([tone(1.0)]), ask([tone(1.1)])], SHORT)
    assert waited == [True]


def test_prepared_batches_are_used_and_stale_ones_are_not(omni: Any) -> None:
    first, second = [ask([tone(1.0)], "a?")], [ask([tone(1.0)], "b?")]
    expected = [omni.generate(group, SHORT)[0] for group in (first, second)]
    calls: list[int] = []
    encode = omni.encode
    omni.encode = lambda prompts: (calls.append(len(prompts)), encode(prompts))[1]
    omni.prepare(first)
    omni.prepare(second)
    replies = [omni.generate(group, SHORT)[0] for group in (second, first)]
    assert [r.text for r in replies] == [r.text for r in reversed(expected)]
    assert calls == [1, 1]
    omni.prepare([ask([tone(1.0)], "never asked?")])
    assert omni.generate(first, SHORT)[0].text == expected[0].text


def test_prepared_prompts_stay_alive_until_they_are_asked(omni: Any) -> None:
    """Batches are found again by object identity, which is only unique among the living."""
    import gc
    import weakref

    clip = tone(1.0)
    kept = weakref.ref(clip)
    omni.prepare([ask([clip])])
    for _, future in omni._ready.values():
        future.result()
    del clip
    gc.collect()
    assert kept() is not None


def test_a_prompt_the_encoder_refuses_fails_alone(omni: Any) -> None:
    bad = replace(ask([tone(1.0)]), messages=())
    replies = omni.generate([ask([tone(1.0)]), bad, ask([tone(1.3)])], SHORT)
    assert [reply.status == "error" for reply in replies] == [False, True, False]
