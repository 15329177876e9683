"""A rendered split on disk: planned, resumed, and assembled so that the same command gives the same bytes.

DIR/metadata.jsonl    one row a clip, in item order; written last
DIR/rejected.jsonl    one row a clip that failed, with the reason
DIR/synth.json        what was asked
DIR/audio/NAME.flac   the clips
DIR/.rejected/        clips that failed, for listening (hidden, so that AudioFolder passes them by)
DIR/.work/            clips while they are being made; gone when the split is complete
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apun import digests, splits
from apun.audio_folder import AUDIO, METADATA, json_lines
from apun.errors import DataError, UsageError
from apun.paths import replacing, write_atomic
from tts.core.rendering import Place
from tts.core.takes import ItemResult

REJECTED, WORK = ".rejected", ".work"
SETTINGS, REJECTS = "synth.json", "rejected.jsonl"
_WORK_ONLY = ("work_name",)


def open_folder(folder: Path, settings: Mapping[str, Any]) -> Path:
    """Prepare a folder for a run and return its work folder.

    Raises:
        UsageError: the folder holds something else, or a split made with other settings.
    """
    asked = json.dumps(settings, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    sheet = folder / SETTINGS
    if sheet.is_file():
        if sheet.read_text(encoding="utf-8") != asked:
            try:
                was = dict(json.loads(sheet.read_text(encoding="utf-8")))
            except (ValueError, TypeError) as error:
                raise UsageError(f"{sheet} was not written by apun synth ({error}). Choose another --out") from error
            differs = sorted(key for key in {*settings, *was} if settings.get(key) != was.get(key))
            raise UsageError(
                f"{folder} was made with other settings ({', '.join(differs)}). Give the same options to go on, "
                "or another --out"
            )
    elif folder.is_dir() and not all(_is_leftover(path) for path in folder.iterdir()):
        raise UsageError(f"{folder} is not empty and was not made by apun synth. Choose another --out")
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if _is_leftover(path):
            path.unlink()
    write_atomic(sheet, asked)
    (folder / WORK).mkdir(exist_ok=True)
    return folder / WORK


def _is_leftover(path: Path) -> bool:
    """A half-written sheet of a run that was killed."""
    return path.name.startswith(".") and path.name.endswith(".tmp") and path.is_file()


def salvage(folder: Path) -> None:
    """Take a finished split apart into its work folder: whole clips are kept, damaged ones are made anew."""
    try:
        rows = read_rows(folder / METADATA)
    except DataError:  # a sheet that was damaged is written anew
        return
    for row in rows:
        audio = folder / row["file_name"]
        if not audio.is_file() or digests.of_file(audio) != row["sha256"]:
            continue
        place = Place.named(folder / WORK, f"{audio.name.removesuffix('.flac')}.take{row['take']}")
        if not place.sheet.is_file():
            shutil.copyfile(audio, place.audio)
            kept = {key: value for key, value in row.items() if key != "file_name"}
            write_atomic(place.sheet, json.dumps(kept, ensure_ascii=False) + "\n")


def is_complete(folder: Path) -> bool:
    """Whether the split is finished and every file is the one its row names."""
    if not (folder / METADATA).is_file() or not (folder / REJECTS).is_file():
        return False
    try:
        rows = [*read_rows(folder / METADATA), *(row for row in read_rows(folder / REJECTS) if "file_name" in row)]
        return all(digests.of_file(folder / row["file_name"]) == row["sha256"] for row in rows)
    except (OSError, KeyError, DataError):  # a file is gone, or a sheet was edited into something else
        return False


def settle(folder: Path) -> None:
    """Remove what a run leaves beside a complete split."""
    shutil.rmtree(folder / WORK, ignore_errors=True)


def assemble(folder: Path, order: Sequence[str], results: Mapping[str, ItemResult]) -> list[dict[str, Any]]:
    """Put the clips in place and write the sheets, in item order; returns the metadata rows.

    Every step can be repeated: clips are linked from the work folder, the sheets are written
    whole, the work folder is removed last.
    """
    rows: list[dict[str, Any]] = []
    rejects: list[dict[str, Any]] = []
    for item in order:
        result = results[item]
        for row in result.accepted:
            name = str(row["work_name"]).rsplit(".take", 1)[0]
            rows.append(_placed(folder, f"{AUDIO}/{name}.flac", row))
        for row in result.rejected:
            if "work_name" in row:
                rejects.append(_placed(folder, f"{REJECTED}/{row['work_name']}.flac", row))
            else:
                rejects.append(dict(row))
    _sweep(folder / AUDIO, {row["file_name"] for row in rows})
    _sweep(folder / REJECTED, {row["file_name"] for row in rejects if "file_name" in row})
    write_atomic(folder / REJECTS, json_lines(rejects))
    write_atomic(folder / METADATA, json_lines(rows))
    settle(folder)
    return rows


def _placed(folder: Path, file_name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    source = Place.named(folder / WORK, str(row["work_name"])).audio
    target = folder / file_name
    with replacing(target) as temporary:
        try:
            os.link(source, temporary)
        except OSError:  # a file system without hard links
            shutil.copyfile(source, temporary)
    return {"file_name": file_name, **{key: value for key, value in row.items() if key not in _WORK_ONLY}}


def _sweep(folder: Path, keep: set[str]) -> None:
    """Remove clips of an earlier state of this split, such as an item's first take that was replaced."""
    if folder.is_dir():
        for path in folder.iterdir():
            if f"{folder.name}/{path.name}" not in keep:
                path.unlink()


def read_rows(sheet: Path) -> list[dict[str, Any]]:
    """Rows of a sheet this module wrote; none when it is not there yet.

    Raises:
        DataError: the sheet was damaged.
    """
    return [row for _, row in splits.read_rows(sheet)] if sheet.is_file() else []
