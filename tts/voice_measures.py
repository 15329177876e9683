"""How high and how fast the voices of a split speak, measured on a few clips of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apun.errors import MissingDependency
from apun.report.tables import Cell, Table
from apun.speech import Split
from tts.jobs import draw
from tts.statistics import has_latin, sentence_length

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

F0_LOW, F0_HIGH = 60.0, 600.0
"""Range in Hz in which F0 is looked for: low men's to children's and cartoon voices."""
FRAME = 0.064
"""Seconds of a frame: almost four periods of the lowest F0."""
SILENCE = 40.0
"""dB below the loudest frame at which a clip's edges count as silence."""
RATE = 16_000
"""Samples a second of every decoded clip."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What a voice's clips say of it.

    Attributes:
        clips: how many were measured.
        f0: median fundamental frequency in Hz over their voiced frames; None where none is voiced.
        words: words a second, over the clips whose text is in words; None where there are none.
        characters: characters a second, over those in Mandarin or Japanese; in Mandarin, syllables.
    """

    clips: int
    f0: float | None
    words: float | None
    characters: float | None


def voiced_f0(samples: NDArray[np.float32], rate: int) -> NDArray[np.float64]:
    """F0 in Hz of each voiced frame, by probabilistic YIN (Mauch and Dixon 2014).

    Args:
        samples: mono, shape ``(n,)``.
        rate: samples a second.

    Returns:
        Shape ``(voiced frames,)``; empty for silence and noise.

    Raises:
        MissingDependency: librosa is not installed.
    """
    import numpy as np

    librosa = _librosa()
    frame = int(2 ** round(float(np.log2(FRAME * rate))))
    if samples.size < frame:
        return np.empty(0)
    f0, voiced, _ = librosa.pyin(samples, fmin=F0_LOW, fmax=F0_HIGH, sr=rate, frame_length=frame)
    return np.asarray(f0[voiced], dtype=np.float64)


def spoken_seconds(samples: NDArray[np.float32], rate: int) -> float:
    """Seconds between the silences at a clip's edges; pauses inside count.

    Raises:
        MissingDependency: librosa is not installed.
    """
    if not samples.any():
        return 0.0
    _, (start, end) = _librosa().effects.trim(samples, top_db=SILENCE, frame_length=1024, hop_length=256)
    return float(end - start) / rate


def measure(split: Split, keys: list[tuple[str, str]]) -> Measures:
    """Measure some clips of a split as one voice.

    Raises:
        AudioError: a clip cannot be read.
        MissingDependency: librosa is not installed.
    """
    import numpy as np

    f0 = []
    words = characters = 0
    word_seconds = character_seconds = 0.0
    for key in keys:
        clip = split.clip(*key)
        f0.append(voiced_f0(clip.samples, RATE))
        seconds = spoken_seconds(clip.samples, RATE)
        clip.release()
        text = str(split.row(*key).get("text") or "")
        if has_latin(text):
            words, word_seconds = words + sentence_length(text), word_seconds + seconds
        elif text:
            characters, character_seconds = characters + sentence_length(text), character_seconds + seconds
    voiced = np.concatenate(f0) if f0 else np.empty(0)
    return Measures(
        len(keys),
        float(np.median(voiced)) if voiced.size else None,
        words / word_seconds if word_seconds else None,
        characters / character_seconds if character_seconds else None,
    )


def measured_voices(split: Split, per_voice: int = 5) -> Table:
    """Clips, minutes, median F0 and rate of each voice of a split.

    Args:
        split: any split; a row's ``voice`` names its speaker.
        per_voice: clips measured for each, drawn by their names, so in whatever order the sheet is.

    Raises:
        AudioError: a clip cannot be read.
        MissingDependency: librosa is not installed.
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, row in split.rows.items():
        groups.setdefault(str(row.get("voice") or ""), []).append(key)
    body: list[tuple[Cell, ...]] = []
    for name, keys in sorted(groups.items()):
        found = measure(split, sorted(keys, key=lambda key: draw(0, "voice", *key))[:per_voice])
        minutes = sum(_seconds(split.rows[key]) for key in keys) / 60
        body.append((name or "unknown", len(keys), minutes, found.clips, found.f0, found.words, found.characters))
    columns = ("voice", "clips", "minutes", "measured", "median F0 (Hz)", "words/s", "characters/s")
    note = f"F0 by probabilistic YIN between {F0_LOW:g} and {F0_HIGH:g} Hz; rates without the silence at a clip's edges"
    return Table("voices", "Voices", columns, tuple(body), (note,))


def _seconds(row: Mapping[str, Any]) -> float:
    return float(row.get("seconds") or 0)


def _librosa() -> Any:
    try:
        import librosa
    except ImportError as error:
        raise MissingDependency("librosa", "tts") from error
    return librosa
