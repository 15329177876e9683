"""Items, speech and questions of a request: which folder, which items, which clips."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from apun import digests, draws, registry
from apun.errors import UsageError
from apun.registry import unknown
from apun.speech import Speech, Utterance
from apun.tasks import Benchmark, Conditions, Question, Subset, Task, check_options


@dataclass(frozen=True, slots=True)
class Selection:
    """Which questions are asked.

    Attributes:
        benchmark: command-line name.
        tasks: short names; empty for all.
        subset: ``sample``, ``synthetic``, ``real``, or a released split's name.
        data_dir: the user's data folder; None for ``$APUN_DATA``.
        limit: at most this many items, a seeded sample; None for all.
        ids: only these items; empty for all.
        conditions: how they are asked.
        voices: synthesiser for the ``sample`` subset, as ``engine`` or ``engine:voice,voice``.
    """

    benchmark: str = "apun"
    tasks: tuple[str, ...] = ()
    subset: str = "sample"
    data_dir: Path | None = None
    limit: int | None = None
    ids: tuple[str, ...] = ()
    conditions: Conditions = field(default_factory=Conditions)
    voices: str = "default"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, for ``run.json``."""
        conditions = self.conditions
        return {
            "benchmark": self.benchmark,
            "tasks": list(self.tasks),
            "subset": self.subset,
            "data_dir": str(self.data_dir) if self.data_dir else None,
            "limit": self.limit,
            "ids": list(self.ids),
            "modality": conditions.modality,
            "variants": list(conditions.variants),
            "seed": conditions.seed,
            "prompts": str(conditions.prompts) if conditions.prompts else None,
            "options": dict(conditions.options),
            "voices": self.voices,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Selection:
        """Inverse of ``to_json``."""
        return cls(
            benchmark=record["benchmark"],
            tasks=tuple(record["tasks"]),
            subset=record["subset"],
            data_dir=Path(record["data_dir"]) if record["data_dir"] else None,
            limit=record["limit"],
            ids=tuple(record["ids"]),
            conditions=Conditions(
                modality=record["modality"],
                variants=tuple(record["variants"]),
                seed=record["seed"],
                prompts=Path(record["prompts"]) if record["prompts"] else None,
                options=record["options"],
            ),
            voices=record.get("voices", "default"),
        )


@dataclass(frozen=True)
class Data:
    """Everything questions are made from."""

    benchmark: Benchmark
    tasks: tuple[Task, ...]
    items: Sequence[Any]
    speech: Speech | None
    conditions: Conditions
    digest: str
    by_task: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # items of tasks that sample their own

    def questions(self) -> tuple[Question, ...]:
        """Every question, in a fixed order; built once, on first use.

        Raises:
            UsageError: two questions share an id (a benchmark's fault, or duplicate items).
        """
        return self._questions

    @cached_property
    def _questions(self) -> tuple[Question, ...]:
        found: dict[str, Question] = {}
        for task in self.tasks:
            conditions = conditions_for(task, self.conditions)
            speech = self.speech if conditions.modality == "audio" else None
            for question in task.ask(self.by_task.get(task.name, self.items), conditions, speech):
                if question.id in found:
                    raise UsageError(f"question {question.id} occurs twice; item ids must be unique")
                found[question.id] = question
        return tuple(found.values())


def conditions_for(task: Task, conditions: Conditions) -> Conditions:
    """The conditions a task is really asked under: a text-only task stays text."""
    if conditions.modality in task.modalities:
        return conditions
    return replace(conditions, modality=task.modalities[0])


def select_tasks(benchmark: Benchmark, names: Sequence[str]) -> tuple[Task, ...]:
    """Tasks by short or full name; all of them when none is named.

    Raises:
        UsageError: there is no such task.
    """
    if not names:
        return tuple(benchmark.tasks.values())
    chosen = dict.fromkeys(name.removeprefix(f"{benchmark.name}.") for name in names)
    for name in chosen:
        if name not in benchmark.tasks:
            raise unknown("task", name, benchmark.tasks, "See: apun list tasks.")
    return tuple(benchmark.tasks[name] for name in chosen)


def find_folder(benchmark: str, subset: str, data_dir: Path | None) -> Path:
    """The folder of a subset: ``DIR/BENCHMARK/SUBSET``, ``DIR/SUBSET``, or ``DIR`` itself.

    Raises:
        UsageError: no folder was named, or it does not exist; says what to put where.
    """
    named = data_dir or (Path(os.environ["APUN_DATA"]) if os.environ.get("APUN_DATA") else None)
    layout = (
        f"{benchmark}/{subset}/metadata.jsonl with one line a clip, such as "
        '{"file_name": "audio/0001.wav", "item_id": "0001", "text": "…", …}, and the audio files it names '
        "(any format soundfile reads, any rate, mono or stereo)"
    )
    if named is None:
        raise UsageError(
            f"subset {subset!r} of {benchmark} is not part of the package. Give its folder with --data-dir DIR "
            f"or APUN_DATA=DIR; DIR holds {layout}. Or try --subset sample"
        )
    if named.exists() and not named.is_dir():
        raise UsageError(f"the data folder {named} is a file. Name the folder; it holds {layout}")
    if not named.is_dir():
        raise UsageError(f"the data folder {named} does not exist. Make it; it holds {layout}")
    for folder in (named / benchmark / subset, named / subset):
        if folder.is_dir():
            return folder
    return named


def choose(items: Sequence[Any], limit: int | None, ids: Sequence[str], seed: int) -> list[Any]:
    """Items by id, or a seeded sample that does not depend on their order in the file.

    Raises:
        UsageError: an id is unknown, or ids and a limit are both given.
    """
    if ids:
        by_id = {item.id: item for item in items}
        for name in ids:
            if name not in by_id:
                raise unknown("item", name, by_id)
        if limit is not None:
            raise UsageError("--ids and --limit exclude each other: leave one of them out")
        return [by_id[name] for name in dict.fromkeys(ids)]
    return draws.sample(items, limit, seed)


def utterances(
    benchmark: Benchmark,
    tasks: Sequence[Task],
    items: Sequence[Any],
    conditions: Conditions,
    by_task: Mapping[str, Sequence[Any]] | None = None,
) -> list[Utterance]:
    """What must be spoken for the tasks that are asked by ear; each utterance once."""
    wanted: dict[tuple[str, str], Utterance] = {}
    form = conditions.options.get("form", "default")
    for task in tasks:
        if conditions_for(task, conditions).modality != "audio":
            continue
        for item in (by_task or {}).get(task.name, items):
            spoken = task.speech(item, conditions) if task.speech else benchmark.utterances(item, form)
            for utterance in spoken:
                wanted.setdefault((utterance.item, utterance.part), utterance)
    return list(wanted.values())


def open_data(selection: Selection, progress: Callable[[str, int, int], None] | None = None) -> Data:
    """Load items and find or render their speech.

    Args:
        selection: what is asked for.
        progress: called with (what, done, total) while speech is rendered.

    Raises:
        UsageError, DataError: anything wrong with the request or the data.
    """
    benchmark = registry.benchmark(selection.benchmark)
    tasks = select_tasks(benchmark, selection.tasks)
    check_options(benchmark, selection.conditions.options)
    embedded = selection.subset == "sample"
    if selection.subset not in benchmark.subsets and selection.data_dir is None and not os.environ.get("APUN_DATA"):
        raise unknown("subset", selection.subset, benchmark.subsets, "See: apun list subsets.")
    folder = None if embedded else find_folder(selection.benchmark, selection.subset, selection.data_dir)
    everything = benchmark.load(Subset(selection.subset, folder))
    by_task = sampled(tasks, everything, selection)
    if len(by_task) == len(tasks):
        kept = {item.id for own in by_task.values() for item in own}
        items = [item for item in everything if item.id in kept]
    else:
        items = choose(everything, selection.limit, selection.ids, selection.conditions.seed)
    if not items:
        asked = f" for {', '.join(selection.tasks)}" if selection.tasks else ""
        raise UsageError(f"{selection.benchmark} {selection.subset} holds no items{asked}")
    speech: Speech | None = None
    wanted = utterances(benchmark, tasks, items, selection.conditions, by_task)
    if wanted:
        if folder is not None and _has_clips(folder):
            from apun.splits import read_split

            speech = read_split(folder)
        else:
            speech = registry.render_speech(wanted, selection.voices, selection.conditions.seed, progress)
    content = digests.of_value([repr(item) for item in items], 12)
    return Data(benchmark, tasks, items, speech, selection.conditions, content, by_task)


def sampled(tasks: Sequence[Task], items: Sequence[Any], selection: Selection) -> dict[str, Sequence[Any]]:
    """The items of each task that samples its own; empty when items are named by id."""
    if selection.ids:
        return {}
    return {
        task.name: task.sample(items, conditions_for(task, selection.conditions), selection.limit)
        for task in tasks
        if task.sample is not None
    }


def _has_clips(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("metadata.jsonl", "metadata.csv"))
