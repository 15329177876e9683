"""Experiment 1: choose the second half of a xiehouyu from four options (X-Riddles §4).

Δacc is the accuracy on low-familiarity homophonic xiehouyu less that on new ones: how much of a
model's success is memory. Token effort compares the mean tokens spent on the same splits (Table 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from apun.errors import UsageError
from apun.prompts import MAIN, Prompt
from apun.readers.choice import LETTERS, STEMS, choice
from apun.replies import Reply
from apun.scores import Score, ScoreStatus
from apun.speech import Speech, Utterance
from apun.tasks import Conditions, Metric, Question, Task, ratio
from benchmarks.x_riddles.association import hidden_homophone
from benchmarks.x_riddles.distractors import WRONG, chosen, conflicts, shuffled
from benchmarks.x_riddles.heard import riddle_part
from benchmarks.x_riddles.items import BLANK, Riddle
from benchmarks.x_riddles.options import Options, read_options, template, variant_label, variants
from benchmarks.x_riddles.utterances import choices_utterance, riddle_utterance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "xriddles.matching"
SPLITS = ("high", "low", "new")
RECORDED = "〔…〕"
"""Stands for the riddle in an example sentence whose riddle is only heard."""


def options_of(item: Riddle, conditions: Conditions, literal: bool) -> list[tuple[str, str]]:
    """The options in the order shown, with their pinyin; the right one is ``item.answer(literal)``."""
    answers = [item.answer(literal), *(wrong.answer(literal) for wrong in chosen(item, conditions.seed))]
    by_text = dict(answers)
    return [(text, by_text[text]) for text in shuffled(list(by_text), item, conditions.seed)]


def ask(items: Sequence[Riddle], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """One question an item; with context, of the items that have an example sentence.

    Raises:
        UsageError: an item lacks wrong options, or context is asked for and no item has a sentence.
    """
    options = read_options(conditions)
    if options.context and items and not any(BLANK in item.example for item in items):
        raise UsageError(f"context=yes needs example sentences with {BLANK}, and none of these xiehouyu has one")
    for item in items:
        if len(item.distractors) < WRONG:
            raise UsageError(
                f"{item.id} has {len(item.distractors)} wrong options of the {WRONG} it needs. Load more xiehouyu "
                "with it, give it distractors, or leave the task matching out (--tasks)"
            )
        if options.context and BLANK not in item.example:
            continue
        for variant in variants(conditions):
            yield _question(item, variant, options, conditions, speech)


def _question(item: Riddle, variant: str, options: Options, conditions: Conditions, speech: Speech | None) -> Question:
    shown = [text for text, _ in options_of(item, conditions, options.literal)]
    labels = STEMS if options.spoken else LETTERS
    label = variant_label(variant, options)
    question_id = f"{NAME}/{item.id}/{label}"
    fields = {
        "options": _listed(shown, labels),
        "examples": _shots(item, variant, options, conditions),
        "sentence": item.example.replace(item.riddle, RECORDED) if speech else item.example,
        "choices": shown,
    }
    name = variant + ("_spoken" if options.spoken else "_context" if options.context else "") + ("_cot" * options.cot)
    wording = template("matching", name, conditions, options)
    utterance = speech_of(item, conditions)[0]
    if speech:
        clips = {MAIN: speech.clip(item.id, utterance.part)}
        prompt = wording.render(id=question_id, task=NAME, fields=fields, clips=clips)
    else:
        prompt = wording.render(id=question_id, task=NAME, fields=fields, transcripts={MAIN: _bare(utterance.text)})
    return Question(question_id, NAME, item, label, prompt)


def speech_of(item: Riddle, conditions: Conditions) -> Sequence[Utterance]:
    """The riddle; with ``form=spoken`` the riddle and its four options."""
    options = read_options(conditions)
    if not options.spoken:
        return [riddle_utterance(item)]
    return [choices_utterance(item, options_of(item, conditions, options.literal))]


def _bare(text: str) -> str:
    """A riddle as text, without the full stop that it is spoken with."""
    return text[:-1] if text.count("。") == 1 else text


def _listed(shown: Sequence[str], labels: str) -> str:
    return "\n".join(f"{label}. {text}" for label, text in zip(labels, shown, strict=False))


def _shots(item: Riddle, variant: str, options: Options, conditions: Conditions) -> str:
    """Worked examples: traditional xiehouyu of the embedded sample that share nothing with the item."""
    if not options.shots:
        return ""
    from benchmarks.x_riddles.load import sample

    wording = template("matching", f"{variant}{'_context' * options.context}_shot", conditions, options)
    labels = STEMS if options.spoken else LETTERS
    pool = [other for other in sample() if not other.novel and other.type == "homophonic"]
    usable = [other for other in pool if other.riddle != item.riddle and not conflicts(item, other)]
    texts: list[str] = []
    by_id = {other.id: other for other in usable}
    answers = {item.intended, item.literal}
    for other_id in shuffled(sorted(by_id), item, conditions.seed):
        other = by_id[other_id]
        shown = [text for text, _ in options_of(other, conditions, options.literal)]
        if len(texts) == options.shots or answers & set(shown):
            continue
        fields = {
            "riddle": other.riddle,
            "sentence": other.example,
            "options": _listed(shown, labels),
            "answer": labels[shown.index(other.answer(options.literal)[0])],
        }
        rendered = wording.render(id="shot", task=NAME, fields=fields)
        texts.append("".join(part["text"] for part in rendered.rendered()[-1]["content"]))
    return "".join(texts)


def gold(question: Question) -> int:
    """Place of the right option in the order shown."""
    item: Riddle = question.item  # type: ignore[assignment]
    choices: list[str] = question.prompt.fields["choices"]
    answers = {item.intended, item.literal}
    return next(place for place, text in enumerate(choices) if text in answers)


def score(question: Question, reply: Reply) -> Score:
    """Right or wrong, with the counts that Δacc and token effort are computed from."""
    item: Riddle = question.item  # type: ignore[assignment]
    choices: list[str] = question.prompt.fields["choices"]
    read = choice(reply.answer, choices).value if reply.answer is not None else None
    status: ScoreStatus = "scored" if read is not None else "unparsed"
    if reply.status != "ok":
        status = reply.status
    right = float(read == gold(question)) if read is not None else 0.0
    statistics = {"n": 1.0, "correct": right}
    tokens = reply.tokens_out if reply.status == "ok" else None
    for split in SPLITS:
        inside = item.type == "homophonic" and item.split == split
        statistics |= {
            f"{split}_n": float(inside),
            f"{split}_correct": right * inside,
            f"{split}_counted": float(inside and tokens is not None),
            f"{split}_tokens": float(tokens or 0) * inside,
        }
    return Score(
        question=question.id,
        item=item.id,
        cluster=item.cluster,
        task=NAME,
        variant=question.variant,
        status=status,
        statistics=statistics,
        labels={"type": item.type, "split": item.split, "match": item.match or "none", "origin": item.origin},
        parsed=choices[read] if read is not None else None,
        detail={"choices": choices, "right": choices[gold(question)]},
    )


def solve(prompt: Prompt) -> str:
    """The option that hides the homophone which goes best with the riddle (``association``).

    A phonetic rule cannot know the world, so this is a floor and no ceiling.
    """
    choices: list[str] = prompt.fields["choices"]
    riddle = riddle_part(next(iter(prompt.fields["transcripts"].values())))
    links = [hidden_homophone(riddle, option) for option in choices]
    strengths = [link.strength if link else 0.0 for link in links]
    return LETTERS[strengths.index(max(strengths))]


def perfect(question: Question) -> str:
    """The right label."""
    return LETTERS[gold(question)]


def _delta(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3])


def _effort(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((sums[..., 0] / sums[..., 1]) / (sums[..., 2] / sums[..., 3]) - 1.0)


def _effort_metric(first: str, second: str) -> Metric:
    names = (f"{first}_tokens", f"{first}_counted", f"{second}_tokens", f"{second}_counted")
    label = f"tokens {first[0].upper()}/{second[0].upper()}"
    return Metric(f"effort_{first}_{second}", label, names, _effort, higher_is_better=None)


METRICS = (
    ratio("accuracy", "accuracy", "correct"),
    *(ratio(f"accuracy_{split}", split, "correct", where={"type": "homophonic", "split": split}) for split in SPLITS),
    Metric(
        "delta_acc",
        "Δacc (low − new)",
        ("low_correct", "low_n", "new_correct", "new_n"),
        _delta,
        higher_is_better=None,
    ),
    _effort_metric("low", "high"),
    _effort_metric("new", "high"),
    _effort_metric("new", "low"),
    *(
        ratio(f"accuracy_{kind}", kind, "correct", where={"type": kind})
        for kind in ("homophonic", "polysemous", "direct")
    ),
)

TASK = Task(
    name=NAME,
    title="Match a xiehouyu riddle with its answer (Experiment 1)",
    version=1,
    ask=ask,
    score=score,
    metrics=METRICS,
    solve=solve,
    perfect=perfect,
    speech=speech_of,
)
