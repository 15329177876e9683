"""Names to module paths. Nothing heavy is imported until it is used.

The tables of models, recognisers and voices lie in their packages (``audio_models.catalogue.MODELS``,
``asr.catalogue.RECOGNISERS``, ``tts.catalogue.ENGINES``), that of benchmarks here. Third parties add
theirs through the entry-point groups ``apun.models``, ``apun.recognisers``, ``apun.voices`` and
``apun.benchmarks``. The core reaches the packages above it through this module alone.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.errors import MissingDependency, UsageError

if TYPE_CHECKING:
    from apun.models import LoadOptions, Model, Recogniser
    from apun.report.tables import Table
    from apun.speech import Speech, Utterance
    from apun.tasks import Benchmark, Task
    from asr.catalogue import Entry as RecogniserEntry
    from audio_models.catalogue import Entry as ModelEntry

SHOWN = 80  # names in a message; a data folder may hold thousands of items
GROUPS = ("apun.models", "apun.recognisers", "apun.voices", "apun.benchmarks")
BENCHMARKS: Mapping[str, str] = {
    "apun": "benchmarks.apun_bench.benchmark:BENCHMARK",
    "phun": "benchmarks.phun_bench.benchmark:BENCHMARK",
    "xriddles": "benchmarks.x_riddles.benchmark:BENCHMARK",
    "yomi": "benchmarks.yomi_bench.benchmark:BENCHMARK",
}


def load_path(path: str) -> Any:
    """Import ``package.module:attribute``."""
    module, _, attribute = path.partition(":")
    return getattr(importlib.import_module(module), attribute)


def optional(module: str, extra: str, package: str = "") -> Any:
    """A module that comes with an extra, imported.

    Args:
        module: dotted name of the module.
        extra: the extra of apun that brings it.
        package: what it is installed as; the module's own name when empty.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingDependency(package or module, extra) from error


def package_folder(module: str, extra: str, package: str = "") -> Path:
    """Where an installed module lies, without importing it: some are wanted for their files only.

    Args and errors as ``optional``'s.
    """
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise MissingDependency(package or module.replace("_", "-"), extra)
    return Path(next(iter(spec.submodule_search_locations)))


def entry_fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an entry of a catalogue in TOML: its lists as tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def entry_points(group: str) -> Mapping[str, str]:
    """Names third parties registered, to ``module:attribute`` paths; nothing is imported."""
    from importlib import metadata

    return {point.name: point.value for point in metadata.entry_points(group=group)}


def benchmark_names() -> list[str]:
    """Built-in and third-party benchmarks."""
    return sorted({**BENCHMARKS, **entry_points("apun.benchmarks")})


def benchmark(name: str) -> Benchmark:
    """The benchmark of that name.

    Raises:
        UsageError: there is none; suggests the nearest.
    """
    path = BENCHMARKS.get(name)
    if path is None:  # reading entry points takes milliseconds: only for names that are not built in
        others = entry_points("apun.benchmarks")
        if name not in others:
            raise unknown("benchmark", name, [*BENCHMARKS, *others])
        path = others[name]
    found: Benchmark = load_path(path)
    return found


def task(name: str) -> Task:
    """A task by full name, such as ``apun.location``.

    Raises:
        UsageError: there is no such benchmark or task.
    """
    owner, _, short = name.partition(".")
    tasks = benchmark(owner).tasks
    if short not in tasks:
        raise unknown("task", name, [f"{owner}.{key}" for key in tasks])
    return tasks[short]


def layout(name: str, command: str) -> Callable[..., Table | None]:
    """A benchmark's layout of what a command measures (``synth``, ``wer``, ``latency``), else APUN-Bench's."""
    found = benchmark(name).layouts.get(command)
    return found if found is not None else benchmark("apun").layouts[command]


def load_model(name: str, options: LoadOptions | None = None) -> Model:
    """A model by name; see ``audio_models.catalogue.load``."""
    model: Model = load_path("audio_models.catalogue:load")(name, options)
    return model


def load_recogniser(name: str, options: LoadOptions | None = None) -> Recogniser:
    """A recogniser by name; see ``asr.catalogue.load``."""
    recogniser: Recogniser = load_path("asr.catalogue:load")(name, options)
    return recogniser


def render_speech(
    wanted: Sequence[Utterance], voices: str, seed: int, progress: Callable[[str, int, int], None] | None
) -> Speech:
    """Clips of utterances, rendered on first use; see ``tts.core.rendering.render_all``."""
    speech: Speech = load_path("tts.core.rendering:render_all")(wanted, voices, seed, progress)
    return speech


def model_entry(name: str) -> ModelEntry | None:
    """The catalogue entry of a model; None for names that are not listed."""
    entry: ModelEntry | None = load_path("audio_models.catalogue:MODELS").get(name)
    return entry


def model_family(name: str) -> ModelEntry | None:
    """The first entry of a family of models, which stands for it; None where there is no such family."""
    entry: ModelEntry | None = load_path("audio_models.catalogue:families")().get(name)
    return entry


def recogniser_entry(name: str) -> RecogniserEntry | None:
    """The catalogue entry of a recogniser; None for names that are not listed."""
    entry: RecogniserEntry | None = load_path("asr.catalogue:RECOGNISERS").get(name)
    return entry


def unknown(kind: str, name: str, known: Iterable[str], hint: str = "") -> UsageError:
    """An error that names what was asked for, the nearest known names, and how to list them."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    suggestion = f"Did you mean {' or '.join(close)}?" if close else f"Known: {', '.join(names[:SHOWN])}{more}."
    return UsageError(f"there is no {kind} called {name!r}. {suggestion}{' ' + hint if hint else ''}")
