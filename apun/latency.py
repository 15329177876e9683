"""``python -m apun.latency``: end-to-end models and cascades timed side by side on the same clips."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from apun import cli, registry
from apun.cli import add_loading, add_selection, loading, selection

if TYPE_CHECKING:
    from apun.measure.summary import Summary
    from apun.measure.timing import Sample
    from apun.tasks import Question

THROUGHPUT_BATCH = 16

EXAMPLES = """examples:
  python -m apun.latency --models whisper-base+smollm2-135m whisper-base+solver --limit 10
  python -m apun.latency --models qwen2.5-omni sensevoice-small+qwen2.5-7b-instruct --subset real
  python -m apun.latency --models qwen2-audio qwen2.5-omni --weights random --clips recordings/
  python -m apun.latency --models whisper-base+solver whisper-tiny.en+solver --clips recordings/

Every model is timed on a clip before the next clip is (A B C, A B C), so that drift cancels.
Ratios are to the first model. Kept transcripts and replies are never used here.
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser("latency", "Time models and cascades on the same clips, stage by stage.", EXAMPLES)
    result.add_argument("--models", nargs="+", required=True, metavar="NAME", help="models; ratios are to the first")
    result.add_argument("--clips", type=Path, metavar="DIR", help="time on this folder's audio, not on a benchmark")
    add_selection(result)
    add_loading(result)
    group = result.add_argument_group("timing")
    group.add_argument("--items", type=cli.positive, metavar="N", help="clips to time (as --limit; default: all)")
    group.add_argument("--batch-size", type=cli.positive, metavar="N", help="prompts in one call (default: 1)")
    group.add_argument(
        "--throughput", action="store_true", help=f"batches of {THROUGHPUT_BATCH}: prompts a second instead of latency"
    )
    group.add_argument("--warmup", type=int, default=2, metavar="N", help="rounds that are not counted (default: 2)")
    group.add_argument("--repeats", type=cli.positive, default=1, metavar="N", help="times over all clips (default: 1)")
    group.add_argument("--max-new-tokens", type=cli.positive, metavar="N", help="room for an answer (default: task's)")
    group = result.add_argument_group("output")
    group.add_argument("--out", type=Path, default=Path("runs/latency"), metavar="DIR", help="where results go")
    group.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    command = parser()
    args = command.parse_args(argv)
    if args.warmup < 0:
        command.error("--warmup takes a number from 0 up")
    from apun.measure import latency, plot
    from apun.measure.timing import Timing
    from audio_models.catalogue import check_name

    for name in args.models:
        check_name(name, loading(args))
    questions, room = _questions(args)
    size = args.batch_size or (THROUGHPUT_BATCH if args.throughput else 1)
    timing = Timing(
        latency.generation(args.max_new_tokens or room, args.seed),
        args.warmup,
        args.repeats,
        progress=cli.counter("rounds timed"),
    )
    result = latency.compare(
        args.models,
        questions,
        loading(args),
        timing,
        batch_size=size,
        seed=args.seed,
        say=cli.say,
        layout=registry.layout(args.benchmark, "latency"),
    )
    written = latency.save(result, args.out)
    if args.json:
        cli.print_json(result.to_json())
        return _code(result.summaries)
    for table in result.tables:
        print(table.to_text(), end="\n\n")
    conditions = result.conditions
    where = conditions["machine"]
    print(
        f"{conditions['prompts']} prompts, {conditions['audio_seconds']:.1f} s of audio, batch "
        f"{conditions['batch_size']}, {conditions['warmup_rounds']} warm-up rounds left out; "
        f"{where['processor']}, {where['cores']} cores" + "".join(f", {device}" for device in where["devices"])
    )
    if conditions["weights"] == "random":
        print("Random weights but for embedded models: times and memory are real, answers are not.")
    for name, reason in _failures(result.samples):
        print(f"{name} failed: {reason}")
    print(f"Written: {', '.join(str(path) for path in written)}")
    if plot.available() is None:
        print("No plot: neither matplotlib nor plotly is installed (pip install 'apun[report]').")
    return _code(result.summaries)


def _questions(args: argparse.Namespace) -> tuple[Sequence[Question], int]:
    """The questions, and the room their task gives an answer."""
    limit = args.items or args.limit
    if args.clips is not None:
        from apun.measure.recordings import questions, read_folder

        return questions(read_folder(args.clips)[:limit]), 16
    from apun.run.data import open_data, select_tasks

    chosen = selection(args)
    task = select_tasks(registry.benchmark(chosen.benchmark), chosen.tasks)[0]
    data = open_data(replace(chosen, tasks=(task.name,), limit=limit), cli.count)
    return list(data.questions()), task.max_new_tokens


def _code(summaries: Sequence[Summary]) -> int:
    """Failed when a model answered nothing at all: its row is empty."""
    return cli.OK if all(summary.n for summary in summaries) else cli.FAILED


def _failures(samples: Sequence[Sample]) -> list[tuple[str, str]]:
    """The first reason of each model that failed on something."""
    first: dict[str, str] = {}
    for sample in samples:
        if sample.reason is not None:
            first.setdefault(sample.model, sample.reason)
    return list(first.items())


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
