"""Programme loudness after ITU-R BS.1770-4, mono: K-weighting, 400 ms blocks, two gates."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK_SECONDS = 0.4
STEP_SECONDS = 0.1
ABSOLUTE_GATE = -70.0
RELATIVE_GATE = -10.0
TARGET_LUFS = -23.0  # EBU R 128
PEAK = 10 ** (-1 / 20)  # -1 dBFS, room for a lossy codec


def loudness(samples: NDArray[np.float32], rate: int) -> float:
    """Integrated loudness in LUFS; ``-inf`` for silence.

    Args:
        samples: mono, shape ``(n,)``, in [-1, 1]. Shorter than one block counts as one block.
        rate: sampling rate in Hz.
    """
    from scipy.signal import sosfilt

    weighted = sosfilt(_k_weighting(rate), samples.astype(np.float64))
    block, step = int(BLOCK_SECONDS * rate), int(STEP_SECONDS * rate)
    energy = np.concatenate([[0.0], np.cumsum(np.square(weighted))])
    if weighted.size < block:
        powers = np.array([energy[-1] / max(weighted.size, 1)])
    else:
        starts = np.arange(0, weighted.size - block + 1, step)
        powers = (energy[starts + block] - energy[starts]) / block
    powers = powers[powers > _power(ABSOLUTE_GATE)]
    if not powers.size:
        return -math.inf
    powers = powers[powers > _power(_lufs(float(powers.mean())) + RELATIVE_GATE)]
    return _lufs(float(powers.mean()))


def levelling_gain(measured: float, peak: float) -> float:
    """Factor that brings a clip to ``TARGET_LUFS``, or its peak to ``PEAK`` where that is less.

    Args:
        measured: loudness in LUFS, finite.
        peak: largest magnitude of its samples, above 0.
    """
    return min(float(10 ** ((TARGET_LUFS - measured) / 20)), PEAK / peak)


def _lufs(power: float) -> float:
    return -0.691 + 10 * math.log10(power)


def _power(lufs: float) -> float:
    return float(10 ** ((lufs + 0.691) / 10))


@lru_cache(maxsize=8)
def _k_weighting(rate: int) -> NDArray[Any]:
    """High shelf and high pass as second-order sections, for any rate (constants of BS.1770, annex 1)."""
    shelf = _shelf(rate, 1681.974450955533, 3.999843853973347, 0.7071752369554196)
    high_pass = _high_pass(rate, 38.13547087602444, 0.5003270373238773)
    return np.array([shelf, high_pass])


def _shelf(rate: int, frequency: float, gain: float, q: float) -> list[float]:
    k = math.tan(math.pi * frequency / rate)
    high = 10 ** (gain / 20)
    band = high**0.4996667741545416
    scale = 1 + k / q + k * k
    b = [(high + band * k / q + k * k) / scale, 2 * (k * k - high) / scale, (high - band * k / q + k * k) / scale]
    return [*b, 1.0, 2 * (k * k - 1) / scale, (1 - k / q + k * k) / scale]


def _high_pass(rate: int, frequency: float, q: float) -> list[float]:
    k = math.tan(math.pi * frequency / rate)
    scale = 1 + k / q + k * k
    return [1.0, -2.0, 1.0, 1.0, 2 * (k * k - 1) / scale, (1 - k / q + k * k) / scale]


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
