"""Stage 2, pun word location: coarse by sound and place, fine by lemma (paper §3.2, equations 1-3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apun.prompts import Prompt
from apun.readers.word import word
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.asking import ask_one, item_of, letters_backend, make_score, puns, show, variants
from benchmarks.apun_bench.items import HEADS, PUN_TYPES, SHORT, PunItem
from benchmarks.apun_bench.places import place, seconds_of, times_of

NAME = "apun.location"
FILE = "location.en.toml"


def ask(items: Sequence[PunItem], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """Each pun once per variant."""
    for variant in variants(conditions):
        for item in puns(items):
            yield ask_one(NAME, item, variant, conditions, speech, file=FILE)


def score(question: Question, reply: Reply) -> Score:
    """Where the named word sits, and whether it is the pun word.

    Coarse: equations 1-3 choose the word of the item's own text that sounds most like the answer; that
    place must be the pun word's. Fine: answer and pun word have the same lemma. A reply that names no
    word is wrong in both. The text is the gold transcript, so a recogniser's slips cost the model no
    place that it heard well enough.
    """
    item = item_of(question)
    said = word(reply.answer).value if reply.answer is not None else None
    found = place(item, said)
    statistics = {"n": 1.0, "coarse": float(found.coarse), "fine": float(found.fine)}
    labels = {"position_gold": found.gold_interval, "position_predicted": found.interval or "none"}
    times = times_of(reply, question.prompt.fields.get("word_times"))
    statistics |= seconds_of(item, said, times)
    return make_score(question, reply, said, statistics, labels, {"reply": show(reply.answer or ""), **found.detail})


METRICS = (
    ratio("coarse", "Coa", "coarse"),
    ratio("fine", "Fin", "fine"),
    *(
        ratio(f"{name}_{SHORT[kind]}", f"{label} ({HEADS[kind]})", name, where={"type": kind})
        for kind in PUN_TYPES
        for name, label in (("coarse", "Coa"), ("fine", "Fin"))
    ),
    ratio("within_half_second", "±0.5 s", "hit", "timed"),
    ratio("overlap", "Overlap", "overlap", "timed"),
)


def solve(prompt: Prompt) -> str:
    """The reasoner's word."""
    return solver.locate_pun(prompt)


def perfect(question: Question) -> str:
    """The pun word."""
    item = item_of(question)
    return item.pun_word


TASK = Task(
    name=NAME,
    title="Which word carries the pun? (coarse and fine)",
    version=1,
    ask=ask,
    score=score,
    metrics=METRICS,
    solve=solve,
    perfect=perfect,
    signature=letters_backend,
    max_new_tokens=64,
)
