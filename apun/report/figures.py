"""Tables as Plotly figures: grouped bars, one group a column, one series a row; costs as scatter plots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from apun.registry import model_entry, recogniser_entry
from apun.report.runs import Run
from apun.report.tables import Cell, Table
from apun.run.log import read_records

SCATTERED = frozenset({"size", "seconds"})
MOST_SERIES = 12  # beyond this a bar chart is unreadable; the table stays


def figure(table: Table) -> dict[str, Any] | None:
    """A Plotly figure of a table's numeric columns; None when there is nothing to draw.

    The first column names the series; a further text column is joined to it.
    """
    if table.name in SCATTERED:
        return {
            "data": [
                {"type": "scatter", "mode": "markers", "name": str(row[0])[:60], "x": [row[1]], "y": [row[2]]}
                for row in table.rows
            ],
            "title": table.title,
        }
    numeric = [
        i
        for i in range(1, len(table.columns))
        if any(_number(row[i]) is not None for row in table.rows)
        and all(row[i] is None or _number(row[i]) is not None for row in table.rows)
    ]
    rows = [row for row in table.rows if any(_number(row[i]) is not None for i in numeric)]
    if not numeric or not rows or len(rows) > MOST_SERIES:
        return None
    heads = [table.columns[i] for i in numeric]
    texts = [i for i in range(len(table.columns)) if i not in numeric]
    traces = [
        {
            "type": "bar",
            "name": " · ".join(str(row[i]) for i in texts if row[i] is not None)[:60],
            "x": heads,
            "y": [_number(row[i]) for i in numeric],
        }
        for row in rows
    ]
    return {"data": traces, "title": table.title}


def _number(cell: object) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or cell != cell:
        return None
    return float(cell)


SIZES = {"T": 1000.0, "B": 1.0, "M": 0.001}


def parameters(model: str) -> float | None:
    """Billions of parameters of a model, or of both halves of a cascade; None where one is unknown.

    The size is read from the catalogues, else from the name (``…-7b-…``).
    """
    head, plus, tail = model.partition("+")
    if plus:
        recogniser = recogniser_entry(head)
        first = recogniser.size / 1000 if recogniser is not None and recogniser.size is not None else None
        second = 0.0 if tail == "solver" else parameters(tail)
        return None if first is None or second is None else first + second
    entry = model_entry(model)
    match = re.match(r"([\d.]+)\s*([TBM])", entry.size if entry is not None else "") or re.search(
        r"(?:^|[-_/])(\d+(?:\.\d+)?)([bm])(?:$|[-_.])", model.lower()
    )
    return float(match.group(1)) * SIZES[match.group(2).upper()] if match else None


def seconds_a_question(run: Run) -> float | None:
    """Mean total seconds of the replies that were not partly taken from a cache."""
    total, count = 0.0, 0
    for _, record in read_records(run.folder / "replies.jsonl"):
        seconds: Mapping[str, Any] = record.get("seconds") or {}
        if "total" in seconds and not (record.get("extra") or {}).get("asr_cached"):
            total, count = total + float(seconds["total"]), count + 1
    return total / count if count else None


def cost_tables(runs: Sequence[Run]) -> list[Table]:
    """Score by size and score by seconds, one row a run and task; empty for a single run."""
    if len(runs) < 2:
        return []
    size_rows: list[tuple[Cell, ...]] = []
    time_rows: list[tuple[Cell, ...]] = []
    for run in runs:
        size = parameters(str(run.record["asked"]["model"]))
        seconds = seconds_a_question(run)
        for task, part in run.summary["tasks"].items():
            metric = next(iter(part["metrics"].values()), None)
            if metric is None or metric["value"] is None:
                continue
            score = 100 * metric["value"] if metric["percent"] else metric["value"]
            if size is not None:
                size_rows.append((f"{run.name}: {task}", size, score))
            if seconds is not None:
                time_rows.append((f"{run.name}: {task}", seconds, score))
    found = []
    if size_rows:
        found.append(
            Table("size", "Model size against score", ("run", "size (B)", "score"), tuple(size_rows), decimals=3)
        )
    if time_rows:
        notes = ("Replies whose transcript came from a cache are left out.",)
        found.append(
            Table(
                "seconds", "Seconds a question against score", ("run", "seconds", "score"), tuple(time_rows), notes, 3
            )
        )
    return found
