"""Models in another process: what is sent, what comes back, deaths, and what a user is told is missing."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from apun import environments
from apun.clips import Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import Generation, LoadOptions, Model
from apun.prompts import Audio, Message, Prompt, Slot, Text
from apun.run.answering import check_heard
from audio_models import catalogue
from audio_models.catalogue import MODELS, Entry, load
from audio_models.pinned import model as pinned

PROGRAM = Path(__file__).resolve().parents[1] / "support" / "toy_program.py"
SEPARATE = sorted(entry.name for entry in MODELS.values() if entry.environment)


def noise(seconds: float, seed: int = 0) -> Clip:
    return Clip(samples=np.random.default_rng(seed).uniform(-0.1, 0.1, int(seconds * 16_000)).astype(np.float32))


def ask(*parts: str | Clip) -> Prompt:
    content = tuple(Text(part) if isinstance(part, str) else Audio(part, f"clip{i}") for i, part in enumerate(parts))
    return Prompt("q", "task", (Message("system", (Text("Listen."),)), Message("user", content)))


def replaced(monkeypatch: pytest.MonkeyPatch, name: str, **fields: object) -> Entry:
    """Another entry of the catalogue under a name."""
    entry = dataclasses.replace(MODELS[name], **fields)  # type: ignore[arg-type]
    monkeypatch.setattr(catalogue, "MODELS", {**MODELS, name: entry})
    return entry


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every environment is this one, and MiniCPM-o 4.5 is the toy."""
    monkeypatch.setattr(environments, "python_of", lambda name: Path(sys.executable))
    replaced(monkeypatch, "minicpm-o-4.5", program=str(PROGRAM), runs_code=False, fixed={})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "weights"
    path.mkdir()
    (path / "config.json").write_text("{}")
    return path


@pytest.fixture
def toy(here: None, folder: Path) -> Iterator[Model]:
    model = load(str(folder), LoadOptions(family="minicpm-o-4.5", device="cpu", dtype="float32"))
    yield model
    model.close()


def test_conversation_clips_and_settings_arrive(toy: Model) -> None:
    first, second = noise(0.5, 1), noise(0.25, 2)
    prompt = ask("Compare ", first, " and <|end|>", second, "now")
    (reply,) = toy.generate([prompt], Generation(max_new_tokens=17, seed=4))
    sent = json.loads(str(reply.answer))
    assert sent["messages"] == [
        {"role": "system", "content": [{"text": "Listen."}]},
        {
            "role": "user",
            "content": [{"text": "Compare "}, {"audio": 0}, {"text": " and < |end|>"}, {"audio": 1}, {"text": "now"}],
        },
    ]
    assert sent["lengths"] == [8000, 4000]
    assert (sent["max_new_tokens"], sent["temperature"], sent["seed"]) == (17, 0.0, 4)
    assert reply.extra["heard"] == (first.sha256, second.sha256)
    assert reply.extra["neutralised"] == 1
    assert (reply.consumed.clips, reply.consumed.seconds, reply.consumed.audio_tokens) == (2, 0.75, 20)
    assert check_heard(prompt, reply, toy.info).status == "ok"


def test_what_it_is_is_logged(toy: Model, folder: Path) -> None:
    info = toy.info
    assert (info.family, info.max_batch, info.identity["dtype"]) == ("minicpm-o-4.5", 1, "float32")
    assert info.revision.startswith("sha256:")
    assert info.settings["environment"] == "minicpm-o-4.5"
    assert info.settings["versions"]["python"]
    assert len(info.settings["requirements"]) == 16


@pytest.mark.parametrize(
    ("word", "status", "reason"),
    [
        ("deaf", "error", "took in 0 of 1 clips"),
        ("half", "error", "heard 0.50 s of 1.00 s"),
        ("raise", "error", "IndexError: index 1500"),
        ("garbage", "error", "not understood"),
        ("endless", "truncated", "no end within 3"),
        ("think", "truncated", "never closed"),
    ],
)
def test_failures_are_statuses(toy: Model, word: str, status: str, reason: str) -> None:
    prompt = ask(noise(1.0), word)
    reply = check_heard(prompt, toy.generate([prompt], Generation())[0], toy.info)
    assert reply.status == status
    assert reason in str(reply.reason)
    assert reply.answer is None


def test_a_prompt_that_kills_costs_only_itself(toy: Model, folder: Path) -> None:
    replies = toy.generate([ask("a"), ask("fatal"), ask("b")], Generation())
    assert [reply.status for reply in replies] == ["ok", "error", "ok"]
    assert "exit status 139" in str(replies[1].reason)
    assert "CUDA error: device-side assert triggered" in str(replies[1].reason)
    assert replies[1].extra["restarts"] == 1
    assert (folder / "starts").read_text() == "3"  # at first, once more for the prompt, once for the next


def test_a_death_by_accident_is_made_good(toy: Model) -> None:
    (reply,) = toy.generate([ask("once")], Generation())
    assert reply.status == "ok"
    assert reply.extra["restarts"] == 1


def test_a_model_that_keeps_dying_is_let_be(toy: Model, folder: Path) -> None:
    replies = toy.generate([ask("fatal")] * 5, Generation())
    assert {reply.status for reply in replies} == {"error"}
    assert "3 prompts in a row" in str(replies[-1].reason)
    assert (folder / "starts").read_text() == "6"


