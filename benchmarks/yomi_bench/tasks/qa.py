"""Is this the reading of this kanji? Yes or no, four examples (paper section 3.3, binary QA)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from apun.asking import Case, item_of
from apun.draws import generator
from apun.prompts import MAIN
from apun.readers.verdict import yes_no
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.yomi_bench import solver
from benchmarks.yomi_bench.items import Kind, ReadingItem, YomiItem
from benchmarks.yomi_bench.speaking import FALSE
from benchmarks.yomi_bench.tasks import accuracy, case_of, plan, read, shots, statistics
from benchmarks.yomi_bench.tasks.reading import chosen

SHOTS = 4
METRICS = (
    *accuracy(),
    ratio("accuracy_yes", "Acc (true reading)", "right_yes", "n_yes"),
    ratio("accuracy_no", "Acc (false reading)", "right_no", "n_no"),
    ratio("yes_share", "Yes%", "said_yes", higher_is_better=None),
)


def few_shots(item: ReadingItem, count: int, seed: int) -> list[dict[str, str]]:
    """Examples for an item, half of them yes, half no, shuffled.

    The yes and the no question of an item get the same examples, in every prompt variant.
    """
    rng = generator(seed, "qa", item.id)
    rows = []
    for index, other in enumerate(rng.sample(item.qa_examples, min(count, len(item.qa_examples)))):
        reading, answer = (other.negative, "No") if index % 2 else (other.reading, "Yes")
        rows.append({"word": other.word, "kanji": other.kanji, "reading": reading, "answer": answer})
    rng.shuffle(rows)
    return rows


def _cases(items: Sequence[YomiItem], conditions: Conditions, variant: str, kind: Kind) -> Iterator[Case]:
    for item in chosen(items, kind, conditions):
        rows = few_shots(item, shots(conditions, SHOTS), conditions.seed)
        for place, said in enumerate(_order(item), 1):
            yield case_of(
                item,
                variant,
                conditions,
                "qa",
                {"word": item.word, "kanji": item.kanji, "reading": item.reading if said else item.negative},
                heard="reading",
                released="kanji_reading_qa",
                examples=rows,
                suffix=f".{place}",
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
    said, cause = read(reply, yes_no)
    right = said == gold
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
    cause = "right" if right else cause or ("false_yes" if said else "false_no")
    labels = {"cause": cause, "polarity": "yes" if gold else "no"}
    asked = item.reading if gold else item.negative
    return Score.of(question, reply, said, numbers, labels, gold="Yes" if gold else "No", asked=asked)


def perfect(question: Question) -> str:
    """Yes to the gold reading, no to the false one."""
    return "Yes" if truth(question) else "No"


def make_task(kind: Kind) -> Task:
    """The task for kanji with one reading or with more."""
    # by ear, of words with both clips: a false reading was recorded, and the word's reading could be confirmed
    asking = replace(
        plan(f"yomi.qa_{kind}", lambda items, conditions, variant: _cases(items, conditions, variant, kind)),
        audible=lambda parts: {MAIN, FALSE} <= set(parts),
    )
    readings = "one reading" if kind == "single" else "several readings"
    title = f"Is this how the kanji is read in this word? (kanji with {readings})"
    return asking.as_task(title, score, METRICS, solver.answer_yes_no, perfect, max_new_tokens=16)


SINGLE, MULTIPLE = make_task("single"), make_task("multiple")
