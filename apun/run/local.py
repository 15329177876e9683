"""Engines on this machine: one worker lives in this process, more of them in processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from apun.models import Generation, LoadOptions, Model, ModelInfo
from apun.registry import load_model
from apun.run import pool
from apun.run.answering import WINDOW_BATCHES, Answered, answer, batches
from apun.tasks import Question

if TYPE_CHECKING:
    from apun.run.evaluate import Request

Thing = TypeVar("Thing")
GenerationFor = Callable[[Question], Generation]


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


def lookahead(things: Iterable[Thing]) -> Iterator[tuple[Thing, Thing | None]]:
    """Each thing with the one that comes after it, None at the end."""
    source = iter(things)
    for thing in source:
        for following in source:
            yield thing, following
            thing = following
        yield thing, None


@dataclass(frozen=True)
class Pooled:
    """A crew of workers, ready to be asked."""

    crew: pool.Crew
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
        return pool.run(self.crew, questions, generation_for, self.batch_size, self.workers, stopping)


@contextmanager
def start(request: Request, load: Callable[[str, LoadOptions], Model] | None) -> Iterator[InProcess | Pooled]:
    """Load the model, in this process or in ``request.workers`` others; close it at the end."""
    if request.workers > 1 and load is None:
        from apun.run.processes import Processes

        crew = Processes(request.model, request.load)
        try:
            yield Pooled(crew, request.batch_size, request.workers)
        finally:
            crew.close()
        return
    model = (load or load_model)(request.model, request.load)
    try:
        yield InProcess(model, request.batch_size)
    finally:
        model.close()
