"""``python -m apun.synth``: render a benchmark's items into a synthetic speech split."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apun import cli, registry
from apun.errors import UsageError
from apun.speech import Utterance

EXAMPLES = """examples:
  python -m apun.synth --benchmark apun --engine kokoro --voices all --seed 0 --out splits/sample
  python -m apun.synth --engine parler --out splits/parler        (first: python -m apun.env create parler)
  python -m apun.synth --texts mine.jsonl --out splits/mine       (rows: id, text, language, ipa/pinyin/kana)
  python -m apun.synth perturb splits/sample --out splits/noisy noise:10 reverb:0.6 telephone
  python -m apun.synth stats splits/sample --voices"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    top = cli.parser(
        "synth",
        "Render a benchmark's items into an AudioFolder of synthetic speech, checked by a recogniser.\n"
        "The same command continues a run that was stopped.\n"
        "'synth stats DIR' and 'synth perturb DIR SPEC... --out DIR' work on any split, 'synth voices ENGINE'\n"
        "lists an engine's voices.",
        EXAMPLES,
    )
    what = top.add_argument_group("what is said")
    what.add_argument("--benchmark", default="apun", help="apun, phun, xriddles or yomi (default: apun)")
    what.add_argument("--subset", default="sample", help="sample (embedded) or one with a folder (default: sample)")
    what.add_argument("--data-dir", type=Path, metavar="DIR", help="folder of the subset's texts")
    what.add_argument("--texts", type=cli.existing, metavar="FILE", help="your own texts instead (.jsonl or .csv)")
    what.add_argument("--form", help="spoken form of the items (default: all that the benchmark's tasks ask for)")
    what.add_argument("--limit", type=cli.positive, metavar="N", help="a seeded sample of N items")
    what.add_argument("--ids", type=cli.names, default=[], metavar="A,B", help="only these items")
    how = top.add_argument_group("who says it")
    how.add_argument(
        "--engine", default="kokoro", help="a name of 'apun list voices', or ENGINE:MODEL (default: kokoro)"
    )
    how.add_argument(
        "--voices", type=cli.names, default=["all"], metavar="A,B", help="voices to draw from (default: all)"
    )
    how.add_argument("--option", type=cli.pair, action="append", default=[], metavar="KEY=VALUE", help="engine option")
    how.add_argument("--seed", type=cli.natural, default=0, help="decides voices and sampling (default: 0)")
    how.add_argument("--insist", action="store_true", help="render items whose reading the engine cannot force")
    check = top.add_argument_group("which clips are kept")
    check.add_argument(
        "--gate",
        default="whisper-base",
        metavar="NAME",
        help="recogniser that checks each clip; none: lengths only; off: no check",
    )
    check.add_argument(
        "--max-error", type=cli.amount, default=0.5, metavar="X", help="content not heard (default: 0.5)"
    )
    check.add_argument(
        "--retry", type=cli.natural, default=2, metavar="N", help="other voices tried for a bad clip (default: 2)"
    )
    top.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the split")
    top.add_argument("--fresh", action="store_true", help="render all anew, also what the speech cache holds")
    top.add_argument("--workers", type=cli.positive, default=os.cpu_count() or 1, metavar="N", help="processes")
    top.add_argument(
        "--devices", type=cli.names, default=[], metavar="A,B", help="dealt out to the processes, such as cuda:0,cuda:1"
    )
    top.add_argument(
        "--perturb",
        action="append",
        default=[],
        metavar="SPEC",
        help="also a perturbed copy in DIR-SPEC; repeatable: noise:10, white:10, reverb:0.6, telephone, speed:1.1, "
        "tempo:1.25, pitch:+2, codec:mp3, or several joined by + (ranges: 'synth perturb --help')",
    )
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 1 when an item has no acceptable clip."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["stats"]:
        return stats(arguments[1:])
    if arguments[:1] == ["perturb"]:
        return perturb(arguments[1:])
    if arguments[:1] == ["voices"]:
        return voices(arguments[1:])
    args = parser().parse_args(arguments)
    if not 0 <= args.retry <= 20 or not 0 < args.max_error <= 1:
        raise UsageError("--retry takes 0 to 20, --max-error a share above 0 and up to 1")
    from apun.paths import cache_dir
    from tts.core.gate import Limits
    from tts.core.perturbation import parse, perturb_split
    from tts.core.synthesis import Request, synthesise

    effects = [parse(spec) for spec in args.perturb]
    items, utterances, about = _asked(args)
    request = Request(
        utterances,
        args.out,
        args.engine,
        dict(args.option),
        args.voices,
        args.seed,
        args.retry,
        args.workers,
        tuple(args.devices),
        None if args.gate in ("none", "off") else args.gate,
        None if args.gate == "off" else Limits(content_error=args.max_error),
        args.insist,
        about,
        None if args.fresh else cache_dir("speech"),
    )
    report = synthesise(request, _progress())
    _write_items(args.out, items)
    _print_report(args.out, report, items, args)
    for effect in effects:
        copy = perturb_split(args.out, args.out.with_name(f"{args.out.name}-{effect.name}"), effect, args.seed)
        print(f"perturbed copy: {copy}")
    return cli.FAILED if report.missing else cli.OK


