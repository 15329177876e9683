"""Finishing: loudness against the standard's own test signals, trimming, and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from apun.models import Rendering
from apun.sound.loudness import PEAK, loudness
from apun.sound.trim import trim
from tts.core.finishing import Rejected, finish

RATE = 48_000


def sine(dbfs: float, seconds: float, frequency: float = 1_000.0, rate: int = RATE) -> np.ndarray:
    time = np.arange(int(seconds * rate)) / rate
    return (10 ** (dbfs / 20) * np.sin(2 * np.pi * frequency * time)).astype(np.float32)


def rendering(samples: np.ndarray, rate: int = RATE) -> Rendering:
    return Rendering(samples.astype(np.float32), rate, "text")


@pytest.mark.parametrize("rate", [16_000, 22_050, 44_100, 48_000])
def test_full_scale_1_khz_sine_on_one_channel_is_minus_3_lufs(rate: int) -> None:
    """BS.1770-4: 0 dBFS at 997 Hz on one channel reads -3.01 LKFS."""
    assert loudness(sine(0, 2, 997, rate), rate) == pytest.approx(-3.01, abs=0.1)


def test_relative_gate_ignores_quiet_parts() -> None:
    """EBU Tech 3341, case 3 (mono): -36, -23, -36 dBFS reads as the loud part alone."""
    signal = np.concatenate([sine(-36, 5), sine(-23, 20), sine(-36, 5)])
    assert loudness(signal, RATE) == pytest.approx(loudness(sine(-23, 20), RATE), abs=0.1)


def test_silence_has_no_loudness() -> None:
    assert loudness(np.zeros(RATE, dtype=np.float32), RATE) == -np.inf


def test_loudness_and_peak() -> None:
    done = finish(rendering(sine(-40, 1)))
    assert done.loudness == pytest.approx(-23, abs=0.05)
    assert loudness(done.samples.astype(np.float32) / 32767, RATE) == pytest.approx(done.loudness, abs=0.1)
    spiky = sine(-60, 1)
    spiky[RATE // 2] = 0.9
    peaky = finish(rendering(spiky))
    assert abs(int(peaky.samples.max()) - round(PEAK * 32767)) <= 40
    assert peaky.loudness < -23.5


def test_trim_keeps_a_tenth_of_a_second() -> None:
    quiet = np.zeros(RATE, dtype=np.float32)
    kept = trim(np.concatenate([quiet, sine(-20, 0.5), quiet]), RATE)
    assert kept.size / RATE == pytest.approx(0.7, abs=0.02)
    assert trim(quiet, RATE).size == 0


@pytest.mark.parametrize(
    ("samples", "reason"),
    [
        (np.zeros(0), "empty"),
        (np.zeros(RATE), "short"),
        (np.array([0.1, np.nan, 0.1] * 9_000), "not_finite"),
        (np.array([0.1, np.inf, 0.1] * 9_000), "not_finite"),
        (sine(-20, 0.05), "short"),
        (np.clip(sine(6, 1), -1, 1), "clipped"),
        (np.clip(sine(6, 1), -0.99, 0.99), "clipped"),
    ],
)
def test_bad_audio_is_refused_by_name(samples: np.ndarray, reason: str) -> None:
    with pytest.raises(Rejected) as caught:
        finish(rendering(samples))
    assert caught.value.reason == reason


def test_loud_but_unclipped_float_audio_is_kept() -> None:
    assert finish(rendering(sine(3, 1))).samples.max() <= round(PEAK * 32767)
