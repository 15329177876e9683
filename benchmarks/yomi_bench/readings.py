"""How is this kanji read in this word? (paper section 3.3, reading prediction)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from apun.readers.reading import kana
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.yomi_bench import solver
from benchmarks.yomi_bench.asking import (
    VARIANTS,
    accuracy,
    ask_one,
    ask_released,
    corrected,
    examples,
    item_of,
    make_score,
    released,
    released_blocks,
    shots,
    statistics,
    variants,
)
from benchmarks.yomi_bench.compare import judge
from benchmarks.yomi_bench.items import Kind, ReadingItem, YomiItem
from benchmarks.yomi_bench.speaking import speech_for, utterances

SHOTS = 3
RELEASED = "kanji_reading_prediction"


def chosen(items: Sequence[YomiItem], kind: Kind, conditions: Conditions) -> list[ReadingItem]:
    """The items of a kind; with ``corrected=yes`` without known slips, their share going to the kanji's other items."""
    own = [item for item in items if isinstance(item, ReadingItem) and item.kind == kind]
    if not corrected(conditions):
        return own
    kept = [item for item in own if item.slip is None]
    return [replace(item, weight=item.weight_corrected, corrected=True) for item in kept]


def few_shots(item: ReadingItem, count: int, seed: int) -> list[dict[str, str]]:
    """Examples for an item, the same in every prompt variant."""
    drawn = Random(f"{seed}/reading/{item.id}").sample(item.reading_examples, min(count, len(item.reading_examples)))
    return [{"word": other.word, "kanji": other.kanji, "answer": other.reading} for other in drawn]


def _ask(
    name: str, kind: Kind, items: Sequence[YomiItem], conditions: Conditions, speech: Speech | None
) -> Iterator[Question]:
    count = shots(conditions, SHOTS)
    by_ear = conditions.modality == "audio"
    file = "reading_heard.ja.toml" if by_ear else "reading.ja.toml"
    for item in chosen(items, kind, conditions):
        if by_ear and not utterances(item, "default"):
            continue
        rows = few_shots(item, count, conditions.seed)
        fields = {"word": item.word, "kanji": item.kanji}
        for variant in variants(conditions):
            wording = released(item, RELEASED, conditions)
            if wording:
                yield ask_released(name, item, variant, fields, released_blocks(wording, variant, [*rows, fields]))
                continue
            yield ask_one(
                name,
                item,
                variant,
                conditions,
                file=file,
                fields={**fields, "shots": examples(file, rows)},
                speech=speech if by_ear else None,
            )


def score(question: Question, reply: Reply) -> Score:
    """Right when the reading is the gold's; ``lenient`` also counts answers that show the same knowledge."""
    item = item_of(question, ReadingItem)
    parsed = kana(reply.answer or "", kanji=item.kanji, word=item.word, okurigana=item.okurigana)
    answer = parsed.value if reply.status == "ok" else None
    verdict = judge(answer, item) if answer else None
    numbers = statistics(
        question,
        item.weight,
        correct=verdict is not None and verdict.exact,
        lenient=verdict is not None and verdict.lenient,
        unparsed=reply.status == "ok" and answer is None,
    )
    shown = None if answer is None else answer[0] if len(answer) == 1 else list(answer)
    cause = verdict.cause if verdict else parsed.cause
    detail = {"gold": item.reading, "word": item.word, "kanji": item.kanji}
    labels = {"slip": "yes"} if item.slip else {"corrected": "yes"} if item.corrected else {}
    return make_score(question, reply, shown, numbers, cause, labels, **detail)


def perfect(question: Question) -> str:
    """The gold reading."""
    item = item_of(question, ReadingItem)
    return item.reading


METRICS = (
    *accuracy(),
    ratio("lenient", "Acc (lenient)", "lenient"),
    ratio("unparsed", "Unparsed", "unparsed", higher_is_better=False),
)


def make_task(kind: Kind) -> Task:
    """The task for kanji with one reading or with more."""
    name = f"yomi.reading_{kind}"

    def ask(items: Sequence[YomiItem], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
        return _ask(name, kind, items, conditions, speech)

    readings = "one reading" if kind == "single" else "several readings"
    return Task(
        name=name,
        title=f"How is the kanji read in this word? (kanji with {readings})",
        version=1,
        ask=ask,
        score=score,
        metrics=METRICS,
        solve=solver.answer_reading,
        perfect=perfect,
        variants=VARIANTS,
        max_new_tokens=32,
        speech=speech_for(kind),
    )


SINGLE, MULTIPLE = make_task("single"), make_task("multiple")
