"""Loudness against the standard's own test signals, and trimming."""

from __future__ import annotations

import numpy as np
import pytest

from apun.sound.loudness import PEAK, TARGET_LUFS, levelling_gain, loudness, trim

RATE = 48_000


def sine(dbfs: float, seconds: float, frequency: float = 1_000.0, rate: int = RATE) -> np.ndarray:
    time = np.arange(int(seconds * rate)) / rate
    return (10 ** (dbfs / 20) * np.sin(2 * np.pi * frequency * time)).astype(np.float32)


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


def test_trim_keeps_a_tenth_of_a_second() -> None:
    quiet = np.zeros(RATE, dtype=np.float32)
    kept = trim(np.concatenate([quiet, sine(-20, 0.5), quiet]), RATE)
    assert kept.size / RATE == pytest.approx(0.7, abs=0.02)
    assert trim(quiet, RATE).size == 0


def test_levelling_reaches_the_target_or_the_peak() -> None:
    assert levelling_gain(TARGET_LUFS, 0.1) == 1
    assert levelling_gain(TARGET_LUFS - 20, 0.01) == pytest.approx(10)
    assert levelling_gain(-60, 0.5) == pytest.approx(PEAK / 0.5)
