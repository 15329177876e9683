"""The vLLM engine: models too large for one device, behind vLLM's OpenAI-compatible server.

A running server is found at ``--base-url``, ``$APUN_VLLM_URL`` or port 8000 of this machine. Without
one, and with the ``vllm`` command installed, a server is started and stopped with the run; else the
command that would start it is printed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.errors import ModelUnavailable, UsageError
from apun.http import Client, Limits, ServiceError, bearer, json_object, openai_address
from apun.models import LoadOptions, Model
from apun.paths import without_credentials
from apun.registry import load_model, model_entry, model_family
from apun.run.answering import InProcess

if TYPE_CHECKING:
    from apun.run.evaluate import Request

DEFAULT_URL = "http://127.0.0.1:8000/v1"
START_SECONDS = 1800.0  # weights of a large model take minutes to load
PROBE = Limits(concurrency=1, tries=1, timeout=5)


def command(hub_id: str, family: str, port: int, options: LoadOptions) -> list[str]:
    """The command that serves a model.

    Raises:
        UsageError: vLLM has no such architecture, or needs remote code that was not allowed.
    """
    entry = model_family(family)
    if entry is None or entry.vllm is None:
        raise UsageError(f"vLLM serves no {family} models; use --engine local or ray")
    flags = entry.vllm
    if "--trust-remote-code" in flags and not (options.trust_remote_code and options.revision):
        raise UsageError(f"{hub_id} runs code from the hub: give --trust-remote-code and a pinned --revision")
    revision = ["--revision", options.revision] if options.revision else []
    limits = ["--limit-mm-per-prompt", json.dumps({"audio": 6})] if entry.accepts.audio else []
    common = ["--port", str(port), "--generation-config", "vllm"]
    return [
        "vllm",
        "serve",
        options.weights or hub_id,
        "--served-model-name",
        hub_id,
        *common,
        *limits,
        *revision,
        *flags,
    ]


def served(url: str) -> list[str]:
    """Names of the models a server holds; empty when nothing answers there."""
    address = openai_address(url, other=["APUN_API_KEY"])
    client = Client(address.url, bearer(address.key), address.key, PROBE)
    try:
        return [str(model["id"]) for model in client.send("GET", "/models", json_object).body["data"]]
    except (ServiceError, KeyError, TypeError):
        return []
    finally:
        client.close()


@contextmanager
def start(request: Request, load: Callable[[str, LoadOptions], Model] | None) -> Iterator[InProcess]:
    """Find or start the server, and ask through it.

    Raises:
        UsageError: the model is not one that vLLM serves.
        ModelUnavailable: no server holds it and none can be started; prints the command.
    """
    entry = model_entry(request.model)
    name, family = (entry.hub_id, entry.family) if entry else (request.model.removeprefix("hf:"), request.load.family)
    if not name or family is None:
        raise UsageError(
            f"--engine vllm needs a model with a hub id, or hf:ORG/NAME with --family; not {request.model!r}"
        )
    given = request.load.base_url or os.environ.get("APUN_VLLM_URL")
    url = (given or DEFAULT_URL).rstrip("/")
    with contextlib.ExitStack() as stack:
        if name not in served(url):
            url = stack.enter_context(_server(name, family, given, request.load))
        model: Any = load_model(f"openai:{name}", replace(request.load, base_url=url))
        model.info = replace(
            model.info, name=request.model, family="vllm", revision=f"vllm/{name}@{request.load.revision or 'main'}"
        )
        try:
            yield InProcess(model, request.batch_size)
        finally:
            model.close()


@contextmanager
def _server(name: str, family: str, given: str | None, options: LoadOptions) -> Iterator[str]:
    port = _free_port()
    line = command(name, family, port, options)
    if given is not None:
        raise ModelUnavailable(
            f"the server at {without_credentials(given)} does not hold {name}. Start one that does: {shlex.join(line)}"
        )
    if shutil.which("vllm") is None:
        raise ModelUnavailable(
            f"no vLLM server holds {name}, and the vllm command is not installed here (it pins its own torch: give "
            f"it an environment of its own). Start one elsewhere and give --base-url: {shlex.join(line)}"
        )
    print(f"apun: starting {shlex.join(line)}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "vllm.log"
        with log.open("wb") as output:
            process = subprocess.Popen(line, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                url = f"http://127.0.0.1:{port}/v1"
                _wait(process, url, name, log)
                yield url
            finally:
                process.terminate()
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()


def _wait(process: subprocess.Popen[Any], url: str, name: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while name not in served(url):
        if process.poll() is not None or time.monotonic() > deadline:
            tail = _tail(log.read_text("utf-8", "replace").splitlines())
            raise ModelUnavailable(f"vLLM did not come up (exit {process.poll()}): {tail}")
        time.sleep(0.5)


def _tail(lines: Sequence[str]) -> str:
    return " | ".join(lines[-5:])[-800:]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
