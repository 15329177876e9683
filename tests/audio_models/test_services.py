"""OpenAI-compatible and Gemini endpoints against a real server: nothing lost, nothing invented."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fault_server import State, serving

from apun.clips import Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import Generation, LoadOptions, Model
from apun.prompts import Audio, Message, Prompt, Text
from apun.replies import Reply
from apun.run.answering import check_heard
from audio_models.catalogue import load

FAST = {"backoff": "0.002", "timeout": "5"}
SECRET = "sk-very-secret-0123456789"


@pytest.fixture
def server() -> Iterator[tuple[str, State]]:
    with serving() as running:
        yield running


def model(url: str, kind: str = "openai", **args: str) -> Model:
    return load(f"{kind}:toy", LoadOptions(base_url=url, args={**FAST, **args}))


def prompt(text: str, seconds: float = 0.0) -> Prompt:
    audio = (Audio(Clip(samples=np.full(int(16_000 * seconds), 0.1, np.float32))),) if seconds else ()
    return Prompt(text, "toy.task", (Message("system", (Text("Listen."),)), Message("user", (*audio, Text(text)))))


def ask(model: Model, *texts: str, seconds: float = 0.0) -> list[Reply]:
    return model.generate([prompt(text, seconds) for text in texts], Generation())


def right(text: str, seconds: float = 0.0) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8] + f" heard {seconds:.2f}"


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_text_and_audio_reach_the_service_whole(server: tuple[str, State], kind: str) -> None:
    url, state = server
    asked = model(url, kind)
    (reply,) = ask(asked, "what?", seconds=1.5)
    assert reply.status == "ok" and reply.answer == right("what?", 1.5)
    assert reply.consumed.clips == 1 and reply.consumed.seconds == 1.5
    assert reply.consumed.audio_tokens == {"openai": 15, "gemini": 48}[kind]
    assert reply.served_model == "toy-1" and reply.tokens_out == 3
    assert check_heard(prompt("what?", 1.5), reply, asked.info) is reply
    body = state.bodies[0]
    if kind == "openai":
        assert body["messages"][0] == {"role": "system", "content": "Listen."}
        assert (body["temperature"], body["top_p"], body["top_k"], body["repetition_penalty"]) == (0.0, 1.0, -1, 1.0)
        assert body["max_tokens"] == 64
    else:
        assert body["systemInstruction"] == {"parts": [{"text": "Listen."}]}
        assert body["generationConfig"]["thinkingConfig"] == {"thinkingBudget": 0}


@pytest.mark.parametrize("kind", ["openai", "gemini"])
@pytest.mark.parametrize("script", ["429 ok", "500 ok", "503 503 ok", "cut ok", "json ok", "html ok", "429 500 cut ok"])
def test_passing_faults_are_asked_again(server: tuple[str, State], kind: str, script: str) -> None:
    url, state = server
    (reply,) = ask(model(url, kind), f"q [{script}]")
    assert reply.status == "ok" and reply.answer == right(f"q [{script}]")
    assert state.requests == reply.extra["tries"] == len(script.split())


def test_a_slow_answer_times_out_and_is_asked_again(server: tuple[str, State]) -> None:
    (reply,) = ask(model(server[0], timeout="0.3"), "q [slow ok]")
    assert reply.status == "ok" and reply.extra["tries"] == 2


@pytest.mark.parametrize(
    ("script", "status", "said", "requests"),
    [
        ("quota", "error", "insufficient_quota: pay first", 1),
        ("404", "error", "HTTP 404: failed with 404", 1),
        ("500", "error", "HTTP 500: failed with 500 (after 6 tries)", 6),
        ("json", "error", "not a JSON object (after 6 tries)", 6),
        ("filter", "refused", "content filter", 1),
        ("length", "truncated", "ran out of tokens", 1),
        ("empty", "error", "sent no text", 1),
        ("nochoice", "error", "no choice", 1),
    ],
)
def test_failures_are_statuses_with_a_reason(
    server: tuple[str, State], script: str, status: str, said: str, requests: int
) -> None:
    url, state = server
    (reply,) = ask(model(url), f"q [{script}]")
    assert (reply.status, reply.answer) == (status, None) and said in str(reply.reason)
    assert state.requests == requests


@pytest.mark.parametrize(
    ("script", "status", "said"),
    [
        ("filter", "refused", "prompt blocked: SAFETY"),
        ("unsafe", "refused", "finish reason SAFETY"),
        ("length", "truncated", "ran out of tokens"),
        ("empty", "error", "sent no text"),
        ("404", "error", "HTTP 404"),
    ],
)
def test_gemini_failures_are_statuses_too(server: tuple[str, State], script: str, status: str, said: str) -> None:
    (reply,) = ask(model(server[0], "gemini"), f"q [{script}]")
    assert (reply.status, reply.answer) == (status, None) and said in str(reply.reason)


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_thinking_stays_out_of_the_answer(server: tuple[str, State], kind: str) -> None:
    (reply,) = ask(model(server[0], kind), "q [think]")
    assert reply.thinking == "hmm" and reply.answer == right("q [think]")


def test_a_service_that_counts_no_audio_token_did_not_hear(server: tuple[str, State]) -> None:
    asked = model(server[0])
    (reply,) = ask(asked, "q [deaf]", seconds=1.0)
    assert check_heard(prompt("q [deaf]", 1.0), reply, asked.info).status == "error"


def test_two_hundred_requests_keep_their_order_and_stay_within_the_concurrency() -> None:
    with serving(rate=0.1) as (url, state):
        texts = [f"question {i}" for i in range(200)]
        replies = ask(model(url, concurrency="16"), *texts)
        assert [reply.answer for reply in replies] == [right(text) for text in texts]
        assert 1 < state.most <= 16
        assert state.requests == sum(reply.extra["tries"] for reply in replies) > 200


def test_a_change_of_served_version_is_reported(server: tuple[str, State], capsys: pytest.CaptureFixture[str]) -> None:
    asked = model(server[0])
    ask(asked, "a")
    (reply,) = ask(asked, "b [newmodel]")
    assert (reply.served_model, reply.extra["served_before"]) == ("toy-2", "toy-1")
    assert "was served as toy-1 and is now toy-2" in capsys.readouterr().err


def test_keys_come_from_the_environment_and_never_come_out(
    server: tuple[str, State], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APUN_API_KEY", SECRET)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai-only")
    url, state = server
    asked = model(url)
    (reply,) = ask(asked, "q [401]")
    assert state.headers[0]["Authorization"] == f"Bearer {SECRET}"
    assert "bad key ***" in str(reply.reason)
    assert SECRET not in repr(reply) + repr(asked.info) + repr(asked.__dict__)


def test_openais_key_stays_away_from_addresses_of_the_command_line(
    server: tuple[str, State], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("APUN_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai-only")
    url, state = server
    ask(model(url), "q")
    assert "Authorization" not in state.headers[-1]
    monkeypatch.setenv("OPENAI_BASE_URL", url)  # set beside the key, by the one who holds it
    ask(load("openai:toy", LoadOptions(args=FAST)), "q")
    assert state.headers[-1]["Authorization"] == "Bearer sk-for-openai-only"


def test_missing_keys_and_bad_addresses_are_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelUnavailable, match="OPENAI_API_KEY"):
        load("openai:gpt-audio-1.5", LoadOptions())
    with pytest.raises(ModelUnavailable, match="GEMINI_API_KEY"):
        load("gemini:gemini-3.5-flash-lite", LoadOptions())
    with pytest.raises(UsageError, match="not an http"):
        load("openai:x", LoadOptions(base_url="file:///etc/passwd"))
    with pytest.raises(UsageError, match="not a positive number"):
        load("openai:x", LoadOptions(base_url="http://127.0.0.1:9", args={"timeout": "nan"}))


def test_a_server_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    (reply,) = ask(model("http://127.0.0.1:9", tries="2"), "q")
    assert reply.status == "error" and "connection failed" in str(reply.reason)
