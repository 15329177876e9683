"""The one HTTP client: waits as asked, gives up in time, keeps keys to itself, goes where the environment says."""

from __future__ import annotations

import base64
import json
import string
import sys
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from typing import Any
from urllib.parse import quote

import pytest
from fault_server import State, serving
from hypothesis import given
from hypothesis import strategies as st

from apun.errors import MissingDependency, UsageError
from apun.http import (
    LONGEST_WAIT,
    Client,
    Gate,
    Limits,
    ServiceError,
    bearer,
    failure,
    json_object,
    key_from,
    openai_address,
    retry_after,
    web_address,
)

httpx = pytest.importorskip("httpx", reason="the extra 'models' is not installed")

PRINTABLE = string.ascii_letters + string.digits + string.punctuation


def client(
    answer: Callable[[Any], Any], *, key: str | None = None, url: str = "http://service/v1", **limits: Any
) -> tuple[Client, list[Any], list[float]]:
    """A client over a function in place of the network, the requests it made and the waits it took."""
    seen: list[Any] = []
    waits: list[float] = []

    def handle(request: Any) -> Any:
        seen.append(request)
        return answer(request)

    made = Client(url, bearer(key), key, Limits(**limits), transport=httpx.MockTransport(handle), sleep=waits.append)
    return made, seen, waits


def fails(status: int, headers: dict[str, str] | None = None, **body: Any) -> Callable[[Any], Any]:
    return lambda _: httpx.Response(status, headers=headers, json=body)


@pytest.fixture
def server() -> Iterator[tuple[str, State]]:
    with serving() as running:
        yield running


def test_the_gate_halves_and_recovers() -> None:
    gate = Gate(8)
    gate.overloaded()
    gate.overloaded()
    assert gate.limit == 2
    for _ in range(100):
        gate.succeeded()
    assert gate.limit == 8


WAITS = [
    ({"retry-after": "2"}, 2.0),
    ({"retry-after": "1.5"}, 1.5),
    ({"retry-after-ms": "250"}, 0.25),
    ({}, None),
    ({"retry-after": "soon"}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), WAITS)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_and_googles_details_say_how_long_to_wait() -> None:
    assert retry_after({"retry-after": formatdate(time.time() + 30, usegmt=True)}) == pytest.approx(30, abs=2)
    assert retry_after({"retry-after": formatdate(time.time() - 30, usegmt=True)}) == 0.0
    details = [{"@type": "other"}, "text", {"retryDelay": "7.5s"}]
    assert retry_after({}, {"error": {"details": details}}) == 7.5
    assert retry_after({}, {"error": {"details": [{"retryDelay": "soon"}]}}) is None


def test_waits_are_those_asked_for_or_double_with_jitter_and_are_bounded() -> None:
    asked, seen, waits = client(fails(429, {"retry-after": "3600"}), tries=3)
    with pytest.raises(ServiceError, match=r"HTTP 429: .*\(after 3 tries\)"):
        asked.send("POST", "/x", json_object, json={})
    assert waits == [LONGEST_WAIT, LONGEST_WAIT] and len(seen) == 3
    asked, _, waits = client(fails(500), tries=5, backoff=1.0)
    with pytest.raises(ServiceError):
        asked.send("POST", "/x", json_object, json={})
    assert [0.75 * 2**n <= wait <= 1.25 * 2**n for n, wait in enumerate(waits)] == [True] * 4
    asked, _, waits = client(fails(500), tries=9, backoff=50.0, deadline=1e9)
    with pytest.raises(ServiceError):
        asked.send("POST", "/x", json_object, json={})
    assert max(waits) <= LONGEST_WAIT * 1.25


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    asked, seen, waits = client(fails(503, {"retry-after": "30"}, error="busy"), deadline=5.0)
    with pytest.raises(ServiceError, match=r"HTTP 503: busy \(after 1 tries\)") as caught:
        asked.send("POST", "/x", json_object, json={})
    assert (len(seen), waits, caught.value.status) == (1, [], 503)


def test_a_response_that_trickles_or_has_no_end_is_given_up() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 65_536

    asked, seen, _ = client(lambda _: httpx.Response(200, content=endless()), largest=1 << 20)
    with pytest.raises(ServiceError, match="larger than 1 MiB"):
        asked.send("GET", "/x", bytes)
    asked, seen, _ = client(lambda _: httpx.Response(200, content=endless()), deadline=0.05, largest=1 << 40)
    with pytest.raises(ServiceError, match="did not end within"):
        asked.send("GET", "/x", bytes)
    assert len(seen) == 1


@pytest.mark.parametrize("code", ["insufficient_quota", "model_not_found"])
@pytest.mark.parametrize("field", ["code", "type"])
def test_what_no_repetition_mends_is_final(code: str, field: str) -> None:
    asked, seen, _ = client(fails(429, error={field: code, "message": "no"}))
    with pytest.raises(ServiceError, match=f"HTTP 429: {code}: no$"):
        asked.send("POST", "/x", json_object, json={})
    assert len(seen) == 1


