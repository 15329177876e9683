"""``apun probe``: passes honest adapters, and names what a dishonest one does."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asking import AUDIO_FAMILIES

from apun import probe
from apun.clips import Clip
from apun.measure import probing
from apun.models import Generation, LoadOptions, ModelInfo
from apun.prompts import Prompt, Text
from apun.replies import Consumed, Reply

SHORT = Generation(max_new_tokens=4)


@pytest.mark.parametrize("family", AUDIO_FAMILIES)
def test_native_adapters_pass(family: str, model: Callable[[str], Any], tmp_path: Path) -> None:
    findings = probing.check(probing.Subject(model(family), tmp_path, generation=SHORT))
    assert {f.check: f.detail for f in findings if f.passed is not True} == {}
    assert len(findings) == 11


def test_text_models_pass(model: Callable[[str], Any], tmp_path: Path) -> None:
    findings = probing.check(probing.Subject(model("text-llm"), tmp_path, generation=SHORT))
    assert [f.passed for f in findings] == [True] * 3


class Adapter:
    """An adapter in plain Python whose faults are chosen."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.info = ModelInfo("adapter", "test", "1", True, None, None, max_batch=8)
        self.calls = 0

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        self.calls += 1
        longest = max(p.seconds for p in prompts) if self.fault == "batch" else 0.0
        return [self._reply(prompt, longest) for prompt in prompts]

    def _reply(self, prompt: Prompt, longest: float) -> Reply:
        samples = np.zeros(16_000, dtype=np.float32)
        try:
            samples = prompt.audios[0].clip.samples
        except Exception as error:  # noqa: BLE001 - the point of the fault
            if self.fault != "swallows":
                return Reply.error(str(error))
        seconds = samples.size / 16_000
        heard = {"deaf": 0.0, "cuts": min(seconds, 30.0), "fast": seconds / 2}.get(self.fault, seconds)
        text = "" if self.fault == "deaf" else f"{float(np.abs(samples).sum()):.6f} {longest}"
        if self.fault == "random":
            text += str(self.calls)
        words = " ".join(p.text for m in prompt.messages for p in m.parts if isinstance(p, Text))
        clips = len(prompt.audios) + (words.count("<|AUDIO|>") if self.fault == "reads controls" else 0)
        return Reply(status="ok", text=text, answer=text, consumed=Consumed(clips, heard))

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("fault", "failing"),
    [
        ("", set()),
        ("cuts", {"long clip is not cut"}),
        ("random", {"same answer twice", "batch of 4 = singles"}),
        ("batch", {"batch of 4 = singles"}),
        ("reads controls", {"control tokens are text"}),
        ("swallows", {"silence is refused", "10 ms is refused", "NaN is refused"}),
        (
            "fast",
            {"hears a clip", "stereo 44.1 kHz", "8 kHz", "long clip is not cut", "swapped clips differ"}
            | {"batch of 4 = singles", "control tokens are text", "same answer twice", "NaN is refused"},
        ),
    ],
)
def test_faults_are_named(fault: str, failing: set[str], tmp_path: Path) -> None:
    findings = probing.check(probing.Subject(Adapter(fault), tmp_path, generation=SHORT))
    assert {f.check for f in findings if f.passed is False} == failing


def test_deaf_native_adapter(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    """An adapter that always encodes the same clip: the digest of its inputs gives it away."""
    from audio_models.catalogue import load

    model: Any = load(str(checkpoint("qwen2.5-omni")), LoadOptions(family="qwen2.5-omni"))
    encode = model.encode
    always = Clip(samples=probing.voiced(2.0, 100.0))
    model.encode = lambda prompts: encode(
        [replace(p, messages=probing.ask([always] * len(p.audios)).messages) for p in prompts]
    )
    findings = {f.check: f for f in probing.check(probing.Subject(model, tmp_path, generation=SHORT))}
    assert findings["swapped clips differ"].passed is False
    assert findings["hears a clip"].passed is False
    assert "other clips" in findings["hears a clip"].detail


def test_command(checkpoint: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(checkpoint("qwen2-audio"))
    assert probe.main([folder, "--family", "qwen2-audio", "--device", "cpu", "--max-new-tokens", "3"]) == 0
    table = capsys.readouterr().out
    assert "11 passed, 0 failed" in table and "long clip is not cut" in table


def test_command_fails_with_the_model(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audio_models.catalogue.load", lambda name, options: Adapter("cuts"))
    assert probe.main(["anything", "--json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert printed["failed"] == 1
    failed = [check for check in printed["checks"] if check["passed"] is False]
    assert failed[0]["check"] == "long clip is not cut" and "30.00 s of 65.00 s" in failed[0]["detail"]
