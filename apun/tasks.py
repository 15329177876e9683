"""Task and Benchmark: what a benchmark package gives to the harness.

Everything here is plain data and functions. A benchmark package exposes one ``Benchmark``; a
third party's does so through the entry-point group ``apun.benchmarks``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from apun.prompts import Prompt
from apun.registry import unknown
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech, Utterance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from apun.report.tables import Table


@runtime_checkable
class Item(Protocol):
    """What the harness knows of an item; everything else belongs to its benchmark."""

    @property
    def id(self) -> str:
        """Unique within the benchmark and subset."""

    @property
    def cluster(self) -> str:
        """Items that are variants of one another share it; bootstraps resample clusters."""

    @property
    def language(self) -> str:
        """Language of the item's text: ``en``, ``zh`` or ``ja``."""

    @property
    def text(self) -> str:
        """The text that is spoken, or the question's main text where nothing is spoken."""


Modality = Literal["audio", "text"]
Runs = Sequence[tuple[str, Sequence[Score]]]  # finished runs: a name, and its scores


@dataclass(frozen=True, slots=True)
class Option:
    """What ``--set NAME=VALUE`` may say: declared once by a benchmark, checked once before anything is asked.

    Attributes:
        name: as on the command line.
        help: one line.
        values: allowed values, the default first; empty: any text that ``check`` lets pass.
        default: the value where it is not set and there is no list of values.
        check: raises ``UsageError`` for a value that cannot be used.
    """

    name: str
    help: str
    values: tuple[str, ...] = ()
    default: str = ""
    check: Callable[[str], object] | None = None

    def of(self, conditions: Conditions) -> str:
        """The value that questions are asked under."""
        return conditions.options.get(self.name, self.values[0] if self.values else self.default)

    def refuse(self, value: str) -> None:
        """Raise ``UsageError`` where the value cannot be used."""
        if self.values and value not in self.values:
            raise unknown(f"value of {self.name}", value, self.values)
        if self.check is not None:
            self.check(value)


def check_options(benchmark: Benchmark, options: Mapping[str, str]) -> None:
    """Refuse options and values that a benchmark does not know, before anything is asked.

    Raises:
        UsageError: suggests the nearest.
    """
    if benchmark.options is None:
        return
    known = {option.name: option for option in benchmark.options}
    for name, value in options.items():
        if name not in known:
            raise unknown(f"option of {benchmark.name}", name, known)
        known[name].refuse(value)


@dataclass(frozen=True, slots=True)
class Question:
    """One question put to a model: an item under one task and one condition.

    Attributes:
        id: ``task/item/variant``; unique in a run.
        task: full task name.
        item: the item (with its gold answer; only scoring looks at it).
        variant: prompt variant and condition, such as ``p0.pun``.
        prompt: what is asked.
    """

    id: str
    task: str
    item: Item
    variant: str
    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Conditions:
    """How questions are asked; part of the signature.

    Attributes:
        modality: ``audio``, or ``text`` (the gold transcript in place of the clip).
        variants: prompt variants to use; empty means the task's default ones.
        seed: seed for distractors, orders and samples.
        prompts: a user's own prompt file in place of the task's.
        options: task options given as ``--set key=value`` (shots, hint, form, polarity …).
    """

    modality: Modality = "audio"
    variants: tuple[str, ...] = ()
    seed: int = 0
    prompts: Path | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Metric:
    """A number computed from summed statistics.

    Attributes:
        name: key in ``summary.json``, such as ``accuracy``.
        label: column head.
        statistics: names of the statistics it needs, in the order ``compute`` takes them.
        compute: maps sums of shape ``(..., k)`` to values of shape ``(...)``; NaN where undefined.
        where: labels a score must have to count, such as ``{"type": "homographic"}``.
        percent: shown times 100.
        higher_is_better: direction, for comparisons; None where neither is better.
    """

    name: str
    label: str
    statistics: tuple[str, ...]
    compute: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    where: Mapping[str, str] = field(default_factory=dict)
    percent: bool = True
    higher_is_better: bool | None = True


