"""``python -m apun.list``: what there is - models, tasks, voices, recognisers, subsets."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from apun import cli, registry
from apun.registry import entry_points
from apun.report.tables import Table

if TYPE_CHECKING:
    from audio_models.catalogue import Accepts


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser("list", "List models, tasks, voices, recognisers, subsets or benchmarks. Nothing is loaded.")
    result.add_argument("what", choices=sorted(LISTS), help="what to list")
    result.add_argument("--json", action="store_true", help="print JSON")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = parser().parse_args(argv)
    table = LISTS[args.what]()
    if args.json:
        cli.print_json([dict(zip(table.columns, row, strict=True)) for row in table.rows])
    else:
        print(table.to_text())
    return cli.OK


def models() -> Table:
    """Models by name, with what they accept and whether they are still served."""
    from audio_models.catalogue import MODELS

    def limits(accepts: Accepts) -> str:
        clips = "any number of clips" if accepts.clips is None else f"{accepts.clips} clip" + "s" * (accepts.clips != 1)
        longest = f", up to {accepts.seconds:.0f} s" if accepts.seconds else ""
        return f"{clips}{longest}" if accepts.audio else "text"

    rows = [
        (
            e.name,
            e.family,
            e.hub_id or None,
            e.size or None,
            e.licence,
            limits(e.accepts),
            e.environment or None,
            e.note,
        )
        for e in MODELS.values()
    ]
    rows += [(name, "third party", path, None, "", "", None, "") for name, path in entry_points("apun.models").items()]
    return Table(
        "models",
        "Models (--model NAME). Any RECOGNISER+LLM is a cascade; hf:ORG/NAME and folders work too",
        ("model", "family", "weights", "size", "licence", "accepts", "environment", "note"),
        tuple(rows),
    )


def recognisers() -> Table:
    """Speech recognisers by name."""
    from asr.catalogue import RECOGNISERS

    rows = [
        (
            name,
            e.source,
            None if e.size is None else f"{e.size:g} M",
            e.licence,
            "/".join(e.languages),
            "yes" if e.word_times else "no",
            e.extra,
            e.note,
        )
        for name, e in RECOGNISERS.items()
    ]
    return Table(
        "recognisers",
        "Recognisers (the part before + in --model; apun wer)",
        ("recogniser", "weights", "size", "licence", "languages", "word times", "extra", "note"),
        tuple(rows),
    )


def voices() -> Table:
    """Speech engines and their voices."""
    from tts.catalogue import ENGINES

    rows = [
        (name, e.title, "/".join(e.languages), ", ".join(e.forces) or None, e.licence, e.extra, e.environment or None)
        for name, e in ENGINES.items()
    ]
    return Table(
        "voices",
        "Speech engines (--voices ENGINE; apun synth --engine ENGINE)",
        ("engine", "what", "languages", "forced readings", "licence", "extra", "environment"),
        tuple(rows),
    )


def tasks() -> Table:
    """Every benchmark's tasks."""
    rows = [
        (task.name, task.title, "/".join(task.modalities), ", ".join(task.variants), f"v{task.version}")
        for name in registry.benchmark_names()
        for task in registry.benchmark(name).tasks.values()
    ]
    return Table(
        "tasks", "Tasks (--benchmark B --tasks T)", ("task", "what", "modality", "prompts", "version"), tuple(rows)
    )


def subsets() -> Table:
    """Every benchmark's subsets."""
    rows = [
        (name, subset, what)
        for name in registry.benchmark_names()
        for subset, what in registry.benchmark(name).subsets.items()
    ]
    return Table("subsets", "Subsets (--benchmark B --subset S)", ("benchmark", "subset", "what"), tuple(rows))


def benchmarks() -> Table:
    """The benchmarks."""
    found = [registry.benchmark(name) for name in registry.benchmark_names()]
    return Table(
        "benchmarks",
        "Benchmarks (--benchmark B)",
        ("benchmark", "what", "tasks", "version", "paper"),
        tuple((b.name, b.title, len(b.tasks), b.version, b.paper) for b in found),
    )


LISTS: Mapping[str, Callable[[], Table]] = {
    "models": models,
    "recognisers": recognisers,
    "voices": voices,
    "tasks": tasks,
    "subsets": subsets,
    "benchmarks": benchmarks,
}

if __name__ == "__main__":
    raise SystemExit(cli.run(main))
