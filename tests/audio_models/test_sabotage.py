"""Adapters that do not hear: the runner must report errors, never scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asking import ask, tone

from apun import registry
from apun.clips import Clip
from apun.models import Generation, LoadOptions, Model
from apun.prompts import Audio, Message, Prompt
from apun.run.answering import check_heard
from apun.run.data import Selection
from apun.run.evaluate import Outcome, Request, evaluate
from audio_models.core.native import Batch, NativeModel

Change = Callable[[NativeModel], None]
FAMILIES = ("qwen2-audio", "qwen2.5-omni", "qwen3-omni", "audio-flamingo-3", "voxtral", "granite-speech", "gemma-3n")


def drop_audio_key(model: NativeModel) -> None:
    """The features get lost, as with a processor that ignores an unknown argument."""
    encode = model.encode

    def encoded(prompts: Sequence[Prompt]) -> Batch:
        batch = encode(prompts)
        return replace(
            batch,
            tensors={
                k: v
                for k, v in batch.tensors.items()
                if ("features" not in k and "mask" not in k) or k == "attention_mask"
            },
        )

    model.encode = encoded


def forget_placeholders(model: NativeModel) -> None:
    """The prompt has no audio positions: the model answers from the text alone."""
    encode = model.encode
    audio_id = int(model.network.config.audio_token_id)

    def encoded(prompts: Sequence[Prompt]) -> Batch:
        batch = encode(prompts)
        ids = batch.tensors["input_ids"]
        text = {"input_ids": ids.where(ids != audio_id, 65), "attention_mask": batch.tensors["attention_mask"]}
        return replace(batch, tensors=text)

    model.encode = encoded


def with_clips(model: NativeModel, change: Callable[[Clip], Clip]) -> None:
    """Every clip is changed on its way into the extractor."""
    encode = model.encode

    def changed(prompt: Prompt) -> Prompt:
        messages = tuple(
            Message(m.role, tuple(Audio(change(p.clip), p.name) if isinstance(p, Audio) else p for p in m.parts))
            for m in prompt.messages
        )
        return replace(prompt, messages=messages)

    model.encode = lambda prompts: encode([changed(prompt) for prompt in prompts])


def swap_clip(model: NativeModel) -> None:
    """Another clip of the same length: only its samples tell."""
    with_clips(model, lambda clip: Clip(samples=np.ascontiguousarray(clip.samples[::-1])))


def truncate(model: NativeModel) -> None:
    """The front end cuts every clip at 3 s, as others do at 30 s."""
    with_clips(model, lambda clip: Clip(samples=clip.samples[: 3 * 16_000]))


@pytest.fixture
def fresh(checkpoint: Callable[[str], Path]) -> Callable[[str], Any]:
    """A model of its own for each test: it is going to be damaged."""
    from audio_models.catalogue import load

    return lambda family: load(str(checkpoint(family)), LoadOptions(family=family))


def run(tmp_path: Path, shared_data: Path, model: Model, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """A whole run over the public clips longer than 3 s."""
    monkeypatch.setenv("HEARD_SPEECH", str(shared_data / "speech"))
    monkeypatch.setitem(registry.BENCHMARKS, "heard", "heard_benchmark:BENCHMARK")  # type: ignore[arg-type]
    ids = ("jfk", "LJ050-0131", "aishell-BAC009S0724W0121", "librispeech-1995-1837-0001")
    request = Request(Selection("heard", ids=ids), model.info.name, out=tmp_path / "run")
    return evaluate(request, load=lambda name, options: model)


@pytest.mark.parametrize("sabotage", [drop_audio_key, forget_placeholders, swap_clip, truncate])
def test_the_run_reports_errors_not_scores(
    sabotage: Change, fresh: Any, tmp_path: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = fresh("qwen2.5-omni")
    sabotage(model)
    outcome = run(tmp_path, shared_data, model, monkeypatch)
    scores = [json.loads(line) for line in (outcome.folder / "scores.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [score["status"] for score in scores] == ["error"] * 4
    assert outcome.summary["tasks"]["heard.words"]["failure_rate"] == 1.0


def test_the_same_run_without_sabotage_has_no_error(
    fresh: Any, tmp_path: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = run(tmp_path, shared_data, fresh("qwen2.5-omni"), monkeypatch)
    scores = [json.loads(line) for line in (outcome.folder / "scores.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(scores) == 4 and not any(score["status"] == "error" for score in scores)


@pytest.mark.parametrize("sabotage", [drop_audio_key, forget_placeholders, swap_clip, truncate])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_shows_its_sabotage(family: str, sabotage: Change, fresh: Any) -> None:
    model = fresh(family)
    sabotage(model)
    prompt = ask([tone(4.0)])
    reply = check_heard(prompt, model.generate([prompt], Generation(max_new_tokens=2))[0], model.info)
    assert reply.status == "error", reply
    assert reply.answer is None
    if sabotage in (drop_audio_key, forget_placeholders):
        assert reply.consumed.clips == 0


def test_truncation_to_30_seconds_inside_the_front_end(fresh: Any) -> None:
    """The limit of the catalogue is lifted, so the clip reaches the extractor, which cuts at 30 s."""
    model = fresh("qwen2-audio")
    model.info = replace(model.info, longest_seconds=None)
    prompt = ask([tone(40.0)])
    reply = model.generate([prompt], Generation(max_new_tokens=2))[0]
    assert reply.consumed.seconds == pytest.approx(30.0) and reply.consumed.audio_tokens == 750
    checked = check_heard(prompt, reply, model.info)
    assert checked.status == "error" and "30.00 s of 40.00 s" in str(checked.reason)
