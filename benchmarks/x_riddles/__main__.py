"""``python -m benchmarks.x_riddles``: importing lists, questions for people, and rating sheets."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from apun import cli
from apun.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from benchmarks.x_riddles.items import Riddle

EXAMPLES = """examples:
  python -m benchmarks.x_riddles import xiehouyu.json --out data/xriddles/dictionary/items.jsonl
  python -m benchmarks.x_riddles lists --out lists                       17 lists for people, and their key
  python -m benchmarks.x_riddles human lists/filled/*.xlsx --key lists/key.json
  python -m benchmarks.x_riddles explanations runs/a runs/b --out sheet.xlsx
  python -m benchmarks.x_riddles creations runs/a runs/b --out sheet.xlsx
  python -m benchmarks.x_riddles rated anna.xlsx bao.xlsx --key sheet.key.json
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = argparse.ArgumentParser(
        prog="python -m benchmarks.x_riddles",
        description="Import xiehouyu lists; write and read the sheets that people fill in.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = result.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("import", help="split a public list into items; print what became of its entries")
    one.set_defaults(run=_import)
    one.add_argument("list", type=Path)
    one.add_argument("--out", type=Path, help="item file to write (default: only the report)")
    one.add_argument(
        "--with-new", action="store_true", help="add the new xiehouyu of the sample, so that Δacc can be had"
    )
    one = commands.add_parser("lists", help="write lists of questions for people")
    one.set_defaults(run=_lists)
    _items(one)
    one.add_argument("--out", type=Path, required=True, metavar="DIR")
    one.add_argument("--lists", type=cli.positive, default=17)
    one.add_argument("--catch", type=int, default=2, help="catch trials in each list (default: 2)")
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--format", choices=["xlsx", "csv"], default="xlsx")
    one = commands.add_parser("human", help="read filled-in lists; print human accuracy")
    one.set_defaults(run=_human)
    _items(one)
    one.add_argument("sheets", type=Path, nargs="+")
    one.add_argument("--key", type=Path, required=True)
    one.add_argument("--out", type=Path, help="write the items with their mean familiarity here")
    for name, what in (("explanations", "explanations"), ("creations", "created xiehouyu")):
        one = commands.add_parser(name, help=f"write a blind sheet on which people rate {what}")
        one.set_defaults(run=_sheet)
        one.add_argument("runs", type=Path, nargs="+", help="run folders")
        one.add_argument("--out", type=Path, required=True, metavar="SHEET")
        one.add_argument("--seed", type=int, default=0)
        one.add_argument("--all", action="store_true", help="every xiehouyu, not Table 6's numbers of each kind")
    one = commands.add_parser("rated", help="read rating sheets; print agreement and the paper's tables")
    one.set_defaults(run=_rated)
    one.add_argument("sheets", type=Path, nargs="+")
    one.add_argument("--key", type=Path, required=True)
    return result


def _items(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", type=Path, metavar="DIR", help="folder of items (default: the embedded sample)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = parser().parse_args(argv)
    done: int = args.run(args)
    return done


def _import(args: argparse.Namespace) -> int:
    from benchmarks.x_riddles.build import import_entries
    from benchmarks.x_riddles.data import novel
    from benchmarks.x_riddles.items import write_items
    from benchmarks.x_riddles.lists import read_entries

    done = import_entries(read_entries(args.list))
    print(done.report())
    if args.out:
        write_items(args.out, [*done.items, *(novel() if args.with_new else ())])
    return cli.OK


def _loaded(args: argparse.Namespace) -> Sequence[Riddle]:
    from apun.tasks import Subset
    from benchmarks.x_riddles.data import load

    return load(Subset("sample" if args.data is None else "items", args.data))


def _lists(args: argparse.Namespace) -> int:
    from benchmarks.x_riddles.human import write_lists

    kind = f".{args.format}"
    paths = write_lists(_loaded(args), args.out, seed=args.seed, lists=args.lists, catch=args.catch, suffix=kind)
    print(f"{len(paths)} lists in {args.out}; keep key.json to yourself")
    return cli.OK


def _human(args: argparse.Namespace) -> int:
    from benchmarks.x_riddles.human import human_scores, read_lists, with_familiarity
    from benchmarks.x_riddles.items import write_items
    from benchmarks.x_riddles.tables import by_type, memorisation

    items = _loaded(args)
    human = read_lists(args.sheets, args.key)
    for participant, row in sorted(human.excluded.items()):
        print(f"left out {participant}: missed the catch trial {row}")
    runs = [("Human", human_scores(items, human))]
    print(by_type(runs).to_text(), memorisation(runs).to_text(), sep="\n\n")
    if args.out:
        write_items(args.out, with_familiarity(items, human))
    return cli.OK


def _sheet(args: argparse.Namespace) -> int:
    from benchmarks.x_riddles.ratings import CREATIONS, EXPLANATIONS, created, explained, stratified, write_ratings

    explanations = args.command == "explanations"
    sheet, read = (EXPLANATIONS, explained) if explanations else (CREATIONS, created)
    samples = [sample for folder in args.runs for sample in read(folder)]
    if explanations and not args.all:
        samples = stratified(samples, args.seed)
    key = write_ratings(args.out, samples, sheet, args.seed)
    print(f"{len(samples)} rows in {args.out}; keep {key.name} to yourself")
    return cli.OK


def _rated(args: argparse.Namespace) -> int:
    from benchmarks.x_riddles.ratings import CREATIONS, EXPLANATIONS, agreement, read_key, read_ratings
    from benchmarks.x_riddles.tables import quality_by_length, table7, table8, table10

    key = read_key(args.key)
    explanations = any("explanation" in sample.shown for sample in key.values())
    sheet = EXPLANATIONS if explanations else CREATIONS
    ratings = read_ratings(args.sheets, key, sheet)
    for field in sheet.fields:
        _print(agreement(ratings, field))
    if explanations:
        print(table7(ratings, key).to_text(), table8(ratings, key).to_text(), sep="\n\n")
        try:
            _print(quality_by_length(ratings, key))
        except UsageError as error:  # too few ratings yet; the tables above stand all the same
            print(f"no regression: {error}")
    else:
        print(table10(ratings, key).to_text())
    return cli.OK


def _print(result: DataclassInstance) -> None:
    """A result's fields as a line of JSON; NaN as null."""
    print(json.dumps({name: None if field != field else field for name, field in asdict(result).items()}))


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
