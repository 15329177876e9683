"""All three stages in one answer: the model sees only what it found itself (beyond the paper)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apun.prompts import Prompt
from apun.readers.lines import labelled
from apun.readers.verdict import verdict
from apun.readers.word import word
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.asking import ask_one, item_of, make_score, show, variants
from benchmarks.apun_bench.inference import concerns, gold_answer, judged, judged_by, signature
from benchmarks.apun_bench.items import UNTYPED, PunItem
from benchmarks.apun_bench.places import place

NAME = "apun.chain"
FILE = "chain.en.toml"
LABELS = {"pun": "pun", "word": "word", "meaning": "meaning"}


def ask(items: Sequence[PunItem], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """Each negative and each interpreted pun once per variant."""
    for variant in variants(conditions):
        for item in items:
            if not item.is_pun or concerns(item):
                yield ask_one(NAME, item, variant, conditions, speech, file=FILE, **judged_by(conditions))


def score(question: Question, reply: Reply) -> Score:
    """How far the chain holds.

    ``recognised``: the first line is right. ``located`` and ``inferred`` count for puns only, and only
    while every earlier link holds. ``end_to_end``: all links hold, or a negative is called one.
    """
    item = item_of(question)
    lines = labelled(reply.answer, LABELS) if reply.answer is not None else {}
    said = verdict(lines["pun"], "pun").value if "pun" in lines else None
    recognised = said == ("pun" if item.is_pun else "non-pun")
    statistics = {
        "n": 1.0,
        "recognised": float(recognised),
        "puns": float(item.is_pun),
        "located": 0.0,
        "inferred": 0.0,
        "end_to_end": float(recognised and not item.is_pun),
    }
    detail: dict[str, object] = {"reply": show(reply.answer or "")}
    broken = "none" if recognised else "recognition"
    if lines and item.is_pun and recognised:
        found = place(item, word(lines.get("word", "")).value)
        inferred = judged(question, lines.get("meaning") or None)
        statistics["located"] = float(found.coarse)
        statistics["inferred"] = statistics["end_to_end"] = float(found.coarse and inferred.correct)
        detail |= {"location": found.detail, "inference": inferred.detail}
        broken = "location" if not found.coarse else "none" if inferred.correct else "inference"
    parsed = lines if said is not None else None
    return make_score(question, reply, parsed, statistics, {"broken_at": broken}, detail)


METRICS = (
    ratio("end_to_end", "End to end", "end_to_end"),
    ratio("recognised", "Recognised", "recognised"),
    ratio("located", "…and located", "located", "puns"),
    ratio("inferred", "…and inferred", "inferred", "puns"),
)


def solve(prompt: Prompt) -> str:
    """The reasoner's three lines."""
    said = solver.recognise(prompt)
    if said != "pun":
        return "Pun: no\nWord: none\nMeaning: none"
    word = solver.locate_pun(prompt)
    return f"Pun: yes\nWord: {word}\nMeaning: {solver.infer_from(prompt, word)}"


def perfect(question: Question) -> str:
    """Three right lines."""
    item = item_of(question)
    if not item.is_pun or item.type == UNTYPED:
        return "Pun: no\nWord: none\nMeaning: none"
    return f"Pun: yes\nWord: {item.pun_word}\nMeaning: {gold_answer(item)}"


TASK = Task(
    name=NAME,
    title="Recognise, locate and infer in one answer",
    version=1,
    ask=ask,
    score=score,
    metrics=METRICS,
    solve=solve,
    perfect=perfect,
    signature=signature,
    max_new_tokens=128,
)
