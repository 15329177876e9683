"""A latency comparison from the models' names to the written result."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from apun.errors import UsageError
from apun.measure import plot
from apun.measure.summary import Summary, summarise, tables
from apun.measure.timing import Sample, Timed, Timing, timed_load
from apun.models import Generation, LoadOptions
from apun.paths import write_atomic
from apun.registry import load_model
from apun.report.tables import Table
from apun.run import machine
from apun.tasks import Question

CASCADE_ARGS = ("cache", "flagged")
Layout = Callable[[Sequence[Summary]], Table | None]


@dataclass(frozen=True)
class Result:
    """A finished comparison; ``layout`` is the paper's, where a benchmark has one."""

    summaries: list[Summary]
    samples: list[Sample]
    conditions: dict[str, Any]
    layout: Layout | None = None

    @property
    def tables(self) -> list[Table]:
        """The printed tables, the paper's first."""
        paper = self.layout(self.summaries) if self.layout is not None else None
        return [*([paper] if paper else []), *tables(self.summaries)]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON: conditions, summaries and every sample."""
        return {
            "conditions": self.conditions,
            "models": [summary.to_json() for summary in self.summaries],
            "samples": [asdict(sample) for sample in self.samples],
        }


def compare(
    names: Sequence[str],
    questions: Sequence[Question],
    options: LoadOptions,
    timing: Timing,
    *,
    batch_size: int = 1,
    seed: int = 0,
    load: Callable[[str, LoadOptions], Any] | None = None,
    say: Callable[[str], None] = lambda text: None,
    layout: Layout | None = None,
) -> Result:
    """Load the models, time them interleaved over the questions, and sum up.

    Args:
        names: models; ratios are to the first.
        questions: what each is asked, in this order; the first about each clip.
        options: how to load; arguments go to the models they concern (see ``options_for``).
        timing: generation settings, warm-up, repeats and clock.
        batch_size: prompts in one call; 1 is latency, more is throughput.
        seed: of the intervals.
        load: loads a model; the catalogue's by default.
        say: told what is happening.
        layout: makes the paper's table.
    """
    load = load or load_model
    if not questions:
        raise UsageError("there are no questions to time")
    _check_args(names, options)
    questions = one_per_clip(questions)
    models: list[Timed] = []
    try:
        for name in names:
            say(f"loading {name}")
            chosen, loader = options_for(name, options), load
            models.append(timed_load(name, lambda: loader(name, chosen), timing.clock))  # noqa: B023 - called at once
        size = max(1, min([batch_size, *(timed.model.info.max_batch for timed in models)]))
        batches = [questions[first : first + size] for first in range(0, len(questions), size)]
        before, started = machine.state(), time.time()
        samples = timing.run(models, batches)
        conditions = {
            "started": started,
            "machine": machine.describe_for_timing(),
            "before": before,
            "after": machine.state(),
            "batch_size": size,
            "warmup_rounds": timing.warmup,
            "repeats": timing.repeats,
            "order": "interleaved: every model on a batch before the next batch",
            "generation": asdict(timing.generation),
            "prompts": len(questions),
            "audio_seconds": sum(question.prompt.seconds for question in questions),
            "weights": "random" if options.weights == "random" else "as loaded",
        }
        return Result(summarise(models, samples, seed=seed), samples, conditions, layout)
    finally:
        for timed in models:
            timed.model.close()


def one_per_clip(questions: Sequence[Question]) -> list[Question]:
    """The first question about each clip (or set of clips); every question that has none.

    Two prompts about one clip would time its recognition twice, and in one batch only once.
    """
    kept: dict[object, Question] = {}
    for question in questions:
        clips = tuple(audio.clip.sha256 for audio in question.prompt.audios)
        kept.setdefault(clips or question.id, question)
    return list(kept.values())


def options_for(name: str, options: LoadOptions) -> LoadOptions:
    """The loading options of one model among several.

    A cascade gets the arguments of its stages (``asr.KEY``, ``llm.KEY``) and never a kept
    transcript; random weights write nonsense, so their flagged transcripts are passed on. Other
    models get the arguments without a stage.
    """
    staged = {key: value for key, value in options.args.items() if _staged(key)}
    if "+" not in name:
        return replace(options, args={key: value for key, value in options.args.items() if key not in staged})
    flagged = {"flagged": "pass"} if options.weights == "random" else {}
    return replace(options, args={**flagged, **staged, "cache": "off"})


def _staged(key: str) -> bool:
    return key.startswith(("asr.", "llm.")) or key in CASCADE_ARGS


def _check_args(names: Sequence[str], options: LoadOptions) -> None:
    for key in options.args:
        if not any(("+" in name) == _staged(key) for name in names):
            kind = "cascade (RECOGNISER+MODEL)" if _staged(key) else "model that is not a cascade"
            raise UsageError(f"the argument {key!r} concerns no model here: it needs a {kind}")


def save(result: Result, folder: Path) -> list[Path]:
    """Write ``latency.json``, each table as CSV and LaTeX, and the plot where a library is installed."""
    written = [folder / "latency.json"]
    write_atomic(written[0], json.dumps(result.to_json(), ensure_ascii=False, indent=1, default=str))
    for table in result.tables:
        for suffix, text in ((".csv", table.to_csv()), (".tex", table.to_latex())):
            written.append(folder / f"{table.name}{suffix}")
            write_atomic(written[-1], text)
    picture = plot.write(result.summaries, folder)
    return [*written, picture] if picture is not None else written


def generation(max_new_tokens: int, seed: int) -> Generation:
    """Greedy settings."""
    return Generation(max_new_tokens=max_new_tokens, temperature=0.0, seed=seed)
