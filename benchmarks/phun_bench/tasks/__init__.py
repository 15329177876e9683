"""What the tasks of Phun-Bench share: options, prompt files by language, samples by stratum, a signature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apun import draws
from apun.asking import Case, Cases, Plan
from apun.prompts import MAIN, Prompt
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Metric, Option, Question, Task, ratio
from benchmarks.phun_bench.items import HOMOPHONE, LEGACY
from benchmarks.phun_bench.speaking import utterances

PROMPTS = Path(__file__).parents[1] / "prompts"
FORMS = ("word", "pinyin", "whole", "clips", "clips_only")
LANGUAGE = Option("language", "language of the prompt", ("zh", "en"))
FORM = Option(
    "form", "similarity in writing: word, pinyin; similarity, dictation by ear: whole, clips, clips_only", FORMS
)
PERTURBATION = Option("perturbation", "homophone_recall in writing: a legacy set of the release", (HOMOPHONE, *LEGACY))
PAPER_SEED = 42
SPOKEN_DEFAULT = 50  # items a stratum that are asked by ear unless --limit says otherwise (paper §5.4.3)
ACCURACY = ratio("accuracy", "Accuracy", "correct")
ANY = ratio("accuracy_any", "Any homophone", "any")

Concerns = Callable[[Any, Conditions], bool]


def kind(of: type) -> Concerns:
    """Whether an item is of a kind."""
    return lambda item, conditions: isinstance(item, of)


def form_of(conditions: Conditions, forms: Iterable[str]) -> str:
    """The form asked for where the task has it, else the task's own, which comes first."""
    known, wanted = list(forms), FORM.of(conditions)
    return wanted if wanted in known else known[0]


def case(
    item: Any,
    stem: str,
    conditions: Conditions,
    *,
    form: str = "",
    clips: Sequence[str] = (),
    texts: Mapping[str, str] = {},
    **fields: Any,
) -> Case:
    """A question in the prompt's language, which its id names, and the form where the task has several."""
    language = LANGUAGE.of(conditions)
    suffix = f".{language}.{form}" if form else f".{language}"
    return Case(item, f"{stem}.{language}.toml", fields, suffix, clips={part: part for part in clips}, texts=texts)


def heard(stem: str, concerns: Concerns) -> Cases:
    """An item's text, or its clip."""
    return lambda items, conditions, variant: (
        case(item, stem, conditions, clips=(MAIN,), texts={MAIN: item.text})
        for item in items
        if concerns(item, conditions)
    )


def written(stem: str, concerns: Concerns, fields: Callable[[Any], Mapping[str, Any]]) -> Cases:
    """What the prompt shows of an item; there is nothing to hear."""
    return lambda items, conditions, variant: (
        case(item, stem, conditions, **fields(item)) for item in items if concerns(item, conditions)
    )


def by(metric: str, label: str, values: Sequence[str]) -> tuple[Metric, ...]:
    """The share of right answers for each value of a label."""
    return tuple(ratio(f"{metric}.{value}", value, "correct", where={label: value}) for value in values)


def task(
    name: str,
    title: str,
    cases: Cases,
    score: Callable[[Question, Reply], Score],
    metrics: tuple[Metric, ...],
    solve: Callable[[Prompt], str],
    perfect: Callable[[Question], str],
    *,
    by_ear: bool = True,
    spoken_default: int | None = None,
) -> Task:
    """A task of this benchmark.

    Its sample has at most ``limit`` items of each stratum (tier, perturbation type), by ear ``spoken_default`` unless
    told otherwise; the paper's seed stands in for the command line's default of 0. Items without a clip - rejected by
    the split's gate, or never recorded - are not asked by ear, and n shows it.
    """
    plan = Plan(f"phun.{name}", PROMPTS, cases, lambda item, conditions: utterances(item), audible=bool)

    def sample(items: Sequence[Any], conditions: Conditions, limit: int | None) -> list[Any]:
        if limit is None and conditions.modality == "audio":
            limit = spoken_default
        asked = [case.item for case in cases(items, conditions, plan.variants[0])]
        return draws.sample(asked, limit, conditions.seed or PAPER_SEED, lambda item: str(item.stratum))

    heard_in = ("audio", "text") if by_ear else ("text",)
    return plan.as_task(title, score, metrics, solve, perfect, modalities=heard_in, signature=versions, sample=sample)


def versions() -> dict[str, str]:
    """What readings depend on: the versions of pypinyin and jieba."""
    from importlib import metadata

    found = {}
    for name in ("pypinyin", "jieba"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "none"
    return found
