"""Render utterances into clips that are there whole or not at all.

A clip is two files beside each other: ``NAME.flac`` (16-bit) and ``NAME.json`` (its metadata with
the FLAC's sha256). Each is written under another name and renamed, the audio first; a clip counts
only when its metadata is there and names the audio's sha256, so a job killed at any instant is
simply done again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from apun import digests
from apun.audio_folder import write_clip
from apun.clips import Clip
from apun.environments.client import WorkerDied, WorkerError
from apun.errors import AudioError, DataError, PhoneticError
from apun.models import Engine
from apun.paths import cache_dir as default_cache_dir
from apun.paths import write_atomic
from apun.speech import Speech, Split, Utterance
from tts.catalogue import DEFAULT, load
from tts.core.engine import Job, assign, chosen_voices, require_forcing
from tts.core.finishing import Rejected, finish
from tts.core.processes import Setup, Tools, run_tasks

Progress = Callable[[int, int], None]
TAKES = 3  # voices that ``ensure`` tries before it gives an item up


@dataclass(frozen=True, slots=True)
class Place:
    """Where a clip goes: its audio, and its metadata beside it."""

    audio: Path
    sheet: Path

    @classmethod
    def named(cls, folder: Path, name: str) -> Place:
        """``NAME.flac`` and ``NAME.json`` in a folder."""
        return cls(folder / f"{name}.flac", folder / f"{name}.json")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job: metadata of the clip, or why there is none."""

    job: Job
    row: Mapping[str, Any] | None
    reason: str = ""
    detail: str = ""


