"""Finishing: levels, peaks and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from apun.models import Rendering
from apun.sound.loudness import PEAK, loudness
from tts.core.finishing import Rejected, finish

RATE = 48_000


def sine(dbfs: float, seconds: float, frequency: float = 1_000.0, rate: int = RATE) -> np.ndarray:
    time = np.arange(int(seconds * rate)) / rate
    return (10 ** (dbfs / 20) * np.sin(2 * np.pi * frequency * time)).astype(np.float32)


def rendering(samples: np.ndarray, rate: int = RATE) -> Rendering:
    return Rendering(samples.astype(np.float32), rate, "text")


def test_loudness_and_peak() -> None:
    done = finish(rendering(sine(-40, 1)))
    assert done.loudness == pytest.approx(-23, abs=0.05)
    assert loudness(done.samples.astype(np.float32) / 32767, RATE) == pytest.approx(done.loudness, abs=0.1)
    spiky = sine(-60, 1)
    spiky[RATE // 2] = 0.9
    peaky = finish(rendering(spiky))
    assert abs(int(peaky.samples.max()) - round(PEAK * 32767)) <= 40
    assert peaky.loudness < -23.5


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
