"""Drive a worker: start it, call it, notice its death, start it again, keep what it said.

worker = Worker(python="…/.venvs/parler/bin/python", handler="tts/parler_worker.py", options={…})
worker.call("speak", text="…", description="…")["samples"]
"""

from __future__ import annotations

import collections
import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from apun.environments import protocol
from apun.errors import ApunError

SERVER = Path(__file__).with_name("server.py")
SILENCE_SECONDS = 120.0  # heartbeats come every 2 s; a long C call may hold the interpreter for a while
KEPT_LINES = 200
_DROPPED = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV")


class WorkerError(ApunError):
    """A call failed inside the worker; the worker itself is well.

    Args:
        error: class of the exception over there.
        message: its text.
        trace: its traceback.
    """

    def __init__(self, error: str, message: str, trace: str) -> None:
        self.error, self.trace = error, trace
        super().__init__(f"the worker answered {error}: {message}")


class WorkerDied(ApunError):
    """The worker ended, fell silent or never spoke the protocol; says what it last wrote."""


class Worker:
    """A process in another environment that answers one call at a time.

    Args:
        python: interpreter of the environment.
        handler: file with ``load(options)``; see ``apun.environments.server``.
        options: passed to ``load``.
        restarts: how often a call that the worker died of is put to a fresh worker.
        silence: seconds without a heartbeat after which the worker is taken to hang.
        environment: variables added to the worker's.
    """

    def __init__(
        self,
        python: str | Path,
        handler: str | Path,
        options: Mapping[str, Any] | None = None,
        *,
        restarts: int = 1,
        silence: float = SILENCE_SECONDS,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._python, self._handler = str(python), str(handler)
        self._options = dict(options or {})
        self._restarts, self._silence = restarts, silence
        self._environment = dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._lines: collections.deque[str] = collections.deque(maxlen=KEPT_LINES)
        self._heard = 0.0
        self._number = 0
        self._lock = threading.Lock()
        self.hello: Mapping[str, Any] = {}
        self.info: Mapping[str, Any] = {}
        self.starts = 0

    def __enter__(self) -> Worker:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def stderr(self) -> str:
        """The last lines the worker wrote, over all its restarts."""
        return "\n".join(self._lines)

    @property
    def alive(self) -> bool:
        """Whether a process is there and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> Mapping[str, Any]:
        """Start the process and load its handler, unless that is done; returns the handler's info.

        Raises:
            WorkerDied: it ended or spoke another version of the protocol.
            WorkerError: its ``load`` failed.
        """
        with self._lock:
            return self._started()

    def call(self, method: str, **args: Any) -> Any:
        """Call a method of the handler's object.

        Raises:
            WorkerError: the method raised.
            WorkerDied: the worker died of it, and so did ``restarts`` fresh ones.
        """
        with self._lock:
            for attempt in range(self._restarts + 1):
                try:
                    self._started()
                    return self._ask({"kind": "call", "method": method, "args": args})
                except WorkerDied:
                    self._kill()
                    if attempt == self._restarts:
                        raise
            raise AssertionError("unreachable")

    def close(self) -> None:
        """Let the worker finish, then end it."""
        process = self._process
        if process is None:
            return
        if process.poll() is None and process.stdin is not None:
            try:
                protocol.write(process.stdin, {"kind": "bye"})  # type: ignore[arg-type]
                process.stdin.close()
                process.wait(timeout=10)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                pass
        self._kill()

    def _started(self) -> Mapping[str, Any]:
        if self.alive:
            return self.info
        self._kill()
        environment = {name: value for name, value in os.environ.items() if name not in _DROPPED}
        try:
            process = subprocess.Popen(
                [self._python, "-s", str(SERVER), self._handler],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**environment, **self._environment},
            )
        except OSError as error:
            raise WorkerDied(f"the worker's interpreter {self._python} cannot be run ({error})") from error
        self._process, self._answers = process, queue.Queue()
        self._heard = time.monotonic()
        self.starts += 1
        threading.Thread(target=self._read, args=(process.stdout, self._answers), daemon=True).start()
        threading.Thread(target=self._keep, args=(process.stderr,), daemon=True).start()
        self.hello = self._next()
        if self.hello.get("kind") != "hello" or self.hello.get("protocol") != protocol.VERSION:
            said = self.hello.get("protocol")
            self._kill()
            raise WorkerDied(f"the worker speaks protocol {said!r}, this apun speaks {protocol.VERSION}")
        try:
            self.info = self._ask({"kind": "load", "options": self._options}) or {}
        except WorkerError:
            self._kill()
            raise
        return self.info

    def _ask(self, message: dict[str, Any]) -> Any:
        process = self._process
        assert process is not None and process.stdin is not None
        self._number += 1
        try:
            protocol.write(process.stdin, {**message, "id": self._number})  # type: ignore[arg-type]
        except OSError:
            raise self._death("ended before it was asked") from None
        answer = self._next()
        if answer.get("id") != self._number:
            raise self._death("answered something that was not asked")
        if answer["kind"] == "error":
            raise WorkerError(str(answer["error"]), str(answer["message"]), str(answer.get("traceback", "")))
        return answer["value"]

    def _next(self) -> dict[str, Any]:
        while True:
            try:
                answer = self._answers.get(timeout=min(1.0, self._silence / 4))
            except queue.Empty:
                if time.monotonic() - self._heard > self._silence:
                    raise self._death(f"was silent for {self._silence:.0f} s") from None
                continue
            if answer is None:
                raise self._death("ended")
            if answer["kind"] == "broken":
                raise self._death(str(answer["message"]))
            return answer

    def _death(self, what: str) -> WorkerDied:
        process = self._process
        code = ""
        if process is not None:
            try:
                status = process.wait(timeout=1)
                code = f" (signal {-status})" if status < 0 else f" (exit status {status})"
            except subprocess.TimeoutExpired:
                pass
        tail = "\n".join(list(self._lines)[-12:])
        return WorkerDied(f"the worker {Path(self._handler).stem} {what}{code}. It last wrote:\n{tail}")

    def _read(self, stream: IO[bytes], answers: queue.Queue[dict[str, Any] | None]) -> None:
        try:
            while (message := protocol.read(stream)) is not None:  # type: ignore[arg-type]
                self._heard = time.monotonic()
                if message.get("kind") != "heartbeat":
                    answers.put(message)
        except protocol.ProtocolError as error:
            answers.put({"kind": "broken", "message": f"did not speak the protocol: {error}"})
        except (OSError, ValueError):  # the pipe was closed under the reader
            pass
        answers.put(None)

    def _keep(self, stream: IO[bytes]) -> None:
        for line in iter(stream.readline, b""):
            self._lines.append(line.decode("utf-8", "replace").rstrip("\n"))
        stream.close()

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # unsent bytes of a pipe whose reader is gone
                    stream.close()
