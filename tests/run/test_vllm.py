"""The vLLM engine against a server that speaks its API; and the command it would start one with."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from fault_server import serving

from apun import registry
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions
from apun.run import vllm
from apun.run.data import Selection
from apun.run.evaluate import Request, evaluate
from apun.tasks import Conditions

HUB = "Qwen/Qwen2.5-Omni-7B"


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BENCHMARKS, "toy", "toy_benchmark:BENCHMARK")
    monkeypatch.delenv("APUN_VLLM_URL", raising=False)


def request(folder: Path, model: str = "qwen2.5-omni", **load: object) -> Request:
    selection = Selection("toy", conditions=Conditions("audio"))
    return Request(selection, model, LoadOptions(**load), out=folder, engine="vllm")  # type: ignore[arg-type]


def test_a_running_server_that_holds_the_model_is_used(tmp_path: Path) -> None:
    with serving() as (url, state):
        state.holds = [HUB]
        outcome = evaluate(request(tmp_path / "run", base_url=url))
        part = outcome.summary["tasks"]["toy.parity"]
        assert part["counts"] == {"unparsed": 20} and state.bodies[0]["model"] == HUB
        assert "model:qwen2.5-omni@vllm/Qwen/Qwen2.5-Omni-7B" in part["signature"]
        assert outcome.asked == state.requests == 20


def test_a_server_without_the_model_is_refused_with_the_command(tmp_path: Path) -> None:
    with serving() as (url, state):
        state.holds = ["other"]
        with pytest.raises(ModelUnavailable, match=rf"does not hold {HUB}.*vllm serve {HUB}"):
            evaluate(request(tmp_path, base_url=url))


def test_without_vllm_the_command_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vllm, "served", lambda url: [])
    monkeypatch.setattr(vllm.shutil, "which", lambda name: None)
    with pytest.raises(ModelUnavailable, match=r"not installed here.*vllm serve"):
        evaluate(request(tmp_path))


def fake_vllm(folder: Path, body: str) -> None:
    script = folder / "vllm"
    script.write_text(f"#!{sys.executable}\nimport sys\nport = int(sys.argv[sys.argv.index('--port') + 1])\n{body}")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)


SERVE = """
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def reply(self, body):
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
    def do_GET(self): self.reply({"data": [{"id": sys.argv[sys.argv.index("--served-model-name") + 1]}]})
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.reply({"model": "m", "choices": [{"message": {"content": "odd"}, "finish_reason": "stop"}]})
HTTPServer(("127.0.0.1", port), H).serve_forever()
"""


def test_a_server_is_started_used_and_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_vllm(tmp_path, SERVE)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(vllm, "DEFAULT_URL", "http://127.0.0.1:9/v1")
    outcome = evaluate(request(tmp_path / "run"))
    assert outcome.summary["tasks"]["toy.parity"]["metrics"]["accuracy"]["value"] == 0.5


def test_a_server_that_dies_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_vllm(tmp_path, "sys.exit('CUDA is not here')")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(vllm, "DEFAULT_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnavailable, match=r"exit 1.*CUDA is not here"):
        evaluate(request(tmp_path / "run"))


def test_models_vllm_does_not_serve_and_unpinned_remote_code_are_refused() -> None:
    with pytest.raises(UsageError, match="serves no salmonn"):
        vllm.command("tsinghua-ee/SALMONN", "salmonn", 1, LoadOptions())
    with pytest.raises(UsageError, match="pinned --revision"):
        vllm.command("openbmb/MiniCPM-o-2_6", "minicpm-o-2.6", 1, LoadOptions(trust_remote_code=True))
    with (
        pytest.raises(UsageError, match="needs a model with a hub id"),
        vllm.start(Request(Selection(), "solver"), None),
    ):
        pass
