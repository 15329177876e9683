"""Asking a model: clips decoded ahead, batches of like questions, replies each shown to have taken in its clips.

``InProcess`` is a model that lives in this process; crews of them are ``apun.run.pool``'s.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from apun.errors import ApunError
from apun.models import Generation, LoadOptions, Model, ModelInfo, show
from apun.prompts import Prompt
from apun.registry import load_model
from apun.replies import Reply
from apun.tasks import Question

if TYPE_CHECKING:
    from apun.run.evaluate import Request

TOLERANCE_SECONDS = 0.1  # one analysis window more or less at the end of a clip
WINDOW_BATCHES = 4  # questions are sorted by length within this many batches
AHEAD = 64  # values begun before the first of them is wanted
THREADS = 2
T = TypeVar("T")
R = TypeVar("R")
GenerationFor = Callable[[Question], Generation]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its reply."""

    question: Question
    reply: Reply


def decode(question: Question) -> Reply | None:
    """Decode a question's clips; an error reply when one cannot be used."""
    try:
        for audio in question.prompt.audios:
            audio.clip.samples  # noqa: B018 - decodes
    except ApunError as error:
        return Reply.error(f"audio: {error}")
    return None


def answer(model: Model, questions: Sequence[Question], generation: Generation) -> list[Reply]:
    """Ask one batch. A batch that fails as a whole is asked again one by one."""
    prompts = [question.prompt for question in questions]
    show(model, questions)  # scripted models look answers up by question
    started = time.perf_counter()
    try:
        replies = model.generate(prompts, generation)
        if len(replies) != len(prompts):
            raise RuntimeError(f"{model.info.name} gave {len(replies)} replies to {len(prompts)} prompts")
    except Exception as error:  # noqa: BLE001 - whatever an adapter raises is this batch's error status
        if len(questions) > 1:
            return [reply for question in questions for reply in answer(model, [question], generation)]
        replies = [Reply.error(f"{type(error).__name__}: {error}"[:2000])]
    spent = (time.perf_counter() - started) / len(prompts)
    finished = []
    for prompt, reply in zip(prompts, replies, strict=True):
        if "total" not in reply.seconds and not reply.extra.get("asr_cached"):  # a kept transcript has no latency
            reply = replace(reply, seconds={**reply.seconds, "total": spent})
        finished.append(check_heard(prompt, reply, model.info))
    return finished


def answer_decoded(model: Model, questions: Sequence[Question], generation: Generation) -> list[Reply]:
    """Ask a batch some of whose clips may be unreadable; those get their error replies."""
    failed = {question.id: decode(question) for question in questions}
    sound = [question for question in questions if failed[question.id] is None]
    answers = iter(answer(model, sound, generation) if sound else [])
    return [failed[question.id] or next(answers) for question in questions]


def batches(window: Sequence[Question], generation_for: GenerationFor, size: int) -> Iterator[list[Question]]:
    """Cut a window into batches of one task's settings and similar audio length."""
    if size == 1:
        for question in window:
            yield [question]
        return
    groups: dict[Generation, list[Question]] = {}
    for question in window:
        groups.setdefault(generation_for(question), []).append(question)
    for group in groups.values():
        group.sort(key=lambda question: question.prompt.seconds)
        for start in range(0, len(group), size):
            yield group[start : start + size]


def check_heard(prompt: Prompt, reply: Reply, info: ModelInfo) -> Reply:
    """Turn a reply into an error when its model did not take in every clip whole.

    Args:
        prompt: what was asked.
        reply: what the model returned, with what it says it consumed.
        info: the model's limits.

    Returns:
        The reply itself, or an error reply that keeps its text and says what was not heard.
    """
    audios = prompt.audios
    if not audios or reply.status in ("error", "refused"):
        return reply
    consumed = reply.consumed
    due = prompt.seconds
    if not info.audio:
        problem = f"{info.name} takes no audio, and the question has {len(audios)} clip(s)"
    elif consumed.clips < len(audios):
        problem = f"the model took in {consumed.clips} of {len(audios)} clips"
    elif consumed.audio_tokens is not None and consumed.audio_tokens <= 0:
        problem = "no audio token reached the model"
    elif consumed.seconds < due - TOLERANCE_SECONDS:
        problem = f"the model heard {consumed.seconds:.2f} s of {due:.2f} s"
    elif "heard" in reply.extra and list(reply.extra["heard"]) != [audio.clip.sha256 for audio in audios]:
        problem = "the model took in other clips than the prompt's"  # native adapters hash what they extract
    else:
        return reply
    return replace(reply, status="error", answer=None, reason=f"audio not heard: {problem}")


def ahead(function: Callable[[T], R], values: Iterable[T], heavy: Callable[[T], bool]) -> Iterator[tuple[T, R]]:
    """Pairs of value and result, in order; heavy values are worked on ahead, light ones when wanted.

    Args:
        function: may be called in a thread.
        values: consumed lazily, ``AHEAD`` of them ahead.
        heavy: whether a value is worth a thread.
    """

    def finished(value: T, future: Future[R] | None) -> tuple[T, R]:
        return value, function(value) if future is None else future.result()

    with ThreadPoolExecutor(THREADS, thread_name_prefix="ahead") as pool:
        begun: deque[tuple[T, Future[R] | None]] = deque()
        for value in values:
            begun.append((value, pool.submit(function, value) if heavy(value) else None))
            if len(begun) >= AHEAD:
                yield finished(*begun.popleft())
        while begun:
            yield finished(*begun.popleft())


@dataclass(frozen=True)
class InProcess:
    """A model loaded in this process."""

    model: Model
    batch_size: int

    @property
    def info(self) -> ModelInfo:
        """The model's description."""
        return self.model.info

    def run(
        self, questions: Iterable[Question], generation_for: GenerationFor, stopping: Callable[[], bool]
    ) -> Iterator[Answered]:
        """Answer every question whose clips are decoded; order of completion, not of asking.

        Args:
            questions: consumed lazily, a few batches ahead.
            generation_for: settings of a question's task; one batch never mixes settings.
            stopping: asked between batches; when it turns true the rest is left for a later run.
        """
        size = max(1, min(self.batch_size, self.model.info.max_batch))
        encodes_ahead = isinstance(self.model, Model)  # a caller's own model may lack ``prepare``
        for batch, following in lookahead(_batched(questions, generation_for, size)):
            if stopping():
                return
            if encodes_ahead and following is not None:  # native adapters encode it while they answer this batch
                self.model.prepare([question.prompt for question in following])
            for question, reply in zip(batch, answer(self.model, batch, generation_for(batch[0])), strict=True):
                yield Answered(question, reply)
                for audio in question.prompt.audios:
                    audio.clip.release()


def _batched(questions: Iterable[Question], generation_for: GenerationFor, size: int) -> Iterator[list[Question]]:
    source = iter(questions)
    while window := list(islice(source, size * WINDOW_BATCHES)):
        yield from batches(window, generation_for, size)


def lookahead(things: Iterable[T]) -> Iterator[tuple[T, T | None]]:
    """Each thing with the one that comes after it, None at the end."""
    source = iter(things)
    for thing in source:
        for following in source:
            yield thing, following
            thing = following
        yield thing, None


@contextmanager
def start(request: Request, load: Callable[[str, LoadOptions], Model] | None) -> Iterator[InProcess]:
    """Load the model into this process; close it at the end."""
    model = (load or load_model)(request.model, request.load)
    try:
        yield InProcess(model, request.batch_size)
    finally:
        model.close()
