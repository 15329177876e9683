"""What the two HTTP adapters share: prompts in, replies out, the served version watched."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from apun.models import Generation, ModelInfo
from apun.prompts import Prompt
from apun.replies import Consumed, Reply
from audio_models.service import Answer, Service, ServiceError

BATCHES_AHEAD = 4  # prompts in one call, times the concurrency: stragglers do not leave slots idle


class Dialect(Protocol):
    """How a service is asked and how its answers read."""

    def ask(self, prompt: Prompt, generation: Generation) -> Answer:
        """Send one prompt; raises ``ServiceError``."""

    def read(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """``Reply`` fields of a response body; raises ``ServiceError`` when it has no answer's shape."""


class Served:
    """A model behind an HTTP service."""

    def __init__(self, service: Service, dialect: Dialect, info: ModelInfo) -> None:
        self._service, self._dialect, self.info = service, dialect, info
        self._served: str | None = None
        self._watch = threading.Lock()

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """One reply per prompt, in order, asked at once within the concurrency."""
        return self._service.map(lambda prompt: self._reply(prompt, generation), prompts)

    def _reply(self, prompt: Prompt, generation: Generation) -> Reply:
        if prompt.audios and not self.info.audio:
            return Reply.error(f"{self.info.name} takes no audio")
        try:
            answer = self._dialect.ask(prompt, generation)
            fields = self._dialect.read(answer.body)
        except ServiceError as error:
            return Reply.error(self._service.clean(str(error)))
        extra = {**fields.pop("extra", {}), "tries": answer.tries}
        if answer.waited:
            extra["waited"] = round(answer.waited, 3)
        if changed := self._changed(fields.get("served_model")):
            extra["served_before"] = changed
        audio_tokens = fields.pop("audio_tokens", None)
        return Reply(
            **fields,
            consumed=Consumed(len(prompt.audios), prompt.seconds, audio_tokens if prompt.audios else None),
            seconds={"reasoning": answer.seconds, "total": answer.seconds},
            extra=extra,
        )

    def _changed(self, served: str | None) -> str | None:
        """The version served before, when it is not the one served now; said once on standard error."""
        if served is None:
            return None
        with self._watch:
            first, self._served = self._served, self._served or served
        if first is None or first == served:
            return None
        print(f"apun: {self.info.name} was served as {first} and is now {served}", file=sys.stderr)
        return first

    def close(self) -> None:
        """Close connections."""
        self._service.close()
