"""Silence at the ends of a clip, cut down to a tenth of a second."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

SILENCE_DB = -45.0  # below the loudest window
WINDOW_SECONDS = 0.01
PAD_SECONDS = 0.1


def trim(samples: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """Cut silence at both ends down to ``PAD_SECONDS``; empty when nothing rises above digital silence.

    Args:
        samples: mono, shape ``(n,)``.
        rate: sampling rate in Hz.
    """
    window = max(1, int(WINDOW_SECONDS * rate))
    count = math.ceil(samples.size / window)
    padded = np.zeros(count * window, dtype=np.float64)
    padded[: samples.size] = samples
    power = np.square(padded.reshape(count, window)).mean(axis=1)
    loudest = float(power.max())
    if loudest < 1e-10:
        return samples[:0]
    voiced = np.flatnonzero(power > loudest * 10 ** (SILENCE_DB / 10))
    pad = int(PAD_SECONDS * rate)
    start, stop = voiced[0] * window - pad, (voiced[-1] + 1) * window + pad
    return samples[max(0, int(start)) : int(stop)]


def sounding_seconds(mono: NDArray[np.float32], rate: int) -> float:
    """Seconds that rise above the silence which ``trim`` cuts off."""
    window = int(WINDOW_SECONDS * rate)
    whole = mono[: mono.size // window * window].astype(np.float64).reshape(-1, window)
    power = np.square(whole).mean(axis=1)
    if not power.size:
        return 0.0
    return float((power > power.max() * 10 ** (SILENCE_DB / 10)).sum()) * WINDOW_SECONDS
