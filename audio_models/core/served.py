"""What the two HTTP adapters share: prompts in, replies out, the served version watched."""

from __future__ import annotations

import base64
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from apun.clips import Clip
from apun.http import Client, Limits, ServiceError, json_object, wav
from apun.models import BaseModel, Generation, LoadOptions, ModelInfo
from apun.prompts import Prompt
from apun.replies import Consumed, Reply
from audio_models.core.inputs import refusal

BATCHES_AHEAD = 4  # prompts in one call, times the concurrency: stragglers do not leave slots idle


class Dialect(Protocol):
    """How a service is asked and how its answers read."""

    @property
    def path(self) -> str:
        """Where prompts are posted, below the service's address."""

    def body(self, prompt: Prompt, generation: Generation) -> dict[str, Any]:
        """The request for one prompt; raises ``ServiceError`` when it cannot be sent."""

    def read(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """``Reply`` fields of a response body; raises ``ServiceError`` when it has no answer's shape."""


def client(url: str, headers: Mapping[str, str], key: str | None, options: LoadOptions) -> Client:
    """The client of a service.

    Args:
        url: address in front of the paths.
        headers: sent with every request.
        key: the secret in them; None when there is none.
        options: ``args``: ``concurrency`` (16), ``timeout`` (seconds, 120), ``tries`` (6),
            ``backoff`` (first wait in seconds, 1).
    """
    limits = Limits(
        concurrency=max(1, int(options.number("concurrency", 16, positive=True))),
        tries=max(1, int(options.number("tries", 6, positive=True))),
        backoff=options.number("backoff", 1.0, positive=True),
        timeout=options.number("timeout", 120.0, positive=True),
    )
    return Client(url, headers, key, limits)


class Served(BaseModel):
    """A model behind an HTTP service."""

    def __init__(self, service: Client, dialect: Dialect, info: ModelInfo) -> None:
        self._service, self._dialect, self.info = service, dialect, info
        self._served: str | None = None
        self._watch = threading.Lock()

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """One reply per prompt, in order, asked at once within the concurrency."""
        return self._service.map(lambda prompt: self._reply(prompt, generation), prompts)

    def _reply(self, prompt: Prompt, generation: Generation) -> Reply:
        problem = refusal(self.info, prompt)
        if problem is not None:
            return Reply.error(problem)
        try:
            body = self._dialect.body(prompt, generation)
            answer = self._service.send("POST", self._dialect.path, json_object, json=body)
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


def wav_base64(clip: Clip) -> str:
    """A clip as a 16-bit WAV, base64."""
    return base64.b64encode(wav(clip)).decode("ascii")