def stats(argv: Sequence[str]) -> int:
    """``synth stats``: Table 1 of any split; with ``--voices`` also how high and how fast each voice speaks."""
    options = cli.parser(
        "synth stats", "Counts by type, seconds and sentence length of a split, as APUN-Bench's Table 1."
    )
    options.add_argument("folder", type=cli.existing, help="an AudioFolder, synthetic or real")
    options.add_argument(
        "--voices",
        action="store_true",
        help="measure the voices on a few clips of each: median F0, words or characters a second (needs librosa)",
    )
    options.add_argument("--json", action="store_true", help="print JSON")
    args = options.parse_args(argv)
    from apun.splits import read_split
    from tts.core.measures import clip_lengths, measured_voices, voices

    split = read_split(args.folder)
    by_voice = measured_voices(split) if args.voices else voices(list(split.rows.values()))
    table = registry.layout("apun", "synth")(split.folder.name, clip_lengths(split, _types(args.folder)))
    tables = [*([table] if table else []), by_voice]
    if args.json:
        cli.print_json({t.name: [dict(zip(t.columns, row, strict=True)) for row in t.rows] for t in tables})
    else:
        print("\n\n".join(table.to_text() for table in tables))
    return cli.OK


def perturb(argv: Sequence[str]) -> int:
    """``synth perturb``: perturbed copies of any split."""
    from tts.core.perturbation import HELP, parse, perturb_split

    options = cli.parser("synth perturb", "Seeded perturbed copies of a split, one folder for each.", HELP)
    options.add_argument("folder", type=cli.existing, help="an AudioFolder")
    options.add_argument("spec", nargs="+", help="effects; 'a+b' applies both in turn")
    options.add_argument("--out", type=Path, required=True, metavar="DIR", help="copies go to DIR/SPEC")
    options.add_argument("--seed", type=cli.natural, default=0)
    args = options.parse_args(argv)
    for effect in [parse(spec) for spec in args.spec]:
        print(perturb_split(args.folder, args.out / effect.name, effect, args.seed))
    return cli.OK


def voices(argv: Sequence[str]) -> int:
    """``synth voices``: the voices of an engine, by the names ``--voices`` takes."""
    options = cli.parser("synth voices", "The voices of an engine, by the names --voices takes.")
    options.add_argument("engine", help="a name of 'apun list voices', or ENGINE:MODEL")
    options.add_argument("--option", type=cli.pair, action="append", default=[], metavar="KEY=VALUE")
    args = options.parse_args(argv)
    from apun.report.tables import Table
    from tts.catalogue import load

    engine = load(args.engine, **dict(args.option))
    rows = tuple((voice.name, "/".join(voice.languages), voice.note) for voice in engine.voices())
    print(Table("voices", f"Voices of {engine.name} {engine.version}", ("voice", "languages", "note"), rows).to_text())
    return cli.OK


