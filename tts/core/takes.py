"""The takes of one item: its clips rendered, judged, and tried again with other voices until all of them pass.

This is the unit of work of ``apun synth``. Everything it finds is kept in the work folder, one
file a clip and one a verdict, so that a run killed at any instant repeats at most one clip.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apun.clips import Clip
from apun.models import Engine, Recogniser
from apun.paths import replacing, write_atomic
from apun.speech import Utterance
from tts.core.engine import Job, assign
from tts.core.gate import VERSION, Limits, Verdict, judge
from tts.core.processes import Tools
from tts.core.rendering import Place, clip_row, outcome


@dataclass(frozen=True, slots=True)
class ItemTask:
    """The utterances of one item and how they are to be made.

    Attributes:
        utterances: all parts of one item.
        names: file name without suffix of each part.
        voices: names of voices that may be used.
        seed: of the run.
        takes: how many voices are tried.
        work: folder of the clips being made.
        limits: of the quality gate; None where clips are not judged.
        cache: folder of clips that ``tts.core.rendering.ensure`` made; same key, same audio. None to render all anew.
    """

    utterances: tuple[Utterance, ...]
    names: tuple[str, ...]
    voices: tuple[str, ...]
    seed: int
    takes: int
    work: Path
    limits: Limits | None = None
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of an item.

    Attributes:
        item: its id.
        accepted: metadata of each part's clip, in order, with ``work_name``; empty when every take failed.
        rejected: one row a failed clip, with reason and detail.
        rendered: clips this call had to make.
    """

    item: str
    accepted: tuple[Mapping[str, Any], ...]
    rejected: tuple[Mapping[str, Any], ...]
    rendered: int = 0


def make_item(tools: Tools, task: ItemTask) -> ItemResult:
    """Render and judge an item; all its parts must pass in the same take, with the same voice."""
    rejected: list[Mapping[str, Any]] = []
    rendered = 0
    for take in range(task.takes):
        accepted: list[Mapping[str, Any]] = []
        for utterance, name in zip(task.utterances, task.names, strict=True):
            job = assign(utterance, tools.engine, task.voices, task.seed, take)
            place = Place.named(task.work, f"{name}.take{take}")
            rendered += not _is_there(job, tools.engine, place, task.cache)
            row, failure = _one_clip(tools, task, job, place)
            if failure is not None:
                rejected.append(failure)
            elif row is not None:
                accepted.append(row)
        if len(accepted) == len(task.utterances):
            return ItemResult(task.utterances[0].item, tuple(accepted), tuple(rejected), rendered)
    return ItemResult(task.utterances[0].item, (), tuple(rejected), rendered)


def _is_there(job: Job, engine: Engine, place: Place, cache: Path | None) -> bool:
    """Whether the clip is in the work folder, or could be taken there from the cache."""
    if clip_row(job, engine, place) is not None:
        return True
    if cache is None or not engine.deterministic:
        return False
    key = job.key(engine)
    kept = Place.named(cache / key[:2], key)
    row = clip_row(job, engine, kept)
    if row is None:
        return False
    with replacing(place.audio) as temporary:
        shutil.copyfile(kept.audio, temporary)
    of_this_item = {"item_id": job.utterance.item, "part": job.utterance.part, "take": job.take}
    write_atomic(place.sheet, json.dumps({**row, **of_this_item}, ensure_ascii=False) + "\n")
    return True


def _one_clip(
    tools: Tools, task: ItemTask, job: Job, place: Place
) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    utterance, work_name = job.utterance, place.audio.name.removesuffix(".flac")
    result = outcome(job, tools.engine, place)
    base = {
        "item_id": utterance.item,
        "part": utterance.part,
        "take": job.take,
        "voice": job.voice,
        "engine": tools.engine.name,
        "text": utterance.text,
    }
    if result.row is None:
        return None, {**base, "reason": result.reason, "detail": result.detail}
    row = {**result.row, "work_name": work_name}
    if task.limits is None:
        return row, None
    verdict = _verdict(utterance, row, place, tools.recogniser, task.limits)
    if verdict.passed:
        return {**row, **verdict.measures}, None
    return None, {
        **base,
        "reason": verdict.reason,
        "detail": verdict.detail,
        **verdict.measures,
        "sha256": row["sha256"],
        "work_name": work_name,
    }


def _verdict(
    utterance: Utterance, row: Mapping[str, Any], place: Place, recogniser: Recogniser | None, limits: Limits
) -> Verdict:
    """The gate's verdict, from the work folder where it is there for this very clip and gate."""
    sheet = place.sheet.with_name(place.audio.name + ".verdict.json")
    identity = dict(recogniser.info.identity) if recogniser is not None else None
    key = {
        "clip": row["sha256"],
        "gate": VERSION,
        "limits": asdict(limits),
        "recogniser": identity,
        "key_words": list(utterance.key_words),
    }
    try:
        kept = json.loads(sheet.read_text(encoding="utf-8"))
        if kept["key"] == key:
            return Verdict(**kept["verdict"])
    except (OSError, ValueError, KeyError, TypeError):  # not judged yet, or half a file of an older version
        pass
    heard: str | None = None
    if recogniser is not None:
        transcript = recogniser.transcribe([Clip(place.audio)], utterance.language)[0]
        if transcript.error is not None:
            return Verdict(False, "recogniser", transcript.error)
        heard = transcript.text
    verdict = judge(utterance, float(row["seconds"]), heard, limits)
    write_atomic(sheet, json.dumps({"key": key, "verdict": verdict.to_json()}, ensure_ascii=False) + "\n")
    return verdict
