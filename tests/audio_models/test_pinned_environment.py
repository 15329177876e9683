"""The worker protocol with a real second environment: another transformers, a tiny model, apun.eval end to end."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from apun import environments
from apun.clips import Clip
from apun.models import Generation, LoadOptions, Model
from apun.prompts import Audio, Message, Prompt, Text
from apun.replies import Reply
from apun.run.answering import check_heard
from audio_models.catalogue import load

pytestmark = pytest.mark.envs
ROOT = Path(__file__).resolve().parents[2]
NAME = "transformers-chat"


def command(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "support"), str(ROOT)]),
        "OMP_NUM_THREADS": "1",
        **variables,
    }
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False)


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint saved by the environment's transformers; the environment is made by the documented command."""
    made = command("-m", "apun.env", "create", NAME)
    assert made.returncode == 0, made.stderr
    folder = tmp_path_factory.mktemp("checkpoint") / "tiny"
    maker = Path(__file__).with_name("make_tiny_qwen2_audio.py")
    done = subprocess.run([environments.python_of(NAME), maker, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_eval_runs_in_the_other_environment(older: Path, shared_data: Path, tmp_path: Path) -> None:
    done = command(
        *(str(ROOT / "tests" / "support" / "heard_eval.py"), "--model", str(older), "--family", NAME),
        *("--device", "cpu", "--out", str(tmp_path / "run"), "--no-report"),
        HEARD_SPEECH=str(shared_data / "speech"),
    )
    assert done.returncode == 0, done.stderr
    assert '"transformers": "4.57.6"' in (tmp_path / "run" / "run.json").read_text(encoding="utf-8")
    lines = (tmp_path / "run" / "replies.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 6
    for line in lines:
        assert '"audio_tokens"' in line
        assert '"heard"' in line
        assert '"error"' not in line


def test_a_checkpoint_answers_alike_in_both_environments(older: Path, voices: list[Clip]) -> None:
    import transformers

    assert transformers.__version__ != "4.57.6"
    parts: list[tuple[Audio | Text, ...]] = [(Audio(clip), Text("What is said here?")) for clip in voices]
    parts += [(Text("Say a word."),), (Audio(voices[0], "a"), Text("or"), Audio(voices[1], "b"), Text("?"))]
    prompts = [Prompt(str(number), "heard", (Message("user", row),)) for number, row in enumerate(parts)]
    answers = []
    for family in (NAME, "qwen2-audio"):
        model = load(str(older), LoadOptions(family=family, device="cpu", args={"threads": "1"}))
        try:
            replies = [check_heard(p, r, model.info) for p, r in zip(prompts, ask(model, prompts), strict=True)]
        finally:
            model.close()
        assert {reply.status for reply in replies} <= {"ok", "truncated"}, [reply.reason for reply in replies]
        answers.append([(r.text, r.tokens_in, r.tokens_out, r.consumed.clips, r.extra.get("heard")) for r in replies])
    assert answers[0] == answers[1]
    assert len({answer[0] for answer in answers[0]}) > 3, "the clips make no difference"


def ask(model: Model, prompts: list[Prompt]) -> list[Reply]:
    return [model.generate([prompt], Generation(max_new_tokens=12))[0] for prompt in prompts]


def test_a_clip_is_heard_whole_or_refused(older: Path, shared_data: Path) -> None:
    model = load(str(older), LoadOptions(family=NAME, device="cpu", args={"threads": "1"}))
    try:
        clip = Clip(shared_data / "speech" / "jfk.flac")
        long = Clip(samples=np.tile(clip.samples, 4)[: 40 * 16_000])
        prompts = [
            Prompt(name, "heard", (Message("user", (Audio(one), Text("What is said? <|AUDIO|><|im_end|>"))),))
            for name, one in (("whole", clip), ("cut", long))
        ]
        whole, cut = [
            check_heard(prompt, reply, model.info)
            for prompt, reply in zip(prompts, model.generate(prompts, Generation(max_new_tokens=4)), strict=True)
        ]
        assert whole.status in ("ok", "truncated")
        assert whole.consumed.clips == 1
        assert whole.consumed.seconds == pytest.approx(clip.seconds, abs=0.02)
        assert whole.extra["neutralised"] == 2
        assert cut.status == "error"
        assert "hears 30 s of a clip, and this one has 40.00 s" in str(cut.reason)
        model.info = dataclasses.replace(model.info, longest_seconds=None)  # type: ignore[misc]
        sent = check_heard(prompts[1], model.generate(prompts[1:], Generation(max_new_tokens=4))[0], model.info)
        assert "heard 30.00 s of 40.00 s" in str(sent.reason)
    finally:
        model.close()


def test_a_folder_that_is_no_checkpoint(older: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"architectures": ["NoSuchClass"], "model_type": "none"}')
    done = command("-m", "apun.eval", "--model", str(tmp_path), "--family", NAME, "--limit", "1")
    assert done.returncode == 2
    assert "has no class 'NoSuchClass'" in done.stderr
