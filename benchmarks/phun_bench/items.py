"""Items of Phun-Bench: six kinds, each with its gold readings.

One kind serves several tasks: a homophone item is asked as a whole (``homophone_recall``,
``dictation``) and in its two steps (``word2pinyin``, ``pinyin2word``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apun.phonetics.mandarin import Syllable

LETTERS = "ABCD"
PERTURBATIONS = ("pert1", "pert2", "pert3", "pert4")
HOMOPHONE = "homo_4"  # the perturbation that Homophone Recall uses: all four characters replaced by homophones


@dataclass(frozen=True, slots=True)
class CharItem:
    """A character with a single reading (char2pinyin).

    Attributes:
        id: unique id.
        text: the character.
        syllable: its reading.
        tier: commonness, ``1`` (frequent) to ``3`` (names and terms).
    """

    id: str
    text: str
    syllable: Syllable
    tier: str
    language: str = "zh"

    @property
    def cluster(self) -> str:
        """Bootstrap cluster: the character itself."""
        return f"char:{self.text}"

    def to_json(self) -> dict[str, Any]:
        """The row of ``items.jsonl``."""
        return {"id": self.id, "kind": "char", "text": self.text, "syllable": self.syllable.numbered, "tier": self.tier}

    @property
    def stratum(self) -> str:
        """What a sample is drawn within."""
        return f"tier{self.tier}"


@dataclass(frozen=True, slots=True)
class GroupItem:
    """At least six characters of one sound (char2char, pinyin2char).

    Attributes:
        id: unique id.
        syllable: their sound.
        chars: the characters; five of them, without the one that is asked, are a full answer.
    """

    id: str
    syllable: Syllable
    chars: tuple[str, ...]
    language: str = "zh"

    @property
    def text(self) -> str:
        """The characters."""
        return "".join(self.chars)

    @property
    def cluster(self) -> str:
        """Bootstrap cluster: the sound."""
        return f"sound:{self.syllable.numbered}"

    def to_json(self) -> dict[str, Any]:
        """The row of ``items.jsonl``."""
        return {"id": self.id, "kind": "group", "syllable": self.syllable.numbered, "chars": list(self.chars)}

    @property
    def stratum(self) -> str:
        """What a sample is drawn within."""
        return "group"


@dataclass(frozen=True, slots=True)
class HomophoneItem:
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

    id: str
    text: str
    reading: tuple[Syllable, ...]
    target: str
    target_reading: tuple[Syllable, ...]
    alternatives: tuple[str, ...] = ()
    perturbation: str = HOMOPHONE
    language: str = "zh"

    @property
    def cluster(self) -> str:
        """Bootstrap cluster: the chengyu."""
        return f"chengyu:{self.target}"

    def to_json(self) -> dict[str, Any]:
        """The row of ``items.jsonl``."""
        return {
            "id": self.id,
            "kind": "homophone",
            "text": self.text,
            "reading": numbered(self.reading),
            "target": self.target,
            "target_reading": numbered(self.target_reading),
            "alternatives": list(self.alternatives),
            "perturbation": self.perturbation,
        }

    @property
    def stratum(self) -> str:
        """What a sample is drawn within."""
        return self.perturbation


@dataclass(frozen=True, slots=True)
class PunItem:
    """A sentence with a homophonic pun (contextual homophone recognition).

    Attributes:
        id: unique id.
        text: the sentence.
        pun: the pun word as written in it.
        target: the word it stands for, of the same sound.
        reading: reading of both.
    """

    id: str
    text: str
    pun: str
    target: str
    reading: tuple[Syllable, ...]
    language: str = "zh"

    @property
    def cluster(self) -> str:
        """Bootstrap cluster: the sentence."""
        return f"pun:{self.id}"

    def to_json(self) -> dict[str, Any]:
        """The row of ``items.jsonl``."""
        return {
            "id": self.id,
            "kind": "pun",
            "text": self.text,
            "pun": self.pun,
            "target": self.target,
            "reading": numbered(self.reading),
        }

    @property
    def stratum(self) -> str:
        """What a sample is drawn within."""
        return "pun"


@dataclass(frozen=True, slots=True)
class RhymeItem:
    """A line to rhyme with.

    Attributes:
        id: unique id.
        text: the line.
        groups: rhyme groups of its last two characters, in order.
    """

    id: str
    text: str
    groups: tuple[str, str]
    language: str = "zh"

    @property
    def cluster(self) -> str:
        """Bootstrap cluster: the line."""
        return f"line:{self.id}"

    def to_json(self) -> dict[str, Any]:
        """The row of ``items.jsonl``."""
        return {"id": self.id, "kind": "rhyme", "text": self.text, "groups": " ".join(self.groups)}

    @property
    def stratum(self) -> str:
        """What a sample is drawn within."""
        return "line"


@dataclass(frozen=True, slots=True)
class SimilarityItem:
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

    id: str
    text: str
    reading: tuple[Syllable, ...]
    candidates: tuple[str, ...]
    readings: tuple[tuple[Syllable, ...], ...]
    answer: int
    perturbation: str
    language: str = "zh"

    @property
    def cluster(self) -> str:
        """Bootstrap cluster: the reference word, which several perturbation types may share."""
        return f"word:{self.text}"

    def to_json(self) -> dict[str, Any]:
        """The row of ``items.jsonl``."""
        return {
            "id": self.id,
            "kind": "similarity",
            "text": self.text,
            "reading": numbered(self.reading),
            "candidates": list(self.candidates),
            "readings": [numbered(reading) for reading in self.readings],
            "answer": LETTERS[self.answer],
            "perturbation": self.perturbation,
        }

    @property
    def stratum(self) -> str:
        """What a sample is drawn within."""
        return self.perturbation


PhunItem = CharItem | GroupItem | HomophoneItem | PunItem | RhymeItem | SimilarityItem


def numbered(reading: tuple[Syllable, ...]) -> str:
    """A reading with tone digits, syllables separated by spaces."""
    return " ".join(syllable.numbered for syllable in reading)


def marked(reading: tuple[Syllable, ...]) -> str:
    """A reading with tone marks, syllables separated by spaces."""
    return " ".join(syllable.pinyin for syllable in reading)
