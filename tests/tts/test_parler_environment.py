"""Must show 4: Parler-TTS in its own environment, made by the documented command, end to end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from apun import environments
from apun.splits import read_split
from tts.parler import SPEAKERS

pytestmark = pytest.mark.envs
ROOT = Path(__file__).resolve().parents[2]


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, env=environment)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = command("apun.env", "create", "parler")
    assert made.returncode == 0, made.stderr
    assert environments.status("parler").state == "ready"
    folder = tmp_path_factory.mktemp("parler") / "tiny"
    maker = Path(__file__).with_name("make_tiny_parler.py")
    subprocess.run([environments.python_of("parler"), maker, folder], check=True, capture_output=True)
    return folder


def test_rendered_through_synth_by_named_speakers(checkpoint: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.jsonl"
    texts.write_text("".join(json.dumps({"id": f"p{n}", "text": f"A pun, number {n}"}) + "\n" for n in range(6)))
    arguments = ["apun.synth", "--engine", f"parler:{checkpoint}", "--texts", str(texts), "--gate", "off"]
    first = command(*arguments, "--out", str(tmp_path / "one"), "--workers", "1")
    assert first.returncode == 0, first.stderr
    split = read_split(tmp_path / "one", verify=True)
    assert len(split.rows) == 6
    voices = {row["voice"] for row in split.rows.values()}
    assert voices <= set(SPEAKERS)
    assert len(voices) >= 3
    row = split.row("p0")
    assert row["text_sent"] == "A pun, number 0."
    assert row["sent_description"].startswith(f"{row['voice']} speaks")
    assert row["engine_version"].startswith("folder:")
    assert split.clip("p0").seconds > 0.1

    second = command(*arguments, "--out", str(tmp_path / "two"), "--workers", "2")
    assert second.returncode == 0, second.stderr
    for path in sorted((tmp_path / "one").rglob("*.flac")):
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()
    assert (tmp_path / "one" / "metadata.jsonl").read_bytes() == (tmp_path / "two" / "metadata.jsonl").read_bytes()


def test_a_folder_without_a_checkpoint_is_named(checkpoint: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"id": "a", "text": "hello"}\n')
    empty = tmp_path / "empty"
    empty.mkdir()
    failed = command("apun.synth", "--engine", f"parler:{empty}", "--texts", str(texts), "--out", str(tmp_path / "o"))
    assert failed.returncode == 2
    assert "cannot be loaded" in failed.stderr
    assert not (tmp_path / "o" / "metadata.jsonl").exists()
