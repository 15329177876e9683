"""Items: a xiehouyu with its literal and intended answer, and the pair that links them by sound.

An item file is JSON lines. Field by field::

    id, riddle, intended         text, required
    literal                      the literal answer; absent for type "direct"
    type                         homophonic | polysemous | direct
    riddle_pinyin, literal_pinyin, intended_pinyin
                                 one toned syllable a character (``jing4 shi4 shu1``); 5 is neutral
    pairs                        [{literal, intended, literal_pinyin, intended_pinyin, match}]
    familiarity                  mean human rating, 1 (never seen) to 4 (very familiar)
    band                         high | low, where there is no rating
    novel                        written for a test set, so that no model can have seen it
    origin, seed                 where it comes from; the xiehouyu it was made after
    gloss                        {riddle, literal, intended} in English
    example                      a sentence with the riddle, and ____ for the answer
    distractors                  [[intended, literal or null], …] from other xiehouyu
    cluster                      shared by variants of one xiehouyu; default: the id

Pinyin is gold: it is stored, and scoring never derives it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.x_riddles.homophony import LEVELS, Level

TYPES = ("homophonic", "polysemous", "direct")
BLANK = "____"
HIGH_FROM = 2.5  # mean familiarity from which a xiehouyu counts as high (Table 3)


@dataclass(frozen=True, slots=True)
class Pair:
    """The two words that sound alike.

    Attributes:
        literal: the word in the literal answer.
        intended: the word in its place in the intended answer.
        literal_pinyin: reading of the first, tone digits.
        intended_pinyin: reading of the second.
        match: ``same``, ``tone`` (tone differs), ``near`` or ``different``.
    """

    literal: str
    intended: str
    literal_pinyin: str
    intended_pinyin: str
    match: Level


@dataclass(frozen=True, slots=True)
class Distractor:
    """Answers of another xiehouyu, one for each target."""

    intended: str
    literal: str | None = None
    intended_pinyin: str = ""
    literal_pinyin: str = ""

    def answer(self, literal: bool) -> tuple[str, str]:
        """Text and pinyin of the answer shown when the literal (or intended) answer is asked for."""
        if literal and self.literal:
            return self.literal, self.literal_pinyin
        return self.intended, self.intended_pinyin


@dataclass(frozen=True, slots=True)
class Riddle:
    """One xiehouyu; see the module docstring for the fields."""

    id: str
    riddle: str
    intended: str
    type: str
    literal: str | None = None
    riddle_pinyin: str = ""
    literal_pinyin: str = ""
    intended_pinyin: str = ""
    pairs: tuple[Pair, ...] = ()
    familiarity: float | None = None
    band: str = ""
    novel: bool = False
    origin: str = ""
    seed: str = ""
    gloss: Mapping[str, str] = field(default_factory=dict)
    example: str = ""
    distractors: tuple[Distractor, ...] = ()
    group: str = ""

    @property
    def cluster(self) -> str:
        """Variants of one xiehouyu share it."""
        return self.group or self.id

    @property
    def language(self) -> str:
        """Always Chinese."""
        return "zh"

    @property
    def text(self) -> str:
        """The riddle: what is spoken in the default form."""
        return self.riddle

    @property
    def split(self) -> str:
        """``new``, ``high`` or ``low`` as in Table 4; ``unrated`` where familiarity is not known."""
        if self.novel:
            return "new"
        if self.familiarity is not None:
            return "high" if self.familiarity >= HIGH_FROM else "low"
        return self.band or "unrated"

    @property
    def match(self) -> Level | None:
        """How the literal and intended answer sound alike, the worst pair deciding; None without a pair."""
        return max((pair.match for pair in self.pairs), key=LEVELS.index, default=None)

    def answer(self, literal: bool) -> tuple[str, str]:
        """Text and pinyin of the literal answer where it is asked for and there is one, else of the intended one."""
        if literal and self.literal:
            return self.literal, self.literal_pinyin
        return self.intended, self.intended_pinyin

    def to_json(self) -> dict[str, Any]:
        """A line of an item file; empty fields are left out."""
        record = {key: value for key, value in asdict(self).items() if value not in (None, "", (), {}, False)}
        if self.distractors:
            record["distractors"] = [[d.intended, d.literal] for d in self.distractors]
        if "group" in record:
            record["cluster"] = record.pop("group")
        return record
