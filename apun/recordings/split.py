"""From takes to a finished split: all of it, or nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun.audio_folder import file_names
from apun.clips import SAMPLE_RATE
from apun.errors import AudioError, DataError, UsageError
from apun.paths import write_atomic
from apun.recordings.preparing import Prepared, prepare_recording
from apun.recordings.sources import Source, locate
from apun.recordings.takes import Take
from apun.weights import file_digest

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
        write_atomic(folder / METADATA, _lines(rows))
        if reasons:
            write_atomic(folder / REJECTED, _lines(reasons))
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
        "sha256": file_digest(path),
    }
    return {**{key: value for key, value in take.extra.items() if key not in row}, **row}


def _refusal(rejected: Sequence[tuple[Take, AudioError]], sheet: Path) -> DataError:
    shown = [
        f"{take.item}{'' if take.part == 'main' else '/' + take.part}: {error}" for take, error in rejected[:SHOWN]
    ]
    more = f"\n  and {len(rejected) - SHOWN} more" if len(rejected) > SHOWN else ""
    problem = f"{len(rejected)} recordings cannot be used:\n  " + "\n  ".join(shown) + more + "\n"
    fix = "Mend them, or leave them out with --skip-bad. Nothing was written."
    return DataError(problem, file=sheet, fix=fix)


def _lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
