"""Any service that speaks OpenAI's ``/v1/audio/speech``: OpenAI, and local servers such as vLLM-Omni.

``openai:MODEL``, with ``--option base_url=http://localhost:8000/v1`` for another server and
``OPENAI_API_KEY`` in the environment; for another server ``APUN_API_KEY``, where it wants one.
"""

from __future__ import annotations

from typing import Any

from apun.errors import ModelUnavailable, UsageError
from apun.http import OpenAIAddress, openai_address
from apun.models import Rendering, Voice
from apun.speech import Utterance
from tts.core.engine import SpeechEngine
from tts.core.http import ask, client, decode

PATH = "/audio/speech"
MODEL = "gpt-4o-mini-tts"
VOICES = ("alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer", "verse")


class OpenAISpeech(SpeechEngine):
    """Speaks through an endpoint, which takes no seed."""

    name = "openai"
    deterministic = False

    def __init__(
        self, address: OpenAIAddress, model: str, voices: tuple[str, ...], instructions: str, speed: float
    ) -> None:
        self._http, self._model = client(address.url, address.key), model
        self._instructions, self._speed = instructions, speed
        version = f"{model}@{address.url}{PATH}|{speed:g}|{instructions}"
        super().__init__(version, [Voice(name, self.name, ("en", "zh", "ja")) for name in voices])

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        body: dict[str, Any] = {
            "model": self._model,
            "input": utterance.text,
            "voice": voice,
            "response_format": "wav",
            "speed": self._speed,
        }
        if self._instructions:
            body["instructions"] = self._instructions
        samples, rate = decode(ask(self._http, "POST", PATH, bytes, json=body))
        return Rendering(samples, rate, utterance.text)

    def close(self) -> None:
        self._http.close()


def load(
    model: str = MODEL, base_url: str = "", voices: str = "", instructions: str = "", speed: float = 1.0
) -> OpenAISpeech:
    """The engine.

    Args:
        model: as the service names it.
        base_url: up to and with ``/v1``; ``OPENAI_BASE_URL`` or OpenAI's own when empty.
        voices: names separated by ``,``; OpenAI's when empty.
        instructions: how to speak, for models that take it.
        speed: 0.25 to 4.

    Raises:
        UsageError: not a web address, or a speed out of range.
        ModelUnavailable: OpenAI itself is asked and ``OPENAI_API_KEY`` is not set.
    """
    if not 0.25 <= float(speed) <= 4:
        raise UsageError(f"speed must be from 0.25 to 4, not {speed}")
    address = openai_address(base_url or None, "base_url", other=["APUN_API_KEY"])
    if address.official and address.key is None:
        raise ModelUnavailable("the environment variable OPENAI_API_KEY is not set")
    names = tuple(name.strip() for name in voices.split(",") if name.strip()) or VOICES
    return OpenAISpeech(address, model, names, instructions, float(speed))