def ratio(name: str, label: str, top: str, bottom: str = "n", **kwargs: Any) -> Metric:
    """A metric that is one sum over another; NaN where the other is 0."""

    def compute(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        from apun.scoring.statistics import first_over_second

        return first_over_second(sums)

    return Metric(name, label, (top, bottom), compute, **kwargs)


def gap(name: str, label: str, first: tuple[str, str], second: tuple[str, str], **kwargs: Any) -> Metric:
    """A metric that is one ratio less another, each ``(top, bottom)``; NaN where either is undefined."""

    def compute(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        from apun.scoring.statistics import share

        return share(sums[..., 0], sums[..., 1]) - share(sums[..., 2], sums[..., 3])

    return Metric(name, label, (*first, *second), compute, **kwargs)


@dataclass(frozen=True)
class Task:
    """One task of a benchmark.

    Attributes:
        name: full name, such as ``apun.location``.
        title: one line for ``apun list tasks``.
        version: raised whenever prompts, items' use or scoring change the number.
        ask: yields the questions of the items under the conditions; with audio, clips come from
            ``speech``. Must be lazy, deterministic, and skip items the task does not concern.
        score: pure function of question and reply; must give every statistic whatever the
            reply's status (``reply.answer`` is None unless it is ok).
        metrics: what is computed from the statistics, primary one first.
        solve: the deterministic phonetic reasoner's answer to a text-only prompt
            (``prompt.fields`` and ``prompt.fields["transcripts"]``), as a model would write it.
        perfect: the reply a flawless model would give; for the scripted mock and tests.
        modalities: how it can be asked.
        variants: prompt variants used when none is named.
        max_new_tokens: room for the answer.
        speech: what must be spoken for an item under the conditions; None: the benchmark's
            ``utterances(item, conditions.options.get("form", "default"))``.
        signature: what else the number depends on (phonetic backend, similarity model, tau).
        sample: the items this task asks, out of all, at most ``limit`` (None: as many as the task
            asks by default) of each of its own strata; None: ``--limit`` draws from all items alike.
            For benchmarks whose items are of several kinds.
    """

    name: str
    title: str
    version: int
    ask: Callable[[Sequence[Any], Conditions, Speech | None], Iterator[Question]]
    score: Callable[[Question, Reply], Score]
    metrics: tuple[Metric, ...]
    solve: Callable[[Prompt], str]
    perfect: Callable[[Question], str]
    modalities: tuple[Modality, ...] = ("audio", "text")
    variants: tuple[str, ...] = ("p0",)
    max_new_tokens: int = 64
    speech: Callable[[Any, Conditions], Sequence[Utterance]] | None = None
    signature: Callable[[], Mapping[str, str]] | None = None
    sample: Callable[[Sequence[Any], Conditions, int | None], Sequence[Any]] | None = None


@dataclass(frozen=True, slots=True)
class Subset:
    """Where items come from: ``sample`` (embedded) or a folder the user named."""

    name: str
    folder: Path | None = None


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: its items, its tasks, its speech and its tables.

    Attributes:
        name: command-line name.
        title: one line.
        version: version of the data and tasks together.
        paper: reference to the paper.
        tasks: by short name (``location``).
        subsets: subset name to one line of explanation, ``sample`` first.
        load: items of a subset; ``Subset.folder`` is None for ``sample``.
        utterances: what must be spoken for an item, in the given form (``default`` unless a task
            option asks for another).
        tables: tables and analyses of finished runs, in the paper's layout. Takes one
            ``(run name, scores)`` pair a run.
        options: what ``--set`` may name; None: not known to the harness, the tasks check it themselves.
        layouts: tables in the paper's layout of what other commands measure, by command: ``synth`` (takes a
            split's name and ``tts.core.measures.clip_lengths``), ``wer`` (``apun.measure.word_errors.rates``),
            ``latency`` (``apun.measure.summary.summarise``).
    """

    name: str
    title: str
    version: int
    paper: str
    tasks: Mapping[str, Task]
    subsets: Mapping[str, str]
    load: Callable[[Subset], Sequence[Any]]
    utterances: Callable[[Any, str], Sequence[Utterance]]
    tables: Callable[[Runs], Sequence[Table]]
    options: Sequence[Option] | None = None
    layouts: Mapping[str, Callable[..., Table | None]] = field(default_factory=dict)
