"""Qwen-TTS through DashScope's HTTP interface; the key comes from ``DASHSCOPE_API_KEY`` only.

The service answers with the address of a WAV file, or with base64 audio; both are handled, the
file only from Alibaba's own storage.
"""

from __future__ import annotations

import base64
import binascii
from urllib.parse import urlsplit

from apun.errors import ModelUnavailable, UsageError
from apun.http import json_object, key_from
from apun.models import Rendering, Voice
from apun.speech import Utterance
from tts.core.engine import SpeechEngine
from tts.core.http import ask, client, decode

BASE_URL = "https://dashscope.aliyuncs.com/api/v1"
PATH = "/services/aigc/multimodal-generation/generation"
MODEL = "qwen3-tts-flash"
VOICES = ("Cherry", "Serena", "Ethan", "Chelsie", "Jennifer", "Ryan", "Katerina", "Elias", "Nofish", "Dylan")
STORAGE = ".aliyuncs.com"
_LANGUAGE = {"en": "English", "zh": "Chinese", "ja": "Japanese"}


class QwenTTS(SpeechEngine):
    """Speaks through DashScope, which takes no seed."""

    name = "qwen-tts"
    deterministic = False

    def __init__(self, base_url: str, model: str, voices: tuple[str, ...], key: str) -> None:
        self._http, self._model = client(base_url, key), model
        super().__init__(f"{model}@{base_url}{PATH}", [Voice(name, self.name, tuple(_LANGUAGE)) for name in voices])

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        given = {"text": utterance.text, "voice": voice, "language_type": _LANGUAGE[utterance.language]}
        answer = ask(self._http, "POST", PATH, json_object, json={"model": self._model, "input": given})
        try:
            audio = answer["output"]["audio"]
            url, data = str(audio.get("url") or ""), str(audio.get("data") or "")
        except (KeyError, TypeError, AttributeError) as error:
            raise ModelUnavailable(f"Qwen-TTS answered without audio: {str(answer)[:200]!r}") from error
        samples, rate = decode(self._audio(url, data))
        return Rendering(samples, rate, utterance.text)

    def _audio(self, url: str, data: str) -> bytes:
        if data:
            try:
                return base64.b64decode(data, validate=True)
            except binascii.Error as error:
                raise ModelUnavailable("Qwen-TTS sent audio that is not base64") from error
        host = urlsplit(url).hostname or ""
        if not host.endswith(STORAGE):
            raise ModelUnavailable(f"Qwen-TTS named a file outside its own storage ({host or 'no address'})")
        return ask(self._http, "GET", url.replace("http://", "https://", 1), bytes)

    def close(self) -> None:
        self._http.close()


def load(model: str = MODEL, base_url: str = BASE_URL, voices: str = "") -> QwenTTS:
    """The engine.

    Args:
        model: DashScope's name of it.
        base_url: up to ``/api/v1``; the international service has another one.
        voices: names separated by ``,``; ten of the service's when empty.

    Raises:
        UsageError: ``base_url`` is not https.
        ModelUnavailable: ``DASHSCOPE_API_KEY`` is not set.
    """
    if not base_url.startswith("https://"):
        raise UsageError(f"base_url must start with https://, not {base_url!r}")
    names = tuple(name.strip() for name in voices.split(",") if name.strip()) or VOICES
    key = key_from("DASHSCOPE_API_KEY")
    if key is None:
        raise ModelUnavailable("the environment variable DASHSCOPE_API_KEY is not set")
    return QwenTTS(base_url.rstrip("/"), model, names, key)
