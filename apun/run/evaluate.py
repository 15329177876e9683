"""Ask a model every question of a selection, then score what it said."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apun import digests
from apun.errors import UsageError
from apun.models import Generation, LoadOptions, Model
from apun.paths import without_credentials
from apun.registry import load_path
from apun.replies import Reply
from apun.run import folder as folders
from apun.run import machine
from apun.run.answering import ahead, decode
from apun.run.data import Data, Selection, open_data
from apun.run.log import ReplyLog, question_key
from apun.run.summary import score_folder
from apun.tasks import Question

PLAIN_EVERY_SECONDS = 15.0
ENGINES = ("local", "ray", "vllm")
_STARTS = {
    "local": "apun.run.answering:start",
    "processes": "apun.run.processes:start",
    "ray": "apun.run.ray:start",
    "vllm": "apun.run.vllm:start",
}


class Progress:
    """Counts replies; draws only when asked to."""

    def __init__(self, name: str, total: int, show: bool) -> None:
        self._name, self._total, self._show = name, total, show
        self._done = self._skipped = 0
        self._failures: Counter[str] = Counter()
        self._bar: Any = None
        self._task: Any = None
        self._started = self._printed = time.monotonic()

    def __enter__(self) -> Progress:
        if self._show and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[note]}"),
                console=Console(stderr=True),
            )
            self._bar.start()
            self._task = self._bar.add_task(self._name, total=self._total, note="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._show:
            self._line()

    def skip(self) -> None:
        """A reply that stands in the log already."""
        self._skipped += 1
        self._advance()

    def step(self, reply: Reply) -> None:
        """A new reply."""
        self._done += 1
        if reply.status != "ok":
            self._failures[reply.status] += 1
        self._advance()

    def _advance(self) -> None:
        if self._bar is not None:
            self._bar.update(self._task, advance=1, note=self._note())
        elif self._show and time.monotonic() - self._printed > PLAIN_EVERY_SECONDS:
            self._line()

    def _note(self) -> str:
        return ", ".join(f"{count} {status}" for status, count in sorted(self._failures.items()))

    def _line(self) -> None:
        self._printed = time.monotonic()
        spent = self._printed - self._started
        left = self._total - self._done - self._skipped
        eta = f", about {left * spent / self._done:.0f} s left" if self._done and left else ""
        note = f", {self._note()}" if self._failures else ""
        print(f"{self._name}: {self._done + self._skipped}/{self._total} in {spent:.0f} s{note}{eta}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class Request:
    """One model over one selection.

    Attributes:
        selection: the questions.
        model: model name.
        load: how to load it.
        batch_size: most questions in one call; the model's own limit bounds it.
        temperature: 0 is greedy.
        max_new_tokens: overrides the tasks' own room for answers.
        out: the run folder; None for one named by the settings under ``parent``.
        parent: where unnamed run folders go.
        fresh: set an old run of the same name aside instead of going on with it.
        engine: ``local``, ``ray`` or ``vllm``.
        workers: processes (local) or actors (ray).
    """

    selection: Selection
    model: str
    load: LoadOptions = field(default_factory=LoadOptions)
    batch_size: int = 8
    temperature: float = 0.0
    max_new_tokens: int | None = None
    out: Path | None = None
    parent: Path = Path("runs")
    fresh: bool = False
    engine: str = "local"
    workers: int = 1

    def asked(self, data_digest: str) -> dict[str, Any]:
        """What makes this run this run; devices, batches and engines do not."""
        return {
            "selection": self.selection.to_json(),
            "data": data_digest,
            "prompts": _file_digest(self.selection.conditions.prompts),
            "model": self.model,
            "load": {
                "dtype": self.load.dtype,
                "weights": self.load.weights,
                "revision": self.load.revision,
                "family": self.load.family,
                "base_url": without_credentials(self.load.base_url) if self.load.base_url else None,
                "args": {k: v for k, v in self.load.args.items() if k not in ("log", "delay", "work", "batch")},
            },
            "temperature": self.temperature,
            "max_new_tokens": self.max_new_tokens,
        }

    def generation(self, data: Data) -> Callable[[Question], Generation]:
        """Generation settings of each question's task."""
        by_task = {
            task.name: Generation(
                self.max_new_tokens or task.max_new_tokens, self.temperature, self.selection.conditions.seed
            )
            for task in data.tasks
        }
        return lambda question: by_task[question.task]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished or interrupted run.

    Attributes:
        folder: the run folder.
        summary: ``summary.json``.
        asked: questions asked now; replies of earlier runs of the folder are not counted.
        kept: replies that stood in the log already.
        failures: replies of now that are not ok, by status.
        interrupted: whether a signal stopped the run.
    """

    folder: Path
    summary: Mapping[str, Any]
    asked: int
    kept: int
    failures: Mapping[str, int]
    interrupted: bool


def evaluate(
    request: Request,
    data: Data | None = None,
    load: Callable[[str, LoadOptions], Model] | None = None,
    show: bool = False,
) -> Outcome:
    """Run, log, score, summarise. Can be stopped at any instant and started again.

    Args:
        request: what to do.
        data: opened data, where several models share it.
        load: how a model is loaded; ``audio_models.catalogue.load`` by default.
        show: draw progress on standard error.

    Raises:
        ApunError: anything the user can mend.
    """
    data = data or open_data(request.selection)
    asked = request.asked(data.digest)
    folder = request.out or folders.default_folder(request.parent, asked)
    generation_for = request.generation(data)
    made = folders.open_folder(folder, asked, machine.describe(), request.fresh)
    failures: Counter[str] = Counter()
    new = kept = 0
    with ReplyLog(folder) as log, folders.discarded_if_unused(folder, made), Stop() as stop:
        with _engine(request, load) as start:
            info = start.info
            folders.update_run(
                folder,
                model={**info.identity, "settings": dict(info.settings)},
                environment=machine.describe(),
                engine={"name": request.engine, "workers": request.workers, "batch_size": request.batch_size},
            )
            keys: dict[str, str] = {}

            def key_of(question: Question) -> str | Reply:
                """The question's key; its error reply where a clip cannot be read."""
                return decode(question) or question_key(question, info, generation_for(question))

            def todo() -> Iterator[Question]:
                nonlocal kept
                for question, key in ahead(key_of, data.questions(), lambda question: bool(question.prompt.audios)):
                    if isinstance(key, Reply):
                        record(question, key, "unreadable", None)
                    elif log.done(question.id, key):
                        kept += 1
                        for audio in question.prompt.audios:
                            audio.clip.release()
                        progress.skip()
                    else:
                        keys[question.id] = key
                        yield question

            def record(question: Question, reply: Reply, key: str, sent: list[dict[str, Any]] | None) -> None:
                nonlocal new
                log.append(question.id, key, reply, sent)
                new += 1
                if reply.status != "ok":
                    failures[reply.status] += 1
                progress.step(reply)

            with Progress(request.model, len(data.questions()), show) as progress:
                for answered in start.run(todo(), generation_for, stop.set_by_user):
                    question = answered.question
                    record(question, answered.reply, keys.pop(question.id), question.prompt.rendered())
        summary = score_folder(folder, data)
    return Outcome(folder, summary, new, kept, dict(failures), stop.set_by_user())


def _file_digest(path: Path | None) -> str | None:
    """What the user's own prompt file says, so that an edited one is another run."""
    if path is None:
        return None
    try:
        return digests.of_value(path.read_text(encoding="utf-8"), 8)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--prompts {path} cannot be read ({error})") from error


class Stop:
    """The first Ctrl-C or TERM finishes the batch in hand; a second one stops at once."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, _: object) -> None:
        if self._event.is_set():
            raise KeyboardInterrupt
        self._event.set()

    def set_by_user(self) -> bool:
        """Whether a signal has come."""
        return self._event.is_set()


@contextmanager
def _engine(request: Request, load: Callable[[str, LoadOptions], Model] | None) -> Iterator[Any]:
    if request.engine not in ENGINES:
        raise UsageError(f"there is no engine {request.engine!r}; use one of {', '.join(ENGINES)}")
    engine = "processes" if request.engine == "local" and request.workers > 1 and load is None else request.engine
    with load_path(_STARTS[engine])(request, load) as started:
        yield started
