"""``python -m apun.annotate``: recordings to gold annotation, with machines drafting and people deciding."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from apun import cli

EXAMPLES = """\
examples:
  # 1. transcribe the clips of an AudioFolder, let a model find the puns, write review sheets for two people
  python -m apun.annotate draft --data-dir clips --model openai:gpt-4o --recogniser whisper-base --out work
  # 2. they correct work/review-a.xlsx and work/review-b.csv (or annotate in Label Studio)
  # 3. compare them, print correction rate and Cohen's kappa, write the gold items beside the clips
  python -m apun.annotate merge --out work --sheet a=work/review-a.xlsx --sheet b=work/review-b.csv
  # a questionnaire with audio for people, whose answers are then scored like a model's
  python -m apun.annotate questionnaire --subset sample --out questionnaire
  # all rows whose licence allows commercial use
  python -m apun.annotate export --data-dir corpus --subset real --commercial --out items.jsonl
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser("annotate", "Annotate spoken puns: machines draft, people decide.", EXAMPLES)
    steps = result.add_subparsers(dest="step", required=True, metavar="STEP")

    draft = steps.add_parser("draft", help="transcribe, let a model annotate, write review sheets")
    draft.add_argument("--data-dir", type=Path, required=True, metavar="DIR", help="AudioFolder with metadata.jsonl")
    draft.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for drafts and sheets")
    draft.add_argument("--model", required=True, help="any text-reading model of the toolkit (apun list models)")
    draft.add_argument("--recogniser", default="whisper-base", help="who transcribes; 'given' takes the rows' own text")
    draft.add_argument("--reviewers", type=cli.names, default=["a", "b"], help="names, one sheet each (default: a,b)")
    draft.add_argument("--limit", type=cli.positive, help="only the first N clips")
    draft.add_argument("--device", default="auto", help="where local models run")
    draft.add_argument("--no-label-studio", action="store_true", help="sheets only, no Label Studio project")

    merge = steps.add_parser("merge", help="corrected sheets in, gold out, with correction rate and kappa")
    merge.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of 'draft'")
    merge.add_argument("--sheet", type=cli.pair, action="append", default=[], metavar="NAME=FILE", help="one reviewer")
    merge.add_argument("--label-studio", type=Path, metavar="FILE", help="Label Studio's JSON export")
    merge.add_argument("--decided", type=Path, metavar="FILE", help="an adjudicator's sheet for open items")

    ask = steps.add_parser("questionnaire", help="questions for people: an audio page and a sheet")
    ask.add_argument("--subset", default="sample")
    ask.add_argument("--data-dir", type=Path, metavar="DIR")
    ask.add_argument("--out", type=Path, required=True, metavar="DIR")
    ask.add_argument("--per-stage", type=cli.positive, default=60, help="questions a stage (the paper: 60)")
    ask.add_argument("--seed", type=cli.natural, default=0)
    ask.add_argument("--modality", choices=("audio", "text"), default="audio")

    export = steps.add_parser("export", help="write items of a subset as JSONL or a sheet")
    export.add_argument("--subset", default="sample")
    export.add_argument("--data-dir", type=Path, metavar="DIR")
    export.add_argument("--out", type=Path, required=True, metavar="FILE", help=".jsonl, .csv, .tsv or .xlsx")
    export.add_argument("--commercial", action="store_true", help="leave out rows under a non-commercial or no licence")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = parser().parse_args(argv)
    steps = {"draft": _draft, "merge": _merge, "questionnaire": _questionnaire, "export": _export}
    return steps[args.step](args)


def _draft(args: argparse.Namespace) -> int:
    from benchmarks.apun_bench.annotation.drafting import make_drafts

    made = make_drafts(
        args.data_dir,
        args.out,
        model=args.model,
        recogniser=args.recogniser,
        reviewers=args.reviewers,
        limit=args.limit,
        device=args.device,
        label_studio=not args.no_label_studio,
        tell=print,
    )
    return cli.OK if made else cli.FAILED


def _merge(args: argparse.Namespace) -> int:
    from benchmarks.apun_bench.annotation.gold import merge_reviews

    sheets = {name: Path(file) for name, file in args.sheet}
    result = merge_reviews(args.out, sheets, label_studio=args.label_studio, decided=args.decided)
    print("\n\n".join(table.to_text() for table in result.agreement.tables))
    print(f"\n{len(result.items)} gold items in {result.path}; {len(result.agreement.dropped)} dropped")
    if result.agreement.open:
        print(
            f"{len(result.agreement.open)} items on which reviewers differ in {result.open_path}: keep one row of "
            "each, correct it, and merge again with --decided"
        )
    return cli.OK


def _questionnaire(args: argparse.Namespace) -> int:
    from benchmarks.apun_bench.questionnaire import export

    count, commands = export(
        args.out,
        subset=args.subset,
        data_dir=args.data_dir,
        per_stage=args.per_stage,
        seed=args.seed,
        modality=args.modality,
    )
    print(f"{count} questions in {args.out}: questionnaire.html (listen and answer), questionnaire.csv, .xlsx")
    print("score the answers with:\n  " + "\n  ".join(commands))
    return cli.OK


def _export(args: argparse.Namespace) -> int:
    from benchmarks.apun_bench.data import export_items

    kept, left_out = export_items(args.out, subset=args.subset, data_dir=args.data_dir, commercial=args.commercial)
    print(f"{kept} items in {args.out}" + (f"; {left_out} left out for their licence" if left_out else ""))
    return cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
