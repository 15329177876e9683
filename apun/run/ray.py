"""The Ray engine: an actor a worker, on any number of nodes; same run folder, same result.

``RAY_ADDRESS`` joins a running cluster; otherwise Ray starts on this machine. Every actor takes
one CPU, and one GPU where the cluster has any (``--model-arg ray_cpus=2``, ``ray_gpus=0.5``).
Data folders must be reachable under the same path on every node.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from apun.errors import ApunError, MissingDependency, ModelUnavailable
from apun.models import Generation, LoadOptions, Model, ModelInfo
from apun.registry import load_path
from apun.run import answering
from apun.run.pool import Event, Pooled, pooled
from apun.run.processes import LOADER
from apun.tasks import Question

if TYPE_CHECKING:
    from apun.run.evaluate import Request


class Actor:
    """A worker: holds the model and answers batches. Becomes a Ray actor in ``Actors``."""

    def __init__(self, loader: str, name: str, options: LoadOptions) -> None:
        self._problem: str | None = None
        try:
            self._model: Model = load_path(loader)(name, options)
        except ApunError as error:
            self._problem = str(error)

    def info(self) -> ModelInfo | str:
        """The model's description, or why it could not be loaded."""
        return self._problem if self._problem is not None else self._model.info

    def answer(self, questions: list[Question], generation: Generation) -> list[Any]:
        """Replies to a batch, in order."""
        return answering.answer_decoded(self._model, questions, generation)


class Actors:
    """A crew of Ray actors."""

    def __init__(self, model: str, options: LoadOptions, loader: str = LOADER) -> None:
        try:
            import ray
        except ImportError:
            raise MissingDependency("ray", "ray") from None
        self._ray = ray
        if not ray.is_initialized():
            ray.init(
                address=os.environ.get("RAY_ADDRESS"),
                log_to_driver=False,
                include_dashboard=False,
                logging_level="error",
            )
        args = dict(options.args)
        gpus = args.pop("ray_gpus", None)
        cpus = float(args.pop("ray_cpus", "1"))
        has_gpu = ray.cluster_resources().get("GPU", 0) > 0
        remote = ray.remote(num_cpus=cpus, num_gpus=float(gpus) if gpus else float(has_gpu), max_restarts=0)
        self._class = remote(Actor)
        self._arguments = (loader, model, replace(options, args=args))
        self._actors: dict[int, Any] = {}
        self._pending: dict[Any, tuple[int, int]] = {}
        self._numbers = itertools.count()
        self._info: ModelInfo | None = None
        self._spare: int | None = self.spawn()

    @property
    def info(self) -> ModelInfo:
        """The model; waits for the first actor.

        Raises:
            ModelUnavailable: it cannot be loaded; says why.
        """
        if self._info is None:
            assert self._spare is not None
            try:
                found = self._ray.get(self._actors[self._spare].info.remote())
            except self._ray.exceptions.RayError as error:
                raise ModelUnavailable(f"the actor that loads the model failed ({_first_line(error)})") from error
            if isinstance(found, str):
                raise ModelUnavailable(found)
            self._info = found
        return self._info

    def spawn(self) -> int:
        """Start an actor; the first one, started at construction, is handed out first."""
        if self._info is not None and self._spare is not None:
            spare, self._spare = self._spare, None
            return spare
        number = next(self._numbers)
        self._actors[number] = self._class.remote(*self._arguments)
        return number

    def submit(self, worker: int, job: int, questions: Sequence[Question], generation: Generation) -> None:
        """Queue a batch on an actor."""
        self._pending[self._actors[worker].answer.remote(list(questions), generation)] = (worker, job)

    def wait(self) -> list[Event]:
        """The next finished batch, or all batches of an actor that died."""
        done, _ = self._ray.wait(list(self._pending), num_returns=1)
        events = []
        for reference in done:
            worker, job = self._pending.pop(reference)
            try:
                events.append(Event(worker, job, self._ray.get(reference)))
            except self._ray.exceptions.RayError as error:
                events += self._bury(worker, job, _first_line(error))
        return events

    def _bury(self, worker: int, job: int, reason: str) -> list[Event]:
        self._actors.pop(worker, None)
        others = [reference for reference, (owner, _) in self._pending.items() if owner == worker]
        lost = sorted([job, *[self._pending.pop(reference)[1] for reference in others]])
        return [Event(worker, each, None, f"actor died: {reason}", each == lost[0]) for each in lost]

    def close(self) -> None:
        """End the actors; Ray itself goes on for the next model and ends with the process."""
        for actor in self._actors.values():
            self._ray.kill(actor)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


def start(request: Request, load: object) -> AbstractContextManager[Pooled]:
    """Start ``request.workers`` actors; ``load`` is not used (actors load for themselves)."""
    return pooled(Actors(request.model, request.load), request)
