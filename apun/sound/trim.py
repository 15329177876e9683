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
