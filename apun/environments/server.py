"""The worker's side: runs inside another environment, by path, with the standard library alone.

    PYTHON server.py HANDLER.py

``HANDLER.py`` is a file with ``load(options) -> object``; each call names a public method of that
object and its keyword arguments. What a handler prints goes to stderr, never into the protocol.
A handler need not know of the protocol; it may hold numpy arrays, JSON values and bytes.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import queue
import sys
import threading
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

HEARTBEAT_SECONDS = 2.0


def module_at(path: Path) -> ModuleType:
    """Import a file by its path, under a name of its own.

    Raises:
        ImportError: there is no such file.
    """
    name = f"apun_worker_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ImportError(f"there is no Python file {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


protocol = module_at(Path(__file__).resolve().with_name("protocol.py"))


class Server:
    """Answers calls one at a time; a second thread reads, a third sends heartbeats."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO, handler: Path) -> None:
        self._requests, self._answers, self._handler = requests, answers, handler
        self._lock = threading.Lock()
        self._queue: queue.Queue[dict[str, Any]] = queue.Queue()
        self._stopped = threading.Event()
        self._target: Any = None

    def run(self) -> None:
        """Serve until the client says bye or is gone."""
        self._send(
            {
                "kind": "hello",
                "protocol": protocol.VERSION,
                "python": platform.python_version(),
                "pid": os.getpid(),
            }
        )
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._beat, daemon=True).start()
        while True:
            message = self._queue.get()
            if message["kind"] == "bye":
                break
            self._send(self._answer(message))
        self._stopped.set()
        close = getattr(self._target, "close", None)
        if callable(close):
            close()

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        number = message.get("id")
        try:
            if message["kind"] == "load":
                self._target = module_at(self._handler).load(dict(message.get("options") or {}))
                info = getattr(self._target, "info", None)
                return {"kind": "result", "id": number, "value": info() if callable(info) else {}}
            method = str(message["method"])
            if method.startswith("_"):
                raise AttributeError(f"{method} is not public")
            value = getattr(self._target, method)(**message["args"])
            return {"kind": "result", "id": number, "value": value}
        except Exception as error:  # noqa: BLE001 - every failure of a handler travels to the client as an answer
            return {
                "kind": "error",
                "id": number,
                "error": type(error).__name__,
                "message": str(error),
                "traceback": traceback.format_exc(),
            }

    def _read(self) -> None:
        try:
            while (message := protocol.read(self._requests)) is not None:
                self._queue.put(message)
                if message.get("kind") == "bye":
                    return
        except Exception:  # noqa: BLE001 - whatever broke the pipe, this process has no one left to serve
            traceback.print_exc()
        os._exit(0)  # the client is gone: even a call in progress must not outlive it

    def _beat(self) -> None:
        while not self._stopped.wait(HEARTBEAT_SECONDS):
            self._send({"kind": "heartbeat"})

    def _send(self, message: dict[str, Any]) -> None:
        with self._lock:
            try:
                protocol.write(self._answers, message)
            except (protocol.ProtocolError, TypeError, ValueError) as error:
                if message["kind"] != "result":
                    raise
                refusal = {"kind": "error", "id": message["id"], "error": type(error).__name__, "message": str(error)}
                protocol.write(self._answers, {**refusal, "traceback": ""})


def main() -> None:
    """Take stdin and stdout for the protocol, and give every ``print`` to stderr instead."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != here]  # shadow no one's modules
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    Server(requests, answers, Path(sys.argv[1]).resolve()).run()


if __name__ == "__main__":
    main()
