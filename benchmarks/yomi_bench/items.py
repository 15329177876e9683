"""Items of YOMI-Bench: readings of kanji in words, rhymes, and words to tell apart by ear.

A folder of items holds, one JSON object a line::

    readings.jsonl          sample_id (single_N or multi_N_M), kanji, word, reading; where known: negative, word_kana,
                            base, others
    qa_single_items.jsonl   sample_id, negative
    rhyme_items.jsonl       query_kanji, query_kana, options_kanji, options_kana, answer (0 to 3); id where it has one
    heard_items.jsonl       id, word, kana, options, options_kana, answer
    prompt_variants.json    the released prompts, by released task name

Gold readings are kana, stored in the item. ``weight`` makes a plain sum the paper's average: the
readings of one kanji share the weight 1 (section 3.3, "averaging the group-level accuracies").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from apun.errors import PhoneticError
from apun.phonetics.japanese import is_kana, normalise, vowel_sequence
from apun.records import Record
from benchmarks.yomi_bench.kanji import okurigana

Kind = Literal["single", "multiple"]
LETTERS = "ABCD"
_SAMPLE_ID = re.compile(r"(single)_\d+|(multi)_(\d+)_\d+")


class _Japanese:
    __slots__ = ()

    @property
    def language(self) -> str:
        """Always Japanese."""
        return "ja"


@dataclass(frozen=True, slots=True)
class Example:
    """A kanji in a word, with its true and a false reading, to show how answers are given."""

    kanji: str
    word: str
    reading: str
    negative: str


@dataclass(frozen=True, slots=True)
class ReadingItem(_Japanese):
    """One kanji in one word.

    Attributes:
        id: unique in the subset.
        kanji: the kanji asked for.
        word: the word it stands in.
        reading: its reading in that word, hiragana, without okurigana, as it sounds there (``花園``: ``ぞの``).
        kind: whether the kanji has one reading in the official table or more.
        negative: a false reading with as many kana, for the yes/no question.
        word_kana: reading of the whole word; None where it is not given.
        base: the official reading that ``reading`` comes from, where voicing or ``っ`` changed it.
        others: readings of the same kanji in other words.
        weight: one over the number of items of this kanji and kind.
        weight_corrected: the same with known slips left out.
        slip: why the gold reading is doubtful; None when it is not.
        corrected: whether it is asked in a run that leaves slips out.
        qa_examples: other kanji of the same kind in the subset, from which worked examples are drawn. Part of
            the item, so that its prompt does not depend on which items are asked.
        reading_examples: kanji with one reading, likewise.
        wording: the released prompts, where the folder holds them, by released task name.
    """

    id: str
    kanji: str
    word: str
    reading: str
    kind: Kind
    negative: str
    word_kana: str | None = None
    base: str | None = None
    others: tuple[str, ...] = ()
    weight: float = 1.0
    weight_corrected: float = 1.0
    slip: str | None = None
    corrected: bool = False
    qa_examples: tuple[Example, ...] = ()
    reading_examples: tuple[Example, ...] = ()
    wording: Mapping[str, Wording] = field(default_factory=dict, compare=False, repr=False)

    @property
    def cluster(self) -> str:
        """All questions about one kanji belong together."""
        return f"kanji:{self.kanji}"

    @property
    def text(self) -> str:
        """The word."""
        return self.word

    @property
    def okurigana(self) -> str:
        """The kana that follow the kanji in its word: ``える`` in ``覚える``."""
        return okurigana(self.word.partition(self.kanji)[2])

    def to_json(self) -> dict[str, Any]:
        """A line of ``readings.jsonl``; what is not known is left out."""
        row = {"sample_id": self.id, "kanji": self.kanji, "word": self.word, "reading": self.reading}
        more = {"negative": self.negative, "word_kana": self.word_kana, "base": self.base, "others": self.others}
        return {**row, **{name: value for name, value in more.items() if value}}

    @classmethod
    def from_record(cls, record: Record) -> ReadingItem:
        """What a row says by itself; ``benchmarks.yomi_bench.data`` adds what depends on the other rows.

        Raises:
            DataError: a field is missing, no kana, or contradicts another.
        """
        name, kanji, word = (record.text(field) for field in ("sample_id", "kanji", "word"))
        match = _SAMPLE_ID.fullmatch(name)
        if not match:
            fix = "Use single_N, or multi_N_M where N counts the kanji and M its readings."
            raise record.fault(f"is {name!r}", "sample_id", fix)
        if kanji not in word:
            raise record.fault(f"does not hold the kanji {kanji!r}", "word")
        return cls(
            id=name,
            kanji=kanji,
            word=word,
            reading=kana_in(record, "reading"),
            kind="single" if match[1] else "multiple",
            negative=kana_in(record, "negative") if record.has("negative") else "",
            word_kana=kana_in(record, "word_kana") if record.has("word_kana") else None,
            base=kana_in(record, "base") if record.has("base") else None,
            others=tuple(map(normalise, record.texts("others"))),
        )


@dataclass(frozen=True, slots=True)
class RhymeItem(_Japanese):
    """A query and four words, one of which has the query's vowels.

    Attributes:
        id: unique in the subset.
        query_kanji, query_kana: the word as written and as read.
        options_kanji, options_kana: the four words as written and as read.
        answer: index of the rhyme, 0 to 3.
        wording: the released prompts, where the folder holds them, by released task name.
    """

    id: str
    query_kanji: str
    query_kana: str
    options_kanji: tuple[str, ...]
    options_kana: tuple[str, ...]
    answer: int
    wording: Mapping[str, Wording] = field(default_factory=dict, compare=False, repr=False)

    @property
    def cluster(self) -> str:
        """Every form of one query belongs together."""
        return f"rhyme:{self.query_kana}"

    @property
    def text(self) -> str:
        """The query as written."""
        return self.query_kanji

    @property
    def rhyme(self) -> str:
        """The right option in kana."""
        return self.options_kana[self.answer]

    def to_json(self) -> dict[str, Any]:
        """A line of ``rhyme_items.jsonl``."""
        return {name: value for name, value in asdict(self).items() if name != "wording"}

    @classmethod
    def from_record(cls, record: Record, name: str, wording: Mapping[str, Wording]) -> RhymeItem:
        """A row as an item; ``name`` is its id where it has none.

        Raises:
            DataError: a field is wrong, or not exactly the answer has the query's vowels.
        """
        item = cls(
            id=record.text("id", name),
            query_kanji=record.text("query_kanji"),
            query_kana=kana_in(record, "query_kana"),
            options_kanji=record.texts("options_kanji", 4),
            options_kana=tuple(map(normalise, record.texts("options_kana", 4))),
            answer=record.whole("answer", 0, 3),
            wording=wording,
        )
        vowels = vowel_sequence(item.query_kana)
        rhymes = [index for index, kana in enumerate(item.options_kana) if _vowels(kana) == vowels]
        if rhymes != [item.answer]:
            letters = ", ".join(LETTERS[index] for index in rhymes) or "none"
            given = LETTERS[item.answer]
            problem = f"options with the vowels of {item.query_kana}: {letters}; the answer given is {given}"
            fix = "Exactly the option that is the answer may have the query's vowels."
            raise record.fault(problem, "options_kana", fix)
        return item


@dataclass(frozen=True, slots=True)
class HeardItem(_Japanese):
    """A word to be heard, among words that sound nearly like it.

    Attributes:
        id: unique in the subset.
        word, kana: the word as written and as read.
        options, options_kana: four words as written and as read, no two of them homophones.
        answer: index of the word, 0 to 3.
    """

    id: str
    word: str
    kana: str
    options: tuple[str, ...]
    options_kana: tuple[str, ...]
    answer: int

    @property
    def cluster(self) -> str:
        """Questions about one sound belong together."""
        return f"heard:{self.kana}"

    @property
    def text(self) -> str:
        """The word."""
        return self.word

    def to_json(self) -> dict[str, Any]:
        """A line of ``heard_items.jsonl``."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Record) -> HeardItem:
        """A row as an item.

        Raises:
            DataError: a field is wrong, or not exactly the answer is read like the word.
        """
        item = cls(
            id=record.text("id"),
            word=record.text("word"),
            kana=kana_in(record, "kana"),
            options=record.texts("options", 4),
            options_kana=tuple(map(normalise, record.texts("options_kana", 4))),
            answer=record.whole("answer", 0, 3),
        )
        if [kana == item.kana for kana in item.options_kana] != [index == item.answer for index in range(4)]:
            raise record.fault(f"exactly the answer must be read {item.kana}", "options_kana")
        return item


