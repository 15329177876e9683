"""Speech services over HTTP: what is sent, what is retried, what is refused, where keys go."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import soundfile

from apun.errors import DataError, ModelUnavailable, UsageError
from apun.http import Client
from apun.speech import Utterance
from tts.catalogue import load
from tts.core import http
from tts.core.rendering import ensure

HELLO = Utterance("i", "Hello there.", "en")
Handler = Callable[[httpx.Request], httpx.Response]


def wav(rate: int = 24_000, channels: int = 1) -> bytes:
    time = np.arange(rate // 2) / rate
    out = io.BytesIO()
    wave = np.repeat(0.3 * np.sin(2 * np.pi * 300 * time)[:, None], channels, axis=1)
    soundfile.write(out, wave, rate, format="WAV")
    return out.getvalue()


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Callable[[Handler], list[httpx.Request]]:
    """Replace the network by a function; pauses between attempts are skipped."""

    def start(handler: Handler) -> list[httpx.Request]:
        seen: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            seen.append(request)
            return handler(request)

        offline = partial(Client, transport=httpx.MockTransport(answer), sleep=lambda _: None)
        monkeypatch.setattr(http, "Client", offline)
        return seen

    return start


def body(request: httpx.Request) -> dict[str, Any]:
    return json.loads(request.content)  # type: ignore[no-any-return]


def test_openai_request_and_stereo_answer(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    seen = serve(lambda _: httpx.Response(200, content=wav(48_000, channels=2)))
    engine = load("openai:tts-x", speed="1.25", instructions="calmly")
    rendering = engine.speak(HELLO, "nova", 7)
    assert str(seen[0].url) == "https://api.openai.com/v1/audio/speech"
    assert seen[0].headers["authorization"] == "Bearer sk-secret"
    assert body(seen[0]) == {
        "model": "tts-x",
        "input": "Hello there.",
        "voice": "nova",
        "response_format": "wav",
        "speed": 1.25,
        "instructions": "calmly",
    }
    assert (rendering.rate, rendering.samples.shape) == (48_000, (24_000,))
    assert "tts-x" in engine.version
    assert "secret" not in engine.version


def test_own_server_needs_no_key(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    seen = serve(lambda _: httpx.Response(200, content=wav()))
    engine = load("openai:csm", base_url="http://localhost:9/v1", voices="a, b")
    assert [voice.name for voice in engine.voices()] == ["a", "b"]
    engine.speak(HELLO, "b", 0)
    assert "authorization" not in seen[0].headers
    with pytest.raises(ModelUnavailable, match="OPENAI_API_KEY"):
        load("openai")
    with pytest.raises(UsageError, match="address"):
        load("openai", base_url="ftp://x")


def test_busy_service_is_asked_again_and_then_given_up(serve: Any) -> None:
    answers = iter([httpx.Response(429), httpx.Response(503), httpx.Response(200, content=wav())])
    seen = serve(lambda _: next(answers))
    load("openai:m", base_url="http://localhost:9/v1").speak(HELLO, "nova", 0)
    assert len(seen) == 3
    seen = serve(lambda _: httpx.Response(500, text="down"))
    with pytest.raises(ModelUnavailable, match="HTTP 500"):
        load("openai:m", base_url="http://localhost:9/v1").speak(HELLO, "nova", 0)
    assert len(seen) == http.LIMITS.tries


def test_wrong_key_is_not_retried_nor_shown(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    seen = serve(lambda _: httpx.Response(401, text="no such key"))
    with pytest.raises(ModelUnavailable, match="HTTP 401") as caught:
        load("openai").speak(HELLO, "nova", 0)
    assert len(seen) == 1
    assert "sk-secret" not in str(caught.value)


def test_a_refused_text_is_listed_not_fatal(serve: Any, tmp_path: Path) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        return (
            httpx.Response(400, text="policy")
            if "bad" in body(request)["input"]
            else httpx.Response(200, content=wav())
        )

    serve(handler)
    engine = load("openai:m", base_url="http://localhost:9/v1")
    with pytest.raises(DataError, match="refused this text"):
        engine.speak(Utterance("b", "bad words", "en"), "nova", 0)
    assert ensure([HELLO], engine, "all", 0, tmp_path).parts("i") == ("main",)


def test_what_is_no_audio_is_refused(serve: Any) -> None:
    serve(lambda _: httpx.Response(200, content=b'{"error": "quota"}'))
    with pytest.raises(ModelUnavailable, match="no readable audio"):
        load("openai:m", base_url="http://localhost:9/v1").speak(HELLO, "nova", 0)


def test_qwen_tts_by_address_and_by_data(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASHSCOPE_API_KEY", "ds-secret")
    address = "http://dashscope-result.oss-cn-beijing.aliyuncs.com/a.wav?sig=1"

    def handler(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, content=wav())
        return httpx.Response(200, json={"output": {"audio": {"url": address, "data": ""}}})

    seen = serve(handler)
    rendering = load("qwen-tts").speak(Utterance("i", "银行", "zh"), "Cherry", 0)
    assert rendering.samples.size == 12_000
    assert body(seen[0])["input"] == {"text": "银行", "voice": "Cherry", "language_type": "Chinese"}
    assert seen[0].headers["authorization"] == "Bearer ds-secret"
    assert seen[1].url.scheme == "https"
    assert "authorization" not in seen[1].headers

    data = base64.b64encode(wav(16_000)).decode()
    serve(lambda _: httpx.Response(200, json={"output": {"audio": {"data": data}}}))
    assert load("qwen-tts").speak(HELLO, "Ethan", 0).rate == 16_000


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"output": {"audio": {"url": "http://evil.example/a.wav"}}}, "outside its own storage"),
        ({"output": {"audio": {"url": "http://aliyuncs.com.evil.example/a.wav"}}}, "outside its own storage"),
        ({"output": {"audio": {"data": "@@@"}}}, "not base64"),
        ({"code": "Throttled"}, "without audio"),
        ([], "not a JSON object"),
    ],
)
def test_strange_answers_of_qwen_tts(serve: Any, monkeypatch: pytest.MonkeyPatch, answer: Any, says: str) -> None:
    monkeypatch.setenv("DASHSCOPE_API_KEY", "k")
    serve(lambda _: httpx.Response(200, json=answer))
    with pytest.raises(ModelUnavailable, match=says):
        load("qwen-tts").speak(HELLO, "Cherry", 0)


def test_qwen_tts_key_comes_from_the_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DASHSCOPE_API_KEY", raising=False)
    with pytest.raises(ModelUnavailable, match="DASHSCOPE_API_KEY"):
        load("qwen-tts")
    with pytest.raises(UsageError, match="does not take"):
        load("qwen-tts", api_key="x")