@pytest.mark.parametrize("body", [b"", b"<html>", b"[1]", b'"text"', b"[" * 100_000, b"\xff\xfe"])
def test_what_is_no_object_is_asked_for_again(body: bytes) -> None:
    asked, seen, _ = client(lambda _: httpx.Response(200, content=body), tries=2)
    with pytest.raises(ServiceError, match="not a JSON object"):
        asked.send("POST", "/x", json_object, json={})
    assert len(seen) == 2
    assert "HTTP 404" in str(failure(404, {}, body))


def test_requests_go_below_the_base_and_other_addresses_get_no_key() -> None:
    asked, seen, _ = client(lambda _: httpx.Response(200, json={}), key="sk-private", url="http://service/v1/")
    asked.send("POST", "/form", json_object, data={"a": "b"}, files={"file": ("c.wav", b"RIFF", "audio/wav")})
    asked.send("GET", "https://elsewhere/a.wav", bytes)
    assert [str(one.url) for one in seen] == ["http://service/v1/form", "https://elsewhere/a.wav"]
    assert seen[0].headers["authorization"] == "Bearer sk-private" and "authorization" not in seen[1].headers
    assert b'name="a"' in seen[0].content and b"RIFF" in seen[0].content
    assert asked.send("GET", "/x", json_object).tries == 1


def test_redirects_are_not_followed() -> None:
    asked, seen, _ = client(lambda _: httpx.Response(302, headers={"location": "http://evil/"}))
    with pytest.raises(ServiceError, match="HTTP 302"):
        asked.send("GET", "/x", bytes)
    assert len(seen) == 1


@given(key=st.text(PRINTABLE, min_size=8), password=st.text(PRINTABLE, min_size=8))
def test_no_key_and_no_password_comes_out(key: str, password: str) -> None:
    key, written = f"sk-{key}", quote(password, safe="")
    basic = base64.b64encode(f"user:{password}".encode()).decode()

    def quoting(request: Any) -> Any:
        told = f"{request.headers['authorization']} {basic} {password} {written}"
        return httpx.Response(401, json={"error": {"message": told}})

    asked, _, _ = client(quoting, key=key, url=f"http://user:{written}@service/v1")
    with pytest.raises(ServiceError) as caught:
        asked.send("GET", "/x", bytes)
    secrets = {key, password, written, basic, json.dumps(key)[1:-1], json.dumps(password)[1:-1]}
    for told in (str(caught.value), caught.value.body, repr(asked), repr(asked.headers)):
        assert not [secret for secret in secrets if secret in told]


def test_keys_are_stripped_and_checked_where_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRST_KEY", "  \n")
    monkeypatch.setenv("SECOND_KEY", " sk-good \r\n")
    assert key_from("FIRST_KEY", "SECOND_KEY") == "sk-good"
    assert key_from("FIRST_KEY") is None and key_from() is None
    for bad in ("sk-a\nsk-b", "sk a", "sk-ключ", "sk-\x01"):
        monkeypatch.setenv("FIRST_KEY", bad)
        with pytest.raises(UsageError, match="FIRST_KEY") as caught:
            key_from("FIRST_KEY")
        assert bad not in str(caught.value)


def test_openais_key_stays_with_openai_and_with_the_environments_address(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"OPENAI_API_KEY": "o", "APUN_API_KEY": "a", "OTHER": "f"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    def key(url: str | None, **more: list[str]) -> tuple[str | None, bool]:
        found = openai_address(url, other=["APUN_API_KEY"], **more)
        return found.key, found.official

    assert key(None) == key("https://api.openai.com/v1") == key("https://eu.api.openai.com/v1/") == ("o", True)
    assert key("http://localhost:8000/v1") == key("https://notopenai.com/v1") == ("a", False)
    assert key("http://localhost:8000/v1", first=["OTHER"]) == ("f", False)
    monkeypatch.delenv("APUN_API_KEY")
    assert key("http://localhost:8000/v1") == (None, False)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1/")
    assert key(None) == ("o", False) and openai_address(None).url == "http://localhost:8000/v1"


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x", "api.openai.com", "http://", "http://h:port", "http://["]
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match=r"--base-url.* not an http\(s\) address"):
        web_address(url)


def test_without_httpx_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingDependency, match=r"httpx is not installed.*apun\[models\]"):
        Client("http://service")


def test_the_proxy_of_the_environment_is_used(server: tuple[str, State], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", server[0])
    monkeypatch.setenv("http_proxy", server[0])
    asked = Client("http://service.invalid/v1", limits=Limits(tries=1, timeout=5))
    body = {"messages": [{"role": "user", "content": "q"}]}
    answer = asked.send("POST", "/chat/completions", json_object, json=body)
    asked.close()
    assert answer.body["model"] == "toy-1" and server[1].requests == 1
    monkeypatch.setenv("NO_PROXY", "service.invalid")
    asked = Client("http://service.invalid/v1", limits=Limits(tries=1, timeout=5))
    with pytest.raises(ServiceError, match="connection failed"):
        asked.send("POST", "/chat/completions", json_object, json=body)
    asked.close()


def test_a_cut_response_is_asked_for_again(server: tuple[str, State]) -> None:
    asked = Client(server[0], limits=Limits(tries=2, backoff=0.002))
    body = {"messages": [{"role": "user", "content": "q [cut ok]"}]}
    answer = asked.send("POST", "/chat/completions", json_object, json=body)
    asked.close()
    assert answer.tries == 2 and answer.waited > 0 and json.dumps(dict(answer.body))
