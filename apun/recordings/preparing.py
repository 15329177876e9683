"""One recording made ready: the right stretch, mono, 16 kHz, trimmed, with its loudness; or refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from apun.clips import SAMPLE_RATE, prepare, read_samples
from apun.sound import gate
from apun.sound.gate import Finding
from apun.sound.loudness import levelling_gain, loudness
from apun.sound.trim import trim

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Prepared:
    """A recording ready to be written.

    Attributes:
        samples: int16, shape ``(n,)``, at 16 kHz.
        loudness: LUFS as written.
        rate, channels: of the file it came from.
        warnings: rules of the gate that make it worth listening to.
    """

    samples: NDArray[np.int16]
    loudness: float
    rate: int
    channels: int
    warnings: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """Length after trimming."""
        return self.samples.size / SAMPLE_RATE


def prepare_recording(path: Path, start: float | None, end: float | None, level: bool = False) -> Prepared:
    """Read, cut, mix down, resample, trim to 0.1 s of silence, and measure.

    Args:
        path: any file that soundfile reads.
        start, end: stretch in seconds; None for the whole file.
        level: bring the loudness to -23 LUFS (peak at most -1 dBFS) instead of keeping it.

    Raises:
        AudioError: unreadable, unusable or poor (``apun.sound.gate``); a cut that ends after the file.
    """
    import numpy as np

    data, rate = read_samples(path, start, end)
    found = list(gate.of_channels(data, thorough=True))
    _refuse(found, path)
    mono = prepare(data, rate, path)
    mono = mono - np.float32(mono.mean())
    found += gate.of_mono(mono, SAMPLE_RATE, thorough=True)
    _refuse(found, path)
    voiced = trim(mono, SAMPLE_RATE)
    measured = loudness(voiced, SAMPLE_RATE)
    peak = float(np.abs(voiced).max())
    wanted = levelling_gain(measured, peak) if level else 1.0
    gain = min(wanted, 1.0 / peak)
    samples = np.round(voiced.astype(np.float64) * gain * 32767).astype(np.int16)
    loudest = round(measured + 20 * math.log10(gain), 2)
    return Prepared(samples, loudest, rate, data.shape[1], tuple(finding.rule for finding in found))


def _refuse(found: Sequence[Finding], path: Path) -> None:
    """A recording can be made again, so a poor one is refused as well."""
    for finding in found:
        if finding.severity != "notable":
            raise finding.error(path)
