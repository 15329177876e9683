"""One recording made ready: the right stretch, mono, 16 kHz, trimmed, with its loudness; or refused."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from apun.clips import LONGEST_SECONDS, SAMPLE_RATE, prepare
from apun.errors import AudioError
from apun.sound.loudness import PEAK, TARGET_LUFS, loudness
from apun.sound.trim import SILENCE_DB, WINDOW_SECONDS, trim

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUIETEST_LUFS = -50.0  # below it speech drowns in the noise of a sound card
QUIET_LUFS = -36.0
SHORTEST_SECONDS = 0.08  # of sound, silence apart; a spoken vowel is longer
FULL_SCALE = 0.999
CLIPPED_RUN = 3  # samples in a row at full scale
MOST_CLIPPED = 0.001  # share of the samples; more is heard


@dataclass(frozen=True, slots=True)
class Prepared:
    """A recording ready to be written.

    Attributes:
        samples: int16, shape ``(n,)``, at 16 kHz.
        loudness: LUFS as written.
        rate, channels: of the file it came from.
        warnings: ``quiet``, ``clipped``, ``starts_at_once``, ``ends_at_once``: worth listening to.
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
        AudioError: unreadable, no samples, NaN, silent, too short, too quiet, or clipped throughout; a cut
            that ends after the file.
    """
    import numpy as np

    data, rate, channels = _read(path, start, end)
    warnings = []
    if not np.isfinite(data).all():
        raise AudioError("holds NaN or infinite samples", file=path, fix="Export it again.")
    share = _clipped(data)
    if share > MOST_CLIPPED:
        fix = "Record it again with less gain."
        raise AudioError(f"is clipped ({100 * share:.1f} % of its samples)", file=path, fix=fix)
    if share:
        warnings.append("clipped")
    mono = prepare(data, rate, path)
    mono = mono - np.float32(mono.mean())
    voiced = trim(mono, SAMPLE_RATE)
    sounding = _sounding(mono)
    if sounding < SHORTEST_SECONDS:
        fix = "Record it again, or correct its times."
        raise AudioError(f"holds only {sounding:.2f} s of sound", file=path, fix=fix)
    warnings += _edges(mono)
    measured = loudness(voiced, SAMPLE_RATE)
    if measured < QUIETEST_LUFS:
        raise AudioError(f"is too quiet ({measured:.0f} LUFS)", file=path, fix="Record it again, closer or louder.")
    if measured < QUIET_LUFS:
        warnings.append("quiet")
    peak = float(np.abs(voiced).max())
    wanted = min(10 ** ((TARGET_LUFS - measured) / 20), PEAK / peak) if level else 1.0
    gain = min(wanted, 1.0 / peak)
    samples = np.round(voiced.astype(np.float64) * gain * 32767).astype(np.int16)
    return Prepared(samples, round(measured + 20 * math.log10(gain), 2), rate, channels, tuple(warnings))


def _read(path: Path, start: float | None, end: float | None) -> tuple[NDArray[np.float32], int, int]:
    import soundfile

    try:
        with soundfile.SoundFile(str(path)) as handle:
            rate, frames = handle.samplerate, handle.frames
            first = round((start or 0.0) * rate)
            last = frames if end is None else round(end * rate)
            if last > frames + rate // 20:  # a cut may round up by a little
                problem = f"the cut ends at {end:g} s, the recording after {frames / rate:.2f} s"
                raise AudioError(problem, file=path, fix="Correct the cut list.")
            if (last - first) / rate > LONGEST_SECONDS:
                raise AudioError("is longer than an hour", file=path, fix="Give a cut list: --cuts FILE.")
            handle.seek(min(first, frames))
            data = handle.read(min(last, frames) - min(first, frames), dtype="float32", always_2d=True)
            return data, rate, handle.channels
    except (soundfile.SoundFileError, RuntimeError, TypeError, ValueError, ZeroDivisionError) as error:
        fix = "Convert it to WAV or FLAC."
        raise AudioError(f"is not readable as audio ({error})", file=path, fix=fix) from error


def _clipped(data: NDArray[np.float32]) -> float:
    """Share of samples in runs at full scale, over the channel that has most."""
    import numpy as np

    worst = 0.0
    for channel in data.T:
        full = np.concatenate([[False], np.abs(channel) >= FULL_SCALE, [False]])
        edges = np.flatnonzero(full[1:] != full[:-1])
        runs = edges[1::2] - edges[::2]
        worst = max(worst, float(runs[runs >= CLIPPED_RUN].sum()) / max(1, channel.size))
    return worst


def _sounding(mono: NDArray[np.float32]) -> float:
    """Seconds that rise above the silence which ``trim`` cuts off."""
    import numpy as np

    window = int(WINDOW_SECONDS * SAMPLE_RATE)
    whole = mono[: mono.size // window * window].astype(np.float64).reshape(-1, window)
    power = np.square(whole).mean(axis=1)
    if not power.size:
        return 0.0
    return float((power > power.max() * 10 ** (SILENCE_DB / 10)).sum()) * WINDOW_SECONDS


def _edges(mono: NDArray[np.float32]) -> list[str]:
    """Whether an end is as loud as the recording on the whole: a word may be cut off there."""
    import numpy as np

    def level(samples: NDArray[np.float32]) -> float:
        return float(np.sqrt(np.mean(np.square(samples, dtype=np.float64))))

    window, whole = SAMPLE_RATE // 50, level(mono)
    ends = (("starts_at_once", mono[:window]), ("ends_at_once", mono[-window:]))
    return [name for name, piece in ends if level(piece) > whole]
