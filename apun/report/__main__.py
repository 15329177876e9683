"""``python -m apun.report RUN…``: one page for one or more runs; or a leaderboard of many."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from apun import cli, registry
from apun.paths import write_atomic
from apun.report.page import STATIC, page_policy, static_text, write_page
from apun.report.runs import Run, open_runs
from apun.report.tables import Table, shown


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


EXAMPLES = """examples:
  python -m apun.report runs/A                      runs/A/report.html
  python -m apun.report runs/A runs/B --out both.html
  python -m apun.report runs/A --embed-audio        one file that can be sent away
  python -m apun.report runs/* --leaderboard site   a folder with a sortable table and every page
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser("report", "Write a self-contained HTML page for finished runs.", EXAMPLES)
    result.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folder")
    result.add_argument("--out", type=Path, metavar="FILE", help="the page (default: report.html in the first run)")
    result.add_argument("--embed-audio", action="store_true", help="put the audio into the page")
    result.add_argument("--tables", type=Path, metavar="DIR", help="also write every table as CSV and LaTeX")
    result.add_argument("--leaderboard", type=Path, metavar="DIR", help="write a leaderboard of the runs instead")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = parser().parse_args(argv)

    from apun.paths import write_atomic
    from apun.report.__main__ import write_leaderboard
    from apun.report.page import tables, write_page
    from apun.report.runs import open_runs

    if args.leaderboard:
        count = write_leaderboard(args.runs, args.leaderboard)
        print(f"{args.leaderboard / 'index.html'}: {count} rows")
        return cli.OK
    out = args.out or args.runs[0] / "report.html"
    sizes = write_page(args.runs, out, embed_audio=args.embed_audio)
    if args.tables:
        for table in tables(open_runs(args.runs)):
            write_atomic(args.tables / f"{table.name}.csv", table.to_csv())
            write_atomic(args.tables / f"{table.name}.tex", table.to_latex())
    print(f"{out}: {sizes['questions']} questions, {sizes['page'] / 1e6:.1f} MB")
    return cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
