"""The model every transformers family shares: batches, memory, decoding, what was consumed.

A family gives an ``Encoder`` (prompts to tensors), a measure (tensors to what they hold) and a
splitter (text to thinking and answer). What a reply says was consumed is measured on the very
tensors that enter ``generate``, so an audio key that got lost on the way shows.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from apun.device import memory_free, out_of_memory, release_memory
from apun.draws import rank
from apun.errors import UsageError
from apun.models import BaseModel, Generation, ModelInfo
from apun.prompts import Prompt, Text
from apun.readers import thinking
from apun.replies import Consumed, Reply
from audio_models.core import greedy
from audio_models.core.inputs import refusal

Splitter = thinking.Splitter
LARGEST, LARGEST_ON_CPU = 64, 8
ENOUGH_FREE = 0.35  # share of memory that must be free before a batch is doubled


@dataclass
class BatchSize:
    """A batch size that doubles while memory allows and halves when it runs out.

    Attributes:
        current: prompts in the next batch.
        limit: never more than this; lowered for good when memory ran out at a size.
        fixed: a size the user gave; it still halves on out-of-memory.
        used: every size a batch succeeded with, and how often.
        out_of_memory: sizes at which memory ran out, in order.
    """

    current: int
    limit: int
    fixed: bool
    used: dict[int, int] = field(default_factory=dict)
    out_of_memory: list[int] = field(default_factory=list)

    @classmethod
    def parse(cls, asked: str | None, *, limit: int = LARGEST) -> BatchSize:
        """From ``--batch-size``: ``auto`` (or nothing) or a number.

        Raises:
            UsageError: neither.
        """
        if asked in (None, "", "auto"):
            return cls(min(4, limit), limit, fixed=False)
        if not str(asked).isdecimal() or int(str(asked)) < 1:
            raise UsageError(f"--batch-size takes auto or a number from 1 up, not {asked!r}")
        size = min(int(str(asked)), limit)
        return cls(size, size, fixed=True)

    def succeeded(self, size: int, free: float | None) -> None:
        """Record a batch that went through; ``free`` is the share of memory left, None if unknown."""
        self.used[size] = self.used.get(size, 0) + 1
        grown = free is None or free >= ENOUGH_FREE
        if not self.fixed and grown and size >= self.current:
            self.current = min(self.current * 2, self.limit)

    def ran_out(self, size: int) -> bool:
        """Record an out-of-memory error; whether a smaller batch can be tried."""
        self.out_of_memory.append(size)
        if size <= 1:
            return False
        self.limit = self.current = max(1, size // 2)
        return True

    def summary(self) -> dict[str, object]:
        """Plain JSON for the log."""
        return {
            "next": self.current,
            "used": {str(size): count for size, count in sorted(self.used.items())},
            "out_of_memory": list(self.out_of_memory),
        }


@dataclass(frozen=True, slots=True)
class Batch:
    """Prompts as tensors on the host.

    Attributes:
        tensors: keyword arguments of ``generate``; ``input_ids`` of shape ``(rows, tokens)``.
        heard: per row, the sha256 of the samples that entered the feature extractor, in order.
        tokens: prompt tokens per row, padding left out.
        positions: per row, the audio positions each clip was given in the prompt.
        lengths: seconds of every clip that entered the feature extractor, over all rows.
        seconds: wall seconds of encoding.
    """

    tensors: Mapping[str, Any]
    heard: tuple[tuple[str, ...], ...]
    tokens: tuple[int, ...]
    positions: tuple[tuple[int, ...], ...] = ()
    lengths: tuple[float, ...] = ()
    seconds: float = 0.0


Encoder = Callable[[Sequence[Prompt]], Batch]
Measure = Callable[[Batch], list[Consumed]]

Alike = Callable[[Prompt], Hashable]


def anything(prompt: Prompt) -> Hashable:
    """For models whose rows never touch one another: every prompt is alike."""
    return None


def splitter(name: str) -> Splitter:
    """How a family's thinking is set apart, by the name its catalogue entry gives."""
    return thinking.RULES[name]