@dataclass(frozen=True, slots=True)
class Wording:
    """A released prompt: text around a question, worded in five ways.

    Attributes:
        questions: the five question sentences, with ``{word}``, ``{kanji}``, ``{reading}`` or ``{query}``.
        header: text before the examples.
        block: one example or the question, with ``{QUESTION}`` and ``{ANSWER}``.
        body: the whole prompt where there are no examples, with ``{QUESTION}`` and the options.
    """

    questions: tuple[str, ...]
    header: str = ""
    block: str = ""
    body: str = ""

    @classmethod
    def from_record(cls, record: Record) -> Wording:
        """The wording of one task of ``prompt_variants.json``.

        Raises:
            DataError: names the task and the field.
        """
        return cls(
            questions=record.texts("question_variants"),
            header=_verbatim(record, "header"),
            block=_verbatim(record, "block"),
            body=_verbatim(record, "body"),
        )


YomiItem = ReadingItem | RhymeItem | HeardItem


def kana_in(record: Record, name: str) -> str:
    """A field that holds kana, as hiragana.

    Raises:
        DataError: it is empty or holds anything else.
    """
    value = record.text(name)
    if not is_kana(value):
        raise record.fault(f"must be kana, is {value!r}", name, "Write it in hiragana.")
    return normalise(value)


def _verbatim(record: Record, name: str) -> str:
    """A text with the space around it, which belongs to a prompt; empty where it is missing."""
    value = record.values.get(name, "")
    if not isinstance(value, str):
        raise record.fault("must be text", name)
    return value


def _vowels(kana: str) -> str | None:
    try:
        return vowel_sequence(kana)
    except PhoneticError:  # a placeholder such as ○○ in the released options
        return None