def test_sampling_is_refused_where_a_family_only_runs_greedily(toy: Model) -> None:
    (reply,) = toy.generate([ask("a")], Generation(temperature=0.7))
    assert "greedily" in str(reply.reason)


def test_limits_are_refused_before_anything_is_sent(toy: Model, folder: Path) -> None:
    toy.info = dataclasses.replace(toy.info, max_clips=1, longest_seconds=30.0)  # type: ignore[misc]
    many, long = toy.generate([ask(noise(0.1), noise(0.1)), ask(noise(30.2))], Generation())
    assert "takes 1 clip(s) in a prompt, and this one has 2" in str(many.reason)
    assert "hears 30 s of a clip, and this one has 30.20 s" in str(long.reason)


def test_an_unreadable_clip_fails_its_own_prompt(toy: Model, tmp_path: Path) -> None:
    bad = tmp_path / "bad.wav"
    bad.write_bytes(b"no audio")
    gone, fine = toy.generate([ask(Clip(bad)), ask("a")], Generation())
    assert gone.status == "error"
    assert "bad.wav" in str(gone.reason)
    assert fine.status == "ok"


def test_a_slot_is_never_sent() -> None:
    with pytest.raises(UsageError, match="empty slot 'main'"):
        pinned.packed(Prompt("q", "task", (Message("user", (Slot(),)),)))


def test_a_load_that_fails_is_named(here: None, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match=r"(?s)cannot be loaded.*RuntimeError: size mismatch for layer 3"):
        load(str(broken), LoadOptions(family="minicpm-o-4.5", device="cpu", dtype="float32"))


@pytest.mark.parametrize("name", SEPARATE)
def test_without_its_environment(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APUN_ENVS", str(tmp_path))
    with pytest.raises(ModelUnavailable, match=rf"absent.*python -m apun\.env create {MODELS[name].environment}$"):
        load(name, LoadOptions())


def test_every_separate_family_has_program_and_pins() -> None:
    assert set(SEPARATE) == {entry.name for entry in MODELS.values() if entry.program}
    for name in SEPARATE:
        assert (pinned.PROGRAMS / MODELS[name].program).is_file()
        assert environments.lock_of(MODELS[name].environment).is_file()


@pytest.mark.parametrize("family", ["minicpm-o-2.6", "meralion-2"])
def test_code_of_a_checkpoint_needs_leave_and_a_pin(here: None, family: str, folder: Path) -> None:
    with pytest.raises(UsageError, match="--trust-remote-code"):
        load(str(folder), LoadOptions(family=family))
    with pytest.raises(UsageError, match="40 hex digits"):
        load(family, LoadOptions(trust_remote_code=True, revision="main"))


@pytest.mark.parametrize(
    ("family", "clone"),
    [("salmonn", "bytedance/SALMONN"), ("kimi-audio", "Kimi-Audio"), ("step-audio-2", "Step-Audio2")],
)
def test_code_to_fetch_is_named(here: None, family: str, clone: str, folder: Path) -> None:
    allowed = LoadOptions(trust_remote_code=True, weights=str(folder))
    with pytest.raises(ModelUnavailable, match=rf"clone github\.com/.*{clone}.*--model-arg repository=FOLDER$"):
        load(family, allowed)
    other = dataclasses.replace(allowed, args={"repository": str(folder)})
    with pytest.raises(ModelUnavailable, match=rf"is not {family}'s code \(there is no \S+ in it\)"):
        load(family, other)


def test_parts_of_salmonn_are_named(here: None, tmp_path: Path) -> None:
    code = tmp_path / "SALMONN" / "models"
    code.mkdir(parents=True)
    (code / "salmonn.py").touch()
    with_code = LoadOptions(args={"repository": str(code.parent)})
    with pytest.raises(ModelUnavailable, match=r"vicuna-13b-v1\.1.*salmonn_v1\.pth.*--weights FOLDER"):
        load("salmonn", with_code)
    (tmp_path / "whisper-large-v2").mkdir()
    with pytest.raises(ModelUnavailable) as raised:
        load("salmonn", dataclasses.replace(with_code, weights=str(tmp_path)))
    missing = str(raised.value).partition(": put")[0]
    assert "vicuna" in missing
    assert "checkpoint" in missing
    assert "whisper" not in missing


def test_random_weights_have_no_constructor(here: None) -> None:
    with pytest.raises(UsageError, match="no constructor for random weights"):
        load("meralion-2", LoadOptions(weights="random", trust_remote_code=True))


def test_an_argument_that_is_no_number(here: None, folder: Path) -> None:
    with pytest.raises(UsageError, match="threads='many' is not a number"):
        load(str(folder), LoadOptions(family="minicpm-o-4.5", args={"threads": "many"}))


def test_other_weights_or_code_are_another_model(here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    salmonn = replaced(monkeypatch, "salmonn", program=str(PROGRAM))
    code = tmp_path / "code" / "models"
    code.mkdir(parents=True)
    (code / "salmonn.py").write_text("x = 1")
    parts = tmp_path / "parts"
    parts.mkdir()
    for name in salmonn.parts.values():
        (parts / name).write_text(name)
    options = LoadOptions(device="cpu", dtype="float32", weights=str(parts), args={"repository": str(code.parent)})

    def revision() -> str:
        model = load("salmonn", options)
        model.close()
        return model.info.revision

    first = revision()
    assert revision() == first
    (parts / "salmonn_v1.pth").write_text("others")
    second = revision()
    (code / "salmonn.py").write_text("x = 2")
    assert len({first, second, revision()}) == 3
