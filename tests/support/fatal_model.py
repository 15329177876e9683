"""A model whose process dies on chosen prompts, for tests of the worker engines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from apun.errors import ModelUnavailable
from apun.models import Generation, LoadOptions, ModelInfo
from apun.prompts import Prompt
from apun.replies import Consumed, Reply


class Fatal:
    """Answers, but its process dies on some prompts (``args["die"]``), some of them only once."""

    def __init__(self, name: str, options: LoadOptions) -> None:
        self._die = options.args.get("die", "").split()
        self._once = Path(options.args["once"]) if "once" in options.args else None
        self.info = ModelInfo(name, "fatal", "1", True, None, max_batch=3)

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        for prompt in prompts:
            if any(mark in prompt.id for mark in self._die) and not (self._once and self._once.exists()):
                if self._once:
                    self._once.touch()
                os._exit(9)
        return [
            Reply(status="ok", text="odd", answer="odd", consumed=Consumed(len(p.audios), p.seconds)) for p in prompts
        ]

    def close(self) -> None:
        pass


def load(name: str, options: LoadOptions) -> Fatal:
    if "missing" in options.args:
        raise ModelUnavailable("no weights of fatal here")
    return Fatal(name, options)
