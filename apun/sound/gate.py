"""What is a usable clip: one list of rules, the same for every command.

*Unusable* sound is refused wherever a clip is decoded. *Poor* sound is refused while it can still be recorded again
(``apun ingest``). *Notable* sound is kept and listed as worth listening to.

==================  =========  =============================================================================
rule                severity   holds when
==================  =========  =============================================================================
``empty``           unusable   there are no samples
``not_finite``      unusable   a sample is NaN or infinite
``short``           unusable   less than 20 ms: front ends with a hop of 10 ms yield no frame
``silence``         unusable   below -100 dBFS, quieter than the dither of a 16-bit file
``clipped``         poor       over 0.1 % of a channel's samples stand in runs of three at full scale;
                    notable    some do
``little_sound``    poor       less than 80 ms rise above the silence around; a spoken vowel is longer
``quiet``           poor       below -50 LUFS, where speech drowns in the noise of a sound card;
                    notable    below -36 LUFS
``starts_at_once``  notable    the first 20 ms are as loud as the whole: a word may be cut off; likewise
                               ``ends_at_once``
==================  =========  =============================================================================
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from apun.errors import AudioError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHORTEST_SECONDS = 0.02
SILENCE_RMS = 1e-5
FULL_SCALE = 0.999
CLIPPED_RUN = 3  # samples in a row
MOST_CLIPPED = 0.001
LEAST_SOUND_SECONDS = 0.08
QUIETEST_LUFS = -50.0
QUIET_LUFS = -36.0
EDGE_SECONDS = 0.02

Severity = Literal["unusable", "poor", "notable"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that holds for a clip.

    Attributes:
        rule: its name.
        severity: what follows.
        problem: what the sound is, as a predicate: ``is digital silence``.
        fix: what to do.
    """

    rule: str
    severity: Severity
    problem: str
    fix: str = "Record it again."

    def error(self, name: str | Path) -> AudioError:
        """The refusal of a file."""
        return AudioError(self.problem, file=name, fix=self.fix)


def of_channels(data: NDArray[np.float32], *, thorough: bool = False) -> Iterator[Finding]:
    """What is wrong with samples as they were read, shape ``(n,)`` or ``(n, channels)`` in [-1, 1].

    Args:
        data: float samples.
        thorough: also rules that are not ``unusable``.
    """
    import numpy as np

    if data.size == 0:
        yield Finding("empty", "unusable", "holds no samples", "Record or render it again.")
        return
    if not np.isfinite(data).all():
        yield Finding("not_finite", "unusable", "holds NaN or infinite samples", "Export or render it again.")
        return
    if thorough and (share := _clipped(data.reshape(len(data), -1))):
        severity: Severity = "poor" if share > MOST_CLIPPED else "notable"
        problem = f"is clipped ({100 * share:.1f} % of its samples)"
        yield Finding("clipped", severity, problem, "Record it again with less gain.")


def of_mono(mono: NDArray[np.float32], rate: int, *, thorough: bool = False) -> Iterator[Finding]:
    """What is wrong with a clip mixed down, shape ``(n,)``.

    Args:
        mono: finite samples.
        rate: sampling rate in Hz.
        thorough: also rules that are not ``unusable``.
    """
    if mono.size < SHORTEST_SECONDS * rate:
        yield Finding("short", "unusable", f"is only {mono.size / rate * 1000:.0f} ms long")
        return
    if _rms(mono) < SILENCE_RMS:
        fix = "Check the recording level and record it again."
        yield Finding("silence", "unusable", "is digital silence", fix)
        return
    if thorough:
        yield from _poor(mono, rate)


def refuse_unusable(findings: Iterator[Finding], name: str | Path) -> None:
    """Raise ``AudioError`` at the first rule that makes a clip unusable."""
    for finding in findings:
        if finding.severity == "unusable":
            raise finding.error(name)


def _poor(mono: NDArray[np.float32], rate: int) -> Iterator[Finding]:
    from apun.sound.loudness import loudness, sounding_seconds, trim

    sounding = sounding_seconds(mono, rate)
    if sounding < LEAST_SOUND_SECONDS:
        fix = "Record it again, or correct its times."
        yield Finding("little_sound", "poor", f"holds only {sounding:.2f} s of sound", fix)
        return
    whole, edge = _rms(mono), int(EDGE_SECONDS * rate)
    for rule, piece in (("starts_at_once", mono[:edge]), ("ends_at_once", mono[-edge:])):
        if _rms(piece) > whole:
            yield Finding(rule, "notable", f"{rule.replace('_', ' ')}: a word may be cut off")
    measured = loudness(trim(mono, rate), rate)
    if measured < QUIET_LUFS:
        severity: Severity = "poor" if measured < QUIETEST_LUFS else "notable"
        problem = f"is too quiet ({measured:.0f} LUFS)"
        yield Finding("quiet", severity, problem, "Record it again, closer or louder.")


def _rms(samples: NDArray[np.float32]) -> float:
    import numpy as np

    return math.sqrt(float(np.mean(np.square(samples, dtype=np.float64))))


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
