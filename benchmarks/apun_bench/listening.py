"""The listening test: does the answer move with the sound, or stay with the sentence? (beyond the paper)

Each heterographic pun is spoken twice by the same voice: as written, and with its alternative word in
the pun word's place. The same question, word for word, is asked about both clips. A model that hears
changes its answer; one that only knows which word the sentence wants does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from apun.prompts import MAIN, Prompt
from apun.readers.choice import choice
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech, Utterance
from apun.tasks import Conditions, Metric, Question, Task, ratio
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.asking import ask_one, item_of, make_score, show, variants
from benchmarks.apun_bench.items import HETEROGRAPHIC, PunItem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "apun.listening"
FILE = "listening.en.toml"
SWAPPED = "swapped"


def concerns(item: PunItem) -> bool:
    """Whether the item can be spoken both ways with a difference to hear."""
    return item.type == HETEROGRAPHIC and bool(item.swap_word)


def speech(item: PunItem, conditions: Conditions) -> Sequence[Utterance]:
    """Both clips of an item, the pun word and its stand-in being the words to check."""
    if not concerns(item):
        return ()
    return (
        Utterance(item.id, item.text, item.language, key_words=(item.pun_word,)),
        Utterance(item.id, item.swapped_text, item.language, part=SWAPPED, key_words=(item.swap_word,)),
    )


def ask(items: Sequence[PunItem], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """Both clips of each heterographic pun that has both; the order of the two words depends on seed and id."""
    for variant in variants(conditions):
        for item in items:
            if not concerns(item):
                continue
            if conditions.modality == "audio" and speech is not None and SWAPPED not in speech.parts(item.id):
                continue
            pair = [item.pun_word, item.swap_word]
            if hashlib.sha256(f"{conditions.seed}:{item.id}".encode()).digest()[0] % 2:
                pair.reverse()
            for part, said in ((MAIN, item.text), (SWAPPED, item.swapped_text)):
                yield ask_one(
                    NAME,
                    item,
                    variant,
                    conditions,
                    speech,
                    file=FILE,
                    suffix=f".{part}",
                    part=part,
                    transcript=said,
                    first=pair[0],
                    second=pair[1],
                )


def part_of(question: Question) -> str:
    """``main`` or ``swapped``."""
    return question.variant.rpartition(".")[2]


def score(question: Question, reply: Reply) -> Score:
    """Which of the two words was heard, and whether it was the one spoken."""
    item = item_of(question)
    part = part_of(question)
    place = (
        choice(reply.answer, (item.pun_word, item.swap_word), labelled=False).value
        if reply.answer is not None
        else None
    )
    said = None if place is None else ("pun", "alternative")[place]
    spoken = "pun" if part == MAIN else "alternative"
    statistics = {
        "n": 1.0,
        "correct": float(said == spoken),
        "n_main": float(part == MAIN),
        "n_swapped": float(part == SWAPPED),
        "pun_main": float(part == MAIN and said == "pun"),
        "pun_swapped": float(part == SWAPPED and said == "pun"),
    }
    return make_score(question, reply, said, statistics, {"part": part}, {"reply": show(reply.answer or "")})


def _moves(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3])


METRICS = (
    Metric("moves", "Moves with the sound", ("pun_main", "n_main", "pun_swapped", "n_swapped"), _moves),
    ratio("accuracy", "Heard", "correct"),
    ratio("heard_pun", "Heard (pun)", "correct", where={"part": MAIN}),
    ratio("heard_alternative", "Heard (swapped)", "correct", where={"part": SWAPPED}),
)


def solve(prompt: Prompt) -> str:
    """Whichever option sounds most like a word of the transcript."""
    return solver.choose(prompt)


def perfect(question: Question) -> str:
    """The word that is spoken."""
    item = item_of(question)
    return item.pun_word if part_of(question) == MAIN else item.swap_word


TASK = Task(
    name=NAME,
    title="Does the answer move with the sound? (pun word swapped for its alternative)",
    version=1,
    ask=ask,
    score=score,
    metrics=METRICS,
    solve=solve,
    perfect=perfect,
    max_new_tokens=16,
    speech=speech,
)
