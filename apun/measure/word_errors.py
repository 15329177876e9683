"""Word errors of recognisers over recordings: by subset, type and recogniser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from apun.errors import UsageError
from apun.measure.recordings import Recording
from apun.models import Recogniser, Transcript
from apun.phonetics import is_spaced
from apun.report.tables import Cell, Table

if TYPE_CHECKING:
    from apun.scoring.statistics import Interval

ALL = "all"
WORST = 10


@dataclass(frozen=True, slots=True)
class Heard:
    """What a recogniser made of one recording.

    Attributes:
        recogniser: its name.
        recording: id of the recording.
        subset: where the recording comes from.
        type: pun type or another category; empty where there is none.
        language: language spoken.
        cluster: recordings of one text share it.
        reference: what was said.
        hypothesis: what was written down; empty when the recogniser failed.
        errors: substitutions, deletions and insertions, in words (characters for zh and ja).
        units: length of the reference in the same units.
        alignment: the two texts, aligned, differences marked.
        seconds: seconds of recognition.
        flags: the recogniser's suspicions.
        failed: why there is no transcript; every reference unit is then a deletion.
    """

    recogniser: str
    recording: str
    subset: str
    type: str
    language: str
    cluster: str
    reference: str
    hypothesis: str
    errors: int
    units: int
    alignment: str
    seconds: float
    flags: tuple[str, ...] = ()
    failed: str | None = None

    @property
    def rate(self) -> float:
        """Errors over units; over 1 where none were said."""
        return self.errors / max(1, self.units)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**asdict(self), "rate": self.rate}


@dataclass(frozen=True, slots=True)
class Rate:
    """An error rate of a group of recordings, with its interval."""

    recogniser: str
    subset: str
    type: str
    language: str
    n: int
    failed: int
    flagged: int
    value: float
    low: float
    high: float


def transcribe(
    recogniser: Recogniser,
    recordings: Sequence[Recording],
    *,
    guess_language: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> list[Heard]:
    """Transcribe recordings and count the errors; a failure counts as an empty transcript, never as nothing.

    Args:
        recogniser: what transcribes.
        recordings: each with its text.
        guess_language: do not tell the recogniser the language.
        progress: called with (done, total).

    Raises:
        UsageError: a recording's text is not known.
    """
    silent = next((recording.id for recording in recordings if not recording.text.strip()), None)
    if silent is not None:
        raise UsageError(f"the text of recording {silent!r} is not known: give it as transcript or text in the sheet")
    size = max(1, recogniser.info.max_batch)
    found: dict[str, Heard] = {}
    for batch in _batches(recordings, size):
        language = None if guess_language else batch[0].language
        transcripts = recogniser.transcribe([recording.clip for recording in batch], language)
        for recording, transcript in zip(batch, transcripts, strict=True):
            found[recording.id] = _heard(recogniser.info.name, recording, transcript)
            recording.clip.release()
        if progress is not None:
            progress(len(found), len(recordings))
    return [found[recording.id] for recording in recordings]


def _batches(recordings: Sequence[Recording], size: int) -> Iterable[list[Recording]]:
    """Batches of one language each."""
    by_language: dict[str, list[Recording]] = {}
    for recording in recordings:
        by_language.setdefault(recording.language, []).append(recording)
    for group in by_language.values():
        for first in range(0, len(group), size):
            yield group[first : first + size]


def _heard(name: str, recording: Recording, transcript: Transcript) -> Heard:
    from apun.scoring.wer import count_errors

    counted = count_errors(recording.text, transcript.text, recording.language)
    marks = {"equal": "{0}", "substitute": "[{0}→{1}]", "delete": "[-{0}]", "insert": "[+{1}]"}
    aligned = " ".join(
        marks[chunk.kind].format(" ".join(chunk.reference), " ".join(chunk.hypothesis)) for chunk in counted.alignment
    )
    return Heard(
        recogniser=name,
        recording=recording.id,
        subset=recording.subset,
        type=recording.type,
        language=recording.language,
        cluster=recording.cluster or recording.id,
        reference=recording.text,
        hypothesis=transcript.text,
        errors=counted.errors,
        units=counted.units,
        alignment=aligned,
        seconds=transcript.seconds,
        flags=transcript.flags,
        failed=transcript.error,
    )


def rates(heard: Sequence[Heard], *, seed: int = 0) -> list[Rate]:
    """Error rates by recogniser, language, subset and type; and over all types."""
    groups: dict[tuple[str, str, str, str], list[Heard]] = {}
    for row in heard:
        groups.setdefault((row.recogniser, row.language, row.subset, ALL), []).append(row)
        if row.type:
            groups.setdefault((row.recogniser, row.language, row.subset, row.type), []).append(row)
    return [_rate(key, rows, seed) for key, rows in groups.items()]


def _rate(key: tuple[str, str, str, str], rows: Sequence[Heard], seed: int) -> Rate:
    interval = _interval(rows, seed)
    recogniser, language, subset, kind = key
    return Rate(
        recogniser=recogniser,
        subset=subset,
        type=kind,
        language=language,
        n=len(rows),
        failed=sum(row.failed is not None for row in rows),
        flagged=sum(bool(row.flags) for row in rows),
        value=interval.value,
        low=interval.low,
        high=interval.high,
    )


def _interval(rows: Sequence[Heard], seed: int) -> Interval:
    from apun.scoring.statistics import bootstrap, first_over_second

    statistics = [[float(row.errors), float(row.units)] for row in rows]
    return bootstrap(statistics, [row.cluster for row in rows], first_over_second, seed=seed)


def unit(language: str) -> str:
    """What is counted: WER for English, CER for Mandarin and Japanese."""
    return "WER" if is_spaced(language) else "CER"


def rates_table(found: Sequence[Rate]) -> Table:
    """Every group with its interval, failures and flags."""
    rows: list[tuple[Cell, ...]] = [
        (
            rate.recogniser,
            rate.language,
            rate.subset,
            rate.type,
            rate.n,
            unit(rate.language),
            rate.value,
            f"{rate.low:.3f}-{rate.high:.3f}",
            rate.failed,
            rate.flagged,
        )
        for rate in found
    ]
    return Table(
        "wer",
        "Error rates: errors over reference units, summed over recordings; 95 % bootstrap over texts",
        ("Recogniser", "language", "subset", "type", "n", "rate of", "rate", "95 %", "failed", "flagged"),
        tuple(rows),
        ("A failed recording counts with every unit deleted. Flagged: loop, no speech or low confidence.",),
        decimals=3,
    )


def worst_table(heard: Sequence[Heard], count: int = WORST) -> Table:
    """The recordings with most errors for their length, with the alignment."""
    ranked = sorted((row for row in heard if row.errors), key=lambda row: (-row.rate, row.recogniser, row.recording))
    rows = tuple(
        (row.recogniser, row.recording, row.rate, ", ".join(row.flags) or None, row.failed or row.alignment)
        for row in ranked[:count]
    )
    return Table(
        "worst",
        "Worst recordings ([said→heard], [-left out], [+added])",
        ("Recogniser", "recording", "rate", "flags", "alignment"),
        rows,
        decimals=3,
    )
