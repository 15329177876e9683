"""A created xiehouyu: reading its fields out of an answer, and what can be checked by machine.

Checked (X-Riddles §3, §6, Appendices C and E): the format is complete; the two answers are homophones;
the homophone is not already in the riddle; the intended answer is made of real words; and no known
xiehouyu overlaps with it by half.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from apun.readers.lines import labelled
from benchmarks.x_riddles.homophony import Level, compare_words, han, worst
from benchmarks.x_riddles.lexicon import plausible
from benchmarks.x_riddles.overlap import Corpus, Overlap

LABELS: Mapping[str, str] = {
    "xiehouyu": r"歇后语|xiehouyu",
    "riddle": r"前半句|谜面|riddle|first half",
    "literal": r"字面(?:义|意思)?(?:的)?(?:后半句|谜底|答案)?|literal(?: answer)?",
    "intended": r"(?:实际|引申)(?:义|意思)?(?:的)?(?:后半句|谜底|答案)?|(?:intended|figurative)(?: answer)?",
    "homophones": r"谐音(?:字|词)?|homophones?",
    "meaning": r"解释|意思|explanation|meaning",
    "example": r"例句|example(?: sentence)?",
}
REQUIRED = ("riddle", "literal", "intended", "homophones", "meaning", "example")
_LONGEST = 60  # characters of a riddle or an answer; the longest in the public lists has 40
_PAIR = re.compile(r"[/／:：、→|和与-]+")


@dataclass(frozen=True, slots=True)
class Creation:
    """A created xiehouyu as it was written; a missing field is the empty string."""

    riddle: str
    literal: str
    intended: str
    homophones: tuple[str, str] | None
    meaning: str
    example: str

    @property
    def missing(self) -> tuple[str, ...]:
        """Required fields that are not there."""
        return tuple(name for name in REQUIRED if not getattr(self, name))


@dataclass(frozen=True, slots=True)
class Checks:
    """What was found out about a creation.

    Attributes:
        complete: every field is there.
        level: how the literal and intended answer sound alike where they differ.
        named: whether the homophones that are named are those where the answers differ.
        hidden: the homophones do not stand in the riddle.
        word: the intended answer is made of real words.
        overlap: largest character overlap with a known xiehouyu.
    """

    complete: bool
    level: Level
    named: bool
    hidden: bool
    word: bool
    overlap: Overlap

    @property
    def homophonic(self) -> bool:
        """Initials and finals agree; the tone may differ."""
        return self.level in ("same", "tone")

    @property
    def valid(self) -> bool:
        """Everything a machine can check holds."""
        return self.complete and self.homophonic and self.hidden and self.word and self.overlap.original


def read_creation(answer: str) -> Creation | None:
    """The last created xiehouyu in an answer, from its labelled lines or the fields of its JSON.

    Returns:
        None unless riddle, literal and intended answer are all there, each of 60 characters at most.
    """
    found = labelled(answer, LABELS, fold=False)
    if not found.get("riddle") and "xiehouyu" in found:
        found["riddle"] = re.split(r"——|—|--", found["xiehouyu"])[0]
    texts = {name: _text(found.get(name, "")) for name in ("riddle", "literal", "intended")}
    if not all(0 < len(text) <= _LONGEST for text in texts.values()):
        return None
    return Creation(
        **texts,
        homophones=_named_pair(found.get("homophones", "")),
        meaning=found.get("meaning", "").strip(),
        example=found.get("example", "").strip(),
    )


def check(creation: Creation, corpus: Corpus) -> Checks:
    """Everything that can be checked by machine."""
    spans = differences(creation.literal, creation.intended)
    level = worst(compare_words(a, b) for a, b in spans) if spans else "different"
    differing = set("".join(a + b for a, b in spans)) if spans else set()
    named = creation.homophones is not None and {*"".join(creation.homophones)} >= differing
    return Checks(
        complete=not creation.missing,
        level=level,
        named=bool(differing) and named,
        hidden=bool(differing) and not differing & set(creation.riddle),
        word=plausible(creation.intended),
        overlap=corpus.overlap(creation.riddle, creation.intended),
    )


def differences(literal: str, intended: str) -> list[tuple[str, str]]:
    """Where two answers of one length differ, neighbouring places together; empty when they cannot be aligned."""
    if len(literal) != len(intended):
        return []
    spans: list[tuple[str, str]] = []
    previous = -2
    for place, (a, b) in enumerate(zip(literal, intended, strict=True)):
        if a == b:
            continue
        if place == previous + 1:
            spans[-1] = (spans[-1][0] + a, spans[-1][1] + b)
        else:
            spans.append((a, b))
        previous = place
    return spans


def _text(value: str) -> str:
    """Chinese characters of a field, without glosses in parentheses."""
    return han(re.sub(r"[（(][^（）()]*[）)]", "", value))


def _named_pair(value: str) -> tuple[str, str] | None:
    words = [han(part) for part in _PAIR.split(re.sub(r"[（(][^（）()]*[）)]", "", value))]
    words = [word for word in words if word]
    return (words[0], words[1]) if len(words) >= 2 else None
