"""The same work over many tasks in this process or in several, each with an engine of its own.

Workers are spawned, never forked: engines hold threads. A worker ends as soon as its parent is
gone, so a run that was killed leaves nobody writing behind it.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from multiprocessing.queues import SimpleQueue
from typing import Any, TypeVar

from apun.errors import ModelUnavailable
from apun.models import Engine, LoadOptions, Recogniser
from tts.catalogue import load

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Setup:
    """What each worker loads: an engine by name and options, and a recogniser where clips are checked.

    ``devices`` are dealt out to the workers in turn as the engine's option ``device``.
    """

    engine: str
    options: Mapping[str, Any] = field(default_factory=dict)
    recogniser: str | None = None
    devices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tools:
    """What was loaded."""

    engine: Engine
    recogniser: Recogniser | None = None


def tools_of(setup: Setup, engine: Engine | None = None) -> Tools:
    """Load what a setup names; ``engine`` stands in where one is loaded already."""
    recogniser = None
    if setup.recogniser is not None:
        from asr.catalogue import load as load_recogniser

        recogniser = load_recogniser(setup.recogniser, LoadOptions(args={"threads": "1"}))
    return Tools(engine or load(setup.engine, **setup.options), recogniser)


def run_tasks(
    work: Callable[[Tools, Task], Result],
    tasks: Sequence[Task],
    setup: Setup,
    workers: int = 1,
    engine: Engine | None = None,
) -> Iterator[Result]:
    """Results as they are ready, in no fixed order.

    Args:
        work: module-level function of the tools and one task.
        tasks: picklable.
        setup: what each worker loads.
        workers: processes; 1 works here, with ``engine`` where one is loaded.
    """
    if workers <= 1 or len(tasks) < 2:
        if setup.devices:
            setup = replace(setup, options={**setup.options, "device": setup.devices[0]})
        if tasks:
            here = tools_of(setup, engine)
            yield from (work(here, task) for task in tasks)
        return
    context = multiprocessing.get_context("spawn")
    count = min(workers, len(tasks))
    setups = context.SimpleQueue()
    for number in range(count):
        device = {"device": setup.devices[number % len(setup.devices)]} if setup.devices else {}
        setups.put(replace(setup, options={**setup.options, **device}))
    with ProcessPoolExecutor(count, context, _start, (setups,)) as pool:
        waiting = iter(tasks)
        running: set[Future[Result]] = set()
        try:
            while True:
                for task in waiting:
                    running.add(pool.submit(_in_worker, work, task))
                    if len(running) >= 2 * workers:
                        break
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except BrokenProcessPool as error:
            raise ModelUnavailable(
                "a rendering process was ended from outside (out of memory?). Run the same command again to go on, "
                "with fewer --workers if it happens again"
            ) from error
        finally:
            for future in running:
                future.cancel()


_TOOLS: list[Tools] = []  # of a worker process


def _start(setups: SimpleQueue[Setup]) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=(parent.sentinel,), daemon=True).start()
    _TOOLS.append(tools_of(setups.get()))


def _die_with(sentinel: int) -> None:
    from multiprocessing.connection import wait as wait_for

    wait_for([sentinel])
    os._exit(1)


def _in_worker(work: Callable[[Tools, Task], Result], task: Task) -> Result:
    return work(_TOOLS[0], task)