def _asked(args: argparse.Namespace) -> tuple[list[Any], list[Utterance], dict[str, str]]:
    """Items, utterances and what ``synth.json`` says of them."""
    from apun.run.data import choose, find_folder, utterances
    from apun.tasks import Conditions, Subset

    if args.texts is not None:
        from tts.core.texts import read_texts

        spoken = read_texts(args.texts)
        return [], choose_texts(spoken, args), {"texts": args.texts.name}
    benchmark = registry.benchmark(args.benchmark)
    folder = None if args.subset == "sample" else find_folder(args.benchmark, args.subset, args.data_dir)
    items = choose(benchmark.load(Subset(args.subset, folder)), args.limit, args.ids, args.seed)
    about = {"benchmark": args.benchmark, "subset": args.subset, "form": args.form or "as asked"}
    if args.form is not None:
        return items, [u for item in items for u in benchmark.utterances(item, args.form)], about
    return items, utterances(benchmark, tuple(benchmark.tasks.values()), items, Conditions(seed=args.seed)), about


def choose_texts(spoken: Sequence[Utterance], args: argparse.Namespace) -> list[Utterance]:
    """The utterances that ``--ids`` and ``--limit`` leave."""
    from types import SimpleNamespace

    from apun.run.data import choose

    names = dict.fromkeys(utterance.item for utterance in spoken)
    kept = {item.id for item in choose([SimpleNamespace(id=name) for name in names], args.limit, args.ids, args.seed)}
    return [utterance for utterance in spoken if utterance.item in kept]


def _write_items(out: Path, items: Sequence[Any]) -> None:
    """The items' annotation beside their clips, so that the folder is a whole subset."""
    from apun.paths import write_atomic

    if items and all(hasattr(item, "to_json") for item in items):
        lines = "".join(json.dumps(item.to_json(), ensure_ascii=False) + "\n" for item in items)
        write_atomic(out / "items.jsonl", lines)


def _types(folder: Path) -> Mapping[str, str]:
    from apun.records import read

    sheet = folder / "items.jsonl"
    records = read(sheet) if sheet.is_file() else ()
    return {record.text("id"): record.text("type") for record in records if record.has("id") and record.has("type")}


def _print_report(out: Path, report: Any, items: Sequence[Any], args: argparse.Namespace) -> None:
    from apun.splits import read_split
    from tts.catalogue import load
    from tts.core.measures import alike_table, clip_lengths, pairs_of
    from tts.core.synthesis import reject_table

    print(reject_table(report).to_text())
    lengths = clip_lengths(read_split(out), _types(out)) if report.rows else {}
    table = registry.layout(args.benchmark, "synth")(out.name, lengths) if lengths else None
    if table is not None:
        print("\n" + table.to_text())
    pairs = pairs_of(items)
    alike = alike_table(pairs, load(args.engine, **dict(args.option))) if pairs else None
    if alike is not None:
        print("\n" + alike.to_text())
    seconds = sum(float(row["seconds"]) for row in report.rows)
    if report.rendered:
        fresh = seconds and report.rendered >= len(report.rows)
        factor = f", real-time factor {report.wall / seconds:.3f}" if fresh else ""
        speed = f"{report.rendered * 60 / report.wall:.1f} clips a minute{factor}"
        print(f"\n{report.rendered} clips made in {report.wall:.1f} s by {args.workers} process(es): {speed}")
    print(f"\n{len(report.rows)} clips, {seconds / 60:.1f} min, {len(report.rejected)} rejected: {out}")


def _progress() -> Callable[[int, int, float], None]:
    last = [0.0]

    def show(done: int, total: int, spent: float) -> None:
        now = time.monotonic()
        tty = sys.stderr.isatty()
        if done < total and now - last[0] < (0.2 if tty else 15.0):
            return
        last[0] = now
        left = spent / done * (total - done)
        line = f"items {done}/{total}, {done * 60 / max(spent, 1e-9):.1f} a minute, about {left:.0f} s left"
        print(f"\r{line}   " if tty else line, end="" if tty and done < total else "\n", file=sys.stderr, flush=True)

    return show


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
