"""Items of Phun-Bench: six kinds, each with its gold readings, and how each stands in a row.

One kind serves several tasks: a homophone item is asked as a whole (``homophone_recall``,
``dictation``) and in its two steps (``word2pinyin``, ``pinyin2word``).

A kind's ``columns`` say how its fields are read from a row and written back; its ``problems`` what must hold
together. Both serve every row: of ``items.jsonl``, and of the released files, where fields go by other names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from apun.errors import PhoneticError
from apun.phonetics.mandarin import Syllable, han, is_han, numbered, parse, rhyme_group
from apun.records import Record, shown

LETTERS = "ABCD"
TIERS = ("1", "2", "3")
PERTURBATIONS = ("pert1", "pert2", "pert3", "pert4")
HOMOPHONE = "homo_4"  # the perturbation that Homophone Recall uses: all four characters replaced by homophones
LEGACY = tuple(f"{kind}_{count}" for kind in ("base", "tone") for count in range(1, 5))
SMALLEST_GROUP = 6  # one character is asked, five others are a full answer
Reading = tuple[Syllable, ...]
Problems = Iterator[tuple[str, str]]
T = TypeVar("T", bound="_Item")


def pinyin(row: Record, name: str, spelled: str, of: str) -> Reading:
    """Parsed pinyin that must fit a word, one syllable a character.

    Raises:
        DataError: no pinyin, or not as many syllables as the word has Chinese characters.
    """
    try:
        syllables = parse("".join(char for char in spelled if char not in "，,、。"))
    except PhoneticError as error:
        raise row.fault(str(error), name, "Correct the pinyin.") from error
    if len(syllables) != len(han(of)):
        raise row.fault(f"has {len(syllables)} syllables for {of!r}", name, "Give one syllable a character.")
    return syllables


@dataclass(frozen=True, slots=True)
class Column:
    """How a field stands in a row.

    Attributes:
        read: its value, from the row, its name there and the fields read before it.
        write: the value in plain JSON.
    """

    read: Callable[[Record, str, Mapping[str, Any]], Any]
    write: Callable[[Any], Any] = lambda value: value


def _han(length: int | None = None) -> Column:
    """A word of Chinese characters; commas may stand between them unless it has a length."""

    def read(row: Record, name: str, item: Mapping[str, Any]) -> str:
        value = row.text(name)
        if not han(value) or any(char.isalnum() and not is_han(char) for char in value):
            raise row.fault(f"must be Chinese characters, is {shown(value)}", name)
        if length is not None and not len(han(value)) == len(value) == length:
            raise row.fault(f"must be {length} Chinese characters, is {shown(value)}", name)
        return value

    return Column(read)


def _reading(of: str) -> Column:
    return Column(lambda row, name, item: pinyin(row, name, row.text(name), item[of]), numbered)


def _syllable(of: str) -> Column:
    """The reading of a field's first character."""
    return Column(lambda row, name, item: pinyin(row, name, row.text(name), item[of][0])[0], lambda s: s.numbered)


def _readings(row: Record, name: str, item: Mapping[str, Any]) -> tuple[Reading, ...]:
    words = item["candidates"]
    return tuple(pinyin(row, name, text, of) for text, of in zip(row.texts(name, len(words)), words, strict=True))


def _group(row: Record, name: str, item: Mapping[str, Any]) -> tuple[str, ...]:
    chars = row.texts(name)
    if any(len(char) != 1 or not is_han(char) for char in chars) or len(set(chars)) != len(chars):
        raise row.fault("must be single Chinese characters, none twice", name)
    if len(chars) < SMALLEST_GROUP:
        raise row.fault(f"has {len(chars)} characters; one is asked, and five others are the answer", name)
    return chars


def _rhyme_groups(row: Record, name: str, item: Mapping[str, Any]) -> tuple[str, str]:
    found = row.text(name).split()
    if len(found) != 2 or not all(map(_is_rhyme_group, found)):
        raise row.fault(f"must be two of the 18 rhyme groups, is {shown(row.values.get(name))}", name)
    return found[0], found[1]


def _is_rhyme_group(label: str) -> bool:
    try:
        return label != "ê" and rhyme_group(label) == label
    except PhoneticError:
        return False


