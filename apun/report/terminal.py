"""The summary on a terminal: every number with its interval, n and failure rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from apun.report.tables import Cell, Table

if TYPE_CHECKING:
    from apun.run.data import Data
    from apun.run.evaluate import Outcome


def shown(measured: Mapping[str, Any] | None) -> str:
    """``62.3 [55.1, 69.0]``, or a dash where the metric is undefined."""
    if measured is None or measured["value"] is None:
        return "-"
    scale, places = (100.0, 1) if measured["percent"] else (1.0, 2)
    value = f"{measured['value'] * scale:.{places}f}"
    if measured["low"] is None or measured["high"] is None:
        return value
    return f"{value} [{measured['low'] * scale:.{places}f}, {measured['high'] * scale:.{places}f}]"


def summary_table(summaries: Sequence[tuple[str, Mapping[str, Any]]]) -> Table:
    """One row a metric, one column a run; then answers counted and failures by status."""
    rows: list[tuple[Cell, ...]] = []
    tasks = list(dict.fromkeys(task for _, summary in summaries for task in summary["tasks"]))
    for task in tasks:
        parts = [summary["tasks"].get(task, {}) for _, summary in summaries]
        names = dict.fromkeys(name for part in parts for name in part.get("metrics", {}))
        for name in names:
            found = [part.get("metrics", {}).get(name) for part in parts]
            label = next(metric["label"] for metric in found if metric)
            n = next(metric["n"] for metric in found if metric)
            rows.append((task, label, n, *[shown(metric) for metric in found]))
        rows.append((task, "failed", max(part.get("n", 0) for part in parts), *[_failures(part) for part in parts]))
    return Table(
        "summary",
        "Scores with 95 % bootstrap intervals (percent unless marked); failures count as wrong",
        ("task", "metric", "n", *[name for name, _ in summaries]),
        tuple(rows),
    )


def _failures(part: Mapping[str, Any]) -> str:
    if not part:
        return "-"
    notes = [f"{count} {status}" for status, count in part["counts"].items() if status != "scored"]
    if part.get("missing"):
        notes.append(f"{part['missing']} not asked yet")
    rate = part["failure_rate"]
    head = "-" if rate is None else f"{100 * rate:.1f}"
    return f"{head} ({', '.join(notes)})" if notes else head


def print_outcomes(outcomes: Sequence[tuple[str, Outcome]], data: Data) -> None:
    """The paper's tables, the summary, the signatures and the folders."""
    from apun.run.folder import read_scores

    for table in data.benchmark.tables([(name, list(read_scores(outcome.folder))) for name, outcome in outcomes])[:1]:
        print(table.to_text(), end="\n\n")
    print(summary_table([(name, outcome.summary) for name, outcome in outcomes]).to_text(), end="\n\n")
    for name, outcome in outcomes:
        print(f"{name}: {outcome.asked} asked now, {outcome.kept} kept; run folder {outcome.folder}")
        for task in outcome.summary["tasks"].values():
            print(f"  {task['signature']}")
