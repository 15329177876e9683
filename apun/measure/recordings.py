"""Recordings in a folder: with a sheet that says what is spoken, or bare audio files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from apun import registry
from apun.clips import Clip
from apun.errors import UsageError
from apun.prompts import MAIN, Audio, Message, Prompt, Slot, Text
from apun.splits import read_split
from apun.tasks import Question

if TYPE_CHECKING:
    from apun.run.data import Selection

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
        DataError: there is no such folder, it holds no audio, or its sheet is malformed.
    """
    split = read_split(folder, bare=True)
    return [
        Recording(
            id=_name(item, part),
            clip=split.clip(item, part),
            text=next((str(row[name]) for name in ("transcript", "text") if str(row.get(name) or "").strip()), ""),
            language=str(row.get("language") or "en"),
            subset=str(row.get("subset") or folder.name),
            type=str(row.get("type") or ""),
            cluster=item,
        )
        for (item, part), row in split.rows.items()
    ]


def _name(item: str, part: str) -> str:
    return item if part == MAIN else f"{item}/{part}"


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
            id=_name(spoken.item, spoken.part),
            clip=speech.clip(spoken.item, spoken.part),
            text=spoken.text,
            language=spoken.language,
            subset=selection.subset,
            type=str(getattr(items.get(spoken.item), "type", "")),
            cluster=str(getattr(items.get(spoken.item), "cluster", spoken.item)),
        )
        for spoken in utterances(data.benchmark, data.tasks, data.items, data.conditions)
    ]
