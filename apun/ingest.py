"""``python -m apun.ingest``: recordings and a sheet become a real split; ``ingest kit`` makes a recording page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apun import cli
from apun.errors import UsageError
from apun.models import Recogniser

EXAMPLES = """examples:
  python -m apun.ingest recordings/ --sheet texts.csv --out data/apun/real     (files named like the items)
  python -m apun.ingest session.flac --sheet texts.csv --cuts labels.txt --out data/apun/real
  python -m apun.ingest kit --benchmark apun --limit 40 --out record.html      (send this page to speakers)
  python -m apun.ingest apun-anna.zip --benchmark apun --out data/apun/real    (what the page saved)
the sheet: columns item_id and text; part, language, speaker, file_name, start, end where needed; others are kept"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    top = cli.parser(
        "ingest",
        "Turn recordings into a 'real' split: cut, mixed down, resampled to 16 kHz, trimmed, checked.\n"
        "All recordings are taken, or none: every unusable one is named and nothing is written.\n"
        "'ingest kit' makes a page that speakers record with in their browser.",
        EXAMPLES,
    )
    top.add_argument("recordings", type=Path, help="a folder, one long audio file, or the zip of the recording page")
    top.add_argument("--out", type=Path, required=True, metavar="DIR", help="the split to make")
    top.add_argument(
        "--sheet", type=Path, metavar="FILE", help="texts: .csv, .tsv, .xlsx or .jsonl (a zip brings its own)"
    )
    top.add_argument("--cuts", type=Path, metavar="FILE", help="times in one long file: a sheet, or Audacity's labels")
    top.add_argument(
        "--language", default="en", choices=["en", "zh", "ja"], help="of rows that do not say (default: en)"
    )
    top.add_argument("--speaker", default="", help="of rows that do not say")
    top.add_argument("--level", action="store_true", help="bring every clip to -23 LUFS (default: keep its loudness)")
    top.add_argument("--skip-bad", action="store_true", help="leave unusable recordings out, listed in rejected.jsonl")
    top.add_argument("--verify", metavar="RECOGNISER", help="transcribe each clip, such as whisper-base, and compare")
    top.add_argument(
        "--benchmark", metavar="NAME", help="the texts are a benchmark's: write its items' annotation beside"
    )
    top.add_argument("--subset", default="sample", help="of that benchmark (default: sample)")
    top.add_argument("--data-dir", type=Path, metavar="DIR", help="of that benchmark's subset")
    return top


def kit_parser() -> argparse.ArgumentParser:
    """The options of ``ingest kit``."""
    top = cli.parser("ingest kit", "Write one self-contained HTML page that records a list of texts.", EXAMPLES)
    top.add_argument("--out", type=Path, required=True, metavar="FILE", help="the page to write (.html)")
    top.add_argument("--sheet", type=Path, metavar="FILE", help="texts to record (columns item_id, text, …)")
    top.add_argument("--benchmark", metavar="NAME", help="or: a benchmark's items")
    top.add_argument("--subset", default="sample", help="of the benchmark (default: sample)")
    top.add_argument("--data-dir", type=Path, metavar="DIR")
    top.add_argument("--tasks", type=cli.names, default=[], metavar="A,B", help="of the benchmark (default: all)")
    top.add_argument("--limit", type=cli.positive, metavar="N", help="a seeded sample of N items")
    top.add_argument("--seed", type=cli.natural, default=0)
    top.add_argument(
        "--language", default="en", choices=["en", "zh", "ja"], help="of rows that do not say (default: en)"
    )
    top.add_argument("--title", default="", help="heading of the page")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Ingest recordings, or write the recording page."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["kit"]:
        return _kit(kit_parser().parse_args(arguments[1:]))
    return _ingest(parser().parse_args(arguments))


def _ingest(args: argparse.Namespace) -> int:
    from apun.recordings.kit import items_of_benchmark
    from apun.recordings.sources import open_source
    from apun.recordings.split import check_target, ingest, listener
    from apun.recordings.takes import read_takes, with_cuts

    check_target(args.out)
    with open_source(args.recordings) as source:
        sheet = args.sheet or source.kit_sheet
        if sheet is None:
            raise UsageError("name the sheet of texts with --sheet FILE (columns item_id and text)")
        takes = read_takes(sheet, args.language, args.speaker)
        if args.cuts:
            takes = with_cuts(takes, args.cuts)
        recogniser = _recogniser(args.verify) if args.verify else None
        try:
            done = ingest(
                takes,
                source,
                sheet,
                args.out,
                level=args.level,
                skip_bad=args.skip_bad,
                hear=listener(recogniser) if recogniser else None,
                beside=items_of_benchmark(args.benchmark, args.subset, args.data_dir) if args.benchmark else None,
                progress=cli.counter("recordings taken"),
            )
        finally:
            if recogniser:
                recogniser.close()
    _report(args.out, done.rows, done.rejected)
    return cli.OK


def _recogniser(name: str) -> Recogniser:
    from asr.catalogue import load

    return load(name)


def _report(out: Path, rows: Sequence[Any], rejected: Sequence[Any]) -> None:
    from apun.recordings.split import DIFFERENT

    seconds = sum(row["seconds"] for row in rows)
    speakers = len({row["voice"] for row in rows if row["voice"]})
    print(f"{out}: {len(rows)} clips, {seconds:.1f} s, {speakers or 'no'} named speakers, {len(rejected)} rejected")
    rates = [row["error_rate"] for row in rows if "error_rate" in row]
    if rates:
        print(f"heard against the texts: mean error rate {sum(rates) / len(rates):.3f} over {len(rates)} clips")
    for row in rows:
        far = row.get("error_rate", 0.0) >= DIFFERENT
        if row["warnings"] or far or row.get("heard_error"):
            heard = f" heard {row['heard']!r} for {row['text']!r}" if far else row.get("heard_error", "")
            print(f"  listen to {row['file_name']}: {row['warnings']}{heard}")
    for row in rejected:
        print(f"  rejected {row['item_id']}/{row['part']}: {row['reason']}")


def _kit(args: argparse.Namespace) -> int:
    from apun.recordings.kit import prompts_of_benchmark, prompts_of_sheet, write_page

    if (args.sheet is None) == (args.benchmark is None):
        raise UsageError("say what is to be recorded: --sheet FILE, or --benchmark NAME")
    if args.sheet is not None:
        prompts = prompts_of_sheet(args.sheet, args.language)[: args.limit]
        title = args.title or args.sheet.stem
    else:
        prompts = prompts_of_benchmark(args.benchmark, args.subset, args.data_dir, args.tasks, args.limit, args.seed)
        title = args.title or f"{args.benchmark} {args.subset}"
    write_page(args.out, title, prompts)
    print(f"{args.out}: {len(prompts)} texts. Open it in a browser, record, save the zip, then:")
    known = f" --benchmark {args.benchmark} --subset {args.subset}" if args.benchmark else ""
    print(f"python -m apun.ingest ZIP{known} --out data/{args.benchmark or 'mine'}/real")
    return cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
