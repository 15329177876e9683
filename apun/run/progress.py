"""Progress: a bar with the time left and the failures so far; plain lines where there is no terminal."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import Any

from apun.replies import Reply

PLAIN_EVERY_SECONDS = 15.0


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
