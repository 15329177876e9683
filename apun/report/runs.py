"""Finished runs, as reports and comparisons read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from apun.run.folder import read_run, read_scores, read_summary
from apun.scores import Score


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
