"""``python -m apun.sheet``: a benchmark's questions for people, as a sheet or a page; filled in, it is a model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from apun import cli
from apun.cli import add_selection, selection

EXAMPLES = """examples:
  python -m apun.sheet --tasks location --items 20 --out people.html         (a page with players)
  python -m apun.sheet --benchmark phun --tasks similarity --modality text --prompt-variant human --out people.xlsx
  python -m apun.sheet --benchmark yomi --tasks reading_single --modality text --prompt-variant p1 --out people.csv

The command that scores the answers is printed; a question left blank counts as an error, not as wrong.
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser("sheet", "Write a benchmark's questions for people to answer, scored like a model's.", EXAMPLES)
    result.add_argument("--out", type=Path, required=True, metavar="FILE", help="page or sheet: .html .xlsx .csv .tsv")
    result.add_argument("--items", type=cli.positive, default=50, metavar="N", help="items a task (default: 50)")
    result.add_argument("--in-order", action="store_true", help="keep the tasks together instead of mixing them")
    add_selection(result)
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Write the questions; returns the exit code."""
    command = parser()
    args = command.parse_args(argv)
    if args.limit or args.ids:
        command.error("--items says how many are drawn; leave out --limit and --ids")
    from apun import people

    drawn = people.draw(selection(args), args.items)
    asked = people.questions(drawn)
    people.write(args.out, asked if args.in_order else people.mixed(asked, args.seed))
    answers = "answers.csv" if args.out.suffix.lower() == ".html" else args.out
    print(f"{args.out}: {len(asked)} questions. When they are answered, score them with:")
    for own in drawn:
        print(f"  {people.scoring_command(own, answers)}")
    return cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
