"""Whether an inferred word or pair of meanings is right, and if not, which error of Table 3 it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from apun.readers.pair import listed
from apun.readers.word import word
from benchmarks.apun_bench.items import HOMOGRAPHIC, PunItem

RIGHT, FAILED = "none", "failed"  # error labels of a right answer, and of a reply that is no answer


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


def judge(item: PunItem, answer: str | None, tau: float, similarity: str = "auto") -> Judgement:
    """Judge an inference (paper, equation 4 and the matching after it).

    Heterographic and homophonic: the answer and any gold alternative have a lemma in common.
    Homographic: predicted meanings are matched one to one with the gold ones; both pairs reach τ.

    Args:
        item: an interpreted pun.
        answer: the model's answer; None where it gave none.
        tau: threshold of a pair of meanings; the paper's is 0.3.
        similarity: name of the similarity of meanings; loaded only for homographic puns.
    """
    from apun.scoring.inference import PunKind, classify_inference

    gold = item.meanings if item.type == HOMOGRAPHIC else item.alternatives
    detail: dict[str, Any] = {"gold": list(gold)}
    if answer is None:
        return Judgement(False, None, FAILED, detail)
    measure = None
    said: str | list[str] | None
    if item.type == HOMOGRAPHIC:
        from apun.scoring.meaning import load_similarity
        from apun.scoring.taxonomy import said_meanings, style_problem

        given = list(said_meanings(listed(answer), item.text))
        said = None if style_problem(given) else given
        measure = load_similarity(similarity) if said else None
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