def finished(text: str, split: Splitter, ended: bool | None, room: int, **fields: Any) -> Reply:
    """The reply to what a model wrote: ok, or truncated where there is no end or no answer.

    Args:
        text: everything it wrote.
        split: sets thinking apart.
        ended: whether it ended by itself; None where that cannot be known.
        room: new tokens after which it was cut.
        fields: the rest of the reply.
    """
    found = split(text)
    fields |= {"text": text, "thinking": found.thinking}
    if found.truncated:
        return Reply(status="truncated", reason="a thought was never closed, so there is no answer", **fields)
    if ended is False:
        return Reply(status="truncated", reason=f"no end within {room} new tokens", **fields)
    return Reply(status="ok", answer=found.answer, **fields)


def nothing_heard(batch: Batch) -> list[Consumed]:
    """The measure of text models."""
    return [Consumed() for _ in batch.tokens]


@dataclass
class NativeModel(BaseModel):
    """A transformers model behind the ``Model`` protocol.

    Attributes:
        info: what it is.
        network: has ``generate``.
        tokenizer: turns ids into text.
        encode: prompts to tensors.
        measure: tensors to what each row consumed.
        split: text to thinking and answer.
        device: where tensors go.
        batch_size: how many prompts at once.
        alike: only prompts for which it gives the same value share a batch.
    """

    info: ModelInfo
    network: Any
    tokenizer: Any
    encode: Encoder
    measure: Measure = nothing_heard
    split: Splitter = thinking.OPTIONAL
    device: str = "cpu"
    batch_size: BatchSize = field(default_factory=lambda: BatchSize.parse("auto"))
    alike: Alike = anything

    def __post_init__(self) -> None:
        self._ahead = ThreadPoolExecutor(1, thread_name_prefix="encode")
        # the prompts are kept beside their tensors: an id is only unique while its object lives
        self._ready: dict[tuple[int, ...], tuple[list[Prompt], Future[Batch]]] = {}

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """One reply per prompt, in order; see ``apun.models.Model``.

        Sampled answers (temperature above 0) are drawn one prompt at a time, seeded by the prompt's
        id, so that they depend neither on the order nor on the batch.
        """
        most = 1 if generation.temperature > 0 else None
        replies: dict[int, Reply] = {}
        for index, prompt in enumerate(prompts):
            problem = refusal(self.info, prompt)
            if problem is not None:
                replies[index] = Reply.error(problem)
        waiting = self._order(prompts, [index for index in range(len(prompts)) if index not in replies])
        while waiting:
            take = self._next(waiting, prompts)[:most]
            self._start([prompts[index] for index in take])
            rest = waiting[len(take) :]
            following = self._next(rest, prompts)[:most] if rest else []
            done = self._batch([prompts[index] for index in take], generation, [prompts[i] for i in following])
            if done is None:
                continue  # memory ran out: the same prompts again in a smaller batch
            replies.update(zip(take, done, strict=True))
            waiting = rest
        return [replies[index] for index in range(len(prompts))]

    def prepare(self, prompts: Sequence[Prompt]) -> None:
        """Start encoding the first batch of prompts that are asked next; never raises."""
        order = self._order(prompts, [i for i, prompt in enumerate(prompts) if refusal(self.info, prompt) is None])
        if order:
            self._start([prompts[index] for index in self._next(order, prompts)])

    def inputs_digest(self, prompt: Prompt) -> str:
        """sha256 of the tensors that would enter the network for a prompt."""
        total = hashlib.sha256()
        for name, tensor in sorted(self.encode([prompt]).tensors.items()):
            total.update(f"{name}{tuple(tensor.shape)}".encode())
            total.update(tensor.contiguous().numpy().tobytes())
        return total.hexdigest()

    def close(self) -> None:
        """Let go of the network and its device memory."""
        self._ahead.shutdown(wait=False, cancel_futures=True)
        self._ready.clear()
        self.network = None
        if self.device != "cpu":
            release_memory(self.device)

    def _order(self, prompts: Sequence[Prompt], asked: Sequence[int]) -> list[int]:
        """Longest first, so that memory runs out at once or not at all; alike prompts side by side."""
        ranks: dict[Hashable, int] = {}
        lengths = {index: _length(prompts[index]) for index in asked}
        ordered = sorted(asked, key=lambda index: -lengths[index])
        for index in ordered:
            ranks.setdefault(self.alike(prompts[index]), len(ranks))
        return sorted(ordered, key=lambda index: ranks[self.alike(prompts[index])])

    def _next(self, waiting: Sequence[int], prompts: Sequence[Prompt]) -> list[int]:
        kind = self.alike(prompts[waiting[0]])
        return [i for i in waiting[: self.batch_size.current] if self.alike(prompts[i]) == kind]

    def _start(self, prompts: Sequence[Prompt]) -> None:
        key = _key(prompts)
        if key not in self._ready:
            if len(self._ready) > 2:  # prepared for a call that never came
                self._ready.clear()
            self._ready[key] = (list(prompts), self._ahead.submit(self._timed_encode, list(prompts)))

    def _timed_encode(self, prompts: Sequence[Prompt]) -> Batch:
        started = time.perf_counter()
        batch = self.encode(prompts)
        return replace(batch, seconds=time.perf_counter() - started)

    def _batch(
        self, prompts: Sequence[Prompt], generation: Generation, following: Sequence[Prompt]
    ) -> list[Reply] | None:
        """Replies of one batch; None when memory ran out and a smaller one is to be tried."""
        try:
            batch = self._ready.pop(_key(prompts))[1].result()
            if following:
                self._start(following)
            replies = self._answer(batch, generation, prompts[0].id)
        except Exception as error:  # noqa: BLE001 - one bad prompt must not take its batch along
            if out_of_memory(error):
                release_memory(self.device)
                if self.batch_size.ran_out(len(prompts)):
                    self._ready.clear()
                    return None
            if len(prompts) == 1:
                return [Reply.error(f"{type(error).__name__}: {error}"[:2000])]
            return [reply for prompt in prompts for reply in self._alone(prompt, generation)]
        self.batch_size.succeeded(len(prompts), memory_free(self.device))
        return replies

    def _alone(self, prompt: Prompt, generation: Generation) -> list[Reply]:
        self._start([prompt])
        return self._batch([prompt], generation, ()) or [Reply.error("out of memory with a single prompt")]

    def _answer(self, batch: Batch, generation: Generation, first_id: str) -> list[Reply]:
        import torch

        started = time.perf_counter()
        consumed = self.measure(batch)
        dtype = getattr(self.network, "dtype", None)
        where = getattr(self.network, "device", self.device)
        tensors = {
            name: tensor.to(where, dtype) if tensor.is_floating_point() else tensor.to(where)
            for name, tensor in batch.tensors.items()
        }
        first = FirstToken()
        if generation.temperature > 0:
            torch.manual_seed(int.from_bytes(rank(generation.seed, first_id)[:8], "big") >> 1)
        with torch.inference_mode():
            out = self.network.generate(**tensors, **greedy.arguments(generation), stopping_criteria=first.criteria())
        rows = out[:, tensors["input_ids"].shape[1] :].tolist()  # waits for the device
        took = time.perf_counter() - started
        seconds = {
            "prepare": batch.seconds,
            "first_token": (first.at or took + started) - started,
            "generate": took,
            "total": (batch.seconds + took) / len(rows),
        }
        lengths = greedy.row_lengths(rows, greedy.as_ids(self.network.generation_config.eos_token_id))
        return [
            finished(
                self.tokenizer.decode(row[:length], skip_special_tokens=True),
                self.split,
                ended,
                length,
                consumed=consumed[index],
                tokens_in=batch.tokens[index],
                tokens_out=length,
                seconds=seconds,
                extra={"batch": len(rows), **({"heard": batch.heard[index]} if batch.heard[index] else {})},
            )
            for index, (row, (length, ended)) in enumerate(zip(rows, lengths, strict=True))
        ]


class FirstToken:
    """Notes when the first new token was there; stops nothing."""

    def __init__(self) -> None:
        self.at: float | None = None

    def __call__(self, input_ids: Any, scores: Any, **kwargs: Any) -> Any:
        import torch

        if self.at is None:
            input_ids[0, -1].item()  # waits for the device
            self.at = time.perf_counter()
        return torch.zeros(input_ids.shape[0], dtype=torch.bool, device=input_ids.device)

    def criteria(self) -> Any:
        """Itself, as ``generate`` takes it."""
        from transformers import StoppingCriteriaList

        return StoppingCriteriaList([self])


def _length(prompt: Prompt) -> float:
    return prompt.seconds + 1e-4 * sum(
        len(part.text) for message in prompt.messages for part in message.parts if isinstance(part, Text)
    )


def _key(prompts: Sequence[Prompt]) -> tuple[int, ...]:
    return tuple(id(prompt) for prompt in prompts)
