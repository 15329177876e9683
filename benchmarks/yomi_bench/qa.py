"""Is this the reading of this kanji? Yes or no, four examples (paper section 3.3, binary QA)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random

from apun.prompts import MAIN
from apun.readers.verdict import yes_no
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
    examples,
    item_of,
    make_score,
    released,
    released_blocks,
    shots,
    statistics,
    variants,
)
from benchmarks.yomi_bench.items import Kind, ReadingItem, YomiItem
from benchmarks.yomi_bench.readings import chosen
from benchmarks.yomi_bench.speaking import FALSE, speech_for

SHOTS = 4
RELEASED = "kanji_reading_qa"


def few_shots(item: ReadingItem, count: int, seed: int) -> list[dict[str, str]]:
    """Examples for an item, half of them yes, half no, shuffled.

    The yes and the no question of an item get the same examples, in every prompt variant.
    """
    rng = Random(f"{seed}/qa/{item.id}")
    drawn = rng.sample(item.qa_examples, min(count, len(item.qa_examples)))
    rows = [
        {
            "word": other.word,
            "kanji": other.kanji,
            "reading": other.reading if index % 2 == 0 else other.negative,
            "answer": "Yes" if index % 2 == 0 else "No",
        }
        for index, other in enumerate(drawn)
    ]
    rng.shuffle(rows)
    return rows


def _ask(
    name: str, kind: Kind, items: Sequence[YomiItem], conditions: Conditions, speech: Speech | None
) -> Iterator[Question]:
    count = shots(conditions, SHOTS)
    by_ear = conditions.modality == "audio"
    file = "qa_heard.ja.toml" if by_ear else "qa.ja.toml"
    for item in chosen(items, kind, conditions):
        if speech is not None and not {MAIN, FALSE} <= set(speech.parts(item.id)):
            continue  # no false reading was recorded, or the word's reading could not be confirmed
        rows = few_shots(item, count, conditions.seed)
        for variant in variants(conditions):
            for place, said in enumerate(_order(item), 1):
                reading = item.reading if said else item.negative
                fields = {"word": item.word, "kanji": item.kanji}
                wording = released(item, RELEASED, conditions)
                if wording:
                    text = released_blocks(wording, variant, [*rows, {**fields, "reading": reading}])
                    yield ask_released(name, item, variant, {**fields, "reading": reading}, text, f".{place}")
                    continue
                if not by_ear:  # by ear the reading is what is to be heard
                    fields["reading"] = reading
                yield ask_one(
                    name,
                    item,
                    variant,
                    conditions,
                    file=file,
                    fields={**fields, "shots": examples(file, rows)},
                    suffix=f".{place}",
                    speech=speech if by_ear else None,
                    part=MAIN if said else FALSE,
                )


def _order(item: ReadingItem) -> tuple[bool, bool]:
    """Whether the first and the second question have the true reading; by hash, as people see questions' ids."""
    first = sha256(item.id.encode()).digest()[0] % 2 == 0
    return first, not first


def truth(question: Question) -> bool:
    """Whether the reading asked about is the true one."""
    return _order(item_of(question, ReadingItem))[int(question.variant.rpartition(".")[2]) - 1]


def score(question: Question, reply: Reply) -> Score:
    """Right when the answer is the polarity of the question; an unreadable one is wrong and no "yes"."""
    item = item_of(question, ReadingItem)
    gold = truth(question)
    parsed = yes_no(reply.answer or "")
    said = parsed.value if reply.status == "ok" else None
    right = said is not None and said == gold
    numbers = statistics(
        question,
        item.weight,
        correct=right,
        said_yes=said is True,
        right_yes=right and gold,
        n_yes=gold,
        right_no=right and not gold,
        n_no=not gold,
    )
    cause = "right" if right else parsed.cause or ("false_yes" if said else "false_no")
    polarity = {"polarity": "yes" if gold else "no"}
    asked = item.reading if gold else item.negative
    return make_score(question, reply, said, numbers, cause, polarity, gold="Yes" if gold else "No", asked=asked)


def perfect(question: Question) -> str:
    """Yes to the gold reading, no to the false one."""
    return "Yes" if truth(question) else "No"


METRICS = (
    *accuracy(),
    ratio("accuracy_yes", "Acc (true reading)", "right_yes", "n_yes"),
    ratio("accuracy_no", "Acc (false reading)", "right_no", "n_no"),
    ratio("yes_share", "Yes%", "said_yes", higher_is_better=None),
)


def make_task(kind: Kind) -> Task:
    """The task for kanji with one reading or with more."""
    name = f"yomi.qa_{kind}"

    def ask(items: Sequence[YomiItem], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
        return _ask(name, kind, items, conditions, speech)

    readings = "one reading" if kind == "single" else "several readings"
    return Task(
        name=name,
        title=f"Is this how the kanji is read in this word? (kanji with {readings})",
        version=1,
        ask=ask,
        score=score,
        metrics=METRICS,
        solve=solver.answer_yes_no,
        perfect=perfect,
        variants=VARIANTS,
        max_new_tokens=16,
        speech=speech_for(kind, "all"),
    )


SINGLE, MULTIPLE = make_task("single"), make_task("multiple")
