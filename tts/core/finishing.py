"""From what an engine produced to a clip that may be kept: trimmed, level, sound, or refused."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apun.models import Rendering
from apun.sound import gate
from apun.sound.loudness import levelling_gain, loudness, trim

FINISH = 1  # raised whenever the samples would change; enters the cache key
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
    samples = np.asarray(rendering.samples, dtype=np.float32).ravel()
    for finding in gate.of_channels(samples):
        raise Rejected(finding.rule, finding.problem)
    run = _longest_flat_run(samples)
    if run >= FLAT_RUN:
        raise Rejected("clipped", f"{run} samples in a row at full scale")
    samples = samples - np.float32(samples.mean())
    trimmed = trim(samples, rendering.rate)
    if trimmed.size < gate.LEAST_SOUND_SECONDS * rendering.rate:
        raise Rejected("short", f"{trimmed.size / rendering.rate * 1000:.0f} ms of sound")
    level = loudness(trimmed, rendering.rate)
    if not math.isfinite(level):
        raise Rejected("silent", "quieter than -70 LUFS")
    gain = levelling_gain(level, float(np.abs(trimmed).max()))
    levelled = np.round(trimmed.astype(np.float64) * gain * 32767).astype(np.int16)
    reached = level + 20 * math.log10(gain)
    return Finished(levelled, rendering.rate, round(reached, 2))


def _longest_flat_run(samples: NDArray[np.float32]) -> int:
    peak = float(np.abs(samples).max())
    if peak < FLAT_LEVEL:
        return 0
    flat = np.concatenate([[False], np.abs(samples) >= peak * (1 - 1e-6), [False]])
    edges = np.flatnonzero(flat[1:] != flat[:-1])
    return int((edges[1::2] - edges[::2]).max(initial=0))
