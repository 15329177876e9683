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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from apun.audio_folder import json_lines
from apun.errors import PhoneticError
from apun.paths import write_atomic
from apun.phonetics.mandarin.pinyin import Syllable, parse
from apun.records import Record, read, unique
from benchmarks.x_riddles.homophony import LEVELS, Level, compare, han

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

    @classmethod
    def from_record(cls, record: Record) -> Riddle:
        """A line of an item file, checked.

        Raises:
            DataError: a field is missing, unknown, of the wrong kind, or contradicts another.
        """
        record.only(_FIELDS)
        if not isinstance(record.values.get("novel", False), bool):
            raise record.fault("must be true or false", "novel")
        familiarity = record.number("familiarity")
        if familiarity is not None and not 1 <= familiarity <= 4:
            raise record.fault("must be a mean rating from 1 to 4", "familiarity")
        gloss = record.values.get("gloss", {})
        if not isinstance(gloss, dict) or not all(isinstance(text, str) for text in gloss.values()):
            raise record.fault("must map riddle, literal and intended to text", "gloss")
        item = cls(
            id=record.text("id"),
            riddle=record.text("riddle"),
            intended=record.text("intended"),
            type=record.one_of("type", TYPES),
            literal=record.text("literal", "") or None,
            riddle_pinyin=record.text("riddle_pinyin", ""),
            literal_pinyin=record.text("literal_pinyin", ""),
            intended_pinyin=record.text("intended_pinyin", ""),
            pairs=tuple(_pair(record, row, where) for where, row in _rows(record, "pairs")),
            familiarity=familiarity,
            band=record.one_of("band", ("", "high", "low"), ""),
            novel=record.flag("novel"),
            origin=record.text("origin", ""),
            seed=record.text("seed", ""),
            gloss=gloss,
            example=record.text("example", ""),
            distractors=tuple(_distractor(record, row, where) for where, row in _rows(record, "distractors")),
            group=record.text("cluster", ""),
        )
        _require_consistent(record, item)
        return item


_FIELDS = (*(name for name in Riddle.__dataclass_fields__ if name != "group"), "cluster")


def read_items(path: str | Path) -> list[Riddle]:
    """The items of a file.

    Raises:
        DataError: names the file, line and field of the first fault.
    """
    return unique(((record, Riddle.from_record(record)) for record in read(path)), path)


def write_items(path: str | Path, items: Iterable[Riddle]) -> None:
    """Write an item file, one line an item; its folder is made where it lacks."""
    write_atomic(Path(path), json_lines(item.to_json() for item in items))


def _rows(record: Record, name: str) -> Iterator[tuple[str, Any]]:
    """Entries of a list, each with its name: ``pairs[0]``."""
    value = record.values.get(name, [])
    if not isinstance(value, list | tuple):
        raise record.fault("must be a list", name)
    return ((f"{name}[{index}]", row) for index, row in enumerate(value))


def _pair(record: Record, row: Any, where: str) -> Pair:
    names = tuple(Pair.__dataclass_fields__)
    if not isinstance(row, dict) or set(row) != set(names) or not all(isinstance(row[n], str) for n in names):
        raise record.fault("must hold text for each of " + ", ".join(names), where)
    if row["match"] not in LEVELS:
        raise record.fault(f"is {row['match']!r}", f"{where}.match", f"Use one of: {', '.join(LEVELS)}.")
    pair = Pair(**row)
    literal = _sound(record, pair.literal, pair.literal_pinyin, where)
    by_pinyin = compare(literal, _sound(record, pair.intended, pair.intended_pinyin, where))
    if by_pinyin != pair.match:
        spelled = f"{pair.literal_pinyin}/{pair.intended_pinyin}"
        raise record.fault(f"says {pair.match!r}, and by pinyin {spelled} is {by_pinyin!r}", f"{where}.match")
    return pair


def _distractor(record: Record, row: Any, where: str) -> Distractor:
    intended, *literal = row if isinstance(row, list) and len(row) == 2 else (row, None)
    if not isinstance(intended, str) or not intended or not isinstance(literal[0], str | None):
        raise record.fault("must be an answer, or [intended, literal or null]", where)
    return Distractor(intended, literal[0] or None)


def _require_consistent(record: Record, item: Riddle) -> None:
    for name in ("riddle", "literal", "intended"):
        if pinyin := getattr(item, f"{name}_pinyin"):
            _sound(record, getattr(item, name) or "", pinyin, f"{name}_pinyin")
    if item.example and BLANK not in item.example:
        raise record.fault(f"has no blank {BLANK}", "example")
    if item.type != "homophonic":
        if item.pairs:
            raise record.fault(f"belongs to a homophonic xiehouyu, and this one is {item.type}", "pairs")
    elif not item.literal or not item.pairs:
        raise record.fault("is needed for a homophonic xiehouyu", "pairs" if item.literal else "literal")
    elif not _links(item.literal, item.intended, item.pairs):
        pairs = ", ".join(f"{pair.literal}/{pair.intended}" for pair in item.pairs)
        raise record.fault(f"{pairs} does not turn {item.literal!r} into {item.intended!r}", "pairs")


def _sound(record: Record, text: str, pinyin: str, where: str) -> Sequence[Syllable]:
    try:
        syllables = parse(pinyin)
    except PhoneticError as error:
        raise record.fault(str(error), where, "Write one toned syllable a character, such as shu1.") from error
    if len(syllables) != len(han(text)):
        problem = f"has {len(syllables)} syllables for the {len(han(text))} characters of {text!r}"
        raise record.fault(problem, where)
    return syllables


def _links(literal: str, intended: str, pairs: Sequence[Pair]) -> bool:
    """Whether the pairs, in order, turn the literal answer into the intended one, all else being equal."""
    if not pairs:
        return literal == intended
    first, rest = pairs[0], pairs[1:]
    start = literal.find(first.literal)
    while start >= 0 and literal[:start] == intended[:start]:
        stops = start + len(first.literal), start + len(first.intended)
        same_place = intended.startswith(first.intended, start)
        if same_place and _links(literal[stops[0] :], intended[stops[1] :], rest):
            return True
        start = literal.find(first.literal, start + 1)
    return False
