"""A Label Studio project: tasks with audio and the drafts as predictions out, annotations in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apun.errors import DataError
from apun.records import Record, read_json
from apun.speech import Split
from benchmarks.apun_bench.annotation.reviewing import Draft, Review, review_of, row_of

FOLDER = "label_studio"
PREFIX = "/data/local-files/?d=audio/"  # Label Studio's local file serving, its document root being FOLDER
TEXTS = ("text", "pun_word", "alternatives", "meaning_1", "meaning_2", "note")
CHOICES = {"is_pun": ("yes", "no"), "verdict": ("keep", "drop")}
CONFIG = Path(__file__).with_name("label_studio.xml")


def write_project(folder: Path, drafts: Sequence[Draft], split: Split) -> Path:
    """Write ``config.xml``, ``tasks.json`` and the clips as 16 kHz FLAC; returns the project's folder."""
    import soundfile

    from apun.clips import SAMPLE_RATE

    project = folder / FOLDER
    (project / "audio").mkdir(parents=True, exist_ok=True)
    tasks = []
    for number, draft in enumerate(drafts, 1):
        clip = split.clip(draft.id)
        name = f"{number:05d}.flac"  # an id may not be a safe file name
        soundfile.write(project / "audio" / name, clip.samples, SAMPLE_RATE, subtype="PCM_16")
        clip.release()
        tasks.append(_task(draft, name))
    (project / "config.xml").write_bytes(CONFIG.read_bytes())
    (project / "tasks.json").write_text(json.dumps(tasks, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return project


def _task(draft: Draft, audio: str) -> dict[str, Any]:
    row = row_of(draft, audio)
    result = [_part(name, "textarea", {"text": [row[name]]}) for name in TEXTS if row[name]]
    result += [_part(name, "choices", {"choices": [row[name]]}) for name in CHOICES if row[name]]
    return {
        "data": {"id": draft.id, "audio": PREFIX + audio},
        "predictions": [{"model_version": f"{draft.recogniser}+{draft.model}", "result": result}],
    }


def _part(name: str, kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
    return {"from_name": name, "to_name": "audio", "type": kind, "value": value}


def read_annotations(path: Path, known: Mapping[str, Draft]) -> dict[str, list[Review]]:
    """Reviews by reviewer, from Label Studio's JSON export.

    Cancelled annotations are left out; of several by one reviewer the last counts.

    Raises:
        DataError: not such an export, an unknown id, or an annotation that contradicts itself; the line
            named is the task's number.
    """
    tasks = read_json(path, "Export from Label Studio as JSON.")
    if not isinstance(tasks, list):
        raise DataError("is no list of tasks", file=path, fix="Export from Label Studio as JSON, not JSON-MIN.")
    found: dict[str, dict[str, Review]] = {}
    for number, task in enumerate(tasks, 1):
        try:
            name, annotations = task["data"]["id"], task["annotations"]
            cells = [(_who(a), {"id": name, **_cells(a["result"])}) for a in annotations if not a.get("was_cancelled")]
        except (TypeError, KeyError, AttributeError, IndexError) as error:
            raise DataError(
                f"task {number} is not one of this project's ({type(error).__name__}: {error})", file=path
            ) from error
        if name not in known:
            raise DataError(f"task {number}: {str(name)[:60]!r} was not drafted", file=path)
        for reviewer, row in cells:
            found.setdefault(reviewer, {})[name] = review_of(Record(row, path, number), reviewer)
    return {reviewer: list(reviews.values()) for reviewer, reviews in sorted(found.items())}


def _who(annotation: Mapping[str, Any]) -> str:
    who = annotation.get("completed_by")
    return str(who.get("email") or who.get("id")) if isinstance(who, dict) else f"reviewer {who}"


def _cells(result: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    cells = dict.fromkeys((*TEXTS, *CHOICES), "")
    for part in result:
        name, value = part["from_name"], part["value"]
        if name in CHOICES:
            cells[name] = str(value["choices"][0])
        elif name in TEXTS:
            texts = value["text"]
            cells[name] = " ".join(texts) if isinstance(texts, list) else str(texts)
    return cells
