"""The worker protocol: any value there and back, failures told apart, death survived."""

from __future__ import annotations

import io
import json
import os
import signal
import struct
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.environments import client, protocol
from apun.environments.client import Worker, WorkerDied, WorkerError

HANDLER = Path(__file__).with_name("toy_handler.py")


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker(sys.executable, HANDLER, {"size": "tiny"}) as running:
        yield running


def round_trip(message: dict[str, object]) -> dict[str, object] | None:
    stream = io.BytesIO()
    protocol.write(stream, message)
    stream.seek(0)
    return protocol.read(stream)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text().filter(lambda key: not key.startswith("__")), inner),
    max_leaves=20,
)


@settings(deadline=None, max_examples=150)
@given(json_values)
def test_any_value_survives(value: object) -> None:
    assert round_trip({"value": value}) == {"value": value}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "int64", "uint8", "bool", ">f4"])
@pytest.mark.parametrize("shape", [(0,), (5,), (2, 3, 4), ()])
def test_arrays_survive(dtype: str, shape: tuple[int, ...]) -> None:
    array = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
    back = round_trip({"a": [{"b": array}]})
    assert back is not None
    result = back["a"][0]["b"]  # type: ignore[index]
    assert result.shape == shape
    assert result.dtype == array.dtype.newbyteorder("<")
    assert np.array_equal(result, array)
    assert result.flags.writeable


def test_objects_and_foreign_bytes_are_refused() -> None:
    with pytest.raises(protocol.ProtocolError, match="object"):
        protocol.write(io.BytesIO(), {"a": np.array([object()])})
    with pytest.raises(protocol.ProtocolError, match="no frame"):
        protocol.read(io.BytesIO(b"Traceback (most recent call last):\n"))
    with pytest.raises(protocol.ProtocolError, match="inside a frame"):
        protocol.read(io.BytesIO(struct.pack(">II", 10, 0) + b"{}"))
    bomb = json.dumps({"a": {"__array__": 0, "dtype": "O", "shape": [1]}}).encode()
    with pytest.raises(protocol.ProtocolError, match="does not hold"):
        protocol.read(io.BytesIO(struct.pack(">IIQ", len(bomb), 1, 8) + bomb + b"\0" * 8))
    assert protocol.read(io.BytesIO(b"")) is None


def test_calls_and_noise_on_stdout(worker: Worker) -> None:
    assert worker.info["options"] == {"size": "tiny"}
    assert worker.info["pid"] != os.getpid()
    samples = np.linspace(-1, 1, 100_000, dtype=np.float32)
    answer = worker.call("double", samples=samples)
    assert np.array_equal(answer["samples"], samples * 2)
    assert answer["rate"] == 16_000
    assert worker.call("echo", value={"text": "ʃ \ud800 好", "none": None}) == {"text": "ʃ \ud800 好", "none": None}
    for _ in range(50):
        if "straight to descriptor 1" in worker.stderr:
            break
        time.sleep(0.02)
    assert "loading {'size': 'tiny'}" in worker.stderr


def test_apun_is_not_needed_over_there(worker: Worker) -> None:
    assert not worker.call("imported", name="apun")
    assert str(client.SERVER.parent) not in worker.call("path")


def test_an_exception_is_an_answer_and_the_worker_lives(worker: Worker) -> None:
    with pytest.raises(WorkerError, match="KeyError: 'nothing here'") as caught:
        worker.call("fail")
    assert "toy_handler.py" in caught.value.trace
    with pytest.raises(WorkerError, match="AttributeError"):
        worker.call("nonsense")
    with pytest.raises(WorkerError, match="not public"):
        worker.call("__init__", options={})
    with pytest.raises(WorkerError, match="TypeError"):
        worker.call("unsendable")
    assert worker.call("echo", value=1) == 1
    assert worker.starts == 1


def test_load_failure_says_why() -> None:
    with pytest.raises(WorkerError, match="no such model"):
        Worker(sys.executable, HANDLER, {"fail": True}).start()


@pytest.mark.parametrize("code", [3, -signal.SIGSEGV])
def test_death_is_survived_once(worker: Worker, tmp_path: Path, code: int) -> None:
    first = worker.info["pid"]
    assert worker.call("die", flag=str(tmp_path / "flag"), code=code) == "survived"
    assert worker.starts == 2
    assert worker.info["pid"] != first


def test_a_call_that_kills_every_worker_is_given_up(worker: Worker, tmp_path: Path) -> None:
    with pytest.raises(WorkerDied, match="signal 9"):
        worker.call("always_die")
    assert worker.starts == 2
    assert worker.call("echo", value="again") == "again"


def test_last_words_are_in_the_error(tmp_path: Path) -> None:
    with (
        Worker(sys.executable, HANDLER, restarts=0) as worker,
        pytest.raises(WorkerDied, match=r"(?s)status 3.*last words"),
    ):
        worker.call("die", flag=str(tmp_path / "flag"))


def test_a_hanging_worker_is_noticed() -> None:
    with Worker(sys.executable, HANDLER, restarts=0, silence=0.6) as worker:
        with pytest.raises(WorkerDied, match="silent"):
            worker.call("hang")
        assert not worker.alive


def test_other_protocol_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "VERSION", 99)
    with pytest.raises(WorkerDied, match="speaks protocol 1, this apun speaks 99"):
        Worker(sys.executable, HANDLER).start()


def test_something_else_than_a_worker(tmp_path: Path) -> None:
    with pytest.raises(WorkerDied, match="cannot be run"):
        Worker(tmp_path / "python", HANDLER).start()
    talker = tmp_path / "python"
    talker.write_text("#!/bin/sh\necho 'Welcome to Python!'\n")
    talker.chmod(0o755)
    with pytest.raises(WorkerDied, match="did not speak the protocol"):
        Worker(talker, HANDLER).start()


def test_the_worker_ends_with_its_client(tmp_path: Path) -> None:
    """Even in the middle of a call, when the client is killed."""
    script = textwrap.dedent(
        f"""
        import sys, threading
        from apun.environments.client import Worker
        worker = Worker(sys.executable, {str(HANDLER)!r})
        print(worker.start()["pid"], flush=True)
        worker.call("sleep", seconds=600)
        """
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        state = Path(f"/proc/{pid}/stat")
        if state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the worker outlived its client")
