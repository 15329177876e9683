"""The local engine's start: the model is loaded in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apun.models import Generation, LoadOptions, Model, ModelInfo
from apun.run import engine
from apun.tasks import Question

if TYPE_CHECKING:
    from apun.run.evaluate import Request


@dataclass(frozen=True)
class Local:
    """A loaded model, ready to be asked."""

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


@contextmanager
def start(request: Request, load: Callable[[str, LoadOptions], Model] | None) -> Iterator[Local]:
    """Load the model, and close it at the end."""
    if load is None:
        from audio_models.load import load as default_load

        load = default_load
    model = load(request.model, request.load)
    try:
        yield Local(model, request.batch_size)
    finally:
        model.close()
