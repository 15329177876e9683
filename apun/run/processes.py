"""Worker processes on this machine: each loads the model and answers batches from a pipe."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from multiprocessing import connection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.errors import ApunError, ModelUnavailable
from apun.models import Generation, LoadOptions, ModelInfo
from apun.registry import load_path
from apun.run import answering
from apun.run.pool import Event, Pooled, pooled
from apun.tasks import Question

if TYPE_CHECKING:
    from apun.run.evaluate import Request

LOADER = "audio_models.catalogue:load"


class Processes:
    """A crew of spawned processes.

    Args:
        model: model name.
        options: how to load it; with ``device="auto"`` each process takes its own accelerator.
        loader: ``module:function`` that loads a model in the worker.
    """

    def __init__(self, model: str, options: LoadOptions, loader: str = LOADER) -> None:
        self._model, self._options, self._loader = model, options, loader
        self._context = multiprocessing.get_context("spawn")
        self._workers: dict[int, tuple[Any, Connection]] = {}
        self._jobs: dict[int, list[int]] = {}
        self._numbers = itertools.count()
        self._info: ModelInfo | None = None
        self._spare = self.spawn()

    @property
    def info(self) -> ModelInfo:
        """The model; waits for the first worker to have loaded it.

        Raises:
            ModelUnavailable: it cannot be loaded; says why.
        """
        if self._info is None:
            process, pipe = self._workers[self._spare]
            try:
                kind, value = pipe.recv()
            except EOFError:
                process.join()
                raise ModelUnavailable(f"the worker that loads {self._model} died (exit {process.exitcode})") from None
            if kind == "failed":
                raise ModelUnavailable(str(value))
            self._info = value
        assert self._info is not None
        return self._info

    def spawn(self) -> int:
        """Start a process; the first one, started at construction, is handed out first."""
        if self._info is not None and self._spare >= 0:
            spare, self._spare = self._spare, -1
            return spare
        number = next(self._numbers)
        ours, theirs = self._context.Pipe()
        options = replace(self._options, device=device_for(number, self._options.device))
        process = self._context.Process(
            target=serve, args=(theirs, self._loader, self._model, options), name=f"apun-worker-{number}", daemon=True
        )
        process.start()
        theirs.close()
        self._workers[number], self._jobs[number] = (process, ours), []
        return number

    def submit(self, worker: int, job: int, questions: Sequence[Question], generation: Generation) -> None:
        """Send a batch; a broken pipe shows up as a death in ``wait``."""
        self._jobs[worker].append(job)
        with contextlib.suppress(OSError):  # the worker is dead; wait() reports it with this job
            self._workers[worker][1].send((job, list(questions), generation))

    def wait(self) -> list[Event]:
        """Events of whichever workers have something to say."""
        pipes = {pipe: number for number, (_, pipe) in self._workers.items()}
        events = []
        for ready in connection.wait(list(pipes)):
            assert isinstance(ready, Connection)
            number = pipes[ready]
            try:
                kind, value = ready.recv()
            except (EOFError, OSError):
                events += self._bury(number)
                continue
            if kind == "failed":
                raise ModelUnavailable(str(value))
            if kind == "done":
                job, replies = value
                self._jobs[number].remove(job)
                events.append(Event(number, job, replies))
        return events

    def _bury(self, number: int) -> list[Event]:
        process, pipe = self._workers.pop(number)
        pipe.close()
        process.join(5)
        reason = f"worker exit {process.exitcode}"
        lost = self._jobs.pop(number)
        return [Event(number, job, None, reason, job == lost[0]) for job in lost] or [Event(number, -1, None, reason)]

    def close(self) -> None:
        """End every worker."""
        for process, pipe in self._workers.values():
            pipe.close()
            process.join(0.5)
            if process.is_alive():
                process.terminate()
        for process, _ in self._workers.values():
            process.join(5)


def device_for(worker: int, device: str) -> str:
    """An accelerator of its own for each worker, found without importing torch."""
    if device != "auto":
        return device
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")  # what a scheduler lends us is fewer than the machine has
    gpus = Path("/proc/driver/nvidia/gpus")
    if visible is not None:
        count = len([part for part in visible.split(",") if part.strip() not in ("", "-1")])
    else:
        count = len(list(gpus.iterdir())) if gpus.is_dir() else 0
    return f"cuda:{worker % count}" if count else device


def serve(pipe: Connection, loader: str, name: str, options: LoadOptions) -> None:
    """A worker's life: load, say so, then answer batches; clips are decoded one batch ahead."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the run ended without needing this worker
        _serve(pipe, loader, name, options)


def _serve(pipe: Connection, loader: str, name: str, options: LoadOptions) -> None:
    try:
        model = load_path(loader)(name, options)
    except ApunError as error:
        pipe.send(("failed", str(error)))
        return
    pipe.send(("ready", model.info))
    inbox: queue.Queue[tuple[int, list[Question], Generation] | None] = queue.Queue()
    threading.Thread(target=_receive, args=(pipe, inbox), daemon=True).start()
    while (message := inbox.get()) is not None:
        job, questions, generation = message
        pipe.send(("done", (job, answering.answer_decoded(model, questions, generation))))
    model.close()


def _receive(pipe: Connection, inbox: queue.Queue[tuple[int, list[Question], Generation] | None]) -> None:
    """Take batches in and decode their clips while the model is busy."""
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            inbox.put(None)
            return
        for question in message[1]:
            answering.decode(question)
        inbox.put(message)


def start(request: Request, load: object) -> AbstractContextManager[Pooled]:
    """Start ``request.workers`` processes; ``load`` is not used (each loads for itself)."""
    return pooled(Processes(request.model, request.load), request)
