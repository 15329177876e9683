"""A real HTTP server on loopback that speaks OpenAI's and Gemini's shapes and fails as told.

A prompt's text carries its faults: ``[500 429 ok]`` fails twice, then answers. Without a script
it answers at once, or fails at a seeded rate. Every request is counted.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import soundfile

FAULTS = ("429", "500", "503", "cut", "json")


class State:
    """What the server has seen."""

    def __init__(self, rate: float = 0.0, model: str = "toy-1") -> None:
        self.rate, self.model = rate, model
        self.holds: list[str] = []
        self.requests = 0
        self.seen: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.busy = self.most = 0
        self.lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    state: State

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.send(200, {"object": "list", "data": [{"id": name} for name in self.state.holds]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        gemini = "contents" in body
        text, audio = read_gemini(body) if gemini else read_openai(body)
        with self.state.lock:
            self.state.requests += 1
            turn = self.state.seen[text]
            self.state.seen[text] += 1
            if len(self.state.bodies) < 50:
                self.state.bodies.append(body)
                self.state.headers.append(dict(self.headers))
            self.state.busy += 1
            self.state.most = max(self.state.most, self.state.busy)
        try:
            self.respond(fault(self.state, text, turn), text, audio, gemini)
        finally:
            with self.state.lock:
                self.state.busy -= 1

    def respond(self, kind: str, text: str, audio: float, gemini: bool) -> None:
        served = self.state.model
        if kind == "slow":
            time.sleep(0.6)
        if kind == "429":
            if gemini:
                detail = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.01s"}
                return self.send(429, {"error": {"code": 429, "message": "slow down", "details": [detail]}})
            return self.send(429, {"error": {"message": "slow down"}}, {"retry-after-ms": "10"})
        if kind == "quota":
            return self.send(429, {"error": {"message": "pay first", "code": "insufficient_quota"}})
        if kind == "401":
            key = self.headers.get("authorization", "").removeprefix("Bearer ")
            return self.send(401, {"error": {"message": f"bad key {key}", "code": "invalid_api_key"}})
        if kind in ("500", "503", "404"):
            return self.send(int(kind), {"error": {"message": f"failed with {kind}"}})
        if kind == "html":
            return self.raw(200, b"<html>proxy</html>")
        if kind == "json":
            return self.raw(200, b'{"choices": [')
        if kind == "cut":
            return self.raw(200, b'{"choices": [{"mess', length=500)
        if kind == "newmodel":
            served = "toy-2"
        answer = hashlib.sha256(text.encode()).hexdigest()[:8] + f" heard {audio:.2f}"
        self.send(200, gemini_body(kind, answer, served, audio) if gemini else openai_body(kind, answer, served, audio))

    def send(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        self.raw(status, json.dumps(body).encode(), headers=headers)

    def raw(self, status: int, data: bytes, length: int | None = None, headers: dict[str, str] | None = None) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(length or len(data)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            pass  # the client gave up; that is what some tests are about
        if length:
            self.close_connection = True


def fault(state: State, text: str, turn: int) -> str:
    script = re.search(r"\[([a-z0-9 ]+)\]", text)
    if script:
        steps = script.group(1).split()
        return steps[min(turn, len(steps) - 1)]
    draw = int(hashlib.sha256(f"{text}:{turn}".encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
    return FAULTS[int(draw / state.rate * len(FAULTS)) % len(FAULTS)] if draw < state.rate else "ok"


def read_openai(body: dict[str, Any]) -> tuple[str, float]:
    content = body["messages"][-1]["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    return text, sum(seconds(b["input_audio"]["data"]) for b in blocks if b["type"] == "input_audio")


def read_gemini(body: dict[str, Any]) -> tuple[str, float]:
    parts = body["contents"][-1]["parts"]
    text = "".join(part.get("text", "") for part in parts)
    return text, sum(seconds(part["inlineData"]["data"]) for part in parts if "inlineData" in part)


def seconds(data: str) -> float:
    samples, rate = soundfile.read(io.BytesIO(base64.b64decode(data)))
    return float(len(samples) / rate)


def openai_body(kind: str, answer: str, served: str, audio: float) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer}
    finish = {"filter": "content_filter", "length": "length"}.get(kind, "stop")
    if kind == "think":
        message["content"] = f"<think>hmm</think>{answer}"
    if kind == "empty":
        message["content"] = ""
    if kind == "deaf":
        audio = 0.0
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "prompt_tokens_details": {"audio_tokens": int(audio * 10)}}
    choice = {"message": message, "finish_reason": finish}
    return {"id": "r1", "model": served, "choices": [] if kind == "nochoice" else [choice], "usage": usage}


def gemini_body(kind: str, answer: str, served: str, audio: float) -> dict[str, Any]:
    if kind == "filter":
        return {"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": served}
    parts = [{"text": "hmm", "thought": True}, {"text": answer}] if kind == "think" else [{"text": answer}]
    finish = {"length": "MAX_TOKENS", "unsafe": "SAFETY"}.get(kind, "STOP")
    details = [{"modality": "TEXT", "tokenCount": 5}, {"modality": "AUDIO", "tokenCount": int(audio * 32)}]
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 3, "promptTokensDetails": details}
    candidate = {"content": {"parts": [] if kind == "empty" else parts}, "finishReason": finish}
    return {"candidates": [candidate], "modelVersion": served, "usageMetadata": usage}


@contextmanager
def serving(rate: float = 0.0) -> Iterator[tuple[str, State]]:
    """The server's address and state, while it runs."""
    state = State(rate)
    handler = type("Bound", (Handler,), {"state": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", state
    finally:
        server.shutdown()
        server.server_close()
