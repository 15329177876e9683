"""``python -m apun.report RUN…``: one page for one or more runs; or a leaderboard of many."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from apun import cli

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
    from apun.report.leaderboard import write_leaderboard
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
