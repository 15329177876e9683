"""The local engine: one worker lives in this process, more of them in processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apun.models import Generation, LoadOptions, Model, ModelInfo
from apun.registry import load_model
from apun.run import engine, pool
from apun.tasks import Question

if TYPE_CHECKING:
    from apun.run.evaluate import Request


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
        self,
        questions: Iterable[Question],
        generation_for: Callable[[Question], Generation],
        stopping: Callable[[], bool],
    ) -> Iterator[engine.Answered]:
        """Answer the questions."""
        return engine.run(self.model, questions, generation_for, self.batch_size, stopping)


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
        self,
        questions: Iterable[Question],
        generation_for: Callable[[Question], Generation],
        stopping: Callable[[], bool],
    ) -> Iterator[engine.Answered]:
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
