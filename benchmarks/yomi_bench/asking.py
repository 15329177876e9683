"""What the tasks share: filling prompts, examples, statistics of a score, metrics over five prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from apun.errors import UsageError
from apun.prompts import MAIN, Message, Prompt, Text, load_templates, template_for
from apun.replies import Reply
from apun.scores import Score, ScoreStatus
from apun.speech import Speech
from apun.tasks import Conditions, Metric, Question, ratio
from benchmarks.yomi_bench.items import Wording, YomiItem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROMPTS = Path(__file__).parent / "prompts"
VARIANTS = ("p1", "p2", "p3", "p4", "p5")
LONGEST_SHOWN = 300
MOST_SHOTS = 12
T = TypeVar("T")


def item_of(question: Question, kind: type[T]) -> T:
    """The question's item as its task knows it."""
    if not isinstance(question.item, kind):
        raise TypeError(f"{question.id}: expected a {kind.__name__}, got a {type(question.item).__name__}")
    return question.item


def option(conditions: Conditions, name: str, known: Sequence[str]) -> str:
    """A task option, the first of ``known`` when it is not set.

    Raises:
        UsageError: another value.
    """
    value = conditions.options.get(name, known[0])
    if value not in known:
        raise UsageError(f"{name} is {value!r}; use {' or '.join(known)}")
    return value


def corrected(conditions: Conditions) -> bool:
    """Whether known slips leave the denominator (``--set corrected=yes``)."""
    return option(conditions, "corrected", ("no", "yes")) == "yes"


def shots(conditions: Conditions, default: int) -> int:
    """Number of examples (``--set shots=N``).

    Raises:
        UsageError: not a number from 0 to ``MOST_SHOTS``.
    """
    value = conditions.options.get("shots", str(default))
    if not value.isdecimal() or int(value) > MOST_SHOTS:
        raise UsageError(f"shots is {value!r}; use a number from 0 to {MOST_SHOTS}")
    return int(value)


def variants(conditions: Conditions) -> Sequence[str]:
    """The prompt variants asked for; all five by default."""
    return conditions.variants or VARIANTS


def ask_one(
    task: str,
    item: YomiItem,
    variant: str,
    conditions: Conditions,
    *,
    file: str,
    fields: Mapping[str, str],
    suffix: str = "",
    speech: Speech | None = None,
    part: str = MAIN,
    transcript: str | None = None,
) -> Question:
    """One question.

    Args:
        file: prompt file for the modality; a user's own file takes its place.
        fields: values for the template; never the gold answer.
        suffix: condition appended to the variant.
        speech: where the clip is; None in the text modality.
        part: the clip's name in the split; the prompt knows it as its main clip.
        transcript: what stands in the clip's place in the text modality, for tasks whose question needs it.
    """
    name = f"{task}/{item.id}/{variant}{suffix}"
    template = template_for(conditions.prompts or PROMPTS / file, variant)
    fields = {**fields, "language": item.language}  # tells a cascade's recogniser what is spoken
    if speech is not None:
        prompt = template.render(id=name, task=task, fields=fields, clips={MAIN: speech.clip(item.id, part)})
    elif transcript is not None:
        prompt = template.render(id=name, task=task, fields=fields, transcripts={MAIN: transcript})
    else:
        prompt = template.render(id=name, task=task, fields=fields)
    return Question(name, task, item, f"{variant}{suffix}", prompt)


def ask_released(
    task: str, item: YomiItem, variant: str, fields: Mapping[str, str], text: str, suffix: str = ""
) -> Question:
    """One question in the released wording, which is text only."""
    name = f"{task}/{item.id}/{variant}{suffix}"
    prompt = Prompt(name, task, (Message("user", (Text(text),)),), (), fields)
    return Question(name, task, item, f"{variant}{suffix}", prompt)


