"""Clips: one preparation for every model, and a named refusal for what cannot be heard."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from apun.clips import SAMPLE_RATE, Clip, prepare
from apun.errors import AudioError


def tone(seconds: float, rate: int, channels: int = 1) -> np.ndarray:
    time = np.arange(int(seconds * rate)) / rate
    return np.stack([0.4 * np.sin(2 * np.pi * 440 * time)] * channels, axis=1).astype(np.float32)


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000])
@pytest.mark.parametrize(("channels", "subtype", "suffix"), [(1, "PCM_16", "wav"), (2, "PCM_24", "flac")])
def test_any_rate_and_channel_count_becomes_the_same_tone(
    tmp_path: Path, rate: int, channels: int, subtype: str, suffix: str
) -> None:
    path = tmp_path / f"tone.{suffix}"
    soundfile.write(path, tone(1.0, rate, channels), rate, subtype=subtype)
    clip = Clip(path)
    assert clip.samples.dtype == np.float32 and clip.samples.ndim == 1
    assert abs(clip.seconds - 1.0) < 0.002
    spectrum = np.abs(np.fft.rfft(clip.samples[:SAMPLE_RATE]))
    assert abs(int(spectrum.argmax()) - 440) <= 1
    assert 0.35 < np.abs(clip.samples[1000:-1000]).max() < 0.45


def test_channels_are_averaged_not_concatenated(tmp_path: Path) -> None:
    left, right = tone(0.5, 16_000)[:, 0], np.zeros(8_000, np.float32)
    soundfile.write(tmp_path / "lr.wav", np.stack([left, right], axis=1), 16_000, subtype="FLOAT")
    np.testing.assert_allclose(Clip(tmp_path / "lr.wav").samples, left / 2, atol=1e-6)


def test_the_hash_is_of_the_samples_not_of_the_file(tmp_path: Path) -> None:
    whole = (tone(0.5, 16_000) * 32767).astype(np.int16)
    soundfile.write(tmp_path / "a.wav", whole, 16_000)
    soundfile.write(tmp_path / "b.flac", whole, 16_000)
    soundfile.write(tmp_path / "c.wav", whole // 2, 16_000)
    a, b, c = (Clip(tmp_path / name).sha256 for name in ("a.wav", "b.flac", "c.wav"))
    assert a == b != c


def test_releasing_keeps_length_and_hash_and_decodes_again(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", tone(0.5, 16_000), 16_000)
    clip = Clip(tmp_path / "a.wav")
    before = clip.sha256
    clip.release()
    (tmp_path / "a.wav").rename(tmp_path / "b.wav")
    assert clip.sha256 == before and clip.seconds == 0.5
    with pytest.raises(AudioError, match="missing"):
        _ = clip.samples


def test_a_clip_travels_to_another_process(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", tone(0.5, 16_000), 16_000)
    for clip in (Clip(tmp_path / "a.wav"), Clip(samples=tone(0.5, 16_000)[:, 0])):
        digest = clip.sha256
        copy = pickle.loads(pickle.dumps(clip))
        assert copy.sha256 == digest and copy.samples.size == 8_000
    assert len(pickle.dumps(Clip(tmp_path / "a.wav"))) < 1_000


def write(path: Path, samples: np.ndarray, rate: int = 16_000, subtype: str = "FLOAT") -> Path:
    soundfile.write(path, samples, rate, subtype=subtype)
    return path


def lying(path: Path) -> Path:
    """A header that claims far more samples than the file holds."""
    write(path, tone(0.5, 16_000), subtype="PCM_16")
    data = bytearray(path.read_bytes())
    data[4:8] = data[40:44] = (0x7FFFFFF0).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    return path


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda p: p / "none.wav", "audio file is missing"),
        (lambda p: p, "audio file is missing"),
        (lambda p: (p / "t.wav").write_text("this is text") and p / "t.wav", "not readable as audio"),
        (lambda p: (p / "z.wav").write_bytes(b"") or p / "z.wav", "not readable as audio"),
        (lambda p: write(p / "e.wav", np.zeros((0, 1), np.float32)), "holds no samples"),
        (lambda p: write(p / "s.wav", np.zeros(16_000, np.float32)), "is digital silence"),
        (lambda p: write(p / "n.wav", np.array([0.1, np.nan] * 8_000, np.float32)), "NaN or infinite"),
        (lambda p: write(p / "i.wav", np.array([0.1, np.inf] * 8_000, np.float32)), "NaN or infinite"),
        (lambda p: write(p / "10ms.wav", tone(0.01, 16_000)), "only 10 ms long"),
    ],
)
def test_what_cannot_be_heard_is_refused_by_name(tmp_path: Path, make: object, said: str) -> None:
    path = make(tmp_path)  # type: ignore[operator]
    with pytest.raises(AudioError, match=said) as caught:
        _ = Clip(path).samples
    assert str(path) in str(caught.value)


def test_a_header_that_lies_neither_fills_memory_nor_invents_samples(tmp_path: Path) -> None:
    clip = Clip(lying(tmp_path / "lie.wav"))
    try:
        assert clip.seconds <= 0.6
    except AudioError as error:
        assert "lie.wav" in str(error)


def test_hours_of_audio_are_refused_before_decoding(tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    with soundfile.SoundFile(path, "w", 100, 1, "PCM_U8") as handle:
        handle.write(np.zeros(100 * 7_200, np.float32))
    with pytest.raises(AudioError, match="claims 7200 s"):
        _ = Clip(path).samples


@settings(max_examples=60, deadline=None)
@given(
    arrays.arrays(np.float32, st.tuples(st.integers(0, 2_000), st.integers(1, 3)), elements=st.floats(width=32)),
    st.sampled_from([8_000, 16_000, 44_100]),
)
def test_any_samples_are_prepared_or_refused(samples: np.ndarray, rate: int) -> None:
    try:
        prepared = prepare(samples, rate, "x")
    except AudioError:
        return
    assert prepared.dtype == np.float32 and prepared.ndim == 1 and np.isfinite(prepared).all()
    assert np.abs(prepared).max() <= 1.0
