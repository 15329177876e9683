"""All three stages in one answer: the model sees only what it found itself (beyond the paper)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apun.asking import Case, Plan, item_of
from apun.prompts import Prompt
from apun.readers.lines import labelled
from apun.readers.verdict import verdict
from apun.readers.word import word
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, ratio
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.items import UNTYPED, PunItem
from benchmarks.apun_bench.tasks import PROMPTS, case
from benchmarks.apun_bench.tasks.inference import gold_answer, judge, judged_by, signature
from benchmarks.apun_bench.tasks.location import place
from benchmarks.apun_bench.tasks.recognition import gold_verdict

NAME = "apun.chain"
FILE = "chain.en.toml"
LABELS = {"pun": "pun", "word": "word", "meaning": "meaning"}


def cases(items: Sequence[PunItem], conditions: Conditions, variant: str) -> Iterator[Case]:
    """Each negative and each interpreted pun once."""
    return (case(item, FILE, **judged_by(conditions)) for item in items if not item.is_pun or item.interpreted)


def score(question: Question, reply: Reply) -> Score:
    """How far the chain holds.

    ``recognised``: the first line is right. ``located`` and ``inferred`` count for puns only, and only
    while every earlier link holds. ``end_to_end``: all links hold, or a negative is called one.
    """
    item = item_of(question, PunItem)
    lines = reply.read(lambda text: labelled(text, LABELS)) or {}
    said = verdict(lines["pun"], "pun").value if "pun" in lines else None
    recognised = said == gold_verdict(item)
    statistics = {
        "recognised": float(recognised),
        "puns": float(item.is_pun),
        "located": 0.0,
        "inferred": 0.0,
        "end_to_end": float(recognised and not item.is_pun),
    }
    detail: dict[str, object] = {"spoken": item.text}
    broken = "none" if recognised else "recognition"
    if lines and item.is_pun and recognised:
        found = place(item, word(lines.get("word", "")).value)
        judged = judge(question, lines.get("meaning") or None)
        statistics["located"] = float(found.coarse)
        statistics["inferred"] = statistics["end_to_end"] = float(found.coarse and judged.correct)
        detail |= {"location": found.detail, "inference": judged.detail}
        broken = "location" if not found.coarse else "none" if judged.correct else "inference"
    parsed = lines if said is not None else None
    return Score.of(question, reply, parsed, statistics, {"type": item.type, "broken_at": broken}, **detail)


METRICS = (
    ratio("end_to_end", "End to end", "end_to_end"),
    ratio("recognised", "Recognised", "recognised"),
    ratio("located", "…and located", "located", "puns"),
    ratio("inferred", "…and inferred", "inferred", "puns"),
)


def _lines(pun_word: str = "", meaning: str = "") -> str:
    if not pun_word:
        return "Pun: no\nWord: none\nMeaning: none"
    return f"Pun: yes\nWord: {pun_word}\nMeaning: {meaning}"


def solve(prompt: Prompt) -> str:
    """The reasoner's three lines."""
    found = solver.locate_pun(prompt) if solver.recognise(prompt) == "pun" else ""
    return _lines(found, solver.other_word(found)) if found else _lines()


def perfect(question: Question) -> str:
    """Three right lines."""
    item = item_of(question, PunItem)
    untyped = not item.is_pun or item.type == UNTYPED
    return _lines() if untyped else _lines(item.pun_word, gold_answer(question))


TASK = Plan(NAME, PROMPTS, cases).as_task(
    "Recognise, locate and infer in one answer",
    score,
    METRICS,
    solve,
    perfect,
    signature=signature,
    max_new_tokens=128,
)
