"""Items of YOMI-Bench: readings of kanji in words, rhymes, and words to tell apart by ear.

Gold readings are kana, stored in the item. ``weight`` makes a plain sum the paper's average: the
readings of one kanji share the weight 1 (section 3.3, "averaging the group-level accuracies").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["single", "multiple"]
LETTERS = "ABCD"


@dataclass(frozen=True, slots=True)
class Example:
    """A kanji in a word, with its true and a false reading, to show how answers are given."""

    kanji: str
    word: str
    reading: str
    negative: str


@dataclass(frozen=True, slots=True)
class ReadingItem:
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
    def language(self) -> str:
        """Always Japanese."""
        return "ja"

    @property
    def text(self) -> str:
        """The word."""
        return self.word

    @property
    def okurigana(self) -> str:
        """The kana that follow the kanji in its word: ``える`` in ``覚える``."""
        tail = self.word[self.word.index(self.kanji) + len(self.kanji) :]
        count = next((i for i, char in enumerate(tail) if not "ぁ" <= char <= "ゖ"), len(tail))
        return tail[:count]


@dataclass(frozen=True, slots=True)
class RhymeItem:
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
    def language(self) -> str:
        """Always Japanese."""
        return "ja"

    @property
    def text(self) -> str:
        """The query as written."""
        return self.query_kanji

    @property
    def rhyme(self) -> str:
        """The right option in kana."""
        return self.options_kana[self.answer]


@dataclass(frozen=True, slots=True)
class HeardItem:
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
    def language(self) -> str:
        """Always Japanese."""
        return "ja"

    @property
    def text(self) -> str:
        """The word."""
        return self.word


@dataclass(frozen=True, slots=True)
class Wording:
    """A released prompt: text around a question, worded in five ways.

    Attributes:
        questions: the five question sentences, with ``{word}``, ``{kanji}``, ``{reading}`` or ``{query}``.
        header: text before the examples.
        block: one example or the question, with ``{QUESTION}`` and ``{ANSWER}``.
        body: the whole prompt where there are no examples, with ``{QUESTION}`` and the options.
        shots: number of examples.
    """

    questions: tuple[str, ...]
    header: str = ""
    block: str = ""
    body: str = ""
    shots: int = 0


YomiItem = ReadingItem | RhymeItem | HeardItem
