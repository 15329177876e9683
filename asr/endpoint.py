"""Any OpenAI-compatible ``/v1/audio/transcriptions`` (OpenAI, vLLM, local servers).

The key comes from ``APUN_ASR_API_KEY``, for OpenAI also from ``OPENAI_API_KEY``, and is never logged; a
server on this machine needs none.
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, ModelInfo, Transcript, Word
from apun.paths import without_credentials
from asr.arguments import check, number, switch
from asr.quality import flags
from asr.transcribing import one_by_one

DEFAULT_URL = "https://api.openai.com/v1"
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_LONGEST_WAIT = 60.0  # seconds between tries, whatever the server asks for


def create(name: str, options: LoadOptions) -> Endpoint:
    """``openai-asr:MODEL`` at ``options.base_url``, ``$OPENAI_BASE_URL`` or OpenAI.

    Raises:
        UsageError: no model is named, or the URL is not http(s).
        ModelUnavailable: the service needs a key and the environment holds none.
    """
    check(options, ("words", "retries", "timeout"))
    model = name.partition(":")[2]
    if not model:
        raise UsageError("write openai-asr:MODEL, for example openai-asr:whisper-1")
    url = (options.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL).rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"the endpoint {without_credentials(url)!r} is not an http(s) address")
    openai = f".{parts.hostname}".endswith(".openai.com")
    own = openai or options.base_url is None
    # a key for OpenAI must not travel to an address that came from the command line
    api_key = os.environ.get("APUN_ASR_API_KEY") or (os.environ.get("OPENAI_API_KEY") if own else None)
    if not api_key and openai:
        raise ModelUnavailable("OpenAI's endpoint needs a key in OPENAI_API_KEY or APUN_ASR_API_KEY")
    return Endpoint(name, model, url, api_key, options)


class Endpoint:
    """A transcription service over HTTP. Clips are sent as 16-bit WAV.

    Args:
        name: as given on the command line.
        model: the service's model name.
        url: base URL, ending in ``/v1`` as a rule.
        api_key: bearer token; None for services without one.
        options: ``args``: ``words`` (yes: ask for word times), ``retries`` (4), ``timeout`` (120 s).
    """

    def __init__(self, name: str, model: str, url: str, api_key: str | None, options: LoadOptions) -> None:
        import httpx

        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(headers=headers, timeout=number(options, "timeout", 120))
        self._key = api_key
        self._url, self._model = f"{url}/audio/transcriptions", model
        self._words = switch(options, "words", True)
        self._retries = number(options, "retries", 4)
        self._info = ModelInfo(
            name=name,
            family="openai-asr",
            revision=model,
            audio=True,
            settings={"dtype": "", "device": "service", "endpoint": without_credentials(url), "temperature": 0},
        )

    @property
    def info(self) -> ModelInfo:
        """What this recogniser is."""
        return self._info

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        """One transcript per clip, with word times where the service gives them."""
        return one_by_one(clips, lambda clip: self._hear(clip, language))

    def _hear(self, clip: Clip, language: str | None) -> Transcript:
        form = {"model": self._model, "temperature": "0"}
        if language is not None:
            form["language"] = language
        if self._words:
            form |= {"response_format": "verbose_json", "timestamp_granularities[]": "word"}
        body = self._post(form, wav(clip))
        if self._words and body is None:  # newer models refuse verbose_json: ask again without word times
            self._words = False
            form = {key: value for key, value in form.items() if not key.startswith(("response", "timestamp"))}
            body = self._post(form, wav(clip))
        if body is None or not isinstance(body.get("text"), str):
            raise ModelUnavailable("the service answered without a text")
        text = body["text"].strip()
        return Transcript(text, _words(body), clip.samples.size / SAMPLE_RATE, flags=_flags(text, body))

    def _post(self, form: Mapping[str, str], audio: bytes) -> Mapping[str, Any] | None:
        """The answer as JSON; None when the service refuses the response format."""
        import httpx

        problem, wait = "", 0.0
        for attempt in range(self._retries + 1):
            time.sleep(wait)
            wait = min(2.0**attempt * 0.5, _LONGEST_WAIT)
            try:
                response = self._client.post(
                    self._url, data=dict(form), files={"file": ("clip.wav", audio, "audio/wav")}
                )
            except httpx.TransportError as error:
                problem = f"{type(error).__name__}: {error}"
                continue
            if response.status_code == 400 and "response_format" in response.text and "response_format" in form:
                return None
            if response.status_code == 200:
                body = response.json()
                if not isinstance(body, dict):
                    raise ModelUnavailable("the service answered with something that is not a JSON object")
                return body
            problem = f"HTTP {response.status_code}: {response.text[:300]}"
            if response.status_code not in _RETRIED or "insufficient_quota" in response.text:
                break
            wait = _asked_wait(response.headers.get("retry-after"), wait)
        if self._key:
            problem = problem.replace(self._key, "***")  # some services quote the key they refuse
        raise ModelUnavailable(f"{without_credentials(self._url)}: {problem}")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def wav(clip: Clip) -> bytes:
    """The clip as a 16-bit mono WAV file at 16 kHz."""
    import soundfile

    out = io.BytesIO()
    soundfile.write(out, clip.samples, SAMPLE_RATE, format="WAV", subtype="PCM_16")
    return out.getvalue()


def _asked_wait(header: str | None, default: float) -> float:
    try:
        return min(max(float(header or ""), 0.0), _LONGEST_WAIT)
    except ValueError:
        return default


def _words(body: Mapping[str, Any]) -> tuple[Word, ...]:
    rows = body.get("words") or ()
    try:
        return tuple(Word(str(row["word"]).strip(), float(row["start"]), float(row["end"])) for row in rows)
    except (KeyError, TypeError, ValueError):
        return ()  # an optional extra in a shape we do not know; the text stands


def _flags(text: str, body: Mapping[str, Any]) -> tuple[str, ...]:
    segments = [row for row in body.get("segments") or () if isinstance(row, dict)]
    silent = [row["no_speech_prob"] for row in segments if isinstance(row.get("no_speech_prob"), (int, float))]
    sure = [row["avg_logprob"] for row in segments if isinstance(row.get("avg_logprob"), (int, float))]
    return flags(text, no_speech=min(silent, default=None), logprob=sum(sure) / len(sure) if sure else None)
