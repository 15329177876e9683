"""From what an engine produced to a clip that may be kept: trimmed, level, sound, or refused."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apun.models import Rendering
from tts.loudness import loudness

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FINISH = 1  # raised whenever the samples would change; enters the cache key
TARGET_LUFS = -23.0  # EBU R 128
PEAK = 10 ** (-1 / 20)  # -1 dBFS, room for a lossy codec
SILENCE_DB = -45.0  # below the loudest window
WINDOW_SECONDS = 0.01
PAD_SECONDS = 0.1
SHORTEST_SECONDS = 0.08
FLAT_RUN = 5  # equal samples in a row at full scale: the engine clipped
FLAT_LEVEL = 0.985


class Rejected(Exception):
    """Audio that must not enter a split.

    Args:
        reason: stable word for tables: ``empty``, ``not_finite``, ``silent``, ``short`` or ``clipped``.
        detail: what was measured.
    """

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}")


@dataclass(frozen=True, slots=True)
class Finished:
    """A clip ready to be written: int16 samples of shape ``(n,)``, and its measures."""

    samples: NDArray[np.int16]
    rate: int
    loudness: float

    @property
    def seconds(self) -> float:
        return self.samples.size / self.rate


def finish(rendering: Rendering) -> Finished:
    """Trim silence to 0.1 s at each end and bring the loudness to -23 LUFS, peak at most -1 dBFS.

    Raises:
        Rejected: empty, not finite, silent, too short to be speech, or clipped by the engine.
    """
    import numpy as np

    samples = np.asarray(rendering.samples, dtype=np.float32).ravel()
    if samples.size == 0:
        raise Rejected("empty", "the engine gave no samples")
    if not np.isfinite(samples).all():
        raise Rejected("not_finite", "the engine gave NaN or infinite samples")
    run = _longest_flat_run(samples)
    if run >= FLAT_RUN:
        raise Rejected("clipped", f"{run} samples in a row at full scale")
    samples = samples - np.float32(samples.mean())
    trimmed = trim(samples, rendering.rate)
    if trimmed.size < SHORTEST_SECONDS * rendering.rate:
        raise Rejected("short", f"{trimmed.size / rendering.rate * 1000:.0f} ms of sound")
    level = loudness(trimmed, rendering.rate)
    if not math.isfinite(level):
        raise Rejected("silent", "quieter than -70 LUFS")
    gain = min(10 ** ((TARGET_LUFS - level) / 20), PEAK / float(np.abs(trimmed).max()))
    levelled = np.round(trimmed.astype(np.float64) * gain * 32767).astype(np.int16)
    reached = level + 20 * math.log10(gain)
    return Finished(levelled, rendering.rate, round(reached, 2))


def trim(samples: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """Cut silence at both ends down to ``PAD_SECONDS``; empty when nothing rises above digital silence."""
    import numpy as np

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


def _longest_flat_run(samples: NDArray[np.float32]) -> int:
    import numpy as np

    peak = float(np.abs(samples).max())
    if peak < FLAT_LEVEL:
        return 0
    flat = np.concatenate([[False], np.abs(samples) >= peak * (1 - 1e-6), [False]])
    edges = np.flatnonzero(flat[1:] != flat[:-1])
    return int((edges[1::2] - edges[::2]).max(initial=0))