def clip_row(job: Job, engine: Engine, place: Place) -> Mapping[str, Any] | None:
    """Metadata of a clip that is already there whole and was made by this very job; else None."""
    try:
        row: dict[str, Any] = json.loads(place.sheet.read_text(encoding="utf-8"))
        whole = row["key"] == job.key(engine) and digests.of_file(place.audio) == row["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return row if whole else None


def render(job: Job, engine: Engine, place: Place) -> Mapping[str, Any]:
    """Speak, finish and write one clip; returns its metadata.

    Args:
        job: what to say and how.
        engine: speaks it.
        place: where the clip goes.

    Raises:
        Rejected: the audio may not be kept; nothing is written.
        ApunError: the engine cannot speak this.
    """
    rendering = engine.speak(job.utterance, job.voice, job.seed)
    finished = finish(rendering)
    digest = write_clip(place.audio, finished.samples, finished.rate)
    utterance = job.utterance
    row = {
        "key": job.key(engine),
        "item_id": utterance.item,
        "part": utterance.part,
        "text": utterance.text,
        "text_sent": rendering.text_sent,
        "language": utterance.language,
        "reading": " ".join(f"{form}:{value}" for form, value in sorted(utterance.reading.items())),
        "voice": job.voice,
        "engine": engine.name,
        "engine_version": engine.version,
        "seed": job.seed,
        "take": job.take,
        "seconds": round(finished.seconds, 4),
        "sampling_rate": finished.rate,
        "loudness": finished.loudness,
        "sha256": digest,
        **{f"sent_{name}": str(value) for name, value in sorted(rendering.extra.items())},
    }
    write_atomic(place.sheet, json.dumps(row, ensure_ascii=False) + "\n")
    return row


def outcome(job: Job, engine: Engine, place: Place) -> Outcome:
    """The clip's metadata, rendering it when it is not there; a rejection is an outcome."""
    row = clip_row(job, engine, place)
    if row is not None:
        return Outcome(job, row)
    try:
        return Outcome(job, render(job, engine, place))
    except Rejected as rejected:
        return Outcome(job, None, rejected.reason, rejected.detail)
    except (PhoneticError, DataError) as error:  # this utterance cannot be spoken; the others can
        return Outcome(job, None, "unspeakable", str(error))
    except (WorkerError, WorkerDied) as error:  # the model failed on this utterance, in a process of its own
        return Outcome(job, None, "engine", str(error))


def render_task(tools: Tools, task: tuple[Job, Place]) -> Outcome:
    """``outcome`` in the shape ``run_tasks`` takes."""
    return outcome(task[0], tools.engine, task[1])


def ensure(
    utterances: Sequence[Utterance],
    engine: Engine | str,
    voices: Sequence[str] | str | None = None,
    seed: int = 0,
    cache_dir: Path | None = None,
    progress: Progress | None = None,
    *,
    workers: int = 1,
    insist: bool = False,
) -> Split:
    """Clips of the utterances, from the cache where they are already there.

    Args:
        utterances: what is to be spoken.
        engine: a loaded engine, or its name.
        voices: names of voices, or ``all``; each item gets one by seed and item id.
        seed: for voices and for engines that sample.
        cache_dir: where clips are kept; ``speech`` in apun's cache when None.
        progress: called with (done, all) after each clip.
        workers: processes, for an engine given by name.
        insist: render items whose reading the engine cannot force.

    Raises:
        UsageError: unknown engine or voice, or a reading that cannot be forced.
        AudioError: an item that no voice renders acceptably.
    """
    loaded = load(engine) if isinstance(engine, str) else engine
    names = chosen_voices(loaded, voices)
    require_forcing(utterances, loaded, insist=insist)
    processes = workers if isinstance(engine, str) else 1
    root = cache_dir or default_cache_dir("speech")
    rows: dict[tuple[str, str], Mapping[str, Any]] = {}
    clips: dict[tuple[str, str], Clip] = {}
    todo = list(utterances)
    for take in range(TAKES):
        jobs = []
        for utterance in todo:
            job = assign(utterance, loaded, names, seed, take)
            key = job.key(loaded)
            jobs.append((job, Place.named(root / key[:2], key)))
        todo = []
        kept = {place: row for job, place in jobs if (row := clip_row(job, loaded, place)) is not None}
        missing = [(job, place) for job, place in jobs if place not in kept]
        setup = Setup(engine if isinstance(engine, str) else loaded.name)
        rendered = run_tasks(render_task, missing, setup, processes, loaded) if missing else ()
        for result in chain((Outcome(job, kept[place]) for job, place in jobs if place in kept), rendered):
            where = (result.job.utterance.item, result.job.utterance.part)
            if result.row is None:
                if take == TAKES - 1:
                    raise AudioError(
                        f"{loaded.name} gave no usable clip of item {where[0]!r}, part {where[1]!r} in {TAKES} "
                        f"attempts; the last with voice {result.job.voice!r}: {result.reason} ({result.detail})",
                        fix="Choose another engine or leave the item out with --ids.",
                    )
                todo.append(result.job.utterance)
                continue
            key = str(result.row["key"])
            file_name = f"{key[:2]}/{key}.flac"
            rows[where] = {**result.row, "item_id": where[0], "part": where[1], "file_name": file_name}
            clips[where] = Clip(root / file_name)
            if progress is not None and missing:
                progress(len(rows), len(utterances))
        if not todo:
            break
    order = [(utterance.item, utterance.part) for utterance in utterances]
    return Split(root, {where: rows[where] for where in order}, {where: clips[where] for where in order})


def render_all(
    wanted: Sequence[Utterance], voices: str, seed: int, progress: Callable[[str, int, int], None] | None
) -> Speech:
    """Clips of the utterances, rendered on first use into the cache by an embedded engine.

    Args:
        wanted: what is to be spoken.
        voices: ``default``, an engine's name, or ``ENGINE:VOICE,VOICE``.
        seed: decides each item's voice.
        progress: called with (what, done, total).
    """
    engine, _, names = voices.partition(":")
    engine = DEFAULT if engine == "default" else engine

    def report(done: int, total: int) -> None:
        if progress is not None:
            progress(f"rendering speech with {engine}", done, total)

    workers = min(os.cpu_count() or 1, 1 + len(wanted) // 8)
    return ensure(wanted, engine, names.split(",") if names else None, seed, progress=report, workers=workers)