def _one_of(*allowed: str, default: str | None = None) -> Column:
    return Column(lambda row, name, item: row.one_of(name, allowed, default))


_TEXT = Column(lambda row, name, item: row.text(name))
_LETTER = Column(lambda row, name, item: LETTERS.index(row.one_of(name, tuple(LETTERS))), lambda place: LETTERS[place])


class _Item:
    """An item in rows of ``items.jsonl``."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]
    kind: ClassVar[str]
    cluster_of: ClassVar[str]  # filled with the item, as is the next
    stratum_of: ClassVar[str]
    columns: ClassVar[Mapping[str, Column]]
    id: str

    @property
    def cluster(self) -> str:
        """Bootstrap cluster."""
        return self.cluster_of.format(self)

    @property
    def stratum(self) -> str:
        """What a sample is drawn within."""
        return self.stratum_of.format(self)

    def problems(self) -> Problems:
        """Field and problem of whatever does not hold together."""
        return iter(())

    def to_json(self) -> dict[str, Any]:
        """The row of ``items.jsonl``."""
        known = [name for name in self.__dataclass_fields__ if name in self.columns]
        return {"id": self.id, "kind": self.kind} | {n: self.columns[n].write(getattr(self, n)) for n in known}


@dataclass(frozen=True, slots=True)
class CharItem(_Item):
    """A character with a single reading (char2pinyin).

    Attributes:
        id: unique id.
        text: the character.
        syllable: its reading.
        tier: commonness, ``1`` (frequent) to ``3`` (names and terms).
    """

    kind: ClassVar[str] = "char"
    cluster_of: ClassVar[str] = "char:{0.text}"
    stratum_of: ClassVar[str] = "tier{0.tier}"
    columns: ClassVar[Mapping[str, Column]] = {
        "text": _han(1),
        "syllable": _syllable("text"),
        "tier": _one_of(*TIERS),
    }
    id: str
    text: str
    syllable: Syllable
    tier: str
    language: str = "zh"


@dataclass(frozen=True, slots=True)
class GroupItem(_Item):
    """At least six characters of one sound (char2char, pinyin2char).

    Attributes:
        id: unique id.
        syllable: their sound.
        chars: the characters; five of them, without the one that is asked, are a full answer.
    """

    kind: ClassVar[str] = "group"
    cluster_of: ClassVar[str] = "sound:{0.syllable.numbered}"
    stratum_of: ClassVar[str] = "group"
    columns: ClassVar[Mapping[str, Column]] = {"chars": Column(_group, list), "syllable": _syllable("chars")}
    id: str
    syllable: Syllable
    chars: tuple[str, ...]
    language: str = "zh"

    @property
    def text(self) -> str:
        """The characters."""
        return "".join(self.chars)


@dataclass(frozen=True, slots=True)
class HomophoneItem(_Item):
    """A chengyu and meaningless characters that sound like it (Algorithm 1).

    Attributes:
        id: unique id.
        text: the meaningless characters.
        reading: how they are read; the reading of the target too, unless perturbed otherwise.
        target: the chengyu.
        target_reading: its reading.
        alternatives: other real chengyu of the same reading (莫名其妙 / 莫明其妙).
        perturbation: ``homo_4``; or the release's legacy ``base_N`` and ``tone_N`` (N characters near in sound).
    """

    kind: ClassVar[str] = "homophone"
    cluster_of: ClassVar[str] = "chengyu:{0.target}"
    stratum_of: ClassVar[str] = "{0.perturbation}"
    columns: ClassVar[Mapping[str, Column]] = {
        "target": _han(4),
        "text": _han(4),
        "target_reading": _reading("target"),
        "reading": _reading("text"),
        "alternatives": Column(lambda row, name, item: row.texts(name), list),
        "perturbation": _one_of(HOMOPHONE, *LEGACY, default=HOMOPHONE),
    }
    id: str
    text: str
    reading: Reading
    target: str
    target_reading: Reading
    alternatives: tuple[str, ...] = ()
    perturbation: str = HOMOPHONE
    language: str = "zh"

    def problems(self) -> Problems:
        if self.perturbation == HOMOPHONE and self.reading != self.target_reading:
            yield "reading", f"{self.text} and {self.target} must have one reading"
        if self.perturbation == HOMOPHONE and any(a == b for a, b in zip(self.target, self.text, strict=True)):
            yield "text", f"{self.text} shares a character with {self.target}"


@dataclass(frozen=True, slots=True)
class PunItem(_Item):
    """A sentence with a homophonic pun (contextual homophone recognition).

    Attributes:
        id: unique id.
        text: the sentence.
        pun: the pun word as written in it.
        target: the word it stands for, of the same sound.
        reading: reading of both.
    """

    kind: ClassVar[str] = "pun"
    cluster_of: ClassVar[str] = "pun:{0.id}"
    stratum_of: ClassVar[str] = "pun"
    columns: ClassVar[Mapping[str, Column]] = {
        "text": _TEXT,
        "pun": _han(),
        "target": _han(),
        "reading": _reading("pun"),
    }
    id: str
    text: str
    pun: str
    target: str
    reading: Reading
    language: str = "zh"

    def problems(self) -> Problems:
        if self.pun not in self.text:
            yield "pun", f"{self.pun!r} is not in the sentence"
        if self.pun == self.target:
            yield "target", "the pun word and the word it stands for are the same"
        if len(han(self.target)) != len(self.reading):
            yield "reading", f"has {len(self.reading)} syllables for {self.target!r}"


@dataclass(frozen=True, slots=True)
class RhymeItem(_Item):
    """A line to rhyme with.

    Attributes:
        id: unique id.
        text: the line.
        groups: rhyme groups of its last two characters, in order.
    """

    kind: ClassVar[str] = "rhyme"
    cluster_of: ClassVar[str] = "line:{0.id}"
    stratum_of: ClassVar[str] = "line"
    columns: ClassVar[Mapping[str, Column]] = {"text": _TEXT, "groups": Column(_rhyme_groups, " ".join)}
    id: str
    text: str
    groups: tuple[str, str]
    language: str = "zh"


@dataclass(frozen=True, slots=True)
class SimilarityItem(_Item):
    """Which of four words sounds most like a word (Algorithm 2).

    Attributes:
        id: unique id.
        text: the reference word, two characters.
        reading: its reading.
        candidates: four words.
        readings: their readings.
        answer: index of the right one, 0 to 3.
        perturbation: ``pert1`` to ``pert4`` (Table 1).
    """

    kind: ClassVar[str] = "similarity"
    cluster_of: ClassVar[str] = "word:{0.text}"  # the reference word, which several perturbation types may share
    stratum_of: ClassVar[str] = "{0.perturbation}"
    columns: ClassVar[Mapping[str, Column]] = {
        "text": _han(2),
        "reading": _reading("text"),
        "candidates": Column(lambda row, name, item: row.texts(name, 4), list),
        "readings": Column(_readings, lambda readings: [numbered(reading) for reading in readings]),
        "answer": _LETTER,
        "perturbation": _one_of(*PERTURBATIONS),
    }
    id: str
    text: str
    reading: Reading
    candidates: tuple[str, ...]
    readings: tuple[Reading, ...]
    answer: int
    perturbation: str
    language: str = "zh"

    def problems(self) -> Problems:
        if len({self.text, *self.candidates}) != 5:
            yield "candidates", "the word and its four candidates must be five different words"


PhunItem = CharItem | GroupItem | HomophoneItem | PunItem | RhymeItem | SimilarityItem
KINDS: Mapping[str, type[PhunItem]] = {
    kind.kind: kind for kind in (CharItem, GroupItem, HomophoneItem, PunItem, RhymeItem, SimilarityItem)
}


def read_item(kind: type[T], row: Record, id: str, names: Mapping[str, str] = MappingProxyType({}), **known: Any) -> T:
    """The item of a row.

    Args:
        kind: what it is.
        row: its fields.
        id: its id.
        names: fields that the row calls otherwise.
        known: fields that the row does not state.

    Raises:
        DataError: a field is missing, cannot be read, or contradicts another; names it as the row does.
    """
    item = dict(known)
    for name, column in kind.columns.items():
        if name not in known:
            item[name] = column.read(row, names.get(name, name), item)
    made = kind(id=id, **item)  # type: ignore[call-arg]
    for name, problem in made.problems():
        raise row.fault(problem, names.get(name, name))
    return made
