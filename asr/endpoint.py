"""Any OpenAI-compatible ``/v1/audio/transcriptions`` (OpenAI, vLLM, local servers).

The key comes from ``APUN_ASR_API_KEY``, for OpenAI also from ``OPENAI_API_KEY``, and is never logged; a
server on this machine needs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apun.clips import Clip
from apun.errors import ModelUnavailable, UsageError
from apun.http import Client, Limits, OpenAIAddress, ServiceError, bearer, json_object, openai_address, wav
from apun.models import LoadOptions, ModelInfo, Word
from apun.paths import without_credentials
from asr.core.recogniser import BaseRecogniser, Hypothesis

PATH = "/audio/transcriptions"


def create(name: str, options: LoadOptions) -> Endpoint:
    """``openai-asr:MODEL`` at ``options.base_url``, ``$OPENAI_BASE_URL`` or OpenAI.

    Raises:
        UsageError: no model is named, or the URL is not http(s).
        ModelUnavailable: the service needs a key and the environment holds none.
    """
    model = name.partition(":")[2]
    if not model:
        raise UsageError("write openai-asr:MODEL, for example openai-asr:whisper-1")
    address = openai_address(options.base_url, "the endpoint", first=["APUN_ASR_API_KEY"])
    if address.official and not address.key:
        raise ModelUnavailable("OpenAI's endpoint needs a key in OPENAI_API_KEY or APUN_ASR_API_KEY")
    return Endpoint(name, model, address, options)


class Endpoint(BaseRecogniser):
    """A transcription service over HTTP. Clips are sent as 16-bit WAV.

    Args:
        name: as given on the command line.
        model: the service's model name.
        address: where it is.
        options: ``args``: ``words`` (yes: ask for word times), ``retries`` (4), ``timeout`` (120 s),
            ``backoff`` (first wait between tries, 0.5 s).
    """

    def __init__(self, name: str, model: str, address: OpenAIAddress, options: LoadOptions) -> None:
        limits = Limits(
            concurrency=1,
            tries=max(0, options.whole("retries", 4)) + 1,
            backoff=options.number("backoff", 0.5, positive=True),
            timeout=options.number("timeout", 120, positive=True),
        )
        self._client = Client(address.url, bearer(address.key), address.key, limits)
        self._shown, self._model = without_credentials(address.url), model
        self._words = options.switch("words", True)
        settings = {"dtype": "", "device": "service", "endpoint": self._shown, "temperature": 0}
        super().__init__(ModelInfo(name, "openai-asr", model, audio=True, settings=settings), None, None)

    def hear(self, clip: Clip, language: str | None) -> Hypothesis:
        """Ask the service, for word times where it gives them."""
        form = {"model": self._model, "temperature": "0"}
        if language is not None:
            form["language"] = language
        audio = wav(clip)
        try:
            body = self._post(form, audio)
        except ServiceError as error:
            if self._words and error.status == 400 and "response_format" in error.body:
                self._words = False  # newer models refuse verbose_json: ask again without word times
                return self.hear(clip, language)
            raise ModelUnavailable(f"{self._shown}{PATH}: {error}") from None
        if not isinstance(body.get("text"), str):
            raise ModelUnavailable("the service answered without a text")
        segments = [row for row in body.get("segments") or () if isinstance(row, dict)]
        silent = [row["no_speech_prob"] for row in segments if isinstance(row.get("no_speech_prob"), (int, float))]
        sure = [row["avg_logprob"] for row in segments if isinstance(row.get("avg_logprob"), (int, float))]
        return Hypothesis(
            body["text"],
            _words(body),
            no_speech=min(silent, default=None),
            logprob=sum(sure) / len(sure) if sure else None,
        )

    def _post(self, form: Mapping[str, str], audio: bytes) -> Mapping[str, Any]:
        timed = {"response_format": "verbose_json", "timestamp_granularities[]": "word"} if self._words else {}
        files = {"file": ("clip.wav", audio, "audio/wav")}
        return self._client.send("POST", PATH, json_object, data={**form, **timed}, files=files).body

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _words(body: Mapping[str, Any]) -> tuple[Word, ...]:
    rows = body.get("words") or ()
    try:
        return tuple(Word(str(row["word"]).strip(), float(row["start"]), float(row["end"])) for row in rows)
    except (KeyError, TypeError, ValueError):
        return ()  # an optional extra in a shape we do not know; the text stands
