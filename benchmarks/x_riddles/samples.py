"""Texts of finished runs that people are to rate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from apun.errors import DataError
from apun.run.folder import read_scores
from apun.run.log import read_records
from apun.scores import Score
from benchmarks.x_riddles import creating, explaining
from benchmarks.x_riddles.ratings import Sample


def explained(folder: Path) -> list[Sample]:
    """The explanations of a run that were answered, with the riddle and answer they explain.

    Raises:
        DataError: the run has none.
    """
    answers = {str(record["question"]): record.get("answer") for _, record in read_records(folder / "replies.jsonl")}
    samples = []
    for score in _scored(folder, explaining.NAME):
        text = str(answers.get(score.question) or "")
        shown = {"riddle": score.detail["riddle"], "answer": score.detail["answer"], "explanation": text}
        samples.append(_sample(folder, score, len(text), 0.0, shown))
    return _some(samples, folder, "explanation")


def created(folder: Path) -> list[Sample]:
    """The created xiehouyu of a run that could be read.

    Raises:
        DataError: the run has none.
    """
    samples = []
    for score in _scored(folder, creating.NAME):
        parsed = score.parsed
        shown = {name: str(parsed[name]) for name in ("riddle", "literal", "intended", "meaning", "example")}
        text = shown["riddle"] + shown["intended"]
        samples.append(_sample(folder, score, len(text), float(score.statistics["overlap"]), shown))
    return _some(samples, folder, "created xiehouyu")


def _scored(folder: Path, task: str) -> Iterator[Score]:
    return (score for score in read_scores(folder) if score.task == task and score.status == "scored")


def _sample(folder: Path, score: Score, length: int, overlap: float, shown: dict[str, str]) -> Sample:
    return Sample(
        run=folder.name,
        question=score.question,
        item=score.item,
        type=score.labels["type"],
        split=score.labels["split"],
        length=length,
        overlap=overlap,
        shown=shown,
    )


def _some(samples: list[Sample], folder: Path, what: str) -> list[Sample]:
    if not samples:
        raise DataError(f"holds no {what}", file=folder, fix="Run that task of xriddles first.")
    return samples
