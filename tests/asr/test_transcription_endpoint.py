"""The OpenAI-compatible endpoint against a server on this machine."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import soundfile

from apun.clips import Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, Recogniser
from asr.catalogue import load

pytest.importorskip("httpx", reason="the extra 'models' is not installed")

Tone = Callable[..., Clip]
VERBOSE = {
    "text": " The seal has lips. ",
    "words": [{"word": "The", "start": 0.0, "end": 0.2}, {"word": "seal", "start": 0.2, "end": 0.5}],
    "segments": [{"no_speech_prob": 0.01, "avg_logprob": -0.2}],
}


@dataclass
class Service:
    """What the server is to answer, and what it was asked."""

    answers: list[tuple[int, dict[str, str], Any]]
    asked: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def service() -> Iterator[Service]:
    state = Service([])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            state.asked.append(
                {
                    "path": self.path,
                    "headers": {k.lower(): v for k, v in self.headers.items()},
                    **parts(self.headers, body),
                }
            )
            status, headers, answer = state.answers[min(len(state.asked), len(state.answers)) - 1]
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    yield state
    server.shutdown()
    server.server_close()


def parts(headers: Any, body: bytes) -> dict[str, Any]:
    """The fields of a multipart form."""
    from email.parser import BytesParser

    message = BytesParser().parsebytes(b"content-type: " + headers["content-type"].encode() + b"\r\n\r\n" + body)
    return {
        str(part.get_param("name", header="content-disposition")): part.get_payload(decode=True)
        for part in message.get_payload()
    }


def connect(service: Service, **args: str) -> Recogniser:
    return load("openai-asr:whisper-1", LoadOptions(base_url=service.url, args={"backoff": "0.002", **args}))


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "APUN_ASR_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_clip_language_and_words(service: Service, tone: Tone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APUN_ASR_API_KEY", "sk-private")
    service.answers = [(200, {}, VERBOSE)]
    clip = tone(1.5)
    recogniser = connect(service)
    heard = recogniser.transcribe([clip], "en")[0]
    assert heard.text == "The seal has lips." and heard.error is None and heard.flags == ()
    assert [(word.text, word.start) for word in heard.words] == [("The", 0.0), ("seal", 0.2)]
    assert heard.seconds_heard == pytest.approx(1.5)
    asked = service.asked[0]
    assert asked["path"] == "/v1/audio/transcriptions"
    assert asked["model"] == b"whisper-1" and asked["language"] == b"en" and asked["temperature"] == b"0"
    assert asked["headers"]["authorization"] == "Bearer sk-private"
    samples, rate = soundfile.read(io.BytesIO(asked["file"]), dtype="float32")
    assert rate == 16_000 and samples == pytest.approx(clip.samples, abs=1e-4)
    assert "sk-private" not in repr(recogniser.info)


def test_the_language_can_be_left_to_the_service(service: Service, tone: Tone) -> None:
    service.answers = [(200, {}, VERBOSE)]
    connect(service).transcribe([tone(1.0)], None)
    assert "language" not in service.asked[0]
    assert "authorization" not in service.asked[0]["headers"]


def test_a_service_without_word_times_is_asked_again_once(service: Service, tone: Tone) -> None:
    refused = {"error": {"message": "response_format 'verbose_json' is not compatible with model"}}
    service.answers = [(400, {}, refused), (200, {}, {"text": "hello"})]
    recogniser = connect(service)
    heard = recogniser.transcribe([tone(1.0), tone(1.0, 400.0)], "en")
    assert [one.text for one in heard] == ["hello", "hello"] and heard[0].words == ()
    assert len(service.asked) == 3, "the second clip is not asked for words again"


def test_busy_services_are_tried_again_and_refusals_are_not(service: Service, tone: Tone) -> None:
    service.answers = [(429, {"retry-after": "0"}, {"error": "slow down"}), (200, {}, VERBOSE)]
    assert connect(service).transcribe([tone(1.0)], "en")[0].error is None
    assert len(service.asked) == 2
    service.asked.clear()
    service.answers = [(429, {"retry-after": "0"}, {"error": {"code": "insufficient_quota"}})]
    assert "insufficient_quota" in str(connect(service).transcribe([tone(1.0)], "en")[0].error)
    assert len(service.asked) == 1, "an empty account is not asked again"
    service.asked.clear()
    service.answers = [(401, {}, {"error": "bad key"})]
    assert "HTTP 401" in str(connect(service).transcribe([tone(1.0)], "en")[0].error)
    assert len(service.asked) == 1


@pytest.mark.parametrize("answer", [[], {"words": []}, {"text": 5}, b"<html>", {"text": None}])
def test_answers_of_another_shape_are_errors(service: Service, tone: Tone, answer: Any) -> None:
    service.answers = [(200, {}, answer)]
    heard = connect(service, words="no").transcribe([tone(1.0)], "en")[0]
    assert heard.error and heard.text == ""


def test_hallucinations_are_flagged(service: Service, tone: Tone) -> None:
    silent = {"text": "Thanks for watching!", "segments": [{"no_speech_prob": 0.95, "avg_logprob": -1.3}]}
    service.answers = [(200, {}, silent)]
    assert "no_speech" in connect(service).transcribe([tone(1.0)], "en")[0].flags


def test_no_key_and_no_password_comes_out(service: Service, tone: Tone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APUN_ASR_API_KEY", "sk-private")
    service.answers = [(401, {}, {"error": "wrong key sk-private"})]
    url = service.url.replace("http://", "http://user:hunter2@")
    recogniser = load("openai-asr:whisper-1", LoadOptions(base_url=url))
    error = str(recogniser.transcribe([tone(1.0)], "en")[0].error)
    assert "wrong key ***" in error and "hunter2" not in error + repr(recogniser.info)


def test_openais_key_goes_to_openai_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai-only")

    def sent(url: str | None) -> str | None:
        recogniser = load("openai-asr:whisper-1", LoadOptions(base_url=url))
        return recogniser._client.headers.get("authorization")  # type: ignore[attr-defined, no-any-return]

    assert sent("https://notopenai.com/v1") is None and sent("http://127.0.0.1:9/v1") is None
    assert sent(None) == sent("https://api.openai.com/v1") == "Bearer sk-for-openai-only"


def test_bad_requests_are_one_sentence() -> None:
    with pytest.raises(UsageError, match="openai-asr:MODEL"):
        load("openai-asr:", LoadOptions())
    with pytest.raises(UsageError, match="http"):
        load("openai-asr:whisper-1", LoadOptions(base_url="file:///etc/passwd"))
    with pytest.raises(ModelUnavailable, match="OPENAI_API_KEY"):
        load("openai-asr:whisper-1", LoadOptions())
