"""A handler for tests: does what it is told, good and bad. Standard library and numpy only."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any


def load(options: dict[str, Any]) -> Toy:
    print("loading", options)  # a library that prints must not disturb the protocol
    os.write(1, b"straight to descriptor 1\n")
    if options.get("fail"):
        raise ValueError("no such model")
    return Toy(options)


class Toy:
    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options

    def info(self) -> dict[str, Any]:
        return {"pid": os.getpid(), "options": self.options}

    def echo(self, value: Any) -> Any:
        return value

    def double(self, samples: Any) -> Any:
        return {"samples": samples * 2, "rate": 16_000}

    def imported(self, name: str) -> bool:
        return name in sys.modules

    def path(self) -> list[str]:
        return sys.path

    def fail(self) -> None:
        print("about to fail", file=sys.stderr)
        raise KeyError("nothing here")

    def die(self, flag: str, code: int = 3) -> str:
        """Dies the first time, answers once ``flag`` exists."""
        path = Path(flag)
        if path.exists():
            return "survived"
        path.touch()
        print("last words", file=sys.stderr, flush=True)
        if code < 0:
            os.kill(os.getpid(), -code)
        os._exit(code)

    def always_die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def hang(self) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)

    def sleep(self, seconds: float) -> str:
        time.sleep(seconds)
        return "awake"

    def unsendable(self) -> Any:
        return {1, 2}
