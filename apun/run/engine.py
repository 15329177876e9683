"""The local engine: one model, batches grouped by length, clips decoded ahead in threads."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

from apun.errors import ApunError
from apun.models import Generation, Model, show
from apun.replies import Reply
from apun.run.heard import check_heard
from apun.tasks import Question

DECODE_THREADS = 2
Thing = TypeVar("Thing")
WINDOW_BATCHES = 4  # questions are sorted by length within this many batches


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


def run(
    model: Model,
    questions: Iterable[Question],
    generation_for: Callable[[Question], Generation],
    batch_size: int,
    stopping: Callable[[], bool] = lambda: False,
) -> Iterator[Answered]:
    """Answer every question; order of completion, not of asking.

    Args:
        model: a loaded model.
        questions: consumed lazily, a few batches ahead.
        generation_for: settings of a question's task; one batch never mixes settings.
        batch_size: most questions in one call; bounded by ``model.info.max_batch``.
        stopping: asked between batches; when it turns true the rest is left for a later run.
    """
    size = max(1, min(batch_size, model.info.max_batch))
    source = iter(questions)
    encodes_ahead = isinstance(model, Model)  # a caller's own model may lack ``prepare``
    with ThreadPoolExecutor(DECODE_THREADS, thread_name_prefix="decode") as pool:
        for batch, following in lookahead(_work(source, generation_for, size, pool)):
            if stopping():
                return
            if isinstance(batch, Answered):
                yield batch
                continue
            if encodes_ahead and isinstance(following, list):  # native adapters encode it while they answer this batch
                model.prepare([question.prompt for question in following])
            for question, reply in zip(batch, answer(model, batch, generation_for(batch[0])), strict=True):
                yield Answered(question, reply)
                for audio in question.prompt.audios:
                    audio.clip.release()


def _work(
    source: Iterator[Question],
    generation_for: Callable[[Question], Generation],
    size: int,
    pool: ThreadPoolExecutor,
) -> Iterator[list[Question] | Answered]:
    """Batches whose clips are decoded, and the error replies of those that cannot be."""
    ahead: deque[tuple[Question, Future[Reply | None] | None]] = deque()

    def fill() -> None:
        for question in islice(source, size * WINDOW_BATCHES * 2 - len(ahead)):
            ahead.append((question, pool.submit(decode, question) if question.prompt.audios else None))

    fill()
    while ahead:
        window: list[Question] = []
        while ahead and len(window) < size * WINDOW_BATCHES:
            question, future = ahead.popleft()
            failed = future.result() if future is not None else None
            if failed is not None:
                yield Answered(question, failed)
            else:
                window.append(question)
        fill()
        yield from batches(window, generation_for, size)


def lookahead(things: Iterable[Thing]) -> Iterator[tuple[Thing, Thing | None]]:
    """Each thing with the one that comes after it, None at the end."""
    source = iter(things)
    for thing in source:
        for following in source:
            yield thing, following
            thing = following
        yield thing, None


def batches(
    window: Sequence[Question], generation_for: Callable[[Question], Generation], size: int
) -> Iterator[list[Question]]:
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
