"""One queue, many workers, no barriers: the scheduling that the process and Ray engines share.

A worker that dies is replaced and its prompts are asked again, one by one; a prompt that was in
hand at two deaths is set aside as an error, and the run goes on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from apun.errors import ModelUnavailable
from apun.models import Generation, ModelInfo
from apun.replies import Reply
from apun.run.answering import Answered, GenerationFor, batches
from apun.tasks import Question

if TYPE_CHECKING:
    from apun.run.evaluate import Request

DEATHS_ALLOWED = 2  # a prompt in hand at this many deaths is set aside
SPAWNS_WITHOUT_ANSWER = 5  # workers that die before answering anything: give up
AHEAD = 2  # batches a worker holds: one in hand, one being decoded


@dataclass(frozen=True, slots=True)
class Event:
    """A worker finished a job (``replies``), or died (``replies`` is None).

    A dead worker gives one event for each job it held; ``in_hand`` marks the one it died on.
    """

    worker: int
    job: int
    replies: Sequence[Reply] | None
    reason: str = ""
    in_hand: bool = True


class Crew(Protocol):
    """Workers of one kind."""

    @property
    def info(self) -> ModelInfo:
        """The model all of them hold."""

    def spawn(self) -> int:
        """Start a worker; returns its number. Loading happens in the background."""

    def submit(self, worker: int, job: int, questions: Sequence[Question], generation: Generation) -> None:
        """Queue a batch on a worker."""

    def wait(self) -> list[Event]:
        """Block until something happened. A death gives one event for each job the worker held,
        or one with job -1 when it held none."""

    def close(self) -> None:
        """End the workers."""


@dataclass(frozen=True)
class Pooled:
    """A crew of workers, ready to be asked."""

    crew: Crew
    batch_size: int
    workers: int

    @property
    def info(self) -> ModelInfo:
        """The model's description."""
        return self.crew.info

    def run(
        self, questions: Iterable[Question], generation_for: GenerationFor, stopping: Callable[[], bool]
    ) -> Iterator[Answered]:
        """Answer the questions."""
        return run(self.crew, questions, generation_for, self.batch_size, self.workers, stopping)


@contextmanager
def pooled(crew: Crew, request: Request) -> Iterator[Pooled]:
    """A crew for a run's questions; its workers are ended at the end."""
    try:
        yield Pooled(crew, request.batch_size, request.workers)
    finally:
        crew.close()


def run(
    crew: Crew,
    questions: Iterable[Question],
    generation_for: GenerationFor,
    batch_size: int,
    workers: int,
    stopping: Callable[[], bool],
) -> Iterator[Answered]:
    """Answer every question with a crew; order of completion.

    Raises:
        ModelUnavailable: workers keep dying before they answer anything.
    """
    size = max(1, min(batch_size, crew.info.max_batch))
    queue: deque[list[Question]] = deque()
    source = iter(questions)
    held: dict[int, int] = {crew.spawn(): 0 for _ in range(workers)}
    jobs: dict[int, list[Question]] = {}
    deaths: dict[str, int] = {}
    number = barren = 0

    def refill() -> None:
        while len(queue) < workers * AHEAD * 2:
            window = list(islice(source, size * 4))
            if not window:
                return
            queue.extend(batches(window, generation_for, size))

    while True:
        stop = stopping()
        if not stop:
            refill()
        for worker in sorted(held, key=lambda w: held[w]):
            while queue and not stop and held[worker] < AHEAD:
                number += 1
                jobs[number] = queue.popleft()
                held[worker] += 1
                crew.submit(worker, number, jobs[number], generation_for(jobs[number][0]))
        if not jobs:
            return
        for event in crew.wait():
            if event.replies is not None:
                held[event.worker] -= 1
                barren = 0
                yield from map(Answered, jobs.pop(event.job), event.replies)
                continue
            if event.worker in held:
                del held[event.worker]
                barren += 1
                if barren > SPAWNS_WITHOUT_ANSWER:
                    raise ModelUnavailable(f"workers keep dying before they answer ({event.reason})")
                held[crew.spawn()] = 0
            yield from _retry(event, jobs, deaths, queue)


def _retry(
    event: Event, jobs: dict[int, list[Question]], deaths: dict[str, int], queue: deque[list[Question]]
) -> Iterator[Answered]:
    """Queue a dead worker's prompts again, one by one; set those aside that killed too often."""
    for question in reversed(jobs.pop(event.job, [])):
        deaths[question.id] = deaths.get(question.id, 0) + event.in_hand
        if deaths[question.id] >= DEATHS_ALLOWED:
            yield Answered(
                question, Reply.error(f"set aside: a worker died {DEATHS_ALLOWED} times on it ({event.reason})")
            )
        else:
            queue.appendleft([question])
