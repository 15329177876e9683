"""``python -m benchmarks.phun_bench.two_step RUN …``: P1, P2, P3 and r of finished run folders (Tables 2 and 7)."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from apun import cli
from apun.run.folder import read_scores
from benchmarks.phun_bench.tables import ANALYSES, tasks_of, two_step


def main(argv: Sequence[str] | None = None) -> int:
    """Print the two-step tables of finished runs; runs of one model may lie in several folders."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.phun_bench.two_step",
        description="P1, P2, P3 and r of finished runs, with bootstrap intervals (paper Tables 2 and 7).",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="finished run folder")
    parser.add_argument("--together", metavar="NAME", help="take all folders as one model of this name")
    args = parser.parse_args(argv)
    found = two_step([(args.together or folder.name, list(read_scores(folder))) for folder in args.runs])
    for table in found:
        print(table.to_text(), end="\n\n")
    if not found:
        print("No run holds all tasks of an analysis; each of these needs its own:")
        for name, parts in ANALYSES.items():
            print(f"  {name}: {', '.join(tasks_of(parts))}")
    return cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
