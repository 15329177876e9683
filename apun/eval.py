"""``python -m apun.eval``: ask models a benchmark's questions and print what they scored."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from apun import cli
from apun.cli import add_loading, add_selection, loading, selection

if TYPE_CHECKING:
    from apun.run.data import Data, Selection
    from apun.run.evaluate import Outcome

DEFAULT_MODEL = "whisper-base+smollm2-135m"

EXAMPLES = """examples:
  python -m apun.eval                                        the embedded sample, model and recogniser
  python -m apun.eval --model qwen2.5-omni --subset real     an end-to-end model on your recordings
  python -m apun.eval --model whisper-large-v3+qwen2.5-7b-instruct --model whisper-large-v3+solver
  python -m apun.eval --model openai:my-model --base-url http://localhost:8000/v1 --tasks location
  python -m apun.eval --benchmark phun --tasks similarity --modality text --limit 50
  python -m apun.eval --dry-run --limit 2                    print the prompts, call no model

A run can be stopped at any time; the same command goes on where it stopped.
See also: apun list models | tasks | voices | recognisers | subsets
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser(
        "eval", "Ask one or more models a benchmark's questions; score the answers; print a table.", EXAMPLES
    )
    result.add_argument(
        "--model",
        action="append",
        metavar="NAME",
        help=f"model to ask; repeatable. RECOGNISER+LLM is a cascade (default: {DEFAULT_MODEL})",
    )
    add_selection(result)
    add_loading(result)
    group = result.add_argument_group("running")
    group.add_argument("--batch-size", default="auto", metavar="N", help="prompts in one call (default: auto)")
    group.add_argument("--temperature", type=cli.amount, default=0.0, help="0 is greedy (default: 0)")
    group.add_argument("--max-new-tokens", type=cli.positive, metavar="N", help="room for an answer")
    group.add_argument("--engine", choices=["local", "ray", "vllm"], default="local", help="where models run")
    group.add_argument("--workers", type=cli.positive, default=1, metavar="N", help="worker processes (default: 1)")
    group = result.add_argument_group("output")
    group.add_argument("--out", type=Path, metavar="DIR", help="run folder (default: runs/NAME, from the settings)")
    group.add_argument("--resume", action="store_true", help="go on with an earlier run (this is the default)")
    group.add_argument("--fresh", action="store_true", help="set an earlier run of the same name aside")
    group.add_argument("--dry-run", action="store_true", help="print the prompts and stop")
    group.add_argument("--json", action="store_true", help="print the summary as JSON")
    group.add_argument("--no-report", action="store_true", help="write no report.html")
    group.add_argument(
        "--max-failures", type=cli.share, metavar="SHARE", help="exit with 1 when more than this share failed (0 to 1)"
    )
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    command = parser()
    args = command.parse_args(argv)
    if args.resume and args.fresh:
        command.error("--resume and --fresh exclude each other")
    models = args.model or [DEFAULT_MODEL]
    if not all(models):
        command.error("--model is empty; see: apun list models")
    if args.out and len(models) > 1:
        command.error("--out names one run folder; with several --model leave it out")
    batch_size = _batch_size(command, args.batch_size)
    chosen = selection(args)
    if args.dry_run:
        return _dry_run(chosen, args.json)

    from apun.run.data import open_data
    from apun.run.evaluate import Request, evaluate
    from audio_models.catalogue import check_name

    for name in models:
        check_name(name, loading(args))
    data = open_data(chosen, cli.count)
    base = Request(
        selection=chosen,
        model="",
        load=loading(args),
        batch_size=batch_size,
        temperature=args.temperature,
        max_new_tokens=args.max_new_tokens,
        out=args.out,
        fresh=args.fresh,
        engine=args.engine,
        workers=args.workers,
    )
    outcomes = []
    for name in models:
        outcome = evaluate(replace(base, model=name), data, show=True)
        outcomes.append((name, outcome))
        if outcome.interrupted:
            print(f"apun: stopped; {outcome.folder} keeps what is done. Run the same command again.", file=sys.stderr)
            return cli.INTERRUPTED
    return _finish(outcomes, data, args)


def _finish(outcomes: list[tuple[str, Outcome]], data: Data, args: argparse.Namespace) -> int:
    from apun.report.tables import print_outcomes

    if not args.no_report:
        from apun.report.page import write_page

        for _, outcome in outcomes:
            write_page([outcome.folder], outcome.folder / "report.html", data=data)
    if args.json:
        cli.print_json({name: {"folder": str(o.folder), **o.summary} for name, o in outcomes})
    else:
        print_outcomes(outcomes, data)
    worst = max(
        (task["failure_rate"] or 0.0 for _, outcome in outcomes for task in outcome.summary["tasks"].values()),
        default=0.0,
    )
    if args.max_failures is not None and worst > args.max_failures:
        print(f"apun: the failure rate {worst:.3f} passes --max-failures {args.max_failures:g}", file=sys.stderr)
        return cli.FAILED
    return cli.OK


def _dry_run(chosen: Selection, as_json: bool) -> int:
    from apun.run.data import open_data

    data = open_data(chosen, cli.count)
    for question in data.questions():
        if as_json:
            cli.print_json({"question": question.id, "messages": question.prompt.rendered()})
            continue
        print(f"== {question.id}")
        for message in question.prompt.rendered():
            parts = [
                part["text"] if "text" in part else f"[clip {part['name']} {part['audio'][:12]}]"
                for part in message["content"]
            ]
            print(f"{message['role']}: {''.join(parts)}")
        print()
    return cli.OK


def _batch_size(command: argparse.ArgumentParser, value: str) -> int:
    if value == "auto":
        return 1_000_000  # the model's own limit decides
    try:
        return cli.positive(value)
    except argparse.ArgumentTypeError as error:
        command.error(f"--batch-size: {error}, or auto")


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
