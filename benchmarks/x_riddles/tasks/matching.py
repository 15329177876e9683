"""Experiment 1: choose the second half of a xiehouyu from four options (X-Riddles §4).

Δacc is the accuracy on low-familiarity homophonic xiehouyu less that on new ones: how much of a
model's success is memory. Token effort compares the mean tokens spent on the same splits (Table 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from apun.asking import Case, Plan, item_of
from apun.errors import UsageError
from apun.prompts import MAIN, template_for
from apun.readers.choice import LETTERS, STEMS, choice
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech, Utterance
from apun.tasks import Conditions, Metric, Question, gap, ratio
from benchmarks.x_riddles import solver
from benchmarks.x_riddles.data import sample
from benchmarks.x_riddles.distractors import WRONG, chosen, conflicts, shuffled
from benchmarks.x_riddles.items import BLANK, TYPES, Riddle
from benchmarks.x_riddles.speaking import CHOICES, choices_utterance, riddle_utterance
from benchmarks.x_riddles.tasks import (
    CONTEXT,
    COT,
    FORM,
    PROMPTS,
    SHOTS,
    SPLITS,
    TARGET,
    changed,
    labels_of,
    prompt_file,
    suffix,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "xriddles.matching"
RECORDED = "〔…〕"
"""Stands for the riddle in an example sentence whose riddle is only heard."""


def options_of(item: Riddle, conditions: Conditions) -> list[tuple[str, str]]:
    """The options in the order shown, with their pinyin; the right one is the answer that is asked for."""
    literal = changed(TARGET, conditions)
    answers = [item.answer(literal), *(wrong.answer(literal) for wrong in chosen(item, conditions.seed))]
    by_text = dict(answers)
    return [(text, by_text[text]) for text in shuffled(list(by_text), item, conditions.seed)]


def ask(items: Sequence[Riddle], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """One question an item; with context, of the items that have an example sentence.

    Raises:
        UsageError: an item lacks wrong options, or context is asked for and no item has a sentence.
    """
    if changed(CONTEXT, conditions) and items and not any(BLANK in item.example for item in items):
        raise UsageError(f"context=yes needs example sentences with {BLANK}, and none of these xiehouyu has one")
    return PLAN.ask(items, conditions, speech)


def _cases(items: Sequence[Riddle], conditions: Conditions, variant: str) -> Iterator[Case]:
    context, spoken = changed(CONTEXT, conditions), changed(FORM, conditions)
    if context and spoken:
        raise UsageError("context=yes shows a sentence, and form=spoken shows nothing; leave one of them out")
    by_ear = conditions.modality == "audio"
    for item in items:
        if len(item.distractors) < WRONG:
            raise UsageError(
                f"{item.id} has {len(item.distractors)} wrong options of the {WRONG} it needs. Load more xiehouyu "
                "with it, give it distractors, or leave the task matching out (--tasks)"
            )
        if context and BLANK not in item.example:
            continue
        options = options_of(item, conditions)
        shown = [text for text, _ in options]
        yield Case(
            item,
            prompt_file("matching", conditions),
            {
                "options": _listed(shown, conditions),
                "examples": _shots(item, variant, conditions),
                "sentence": item.example.replace(item.riddle, RECORDED) if by_ear else item.example,
                "choices": shown,
            },
            suffix(conditions),
            wording=variant + "_spoken" * spoken + "_context" * context + "_cot" * changed(COT, conditions),
            clips={MAIN: CHOICES if spoken else MAIN},
            texts={MAIN: choices_utterance(item, options).text if spoken else item.riddle},
        )


def _utterances(item: Riddle, conditions: Conditions) -> Sequence[Utterance]:
    """The riddle; with ``form=spoken`` the riddle and its four options."""
    if changed(FORM, conditions):
        return [choices_utterance(item, options_of(item, conditions))]
    return [riddle_utterance(item)]


def _listed(shown: Sequence[str], conditions: Conditions) -> str:
    return "\n".join(f"{label}. {text}" for label, text in zip(_labels(conditions), shown, strict=False))


def _labels(conditions: Conditions) -> str:
    return STEMS if changed(FORM, conditions) else LETTERS


def _shots(item: Riddle, variant: str, conditions: Conditions) -> str:
    """Worked examples: traditional xiehouyu of the embedded sample that share nothing with the item."""
    wanted = int(SHOTS.of(conditions))
    if not wanted:
        return ""
    file = conditions.prompts or PROMPTS / prompt_file("matching", conditions)
    wording = template_for(file, f"{variant}{'_context' * changed(CONTEXT, conditions)}_shot")
    pool = [other for other in sample() if not other.novel and other.type == "homophonic"]
    usable = {other.id: other for other in pool if other.riddle != item.riddle and not conflicts(item, other)}
    texts: list[str] = []
    answers = {item.intended, item.literal}
    for other_id in shuffled(sorted(usable), item, conditions.seed):
        other = usable[other_id]
        shown = [text for text, _ in options_of(other, conditions)]
        if len(texts) == wanted or answers & set(shown):
            continue
        right = shown.index(other.answer(changed(TARGET, conditions))[0])
        fields = {"riddle": other.riddle, "sentence": other.example, "options": _listed(shown, conditions)}
        texts.append(wording.text({**fields, "answer": _labels(conditions)[right]}))
    return "".join(texts)


def gold(question: Question) -> int:
    """Place of the right option in the order shown."""
    item = item_of(question, Riddle)
    choices: list[str] = question.prompt.fields["choices"]
    return next(place for place, text in enumerate(choices) if text in (item.intended, item.literal))


def score(question: Question, reply: Reply) -> Score:
    """Right or wrong, with the counts that Δacc and token effort are computed from."""
    item = item_of(question, Riddle)
    choices: list[str] = question.prompt.fields["choices"]
    read = reply.read(lambda text: choice(text, choices).value)
    right = gold(question)
    numbers = statistics(item, read == right, reply.tokens_out if reply.status == "ok" else None)
    parsed = None if read is None else choices[read]
    return Score.of(question, reply, parsed, numbers, labels_of(item), choices=choices, right=choices[right])


def statistics(item: Riddle, right: bool, tokens: int | None) -> dict[str, float]:
    """Counts of one answer, apart for each split of the homophonic xiehouyu.

    Args:
        item: what was asked about.
        right: whether the answer is right.
        tokens: tokens generated for it; None where they are not known.
    """
    found = {"correct": float(right)}
    for split in SPLITS:
        inside = item.type == "homophonic" and item.split == split
        found |= {
            f"{split}_n": float(inside),
            f"{split}_correct": float(right and inside),
            f"{split}_counted": float(inside and tokens is not None),
            f"{split}_tokens": float(tokens or 0) * inside,
        }
    return found


def perfect(question: Question) -> str:
    """The right label."""
    return LETTERS[gold(question)]


def _effort(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    from apun.scoring.statistics import share

    return share(share(sums[..., 0], sums[..., 1]), share(sums[..., 2], sums[..., 3])) - 1.0


def _effort_metric(first: str, second: str) -> Metric:
    names = (f"{first}_tokens", f"{first}_counted", f"{second}_tokens", f"{second}_counted")
    label = f"tokens {first[0].upper()}/{second[0].upper()}"
    return Metric(f"effort_{first}_{second}", label, names, _effort, higher_is_better=None)


METRICS = (
    ratio("accuracy", "accuracy", "correct"),
    *(ratio(f"accuracy_{split}", split, "correct", where={"type": "homophonic", "split": split}) for split in SPLITS),
    gap("delta_acc", "Δacc (low − new)", ("low_correct", "low_n"), ("new_correct", "new_n"), higher_is_better=None),
    _effort_metric("low", "high"),
    _effort_metric("new", "high"),
    _effort_metric("new", "low"),
    *(ratio(f"accuracy_{kind}", kind, "correct", where={"type": kind}) for kind in TYPES),
)
PLAN = Plan(NAME, PROMPTS, _cases, _utterances)
TASK = PLAN.as_task(
    "Match a xiehouyu riddle with its answer (Experiment 1)", score, METRICS, solver.match, perfect, ask=ask
)
