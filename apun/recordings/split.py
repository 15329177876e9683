"""From takes to a finished split: all of it, or nothing."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun import digests
from apun.audio_folder import file_names, json_lines
from apun.clips import SAMPLE_RATE, Clip, prepare, read_samples
from apun.errors import AudioError, DataError, PhoneticError, UsageError
from apun.models import Recogniser
from apun.paths import write_atomic
from apun.recordings.sources import Source, locate
from apun.recordings.takes import Take
from apun.sound import gate
from apun.sound.gate import Finding
from apun.sound.loudness import levelling_gain, loudness, trim

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


METADATA, REJECTED, AUDIO = "metadata.jsonl", "rejected.jsonl", "audio"
SHOWN = 10  # problems named in full


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of the takes: rows of the split, and rejected ones with their reasons."""

    rows: tuple[Mapping[str, Any], ...]
    rejected: tuple[Mapping[str, Any], ...]


def check_target(out: Path) -> None:
    """Refuse a folder that already holds something.

    Raises:
        UsageError: it is not empty, or is a file.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is there already. Choose another --out, or remove it first")


def ingest(
    takes: Sequence[Take],
    source: Source,
    sheet: Path,
    out: Path,
    *,
    level: bool = False,
    skip_bad: bool = False,
    hear: Callable[[Path, Take], Mapping[str, Any]] | None = None,
    beside: Callable[[Sequence[Mapping[str, Any]]], Mapping[str, str]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Ingested:
    """Make the split in a folder of its own and move it into place when it is whole.

    Args:
        takes: what was recorded.
        source: where the files are.
        sheet: the takes' sheet, for messages.
        out: the folder to make.
        level: bring every clip to -23 LUFS.
        skip_bad: leave unusable recordings out and list them in ``rejected.jsonl`` instead of refusing all.
        hear: what a recogniser makes of a written clip; its values go into the row.
        beside: further files of the split by name, made from its rows.
        progress: called with (done, total).

    Raises:
        DataError: recordings that cannot be used, all named; nothing is written.
        UsageError: the target is there already, or no recording is usable.
    """
    check_target(out)
    paths = locate(takes, source, sheet)
    names = file_names([take.utterance for take in takes])
    rows: list[Mapping[str, Any]] = []
    rejected: list[tuple[Take, AudioError]] = []
    with _under_construction(out) as folder:
        for number, (take, path, name) in enumerate(zip(takes, paths, names, strict=True), 1):
            try:
                if isinstance(path, AudioError):
                    raise path
                prepared = prepare_recording(path, take.start, take.end, level)
            except AudioError as error:
                rejected.append((take, error))
                continue
            row = _write(take, prepared, folder, name, path.relative_to(source.root).as_posix())
            rows.append({**row, **(hear(folder / str(row["file_name"]), take) if hear else {})})
            if progress:
                progress(number, len(takes))
        if rejected and not skip_bad:
            raise _refusal(rejected, sheet)
        if not rows:
            raise UsageError(f"none of the {len(takes)} recordings can be used; the first: {rejected[0][1]}")
        reasons = [{"item_id": take.item, "part": take.part, "reason": str(error)} for take, error in rejected]
        for name, text in (beside(rows) if beside else {}).items():
            write_atomic(folder / name, text)
        write_atomic(folder / METADATA, json_lines(rows))
        if reasons:
            write_atomic(folder / REJECTED, json_lines(reasons))
    return Ingested(tuple(rows), tuple(reasons))


@contextmanager
def _under_construction(out: Path) -> Iterator[Path]:
    """A folder beside the target that takes its place at the end, or vanishes."""
    out.parent.mkdir(parents=True, exist_ok=True)
    folder = out.parent / f".{out.name}.{os.getpid()}.ingesting"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / AUDIO).mkdir(parents=True)
    try:
        yield folder
        if out.exists():
            out.rmdir()  # empty: checked before
        folder.rename(out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write(take: Take, prepared: Prepared, folder: Path, name: str, source: str) -> dict[str, Any]:
    import soundfile

    path = folder / AUDIO / f"{name}.flac"
    soundfile.write(path, prepared.samples, SAMPLE_RATE, format="FLAC", subtype="PCM_16")
    cut = {"source_start": take.start, "source_end": take.end} if take.start is not None else {}
    row = {
        "file_name": f"{AUDIO}/{name}.flac",
        "item_id": take.item,
        "part": take.part,
        "text": take.text,
        "language": take.language,
        "reading": " ".join(f"{form}:{value}" for form, value in sorted(take.reading.items())),
        "voice": take.speaker,
        "engine": "recording",
        "seconds": round(prepared.seconds, 4),
        "sampling_rate": SAMPLE_RATE,
        "loudness": prepared.loudness,
        "warnings": ",".join(prepared.warnings),
        "source_file": source,
        "source_rate": prepared.rate,
        "source_channels": prepared.channels,
        **cut,
        "sha256": digests.of_file(path),
    }
    return {**{key: value for key, value in take.extra.items() if key not in row}, **row}


def _refusal(rejected: Sequence[tuple[Take, AudioError]], sheet: Path) -> DataError:
    shown = [
        f"{take.item}{'' if take.part == 'main' else '/' + take.part}: {error}" for take, error in rejected[:SHOWN]
    ]
    more = f"\n  and {len(rejected) - SHOWN} more" if len(rejected) > SHOWN else ""
    problem = f"{len(rejected)} recordings cannot be used:\n  " + "\n  ".join(shown) + more
    fix = "Mend them, or leave them out with --skip-bad. Nothing was written."
    return DataError(problem, file=sheet, fix=fix)


DIFFERENT = 0.5  # error rate from which a clip is listed as worth listening to


def listener(recogniser: Recogniser) -> Callable[[Path, Take], Mapping[str, Any]]:
    """What a recogniser hears in a clip, and how far that is from the text.

    The rate counts words for English, toneless syllables for Mandarin and morae for Japanese, so that
    spelling does not matter. A clip is never refused for it: recognisers err on single words and puns.
    """

    def hear(path: Path, take: Take) -> Mapping[str, Any]:
        (transcript,) = recogniser.transcribe([Clip(path)], take.language)
        if transcript.error is not None:
            return {"heard": "", "heard_error": transcript.error}
        rate = error_rate(take, transcript.text)
        return {"heard": transcript.text, **({} if rate is None else {"error_rate": round(rate, 4)})}

    return hear


def error_rate(take: Take, heard: str) -> float | None:
    """Edits over units of the text; None where the text has no reading."""
    if take.language == "en":
        from apun.scoring.round_trip import content_error_rate

        return content_error_rate(take.text, heard)
    from apun.scoring.round_trip import unit_error_rate

    try:
        return unit_error_rate(take.utterance, heard)
    except PhoneticError:
        return None
