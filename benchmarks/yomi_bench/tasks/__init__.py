"""What the tasks share: options, questions in our words or the released ones, statistics over five prompts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from apun.asking import Case, Cases, Plan
from apun.errors import UsageError
from apun.prompts import MAIN, template_for
from apun.readers.one import Parsed
from apun.replies import Reply
from apun.tasks import Conditions, Metric, Option, Question, ratio
from benchmarks.yomi_bench.items import ReadingItem, RhymeItem, Wording
from benchmarks.yomi_bench.speaking import utterances

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROMPTS = Path(__file__).parents[1] / "prompts"
VARIANTS = ("p1", "p2", "p3", "p4", "p5")
MOST_SHOTS = 12


def _number_of_shots(value: str) -> None:
    if not value.isdecimal() or int(value) > MOST_SHOTS:
        raise UsageError(f"shots is {value!r}; use a number from 0 to {MOST_SHOTS}")


CORRECTED = Option("corrected", "leave out gold readings that are known to be doubtful", ("no", "yes"))
SHOTS = Option("shots", "worked examples, 0 to 12 (default: 4 for yes/no, 3 for readings)", check=_number_of_shots)
WORDING = Option("wording", "our prompts, or the released ones, which are text only", ("own", "released"))
OPTIONS = (CORRECTED, SHOTS, WORDING)

T = TypeVar("T")


def read(reply: Reply, reader: Callable[[str], Parsed[T]]) -> tuple[T | None, str]:
    """An answer as read, and why there is none: the reader's cause, or the status of a reply without an answer."""
    found = reply.read(reader)
    return (found.value, found.cause) if found else (None, reply.status)


def plan(task: str, cases: Cases) -> Plan:
    """How the tasks ask: in five prompts; by ear an item's words are played."""
    return Plan(task, PROMPTS, cases, lambda item, conditions: utterances(item, "all"), VARIANTS)


def shots(conditions: Conditions, default: int) -> int:
    """Number of worked examples."""
    return int(SHOTS.of(conditions) or default)


def case_of(
    item: ReadingItem | RhymeItem,
    variant: str,
    conditions: Conditions,
    file: str,
    fields: Mapping[str, str],
    *,
    heard: str,
    released: str,
    examples: Sequence[Mapping[str, str]] | None = None,
    suffix: str = "",
    part: str = MAIN,
) -> Case:
    """A question in our words, or in the released ones (``--set wording=released``).

    Args:
        item: what is asked about.
        variant: the prompt.
        conditions: how it is asked.
        file: prompt file without its ending; by ear ``FILE_heard``.
        fields: values of the placeholders; never the gold answer.
        heard: the field that by ear is heard and not shown.
        released: the task's name in the released prompts.
        examples: what fills the worked examples; None where the prompts have none.
        suffix: condition appended to the variant.
        part: by ear, the clip.

    Raises:
        UsageError: the released wording is asked for, and the items came without it, or by ear.
    """
    if WORDING.of(conditions) == "released":
        wording = item.wording.get(released)
        if wording is None:
            raise UsageError("wording=released needs --data-dir with the release's prompt_variants.json")
        if conditions.modality != "text":
            raise UsageError("the released wording is for text; add --modality text")
        return Case(item, fields=fields, suffix=suffix, ready=_released(wording, variant, [*(examples or ()), fields]))
    by_ear = conditions.modality == "audio"
    file = f"{file}_heard.ja.toml" if by_ear else f"{file}.ja.toml"
    shown = {name: value for name, value in fields.items() if not (by_ear and name == heard)}
    if examples is not None:
        shown["shots"] = _worked(PROMPTS / file, examples)
    return Case(item, file, shown, suffix, clips={MAIN: part} if by_ear else {})


def _worked(file: Path, rows: Sequence[Mapping[str, str]]) -> str:
    """Worked examples as the prompt file words them; empty when there are none."""
    if not rows:
        return ""
    one = template_for(file, "shot")
    return template_for(file, "shots").text({"examples": "\n".join(one.text(row) for row in rows)})


def _released(wording: Wording, variant: str, rows: Sequence[Mapping[str, str]]) -> str:
    """A released prompt: the body, or header and one block a row; the last row is the question, its answer left open.

    Raises:
        UsageError: there is no such variant.
    """
    known = VARIANTS[: len(wording.questions)]
    if variant not in known:
        raise UsageError(f"the released wording has no variant {variant!r}; it has {', '.join(known)}")
    question = wording.questions[VARIANTS.index(variant)]
    if wording.body:
        return _fill(wording.body, {**rows[-1], "QUESTION": _fill(question, rows[-1])})
    blocks = [_fill(wording.block, {"QUESTION": _fill(question, row), "ANSWER": row.get("answer", "")}) for row in rows]
    return "\n\n".join([wording.header, *blocks] if wording.header else blocks)


def _fill(text: str, values: Mapping[str, str]) -> str:
    """Replace ``{name}`` by values in one pass; other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)


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
        Metric("prompt_sd", "SD of prompts", names, partial(_spread, "sd"), higher_is_better=False),
        Metric("prompt_range", "Range of prompts", names, partial(_spread, "range"), higher_is_better=False),
    )


def _spread(kind: str, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Population standard deviation or range over the prompts used; NaN for fewer than two."""
    import numpy as np

    from apun.scoring.statistics import share

    prompts = len(VARIANTS)
    values = share(sums[..., :prompts], sums[..., prompts:])
    used = np.isfinite(values)
    count = used.sum(axis=-1)
    if kind == "range":
        top = np.where(used, values, -np.inf).max(axis=-1)
        spread = top - np.where(used, values, np.inf).min(axis=-1)
    else:
        mean = share(np.where(used, values, 0).sum(axis=-1), count)
        squares = np.where(used, (values - mean[..., None]) ** 2, 0)
        spread = np.sqrt(share(squares.sum(axis=-1), count))
    return np.asarray(np.where(count > 1, spread, np.nan))
