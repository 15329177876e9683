"""``python -m apun.score RUN``: score a finished run again, without asking any model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from apun import cli


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser("score", "Score the replies of finished runs again; rewrites scores.jsonl and summary.json.")
    result.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folder")
    result.add_argument("--json", action="store_true", help="print the summaries as JSON")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = parser().parse_args(argv)

    from apun.report.tables import summary_table
    from apun.run.summary import score_folder

    summaries = {str(run): score_folder(run) for run in args.runs}
    if args.json:
        cli.print_json(summaries)
    else:
        print(summary_table([(Path(name).name, summary) for name, summary in summaries.items()]).to_text())
    return cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
