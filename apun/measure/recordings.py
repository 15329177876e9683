"""Recordings in a folder: with a sheet that says what is spoken, or bare audio files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun import registry
from apun.clips import Clip
from apun.errors import DataError, UsageError
from apun.prompts import MAIN, Audio, Message, Prompt, Slot, Text
from apun.splits import SHEETS, read_rows
from apun.tasks import Question

if TYPE_CHECKING:
    from apun.run.data import Selection

AUDIO = (".wav", ".flac", ".ogg", ".mp3", ".opus", ".aiff", ".aif")
QUESTION = "\nIs what is said here a joke? Answer yes or no."  # what a model is asked about a bare recording
TASK = "apun.recognition"  # whose rule answers it where the model is the solver


@dataclass(frozen=True, slots=True)
class Recording:
    """A clip and what is known of it.

    Attributes:
        id: file name, or the sheet's item id.
        clip: the audio, decoded on first use.
        text: what is said; empty where nobody wrote it down.
        language: ``en``, ``zh`` or ``ja``.
        subset: where it comes from, such as ``real``.
        type: pun type or another category; empty where there is none.
        cluster: recordings of one text share it.
    """

    id: str
    clip: Clip
    text: str = ""
    language: str = "en"
    subset: str = ""
    type: str = ""
    cluster: str = ""


def read_folder(folder: Path) -> list[Recording]:
    """The recordings of a folder, in the sheet's order or by name.

    A sheet (``metadata.jsonl`` or ``metadata.csv``) names each file (``file_name``) and may give
    ``transcript`` or ``text``, ``language``, ``type``, ``subset``, ``item_id``.

    Raises:
        UsageError: the folder does not exist or holds no audio.
        DataError: the sheet is malformed or names a file outside the folder.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    sheets = [folder / name for name in SHEETS if (folder / name).is_file()]
    if sheets:
        found = list(_from_sheet(folder, sheets[0]))
    else:
        files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in AUDIO)
        found = [Recording(path.relative_to(folder).as_posix(), Clip(path), cluster=path.stem) for path in files]
    if not found:
        raise UsageError(f"{folder} holds no audio ({', '.join(AUDIO)}) and no metadata.jsonl")
    return found


def _from_sheet(folder: Path, sheet: Path) -> Iterator[Recording]:
    root = folder.resolve()
    for line, row in read_rows(sheet):
        name = row.get("file_name")
        if not isinstance(name, str) or not name:
            raise DataError("names no audio file", file=sheet, line=line, field="file_name")
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            raise DataError(f"{name!r} lies outside the folder", file=sheet, line=line, field="file_name")
        identity = str(row.get("item_id") or row.get("id") or name)
        yield Recording(
            id=f"{identity}/{row['part']}" if row.get("part") else identity,
            clip=Clip(path),
            text=_text(row),
            language=str(row.get("language") or "en"),
            subset=str(row.get("subset") or folder.name),
            type=str(row.get("type") or ""),
            cluster=identity,
        )


def _text(row: Mapping[str, Any]) -> str:
    for field in ("transcript", "text"):
        if isinstance(row.get(field), str) and row[field].strip():
            return str(row[field])
    return ""


def questions(recordings: Sequence[Recording]) -> list[Question]:
    """One simple question about each recording, for timing models on any audio."""
    return [
        Question(
            id=f"clips/{recording.id}",
            task=TASK,
            item=_Item(recording.id, recording.cluster, recording.language, recording.text),
            variant="p0",
            prompt=Prompt(
                id=f"clips/{recording.id}",
                task=TASK,
                messages=(Message("user", (Audio(recording.clip), Text(QUESTION))),),
                text_form=(Message("user", (Text("Someone says: "), Slot(), Text(QUESTION))),),
                fields={"language": recording.language},
            ),
        )
        for recording in recordings
    ]


@dataclass(frozen=True, slots=True)
class _Item:
    id: str
    cluster: str
    language: str
    text: str


def of_benchmark(selection: Selection, progress: Callable[[str, int, int], None] | None = None) -> list[Recording]:
    """Every clip that a benchmark's task is asked by ear with, and its text.

    Args:
        selection: benchmark, subset and items; the first task is meant where none is named.
        progress: called with (what, done, total) while speech is rendered.

    Raises:
        UsageError: the task has no speech.
        DataError: an item has no recording.
    """
    from apun.run.data import open_data, select_tasks, utterances

    tasks = selection.tasks or (select_tasks(registry.benchmark(selection.benchmark), ())[0].name,)
    data = open_data(replace(selection, tasks=tasks), progress)
    speech = data.speech
    if speech is None:
        raise UsageError(f"{', '.join(tasks)} of {selection.benchmark} is asked in text: there is nothing to hear")
    items = {item.id: item for item in data.items}
    return [
        Recording(
            id=spoken.item if spoken.part == MAIN else f"{spoken.item}/{spoken.part}",
            clip=speech.clip(spoken.item, spoken.part),
            text=spoken.text,
            language=spoken.language,
            subset=selection.subset,
            type=str(getattr(items.get(spoken.item), "type", "")),
            cluster=str(getattr(items.get(spoken.item), "cluster", spoken.item)),
        )
        for spoken in utterances(data.benchmark, data.tasks, data.items, data.conditions)
    ]
