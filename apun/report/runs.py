"""Finished runs, as reports and comparisons read them."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from apun.errors import ApunError
from apun.run.data import Data, Selection, open_data
from apun.run.folder import read_run, read_scores, read_summary
from apun.run.log import build_index, read_at
from apun.scores import Score
from apun.tasks import Question


@dataclass(frozen=True)
class Run:
    """A scored run folder.

    Attributes:
        folder: where it is.
        name: what it is called in tables; the model's name, made unique among the runs shown.
        record: ``run.json``.
        summary: ``summary.json``.
    """

    folder: Path
    name: str
    record: Mapping[str, Any]
    summary: Mapping[str, Any]

    @property
    def selection(self) -> Mapping[str, Any]:
        """What was asked."""
        selection: Mapping[str, Any] = self.record["asked"]["selection"]
        return selection

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """Every score, in the order of the questions."""
        return tuple(read_scores(self.folder))

    def by_question(self, task: str) -> dict[str, Score]:
        """A task's scores by question id."""
        return {score.question: score for score in self.scores if score.task == task}


def open_runs(folders: Sequence[Path]) -> list[Run]:
    """Read run folders; equal model names are told apart by subset, modality and a number.

    Raises:
        UsageError: one of them is not a scored run folder.
    """
    records = [(folder, read_run(folder), read_summary(folder)) for folder in folders]
    names = [str(record["asked"]["model"]) for _, record, _ in records]
    runs = []
    for index, (folder, record, summary) in enumerate(records):
        name = names[index]
        if names.count(name) > 1:
            selection = record["asked"]["selection"]
            twins = [i for i, other in enumerate(names) if other == name]
            name = f"{name} ({selection['subset']}, {selection['modality']}, {twins.index(index) + 1})"
        runs.append(Run(folder, name, record, summary))
    return runs


LONGEST_TEXT = 20_000  # characters of one reply that the page shows; the log keeps all of it


def questions(run: Run, data: Data | None = None) -> tuple[dict[str, Question], str]:
    """The run's questions by id, and why there are none (its data has gone or changed)."""
    try:
        data = data or open_data(Selection.from_json(run.selection))
        if data.digest != run.record["asked"]["data"]:
            return {}, "the items have changed since the run"
        return {question.id: question for question in data.questions()}, ""
    except ApunError as error:
        return {}, str(error)


def rows(run: Run, number: int, page: Path, asked: Mapping[str, Question]) -> Iterator[dict[str, Any]]:
    """One record a question, in order.

    Args:
        run: a scored run.
        number: the run's place in the page's list of runs.
        page: the HTML file; audio is linked relative to it.
        asked: the run's questions, for texts and clips; may be empty.
    """
    log = run.folder / "replies.jsonl"
    index = build_index(log)
    with log.open("rb") as handle:
        for score in run.scores:
            entry = index.get(score.question)
            record = read_at(handle, entry.offset)[1] if entry is not None else {}
            yield _row(score, record, asked.get(score.question), number, page)


def _row(score: Score, record: Mapping[str, Any], question: Question | None, number: int, page: Path) -> dict[str, Any]:
    text = question.item.text if question is not None else ""
    language = question.item.language if question is not None else "en"
    transcripts = record.get("transcripts", [])
    return {
        "run": number,
        "id": score.question,
        "item": score.item,
        "task": score.task,
        "variant": score.variant,
        "status": score.status,
        "labels": dict(score.labels),
        "right": _right(score),
        "text": text,
        "detail": {
            "parsed": score.parsed,
            "detail": dict(score.detail),
            "statistics": dict(score.statistics),
            "sent": _sent(record.get("sent")),
            "reply": _cut(record.get("text", "")),
            "thinking": _cut(record.get("thinking") or ""),
            "reason": record.get("reason"),
            "seconds": record.get("seconds", {}),
            "consumed": record.get("consumed", {}),
            "transcripts": transcripts,
            "words": record.get("words", []),
            "alignment": _alignment(text, transcripts[0], language) if text and len(transcripts) == 1 else [],
            "audio": _audio(question, page),
        },
    }


def _right(score: Score) -> bool | None:
    """Whether the first statistic beside ``n`` is full; None where the score is not right-or-wrong."""
    for name in ("correct", "right", "coarse", "accuracy", "end_to_end"):
        if name in score.statistics:
            return score.statistics[name] >= 1
    return None


def _sent(sent: Any) -> list[dict[str, str]]:
    """Messages as text, clips shown by name and the start of their hash."""
    shown = []
    for message in sent or []:
        parts = [
            part["text"] if "text" in part else f"[clip {part.get('name', '')} {str(part.get('audio', ''))[:12]}]"
            for part in message["content"]
        ]
        shown.append({"role": message["role"], "text": "".join(parts)})
    return shown


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}… ({len(text)} characters in all)"


def _audio(question: Question | None, page: Path) -> list[dict[str, str]]:
    if question is None:
        return []
    return [
        {"name": audio.name, "source": os.path.relpath(audio.clip.path, page.parent).replace(os.sep, "/")}
        for audio in question.prompt.audios
        if audio.clip.path is not None
    ]


@functools.lru_cache(maxsize=8192)
def _alignment(text: str, transcript: str, language: str) -> list[list[Any]]:
    """``[kind, reference, hypothesis]`` of the recogniser's text against the gold text."""
    from apun.scoring.wer import count_errors

    glue = " " if language == "en" else ""
    return [
        [chunk.kind, glue.join(chunk.reference), glue.join(chunk.hypothesis)]
        for chunk in count_errors(text, transcript, language).alignment
    ]
