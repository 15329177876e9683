"""Pun inference: is the intended word, or are both meanings, found? If not, what went wrong?

Heterographic and homophonic puns: exact match of normalised lemmas against every gold alternative
(APUN-Bench, equation 4). Homographic puns: the predicted meanings are matched one to one with the two gold
ones, and both pairs must reach τ. Wrong answers are typed by ``taxonomy``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from apun.errors import UsageError
from apun.readers.pair import listed
from apun.scoring import taxonomy
from apun.scoring.lemmas import same_lemma
from apun.scoring.meaning import TAU, Matching, Similarity, match_meanings
from apun.scoring.taxonomy import ErrorType

PunKind = Literal["heterographic", "homophonic", "homographic"]


@dataclass(frozen=True, slots=True)
class Inference:
    """A judged answer.

    Attributes:
        correct: whether it is right.
        error: its error type; None when it is right.
        why: the rule that decided, in words.
        answers: the answer as read: one word, or the meanings.
        matching: similarities of the meanings (homographic, once two or more were given); None otherwise.
    """

    correct: bool
    error: ErrorType | None
    why: str
    answers: tuple[str, ...]
    matching: Matching | None = None


def classify_inference(
    prediction: str | Sequence[str],
    *,
    kind: PunKind,
    gold: Sequence[str | Sequence[str]],
    pun_word: str,
    text: str,
    language: str = "en",
    similarity: Similarity | None = None,
    tau: float = TAU,
) -> Inference:
    """Judge one answer to the inference task.

    Args:
        prediction: the word as read from the reply; for a homographic pun the meanings, or the text that
            lists them (parted by `` AND ``).
        kind: type of the pun.
        gold: right words, any of which will do; for a homographic pun its two meanings, each in one or
            more wordings.
        pun_word: the pun word as in the text.
        text: the sentence.
        language: ``en``, ``zh`` or ``ja``.
        similarity: similarity of meanings; ``load_similarity()`` when None.
        tau: threshold of a matching pair, in [-1, 1].

    Raises:
        UsageError: no gold answer, or an unknown kind.
        MissingDependency: no embedder is installed for a homographic pun.
    """
    if not gold:
        raise UsageError(f"there is no gold answer to judge {prediction!r} against")
    if kind == "homographic":
        return _meanings(prediction, gold, text, similarity, tau)
    if kind not in ("heterographic", "homophonic"):
        raise UsageError(f"unknown kind of pun {kind!r}; there is heterographic, homophonic and homographic")
    word = prediction if isinstance(prediction, str) else " ".join(prediction)
    wanted = [w for g in gold for w in ([g] if isinstance(g, str) else g)]
    for right in wanted:
        if same_lemma(word, right, language):
            return Inference(True, None, f"same lemma as {right!r}", (word,))
    error, why = taxonomy.word_error(word, pun_word=pun_word, gold=wanted, text=text, language=language)
    return Inference(False, error, why, (word,))


def _meanings(
    prediction: str | Sequence[str],
    gold: Sequence[str | Sequence[str]],
    text: str,
    similarity: Similarity | None,
    tau: float,
) -> Inference:
    parts = listed(prediction) if isinstance(prediction, str) else prediction
    given = taxonomy.said_meanings(parts, text)
    if taxonomy.style_problem(given):
        error, why = taxonomy.meaning_error(given, 0, tau)
        return Inference(False, error, why, given)
    matching = match_meanings(taxonomy.distinct_meanings(given), gold, similarity)
    matched = matching.matched(tau)
    if matched >= len(gold):
        return Inference(True, None, f"every pair reaches τ = {tau:g}", given, matching)
    error, why = taxonomy.meaning_error(given, matched, tau)
    return Inference(False, error, why, given, matching)
