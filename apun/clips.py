"""Clip: decoded audio, always mono float32 at 16 kHz, with its length and hash.

Every model receives the same preparation: read with soundfile, mean of the channels,
band-limited resampling to 16 kHz, finite samples in [-1, 1]. The hash is taken over the decoded
samples, so it does not depend on container, decoder version or file name.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun import digests
from apun.errors import AudioError
from apun.sound import gate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAMPLE_RATE = 16_000
LONGEST_SECONDS = 3_600.0  # refuse before decoding: an hour of float32 is 230 MB


class Clip:
    """A piece of audio that decodes itself on first use and can be let go again.

    Args:
        path: an audio file; decoded lazily. Either this or ``samples`` is given.
        samples: float32 mono samples at 16 kHz, shape ``(n,)``.

    Raises:
        AudioError: on first use, when the audio cannot be used (see ``decode``).
    """

    def __init__(self, path: str | Path | None = None, *, samples: NDArray[np.float32] | None = None) -> None:
        if (path is None) == (samples is None):
            raise ValueError("a Clip needs either a path or samples")
        self.path = Path(path) if path is not None else None
        self._samples = prepare(samples, SAMPLE_RATE, "samples") if samples is not None else None
        self._length: int | None = None if self._samples is None else int(self._samples.size)
        self._sha256: str | None = None
        self._lock = threading.Lock()

    @property
    def samples(self) -> NDArray[np.float32]:
        """Decoded samples, shape ``(n,)``, float32 in [-1, 1] at 16 kHz."""
        with self._lock:
            if self._samples is None:
                assert self.path is not None
                self._samples = decode(self.path)
                self._length = int(self._samples.size)
            return self._samples

    @property
    def seconds(self) -> float:
        """Length in seconds after resampling."""
        if self._length is None:
            self.samples  # noqa: B018 - decodes and sets the length
        assert self._length is not None
        return self._length / SAMPLE_RATE

    @property
    def sha256(self) -> str:
        """Hex digest of the decoded samples as little-endian float32."""
        if self._sha256 is None:
            self._sha256 = digests.of_samples(self.samples)
        return self._sha256

    def release(self) -> None:
        """Forget the samples of a file-backed clip; length and hash stay."""
        with self._lock:
            if self.path is not None:
                self._samples = None

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: the path, or the samples where there is none; never the lock."""
        samples = None if self.path is not None else self._samples
        return {"path": self.path, "samples": samples, "length": self._length, "sha256": self._sha256}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.path, self._samples = state["path"], state["samples"]
        self._length, self._sha256 = state["length"], state["sha256"]
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Clip({self.path.name if self.path else 'samples'!r})"


def decode(path: Path) -> NDArray[np.float32]:
    """Read any format soundfile reads as mono float32 at 16 kHz.

    Raises:
        AudioError: missing, unreadable, longer than an hour, or unusable (``apun.sound.gate``).
    """
    if not path.is_file():
        raise AudioError("audio file is missing", file=path, fix="Restore it or remove its row from the metadata.")
    return prepare(*read_samples(path), path)


def read_samples(path: Path, start: float | None = None, end: float | None = None) -> tuple[NDArray[np.float32], int]:
    """Samples of a file, shape ``(n, channels)``, and their rate in Hz; or of a stretch of it, in seconds.

    Raises:
        AudioError: unreadable, the stretch ends after the file, or it is longer than an hour.
    """
    import soundfile

    try:
        with soundfile.SoundFile(str(path)) as handle:
            rate, frames = handle.samplerate, handle.frames
            first = round((start or 0.0) * rate)
            last = frames if end is None else round(end * rate)
            if last > frames + rate // 20:  # a cut may round up by a little
                problem = f"the cut ends at {end:g} s, the recording after {frames / rate:.2f} s"
                raise AudioError(problem, file=path, fix="Correct the cut list.")
            if rate <= 0 or (last - first) / rate > LONGEST_SECONDS:
                problem = (
                    f"claims {(last - first) / max(rate, 1):.0f} s of audio; the longest accepted is "
                    f"{LONGEST_SECONDS:.0f} s"
                )
                raise AudioError(problem, file=path, fix="Cut it into clips: apun ingest takes a cut list (--cuts).")
            handle.seek(min(first, frames))
            data = handle.read(min(last, frames) - min(first, frames), dtype="float32", always_2d=True)
            return data, rate
    except (soundfile.SoundFileError, RuntimeError, TypeError, ValueError, ZeroDivisionError) as error:
        fix = "Convert it to WAV or FLAC, or record it again."
        raise AudioError(f"not readable as audio ({error})", file=path, fix=fix) from error


def prepare(data: Any, rate: int, name: str | Path) -> NDArray[np.float32]:
    """Make samples of shape ``(n,)`` or ``(n, channels)`` mono float32 at 16 kHz, or refuse them."""
    import numpy as np

    samples = np.asarray(data)
    if samples.dtype.kind in "iu":
        samples = samples.astype(np.float32) / float(np.iinfo(samples.dtype).max)
    samples = samples.astype(np.float32, copy=False)
    if samples.ndim not in (1, 2):
        raise AudioError(f"expected 1 or 2 axes of samples, got {samples.ndim}", file=name)
    gate.refuse_unusable(gate.of_channels(samples), name)
    if samples.ndim == 2:
        samples = samples.mean(axis=1)
    if rate != SAMPLE_RATE:
        samples = resample(samples, rate, SAMPLE_RATE)
    gate.refuse_unusable(gate.of_mono(samples, SAMPLE_RATE), name)
    samples = np.clip(samples, -1.0, 1.0)
    return np.ascontiguousarray(samples, dtype=np.float32)


def resample(samples: NDArray[np.float32], rate: int, target: int) -> NDArray[np.float32]:
    """Band-limited resampling by soxr (high quality), shape ``(n,)`` in and out."""
    import numpy as np
    import soxr

    return np.asarray(soxr.resample(samples, rate, target, quality="HQ"), dtype=np.float32)
