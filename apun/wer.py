"""``python -m apun.wer``: word and character error rates of recognisers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from apun import cli, registry
from apun.cli import add_loading, add_selection, loading, selection

if TYPE_CHECKING:
    from apun.measure import word_errors
    from apun.measure.recordings import Recording
    from apun.report.tables import Table

EXAMPLES = """examples:
  python -m apun.wer                                              the embedded recogniser on the sample
  python -m apun.wer --recogniser whisper-large-v3 --recogniser sensevoice-small --subset real
  python -m apun.wer --clips recordings/                          a folder with metadata.jsonl
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser("wer", "Word and character error rates by recogniser, subset and pun type.", EXAMPLES)
    result.add_argument(
        "--recogniser", action="append", metavar="NAME", help="recogniser; repeatable (default: whisper-base)"
    )
    result.add_argument("--clips", type=Path, metavar="DIR", help="this folder's recordings, not a benchmark's")
    add_selection(result)
    add_loading(result)
    result.add_argument("--guess-language", action="store_true", help="do not tell recognisers the language")
    group = result.add_argument_group("output")
    group.add_argument("--worst", type=cli.positive, default=10, metavar="N", help="recordings listed (default: 10)")
    group.add_argument("--out", type=Path, metavar="DIR", help="write tables (CSV, LaTeX) and every transcript here")
    group.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = parser().parse_args(argv)
    from apun.measure import word_errors
    from asr.catalogue import EMBEDDED, check_name, load

    names = list(dict.fromkeys(args.recogniser or [EMBEDDED]))
    for name in names:
        check_name(name)
    recordings = _recordings(args)
    heard: list[word_errors.Heard] = []
    for name in names:
        recogniser = load(name, loading(args))
        try:
            heard += word_errors.transcribe(
                recogniser, recordings, guess_language=args.guess_language, progress=cli.counter(name)
            )
        finally:
            recogniser.close()
    found = word_errors.rates(heard, seed=args.seed)
    paper = registry.layout(args.benchmark, "wer")(found)
    tables = [*([paper] if paper else []), word_errors.rates_table(found), word_errors.worst_table(heard, args.worst)]
    if args.out is not None:
        _write(args.out, tables, heard)
    if args.json:
        from dataclasses import asdict

        cli.print_json({"rates": [asdict(rate) for rate in found], "recordings": [row.to_json() for row in heard]})
    else:
        print("\n\n".join(table.to_text() for table in tables))
    return cli.FAILED if all(row.failed for row in heard) else cli.OK


def _recordings(args: argparse.Namespace) -> Sequence[Recording]:
    from apun.measure.recordings import of_benchmark, read_folder

    if args.clips is not None:
        return [recording for recording in read_folder(args.clips) if recording.text][: args.limit]
    return of_benchmark(selection(args), cli.count)


def _write(folder: Path, tables: Sequence[Table], heard: Sequence[word_errors.Heard]) -> None:
    import json

    from apun.paths import write_atomic

    for table in tables:
        write_atomic(folder / f"{table.name}.csv", table.to_csv())
        write_atomic(folder / f"{table.name}.tex", table.to_latex())
    lines = (json.dumps(row.to_json(), ensure_ascii=False) for row in heard)
    write_atomic(folder / "transcripts.jsonl", "".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
