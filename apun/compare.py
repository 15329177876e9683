"""``python -m apun.compare A B …``: paired differences between runs over the same questions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from apun import cli

EXAMPLES = """examples:
  python -m apun.compare runs/A runs/B                what differs, and whether it is significant
  python -m apun.compare runs/AUDIO runs/TEXT --across modality
  python -m apun.compare runs/A runs/B --disagreements apun.location
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser("compare", "Compare finished runs question by question.", EXAMPLES)
    result.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folder")
    result.add_argument(
        "--across",
        type=cli.names,
        default=[],
        metavar="FIELD",
        help="what may differ: modality, variants, options, voices",
    )
    result.add_argument("--seed", type=cli.natural, default=0, help="seed of resampling (default: 0)")
    result.add_argument("--disagreements", metavar="TASK", help="also list the questions on which the first two differ")
    result.add_argument("--csv", type=Path, metavar="FILE", help="write the differences as CSV")
    result.add_argument("--latex", type=Path, metavar="FILE", help="write the differences as LaTeX")
    result.add_argument("--json", action="store_true", help="print JSON")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = parser().parse_args(argv)

    from apun.paths import write_atomic
    from apun.report.comparison import compare, difference_table, disagreements
    from apun.report.runs import open_runs

    runs = open_runs(args.runs)
    pairs = compare(runs, args.seed, args.across)
    table = difference_table(pairs)
    if args.csv:
        write_atomic(args.csv, table.to_csv())
    if args.latex:
        write_atomic(args.latex, table.to_latex())
    if args.json:
        cli.print_json([asdict(pair) for pair in pairs])
        return cli.OK
    print(table.to_text())
    if args.disagreements:
        print("\n" + disagreements(runs[0], runs[1], args.disagreements).to_text())
    return cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
