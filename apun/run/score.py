"""Scoring: a pure pass over the log. Everything but the replies can be rebuilt from it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from apun.run import folder as folders
from apun.run.data import Data, Selection, conditions_for, open_data
from apun.run.log import build_index, read_at
from apun.run.summary import summarise
from apun.scores import Score


def score_folder(folder: Path, data: Data | None = None) -> dict[str, Any]:
    """Score every reply of a run folder; writes ``scores.jsonl`` and ``summary.json``.

    Args:
        folder: the run folder.
        data: opened data; read anew from ``run.json`` when None.

    Returns:
        The summary.

    Raises:
        ApunError: the folder or its data cannot be read.
    """
    run = folders.read_run(folder)
    if data is None:
        data = open_data(Selection.from_json(run["asked"]["selection"]))
    log = folder / "replies.jsonl"
    index = build_index(log)
    missing: Counter[str] = Counter()
    temporary = folder / ".scores.jsonl.tmp"

    def stream() -> Iterator[Score]:
        with log.open("rb") as replies, temporary.open("w", encoding="utf-8", errors="backslashreplace") as out:
            for question in data.questions():
                entry = index.get(question.id)
                if entry is None:
                    missing[question.task] += 1
                    continue
                reply, _ = read_at(replies, entry.offset)
                score = tasks[question.task].score(question, reply)
                out.write(json.dumps(score.to_json(), ensure_ascii=False, default=_plain) + "\n")
                yield score

    tasks = {task.name: task for task in data.tasks}
    log.touch()
    summary = summarise(data.tasks, stream(), signature(run, data), data.conditions.seed, missing)
    temporary.replace(folder / "scores.jsonl")
    folders.write_json(folder / "summary.json", summary)
    return summary


def signature(run: Mapping[str, Any], data: Data) -> dict[str, str]:
    """What every number of a run depends on, short enough for a line."""
    asked, selection = run["asked"], run["asked"]["selection"]
    model = run.get("model", {})
    conditions = data.conditions
    modality = {conditions_for(task, conditions).modality for task in data.tasks}
    parts = {
        "subset": selection["subset"],
        "data": data.digest,
        "model": f"{asked['model']}@{model.get('revision', '?')}",
        "dtype": str(model.get("dtype", "")),
        "prompt": "+".join(conditions.variants) or "default",
        "modality": "+".join(sorted(modality)),
        "temp": f"{asked['temperature']:g}",
        "seed": str(conditions.seed),
    }
    voices = selection.get("voices", "default")
    if "audio" in modality and selection["subset"] == "sample" and voices != "default":  # who spoke moves the number
        parts["voices"] = voices
    if prompts := asked.get("prompts"):
        parts["prompts"] = prompts
    parts.update(sorted(conditions.options.items()))
    return {key: value.replace("|", "/") for key, value in parts.items() if value}


def _plain(value: Any) -> Any:
    """NumPy scalars as Python numbers."""
    if hasattr(value, "item"):
        return value.item()
    return str(value)