def released(item: YomiItem, task: str, conditions: Conditions) -> Wording | None:
    """The released wording where it is asked for (``--set wording=released``); None for our own.

    Raises:
        UsageError: the items came without it, or the question has audio.
    """
    if option(conditions, "wording", ("own", "released")) == "own":
        return None
    wording = getattr(item, "wording", {}).get(task)
    if wording is None:
        raise UsageError("wording=released needs --data-dir with the release's prompt_variants.json")
    if conditions.modality != "text":
        raise UsageError("the released wording is for text; add --modality text")
    return wording if isinstance(wording, Wording) else None


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace ``{name}`` by values in one pass; other braces stay."""
    import re

    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)


def question_of(wording: Wording, variant: str, values: Mapping[str, str]) -> str:
    """The released question sentence of a variant ``p1`` to ``p5``.

    Raises:
        UsageError: there is no such variant.
    """
    if variant not in VARIANTS[: len(wording.questions)]:
        known = ", ".join(VARIANTS[: len(wording.questions)])
        raise UsageError(f"the released wording has no variant {variant!r}; it has {known}")
    return fill(wording.questions[VARIANTS.index(variant)], values)


def released_blocks(wording: Wording, variant: str, rows: Sequence[Mapping[str, str]]) -> str:
    """A released prompt with examples: header, one block a row; the last row is the question, its answer left open."""
    blocks = [
        fill(wording.block, {"QUESTION": question_of(wording, variant, row), "ANSWER": row.get("answer", "")})
        for row in rows
    ]
    return "\n\n".join([wording.header, *blocks] if wording.header else blocks)


@lru_cache(maxsize=8)
def _example_templates(file: str) -> tuple[str, str]:
    templates = load_templates(PROMPTS / file)
    return templates["shots"].messages[0][1], templates["shot"].messages[0][1]


def examples(file: str, rows: Sequence[Mapping[str, str]]) -> str:
    """Worked examples as the prompt file words them; empty when there are none."""
    if not rows:
        return ""
    around, one = _example_templates(file)
    return fill(around, {"examples": "\n".join(fill(one, row) for row in rows)})


def heard(prompt: Prompt) -> str | None:
    """What a text model was told of the clip; None when the question had no clip."""
    transcripts = prompt.fields.get("transcripts")
    return str(transcripts.get(MAIN, "")) if isinstance(transcripts, Mapping) else None


def statistics(question: Question, weight: float, **values: bool | float) -> dict[str, float]:
    """Weighted statistics of one score, with ``correct`` and ``n`` of each prompt beside the whole.

    Args:
        question: its variant tells the prompt.
        weight: the item's share, such as one over the number of readings of its kanji.
        values: what is counted; ``correct`` must be among them.
    """
    found = {name: weight * float(value) for name, value in values.items()} | {"n": weight}
    variant = question.variant.partition(".")[0]
    for name in VARIANTS:
        own = name == variant
        found[f"n_{name}"] = weight if own else 0.0
        found[f"correct_{name}"] = found["correct"] if own else 0.0
    return found


def accuracy(label: str = "Acc") -> tuple[Metric, ...]:
    """The mean over items and prompts, and how far the prompts lie apart: standard deviation and range."""
    names = tuple(f"correct_{name}" for name in VARIANTS) + tuple(f"n_{name}" for name in VARIANTS)
    return (
        ratio("accuracy", label, "correct"),
        Metric("prompt_sd", "SD of prompts", names, _prompt_sd, higher_is_better=False),
        Metric("prompt_range", "Range of prompts", names, _prompt_range, higher_is_better=False),
    )


def by_prompt(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Accuracy of each prompt, shape ``(..., 5)``; NaN for a prompt that was not used."""
    import numpy as np

    count = len(VARIANTS)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., :count] / sums[..., count:])


def _prompt_sd(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return _spread(sums, "sd")


def _prompt_range(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return _spread(sums, "range")


def _spread(sums: NDArray[np.float64], kind: str) -> NDArray[np.float64]:
    """Population standard deviation or range over the prompts used; NaN for fewer than two."""
    import numpy as np

    values = by_prompt(sums)
    used = np.isfinite(values)
    count = used.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        if kind == "range":
            top = np.where(used, values, -np.inf).max(axis=-1)
            spread = top - np.where(used, values, np.inf).min(axis=-1)
        else:
            mean = np.where(used, values, 0).sum(axis=-1) / count
            squares = np.where(used, (values - mean[..., None]) ** 2, 0)
            spread = np.sqrt(squares.sum(axis=-1) / count)
    return np.asarray(np.where(count > 1, spread, np.nan))


def make_score(
    question: Question,
    reply: Reply,
    parsed: Any,
    numbers: Mapping[str, float],
    cause: str,
    labels: Mapping[str, str] | None = None,
    **detail: Any,
) -> Score:
    """A score; ``unparsed`` where the reply is ok but gives no readable answer."""
    item = question.item
    status: ScoreStatus = ("scored" if parsed is not None else "unparsed") if reply.status == "ok" else reply.status
    if reply.transcripts:
        detail["transcript"] = reply.transcripts[0]
    modality = "audio" if question.prompt.audios else "text"
    text = reply.answer or ""
    shown = text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"
    return Score(
        question=question.id,
        item=item.id,
        cluster=item.cluster,
        task=question.task,
        variant=question.variant,
        status=status,
        statistics=numbers,
        labels={"cause": cause if reply.status == "ok" else reply.status, "modality": modality, **(labels or {})},
        parsed=parsed,
        detail={"reply": shown, **detail},
    )
