"""Splits: AudioFolders of clips, read with every check that protects a run from a bad sheet.

A split is a folder with ``metadata.jsonl`` (or ``metadata.csv``) beside its audio, as
``datasets.load_dataset("audiofolder", data_dir=…)`` opens it. A row names its file
(``file_name``), its item (``item_id`` or ``id``), the part of the question it is (``part``,
``main`` when absent) and whatever else is known of it. Audio is decoded on first use only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from apun import digests
from apun.clips import Clip
from apun.errors import AudioError, DataError
from apun.prompts import MAIN
from apun.records import Record, read, shown
from apun.speech import Split

SHEETS = ("metadata.jsonl", "metadata.csv")
AUDIO_SUFFIXES = (".wav", ".flac", ".ogg", ".opus", ".mp3", ".aiff", ".aif", ".au", ".caf", ".w64", ".rf64")
ITEM_FIELDS = ("item_id", "id")
_NUMBERS = ("seconds", "sampling_rate", "loudness")
_LONGEST_NAME = 1_024


def read_split(folder: str | Path, *, verify: bool = False, bare: bool = False) -> Split:
    """Read an AudioFolder; the one reader of folders of clips.

    Args:
        folder: the folder that holds ``metadata.jsonl`` or ``metadata.csv``.
        verify: also compare every file with the ``sha256`` and ``sampling_rate`` its row states, where it
            states them, and decode it.
        bare: recordings that no benchmark need know: a folder may go without a sheet and a row without its item,
            the file's name standing for it.

    Returns:
        The split; rows in the sheet's order, clips decoded lazily.

    Raises:
        DataError: no folder, no sheet, or two; a malformed row, a duplicate, a path that leaves
            the folder. Names file, line and field.
        AudioError: an audio file is missing, empty, or not the one its row states.
    """
    folder = Path(folder)
    root = folder.resolve()
    rows: dict[tuple[str, str], Record] = {}
    clips: dict[tuple[str, str], Clip] = {}
    for record in _without_sheet(folder) if bare and not _sheets(folder) else read(find_sheet(folder)):
        path = path_inside(root, record)
        key = (_item_of(record, bare), part_of(record))
        if key in rows:
            raise record.fault(
                f"item {key[0]!r}, part {key[1]!r} was already given in line {rows[key].line}",
                fix="Keep one row for each clip, or tell the clips of one item apart by a 'part' column.",
            )
        record = _with_numbers(record)
        if verify:
            _verify(path, record)
        rows[key], clips[key] = record, Clip(path)
    if not rows:
        raise DataError("holds no rows", file=find_sheet(folder), fix="Render or ingest at least one clip.")
    return Split(folder, {key: record.values for key, record in rows.items()}, clips)


def _without_sheet(folder: Path) -> Iterator[Record]:
    """The audio files of a folder that has no sheet, by name."""
    if not folder.is_dir():
        raise _no_folder(folder)
    found = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in AUDIO_SUFFIXES and path.is_file()]
    if not found:
        fix = f"Audio files end in {', '.join(AUDIO_SUFFIXES)}."
        raise DataError("holds no audio and no metadata.jsonl", file=folder, fix=fix)
    return (Record({"file_name": path.relative_to(folder).as_posix()}, folder) for path in found)


def _item_of(record: Record, bare: bool) -> str:
    named = any(record.has(name) for name in ITEM_FIELDS)
    return record.text("file_name") if bare and not named else record.identity(ITEM_FIELDS)


def _no_folder(folder: Path) -> DataError:
    return DataError("is not a folder", file=folder, fix="Name the folder that holds the clips and metadata.jsonl.")


def _sheets(folder: Path) -> list[Path]:
    return [folder / name for name in SHEETS if (folder / name).is_file()]


def find_sheet(folder: Path) -> Path:
    """The metadata sheet of a folder.

    Raises:
        DataError: there is no folder, no sheet, or more than one.
    """
    if not folder.is_dir():
        raise _no_folder(folder)
    found = _sheets(folder)
    if not found:
        raise DataError(
            "has no metadata.jsonl or metadata.csv",
            file=folder,
            fix="Render one with 'apun synth' or make one from recordings with 'apun ingest'.",
        )
    if len(found) > 1:
        raise DataError(
            "has both metadata.jsonl and metadata.csv", file=folder, fix="Remove the one that is out of date."
        )
    return found[0]


def read_rows(sheet: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows of a sheet with their 1-based line numbers."""
    return ((record.line or 0, dict(record.values)) for record in read(sheet))


