"""Perturbations do what their names say, measured on the result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import DataError, UsageError
from tts.core.perturbation import KINDS, at_snr, parse, perturb_split

RATE = 16_000


@pytest.fixture(scope="module")
def speech() -> np.ndarray:
    """Something with speech's spectrum and pauses: band noise in syllables."""
    generator = np.random.default_rng(3)
    time = np.arange(3 * RATE) / RATE
    voiced = sum(np.sin(2 * np.pi * 120 * k * time) / k for k in range(1, 40))
    syllables = np.clip(np.sin(2 * np.pi * 3 * time), 0, 1)
    return (0.1 * voiced * syllables + 0.001 * generator.standard_normal(time.size)).astype(np.float32)


def power(samples: np.ndarray) -> float:
    return float(np.mean(np.square(samples, dtype=np.float64)))


def band(samples: np.ndarray, low: float, high: float) -> float:
    spectrum = np.abs(np.fft.rfft(samples)) ** 2
    frequency = np.fft.rfftfreq(samples.size, 1 / RATE)
    return float(spectrum[(frequency >= low) & (frequency < high)].sum())


@settings(deadline=None, max_examples=40)
@given(st.floats(-20, 60), st.integers(0, 99))
def test_snr_is_what_is_asked_for(snr: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    signal = generator.standard_normal(4_000).astype(np.float32) * 0.1
    noise = generator.standard_normal(4_000).astype(np.float32)
    added = at_snr(signal, noise, snr).astype(np.float64) - signal
    assert 10 * np.log10(power(signal) / power(added)) == pytest.approx(snr, abs=0.1)


def test_noise_has_the_speech_spectrum_and_white_has_not(speech: np.ndarray) -> None:
    shaped = parse("noise:0").apply(speech * 0.1, RATE, 1) - speech * 0.1
    white = parse("white:0").apply(speech * 0.1, RATE, 1) - speech * 0.1
    ratio = band(speech, 0, 1_000) / band(speech, 5_000, 8_000)
    assert band(shaped, 0, 1_000) / band(shaped, 5_000, 8_000) == pytest.approx(ratio, rel=0.5)
    assert band(white, 0, 1_000) / band(white, 5_000, 8_000) == pytest.approx(1 / 3, rel=0.2)


def test_reverb_adds_a_tail_that_decays_by_60_db(speech: np.ndarray) -> None:
    click = np.zeros(2 * RATE, dtype=np.float32)
    click[1_000] = 0.5
    wet = parse("reverb:0.5").apply(click, RATE, 1)
    tail = wet[1_000 + 100 :].astype(np.float64)
    early, late = power(tail[: RATE // 20]), power(tail[RATE // 4 : RATE // 4 + RATE // 20])
    assert 10 * np.log10(early / late) == pytest.approx(30, abs=4)  # 0.25 s is half of RT60
    assert wet.size > click.size
    long = parse("reverb:0.5").apply(speech, RATE, 1)
    assert power(long[: speech.size]) == pytest.approx(power(speech), rel=0.05)


def test_telephone_keeps_300_to_3400_hz() -> None:
    white = np.random.default_rng(0).standard_normal(4 * RATE).astype(np.float32) * 0.1
    phone = parse("telephone").apply(white, RATE, 0)
    inside = band(phone, 500, 3_000) / 2_500
    assert band(phone, 0, 150) / 150 < 0.01 * inside
    assert band(phone, 4_200, 8_000) / 3_800 < 0.01 * inside
    assert phone.size == white.size


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_speed_changes_length_and_pitch(factor: float) -> None:
    tone = (0.3 * np.sin(2 * np.pi * 400 * np.arange(RATE) / RATE)).astype(np.float32)
    fast = parse(f"speed:{factor}").apply(tone, RATE, 0)
    assert fast.size == pytest.approx(RATE / factor, rel=0.01)
    peak = np.argmax(np.abs(np.fft.rfft(fast))) * RATE / fast.size
    assert peak == pytest.approx(400 * factor, rel=0.01)


@pytest.mark.parametrize("codec", ["vorbis", "mp3", "opus"])
def test_codec_is_lossy_but_recognisable(speech: np.ndarray, codec: str) -> None:
    if codec == "mp3" and "MP3" not in soundfile.available_formats():
        pytest.skip("this libsndfile has no MP3")
    coded = parse(f"codec:{codec}").apply(speech, RATE, 0)
    assert coded.shape == speech.shape
    assert not np.array_equal(coded, speech)
    lags = range(-800, 801, 8)
    best = max(float(np.corrcoef(np.roll(coded, lag), speech)[0, 1]) for lag in lags)
    assert best > 0.7


@pytest.mark.parametrize("spec", ["noise:5", "white:5", "reverb:0.3", "telephone", "speed:1.1", "noise:5+telephone"])
def test_seeded_finite_and_never_clipped(speech: np.ndarray, spec: str) -> None:
    effect = parse(spec)
    one, two, other = (effect.apply(speech * 3, RATE, seed) for seed in (1, 1, 2))
    assert np.array_equal(one, two)
    assert one.dtype == np.float32
    assert np.isfinite(one).all()
    assert np.abs(one).max() <= 0.99 + 1e-6
    assert np.array_equal(one, other) != any(step.kind in ("noise", "white", "reverb") for step in effect.steps)


def test_names_are_folder_names_and_snr_is_kept() -> None:
    assert parse("noise:-5+telephone").name == "noise-5+telephone"
    assert parse("noise:-5+telephone").snr == -5
    assert parse("telephone").snr is None
    assert set(KINDS) == {"noise", "white", "reverb", "telephone", "speed", "tempo", "pitch", "codec"}


@pytest.mark.parametrize(
    "spec",
    ["hiss:3", "noise", "noise:abc", "noise:nan", "reverb:9", "speed:0", "codec:flac", "telephone:1", ""],
)
def test_bad_specs_are_refused_with_what_is_accepted(spec: str) -> None:
    with pytest.raises(UsageError, match="noise:SNR"):
        parse(spec)


def small_split(folder: Path, samples: np.ndarray) -> Path:
    folder.mkdir()
    soundfile.write(folder / "a.wav", samples, RATE)
    (folder / "metadata.jsonl").write_text('{"file_name": "a.wav", "item_id": "i", "text": "hello"}\n')
    return folder


def test_copies_refuse_bad_places_and_bad_sources(speech: np.ndarray, tmp_path: Path) -> None:
    source = small_split(tmp_path / "source", speech)
    effect = parse("telephone")
    for inside in (source, source / "copy"):
        with pytest.raises(UsageError, match="inside its source"):
            perturb_split(source, inside, effect, 0)
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("x")
    with pytest.raises(UsageError, match="not this copy"):
        perturb_split(source, precious, effect, 0)
    copy = perturb_split(source, tmp_path / "copy", effect, 0)
    with pytest.raises(UsageError, match="not this copy"):
        perturb_split(source, copy, parse("speed:1.1"), 0)
    (source / "metadata.jsonl").write_text('{"file_name": "../a.wav", "item_id": "i"}\n')
    with pytest.raises(DataError, match="leaves the folder"):
        perturb_split(source, tmp_path / "other", effect, 0)
    assert not (tmp_path / "other").exists()
