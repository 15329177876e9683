"""Timing calls of several models over the same clips, interleaved so that drift cancels.

For every batch of questions each model is asked in turn (A B C, A B C …), never all of A first:
a processor that slows down in the meantime slows all of them alike. Memory is one model's among several that share
a process: what loading added, and the peak of a call.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apun.errors import UsageError
from apun.models import Generation, Model, show
from apun.replies import Reply
from apun.run.answering import check_heard
from apun.tasks import Question

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes in use now, and the most in use since ``mark``; None where the system does not tell."""

    host: int | None = None
    host_peak: int | None = None
    device: int | None = None
    device_peak: int | None = None


def reset_peak() -> None:
    """Start new peaks: the process's resident set and torch's allocator on every CUDA device."""
    with suppress(OSError):  # not Linux, or not allowed: the peak is then the process's own, and never too small
        _CLEAR.write_text("5", encoding="ascii")
    cuda = _cuda()
    if cuda is not None:
        for index in range(cuda.device_count()):
            cuda.reset_peak_memory_stats(index)


def memory_in_use() -> Memory:
    """Memory now and its peaks since the last ``mark``, in bytes."""
    cuda = _cuda()
    device = peak = None
    if cuda is not None:
        devices = range(cuda.device_count())
        device = sum(int(cuda.memory_allocated(index)) for index in devices)
        peak = sum(int(cuda.max_memory_allocated(index)) for index in devices)
    host, host_peak = _host()
    return Memory(host, host_peak, device, peak)


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


Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Timed:
    """A loaded model and what loading took.

    Attributes:
        name: as given on the command line.
        model: the model.
        load_seconds: wall seconds of loading, apart from every call.
        load_bytes: memory that loading added, on the device where there is one; None if unknown.
    """

    name: str
    model: Model
    load_seconds: float
    load_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One timed prompt.

    Attributes:
        model: model name.
        question: question id.
        cluster: the question's item cluster; its variants are not independent.
        order: number of the timed call, counted over all models.
        batch: prompts in that call; times are per prompt (the call's time over its size).
        audio_seconds: length of the prompt's clips.
        total: wall seconds around the call, device synchronised, measured by the harness.
        asr: seconds in the recogniser; None for an end-to-end model.
        reasoning: seconds in the model that answers; for an end-to-end model the whole call.
        first_token: seconds to the first token, where the model tells.
        tokens_out: generated tokens, where the model tells.
        peak_bytes: the call's peak above what was in use before it; None if unknown.
        status: the reply's status.
        reason: why it is not ok.
    """

    model: str
    question: str
    cluster: str
    order: int
    batch: int
    audio_seconds: float
    total: float
    asr: float | None
    reasoning: float
    first_token: float | None = None
    tokens_out: int | None = None
    peak_bytes: int | None = None
    status: str = "ok"
    reason: str | None = None

    @property
    def other(self) -> float:
        """Seconds of the call outside both stages."""
        return self.total - (self.asr or 0.0) - self.reasoning


@dataclass
class Timing:
    """How models are timed.

    Args:
        generation: settings of every call.
        warmup: rounds over all models that are not kept.
        repeats: rounds over all batches that are kept.
        clock: wall clock in seconds.
    """

    generation: Generation
    warmup: int = 2
    repeats: int = 1
    clock: Clock = time.perf_counter
    progress: Callable[[int, int], None] | None = None
    _order: int = field(default=0, init=False)

    def run(self, models: Sequence[Timed], batches: Sequence[Sequence[Question]]) -> list[Sample]:
        """Time every model on every batch.

        Raises:
            UsageError: there is nothing to time, or two models share a name.
        """
        names = [timed.name for timed in models]
        if not models or not batches:
            raise UsageError("there is nothing to time: give at least one model and one clip")
        if len(set(names)) != len(names):
            raise UsageError(f"a model is named twice in {names}")
        for batch in batches:
            for question in batch:
                for audio in question.prompt.audios:
                    _ = audio.clip.sha256  # decoded and hashed before any clock starts
        for round_ in range(self.warmup):
            for timed in models:
                self._call(timed, batches[round_ % len(batches)])
        self._order = 0
        samples: list[Sample] = []
        rounds = len(batches) * self.repeats
        for number in range(rounds):
            for timed in models:
                samples += self._call(timed, batches[number % len(batches)])
            if self.progress is not None:
                self.progress(number + 1, rounds)
        return samples

    def _call(self, timed: Timed, batch: Sequence[Question]) -> list[Sample]:
        show(timed.model, batch)
        prompts = [question.prompt for question in batch]
        reset_peak()
        synchronise()
        before = memory_in_use()
        start = self.clock()
        problem: str | None = None
        try:
            replies = timed.model.generate(prompts, self.generation)
        except Exception as error:  # noqa: BLE001 - whatever an adapter raises is that batch's error status
            problem = f"{type(error).__name__}: {error}"
            replies = [Reply.error(problem[:2000]) for _ in batch]
        synchronise()
        total = (self.clock() - start) / len(batch)
        peak = _peak(before, memory_in_use())
        self._order += 1
        return [
            self._sample(
                timed, question, check_heard(question.prompt, reply, timed.model.info), total, peak, len(batch)
            )
            for question, reply in zip(batch, replies, strict=True)
        ]

    def _sample(
        self, timed: Timed, question: Question, reply: Reply, total: float, peak: int | None, size: int
    ) -> Sample:
        if reply.extra.get("asr_cached"):
            raise UsageError(f"{timed.name} answered from a kept transcript; a latency needs cache=off")
        asr = reply.seconds.get("asr")
        failed = reply.status in ("error", "refused")
        return Sample(
            model=timed.name,
            question=question.id,
            cluster=question.item.cluster,
            order=self._order,
            batch=size,
            audio_seconds=question.prompt.seconds,
            total=total,
            asr=asr,
            reasoning=reply.seconds.get("reasoning", 0.0) if asr is not None else total,
            first_token=reply.seconds.get("first_token"),
            tokens_out=reply.tokens_out,
            peak_bytes=peak,
            status=reply.status if failed else "ok",
            reason=reply.reason if failed else None,
        )


def _peak(before: Memory, after: Memory) -> int | None:
    if after.device_peak is not None and before.device is not None:
        return max(0, after.device_peak - before.device)
    if after.host_peak is not None and before.host is not None:
        return max(0, after.host_peak - before.host)
    return None


def timed_load(name: str, load: Callable[[], Any], clock: Clock = time.perf_counter) -> Timed:
    """Load a model; its time and memory are kept apart from those of the calls."""
    before = memory_in_use()
    start = clock()
    model: Model = load()
    synchronise()
    spent = clock() - start
    after = memory_in_use()
    added = None
    if after.device:
        added = after.device - (before.device or 0)
    elif after.host is not None and before.host is not None:
        added = max(0, after.host - before.host)
    return Timed(name, model, spent, added)