def path_inside(root: Path, record: Record, field: str = "file_name") -> Path:
    """The path of a row's audio file, which must exist and lie inside ``root`` (already resolved).

    Raises:
        DataError: not a file name, absolute, or outside the folder (``..`` or a link).
        AudioError: the file is missing or holds no bytes.
    """
    name = record.values.get(field)
    if not isinstance(name, str) or not name.strip():
        fix = "Give each row the path of its audio, relative to the folder."
        raise record.fault("must name an audio file", field, fix)
    if "\0" in name or len(name) > _LONGEST_NAME:
        raise record.fault(f"is not a usable path: {name[:60]!r}", field, "Rename the file.")
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or (pure.parts and pure.parts[0].endswith(":")):
        raise record.fault(f"leaves the folder: {name!r}", field, "Use a path relative to the folder, without '..'.")
    path = root / pure
    if not path.resolve().is_relative_to(root):
        problem = f"leads out of the folder through a link: {name!r}"
        raise record.fault(problem, field, "Copy the audio into the folder.")
    if not path.is_file():
        raise _audio_fault(record, field, f"audio file {name!r} is missing", "Restore it or remove the row.")
    if path.stat().st_size == 0:
        raise _audio_fault(record, field, f"audio file {name!r} holds no bytes", "Record or render it again.")
    return path


def _is_timed(entry: Any) -> bool:
    """Whether an entry is a word with its start and end in seconds."""
    if not isinstance(entry, list | tuple) or len(entry) != 3 or not isinstance(entry[0], str):
        return False
    numbers = all(isinstance(time, int | float) and not isinstance(time, bool) for time in entry[1:])
    return numbers and 0 <= entry[1] <= entry[2] < float("inf")


def _audio_fault(record: Record, field: str, problem: str, fix: str) -> AudioError:
    return AudioError(problem, file=record.file, line=record.line, field=field, fix=fix)


def part_of(record: Record) -> str:
    """Which clip of its item a row is; ``main`` where it does not say."""
    part = record.values.get("part") or MAIN
    if not isinstance(part, str):
        raise record.fault(f"must be text, is {shown(part)}", "part")
    return part


def _verify(path: Path, record: Record) -> None:
    stated = record.values.get("sha256")
    if stated and digests.of_file(path) != stated:
        fix = "Restore the original, or render or ingest it again."
        raise _audio_fault(record, "sha256", f"{path.name!r} is not the file that was listed", fix)
    stated_rate = record.number("sampling_rate")
    if stated_rate is not None:
        import soundfile

        try:
            rate = soundfile.info(str(path)).samplerate
        except (soundfile.SoundFileError, RuntimeError, TypeError, ValueError) as error:
            raise AudioError(f"not readable as audio ({error})", file=path, fix="Record or render it again.") from error
        if rate != stated_rate:
            problem = f"{path.name!r} is sampled at {rate} Hz, the row says {stated_rate:g}"
            raise _audio_fault(record, "sampling_rate", problem, "Correct the row, or ingest the recording again.")
    clip = Clip(path)
    _ = clip.samples
    clip.release()


def _with_numbers(record: Record) -> Record:
    """The row with the numbers that a sheet has as text; word times, where it states them as a list, hold together."""
    words = record.values.get("words")
    if isinstance(words, list) and not all(map(_is_timed, words)):
        raise record.fault(
            "must be a list of words with their times",
            "words",
            'Write [["word", start, end], …] in seconds of the clip.',
        )
    numbers = {name: record.number(name) for name in _NUMBERS if record.has(name)}
    texts = {name: value for name, value in numbers.items() if isinstance(record.values[name], str)}
    return replace(record, values={**record.values, **texts}) if texts else record
