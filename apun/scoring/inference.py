"""Pun inference: is the intended word, or are both meanings, found? If not, what went wrong?

Heterographic and homophonic puns: exact match of normalised lemmas against every gold alternative
(APUN-Bench, equation 4). Homographic puns: the predicted meanings are matched one to one with the two gold
ones, and both pairs must reach τ.

Every wrong answer gets exactly one error type (APUN-Bench, Table 3).

Heterographic and homophonic puns, first rule that applies:

1. ``IA`` irrelevant answer: no word, more than ``MAX_WORDS`` words, or nothing that can be pronounced.
2. ``PWR`` pun word repeat: the pun word itself, by lemma.
3. ``PE`` position error: other words of the sentence only, by lemma.
4. ``WIE-similar``: sounds like the pun word or a gold answer: feature-weighted edit similarity
   (``phonetic.closeness``) of at least ``SIMILAR``.
5. ``WIE-not-similar``: any other word.

``SIMILAR`` is the 90th percentile of the closeness of unrelated words: one unrelated pair in ten
sounds as alike, while four gold pun pairs in five do (``scripts/measure_semeval.py`` prints both).

Homographic puns:

1. ``IA``: not two meanings (none, one, more than ``MAX_MEANINGS``, or nothing but symbols).
2. ``RD`` reasoning disorder: one pair of the optimal matching reaches τ.
3. ``MM`` meaning mismatch: none does.

Table 3's definitions are used; appendix C.1 of the paper prints them shifted by one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from apun.errors import PhoneticError, UsageError
from apun.phonetics import Sound, sounds, words
from apun.readers.pair import listed
from apun.scoring.lemmas import lemmas, same_lemma
from apun.scoring.location import MAX_WORDS
from apun.scoring.meaning import TAU, Matching, Similarity, match_meanings
from apun.scoring.phonetic import closeness

PunKind = Literal["heterographic", "homophonic", "homographic"]
ErrorType = Literal["PE", "PWR", "WIE-similar", "WIE-not-similar", "IA", "RD", "MM"]

WORD_ERRORS: tuple[ErrorType, ...] = ("PE", "PWR", "WIE-similar", "WIE-not-similar", "IA")
MEANING_ERRORS: tuple[ErrorType, ...] = ("RD", "MM", "IA")

SIMILAR = 0.65
MAX_MEANINGS = 4


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
    error, why = word_error(word, pun_word=pun_word, gold=wanted, text=text, language=language)
    return Inference(False, error, why, (word,))


def _meanings(
    prediction: str | Sequence[str],
    gold: Sequence[str | Sequence[str]],
    text: str,
    similarity: Similarity | None,
    tau: float,
) -> Inference:
    parts = listed(prediction) if isinstance(prediction, str) else prediction
    given = said_meanings(parts, text)
    if style_problem(given):
        error, why = meaning_error(given, 0, tau)
        return Inference(False, error, why, given)
    matching = match_meanings(distinct_meanings(given), gold, similarity)
    matched = matching.matched(tau)
    if matched >= len(gold):
        return Inference(True, None, f"every pair reaches τ = {tau:g}", given, matching)
    error, why = meaning_error(given, matched, tau)
    return Inference(False, error, why, given, matching)


def word_error(
    prediction: str, *, pun_word: str, gold: Sequence[str], text: str, language: str = "en"
) -> tuple[ErrorType, str]:
    """The type of a wrong word, and why.

    Args:
        prediction: the answer, which matches no gold one.
        pun_word: the word that carries the pun, as in the text.
        gold: the right answers.
        text: the sentence.
        language: ``en``, ``zh`` or ``ja``.
    """
    spoken = words(prediction[:200], language)
    if not spoken or not any(word.readings for word in spoken):
        return "IA", "the answer holds no word"
    if len(spoken) > MAX_WORDS:
        return "IA", f"the answer has {len(spoken)} words, more than {MAX_WORDS}"
    if same_lemma(prediction, pun_word, language):
        return "PWR", "the answer is the pun word"
    if _in_text([word.text for word in spoken], text, language):
        return "PE", "the answer is another word of the sentence"
    answered = _readings(prediction, language)
    if not answered:
        return "IA", "the answer cannot be pronounced"
    close = {word: closeness(answered, _readings(word, language)) for word in (pun_word, *gold)}
    nearest = max(close, key=lambda word: close[word])
    why = f"closest in sound to {nearest!r}: {close[nearest]:.2f} (similar from {SIMILAR})"
    return ("WIE-similar" if close[nearest] >= SIMILAR else "WIE-not-similar"), why


def meaning_error(meanings: Sequence[str], matched: int, tau: float) -> tuple[ErrorType, str]:
    """The type of a wrong pair of meanings, and why.

    Args:
        meanings: the meanings the answer gives.
        matched: how many pairs of the optimal matching reach τ.
        tau: the threshold.
    """
    problem = style_problem(meanings)
    if problem:
        return "IA", problem
    if matched:
        return "RD", f"one pair reaches τ = {tau:g}, the other does not"
    return "MM", f"no pair reaches τ = {tau:g}"


def style_problem(meanings: Sequence[str]) -> str:
    """Why an answer is not two meanings; empty when it is."""
    if len(meanings) < 2:
        return "two meanings were asked for and " + ("one was given" if meanings else "none was given")
    if len(meanings) > MAX_MEANINGS:
        return f"two meanings were asked for and {len(meanings)} were given"
    return ""


def said_meanings(meanings: Sequence[str], text: str = "") -> tuple[str, ...]:
    """The meanings that say something: an echo of the whole text is none.

    Sentence embeddings put a sentence near both meanings of its own pun, so an answer that repeats the
    sentence would pass the paper's threshold.
    """
    echo = _letters(text)
    return tuple(meaning for meaning in meanings if _letters(meaning) not in ("", echo))


def distinct_meanings(meanings: Sequence[str]) -> tuple[str, ...]:
    """Each meaning once: one layer said twice is one layer."""
    kept: dict[str, str] = {}
    for meaning in meanings:
        kept.setdefault(_letters(meaning), meaning)
    return tuple(kept.values())


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _in_text(spoken: Sequence[str], text: str, language: str) -> bool:
    present = frozenset(key for word in words(text, language) for key in lemmas(word.text, language))
    return all(not lemmas(word, language).isdisjoint(present) for word in spoken)


def _readings(word: str, language: str) -> tuple[Sound, ...]:
    try:
        return sounds(word, language)
    except PhoneticError:
        return ()
