"""A static leaderboard: one sortable table of many runs, each linked to its page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from apun import registry
from apun.paths import write_atomic
from apun.report.page import STATIC, page_policy, static_text, write_page
from apun.report.runs import Run, open_runs
from apun.report.tables import Table
from apun.report.terminal import shown


def write_leaderboard(folders: Sequence[Path], out: Path) -> int:
    """Write ``index.html`` and a page for every run.

    Args:
        folders: scored run folders, of any benchmarks.
        out: the folder to write to.

    Returns:
        The number of rows.

    Raises:
        UsageError: a folder is not a scored run.
    """
    import jinja2

    rows: list[dict[str, Any]] = []
    runs = open_runs(folders)
    for number, run in enumerate(runs):
        page = f"{number:03d}-{re.sub(r'[^A-Za-z0-9.+-]+', '_', run.name)[:60]}.html"
        write_page([run.folder], out / page)
        for task, part in run.summary["tasks"].items():
            metric = next(iter(part["metrics"].values()), None)
            rows.append(
                {
                    "model": run.name,
                    "page": page,
                    "task": task,
                    "subset": run.selection["subset"],
                    "modality": run.selection["modality"],
                    "metric": metric["label"] if metric else "-",
                    "score": shown(metric),
                    "sort": metric["value"] if metric and metric["value"] is not None else -1,
                    "failed": "-" if part["failure_rate"] is None else f"{100 * part['failure_rate']:.1f}",
                    "n": part["n"],
                    "signature": part["signature"],
                }
            )
    rows.sort(key=lambda row: (row["task"], row["subset"], -row["sort"]))
    script = static_text("leaderboard.js")
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(STATIC), autoescape=True, trim_blocks=True)
    html = environment.get_template("leaderboard.html.j2").render(
        rows=rows,
        quoted=_quoted(runs),
        style=static_text("page.css"),
        script=script,
        policy=page_policy([script]),
    )
    write_atomic(out / "index.html", html)
    return len(rows)


def _quoted(runs: Sequence[Run]) -> list[Table]:
    """The papers' published rows, which their tables mark as quoted."""
    found: list[Table] = []
    for name in sorted({run.selection["benchmark"] for run in runs}):
        own = [(run.name, run.scores) for run in runs if run.selection["benchmark"] == name]
        for table in registry.benchmark(name).tables(own):
            rows = tuple(row for row in table.rows if any(str(cell).startswith("quoted") for cell in row))
            if rows:
                found.append(replace(table, rows=rows))
    return found
