"""The listening test: does the answer move with the sound, or stay with the sentence? (beyond the paper)

Each heterographic pun is spoken twice by the same voice: as written, and with its alternative word in
the pun word's place. The same question, word for word, is asked about both clips. A model that hears
changes its answer; one that only knows which word the sentence wants does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apun import draws
from apun.asking import Case, Plan, condition_of, item_of
from apun.prompts import MAIN
from apun.readers.choice import choice
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, gap, ratio
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.items import PunItem
from benchmarks.apun_bench.speaking import SWAPPED, swappable, utterances
from benchmarks.apun_bench.tasks import PROMPTS, case

NAME = "apun.listening"
FILE = "listening.en.toml"


def cases(items: Sequence[PunItem], conditions: Conditions, variant: str) -> Iterator[Case]:
    """Both clips of each heterographic pun; the order of the two words depends on seed and id."""
    for item in items:
        if swappable(item):
            first, second = item.pun_word, item.swap_word
            if draws.coin(conditions.seed, item.id):
                first, second = second, first
            for part, said in ((MAIN, item.text), (SWAPPED, item.swapped_text)):
                yield case(item, FILE, f".{part}", part=part, text=said, first=first, second=second)


def score(question: Question, reply: Reply) -> Score:
    """Which of the two words was heard, and whether it was the one spoken."""
    item = item_of(question, PunItem)
    part = condition_of(question)
    place = reply.read(lambda text: choice(text, (item.pun_word, item.swap_word), labelled=False).value)
    said = None if place is None else ("pun", "alternative")[place]
    statistics = {
        "correct": float(said == ("pun" if part == MAIN else "alternative")),
        "n_main": float(part == MAIN),
        "n_swapped": float(part == SWAPPED),
        "pun_main": float(part == MAIN and said == "pun"),
        "pun_swapped": float(part == SWAPPED and said == "pun"),
    }
    return Score.of(question, reply, said, statistics, {"type": item.type, "part": part}, spoken=item.text)


METRICS = (
    gap("moves", "Moves with the sound", ("pun_main", "n_main"), ("pun_swapped", "n_swapped")),
    ratio("accuracy", "Heard", "correct"),
    ratio("heard_pun", "Heard (pun)", "correct", where={"part": MAIN}),
    ratio("heard_alternative", "Heard (swapped)", "correct", where={"part": SWAPPED}),
)


def perfect(question: Question) -> str:
    """The word that is spoken."""
    item = item_of(question, PunItem)
    return item.pun_word if condition_of(question) == MAIN else item.swap_word


TASK = Plan(
    NAME,
    PROMPTS,
    cases,
    utterances=lambda item, conditions: utterances(item, "all"),
    audible=lambda parts: SWAPPED in parts,
).as_task(
    "Does the answer move with the sound? (pun word swapped for its alternative)",
    score,
    METRICS,
    solver.choose,
    perfect,
    max_new_tokens=16,
)
