"""``python -m benchmarks.phun_bench.human_sheet``: items as a sheet for people, scored like a model (paper §D.2).

The sheet has the instruction and the item of every question, and an empty column for the answer. Filled in,
it is a model: ``--model sheet:FILE``. The command that scores it is printed; it draws the same items, because
a sample depends on the seed and the items alone. The paper asked 50 to 100 items a setting.
"""

from __future__ import annotations

import argparse
import random
import shlex
from collections.abc import Sequence
from pathlib import Path

from apun import cli
from apun.prompts import Text
from apun.run.data import Data, Selection, open_data
from apun.sheets import write_sheet
from apun.tasks import Conditions, Question

VARIANT = "human"
COLUMNS = ("question", "setting", "instruction", "item", "answer")
SETTINGS = ("char2pinyin", "homophone_recall", "contextual_homophone", "similarity")  # what the paper's people did


def selection(args: argparse.Namespace) -> Selection:
    """The questions asked: in writing, in the wording for people."""
    options = {"language": args.language, **({"form": args.form} if args.form else {})}
    return Selection(
        benchmark="phun",
        tasks=tuple(args.tasks),
        subset=args.subset,
        data_dir=args.data_dir,
        limit=args.n,
        conditions=Conditions(modality="text", variants=(VARIANT,), seed=args.seed, options=options),
    )


def rows(data: Data, seed: int, shuffle: bool = True) -> list[dict[str, str]]:
    """Rows of the sheet; the questions of all settings mixed, unless told otherwise."""
    questions = list(data.questions())
    if shuffle:
        random.Random(seed).shuffle(questions)
    return [_row(question) for question in questions]


def _row(question: Question) -> dict[str, str]:
    """The first line of the wording for people is the instruction; the rest is the item."""
    text = "".join(part.text for part in question.prompt.messages[-1].parts if isinstance(part, Text))
    instruction, _, item = text.partition("\n")
    setting = question.task.partition(".")[2]
    return {"question": question.id, "setting": setting, "instruction": instruction, "item": item, "answer": ""}


def scoring_command(args: argparse.Namespace) -> str:
    """The command that scores the sheet when it is filled in."""
    words = ["python", "-m", "apun.eval", "--benchmark", "phun", "--subset", args.subset, "--modality", "text"]
    if args.data_dir:
        words += ["--data-dir", str(args.data_dir)]
    words += ["--tasks", ",".join(args.tasks), "--limit", str(args.n), "--seed", str(args.seed)]
    words += ["--prompt-variant", VARIANT, "--set", f"language={args.language}"]
    if args.form:
        words += ["--set", f"form={args.form}"]
    return shlex.join([*words, "--model", f"sheet:{args.out}"])


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = argparse.ArgumentParser(
        prog="python -m benchmarks.phun_bench.human_sheet",
        description="Write a sheet of sampled items for people to answer, to be scored like a model.",
    )
    result.add_argument("--out", type=Path, required=True, metavar="FILE", help="the sheet: .xlsx, .csv or .tsv")
    result.add_argument("--n", type=cli.positive, default=50, help="items a tier or perturbation type (default: 50)")
    result.add_argument("--tasks", type=cli.names, default=list(SETTINGS), help=f"default: {','.join(SETTINGS)}")
    result.add_argument("--subset", default="sample", help="sample, released or built (default: sample)")
    result.add_argument("--data-dir", type=Path, metavar="DIR", help="folder of the released or built items")
    result.add_argument("--form", choices=["word", "pinyin"], help="form of similarity (default: word)")
    result.add_argument("--language", choices=["zh", "en"], default="zh", help="of the instruction (default: zh)")
    result.add_argument("--seed", type=int, default=42, help="seed of the sample and the order (default: 42)")
    result.add_argument("--in-order", action="store_true", help="keep settings together instead of mixing them")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Write the sheet; returns the exit code."""
    args = parser().parse_args(argv)
    found = rows(open_data(selection(args)), args.seed, not args.in_order)
    write_sheet(args.out, COLUMNS, found)
    print(f"{args.out}: {len(found)} questions. Fill in the column answer, then:")
    print(scoring_command(args))
    return cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
