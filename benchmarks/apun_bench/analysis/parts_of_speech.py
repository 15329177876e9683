"""Part of speech of the pun words (Table 6).

The paper used spaCy. Where spaCy and ``en_core_web_sm`` are installed they are used here; otherwise
a small rule over lemminflect's dictionary: a capital inside the sentence is a proper noun; of the
parts of speech the word can have, its left neighbour chooses (after a determiner, preposition,
possessive, number or adjective a noun; after ``to``, a pronoun or an auxiliary a verb; after a form of
``be`` or an intensifier an adjective); else the order noun, verb, adjective, adverb.
The table names which one was used.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections import Counter
from collections.abc import Sequence
from typing import Any

from apun.report.tables import Cell, Table
from benchmarks.apun_bench.analysis import quoted
from benchmarks.apun_bench.analysis.rates import Runs, of_task
from benchmarks.apun_bench.items import words

Pun = tuple[str, int]  # a text, and the place of its pun word among its words

TAGS = ("NOUN", "ADV", "VERB", "ADJ", "PROPN")
_NOUN_FOLLOWS = (
    "a an the this that these those my your his her its our their some any no every each of in on at for with by from "
    "into over under through per one two three single own whole"
)
_VERB_FOLLOWS = (
    "to i you he she it we they who will would can could may might must should shall do does did not never let and"
)
_ADJECTIVE_FOLLOWS = "is are was were be been being am so very too rather quite perfectly looks"
_BEFORE_NOUN = frozenset(_NOUN_FOLLOWS.split())
_BEFORE_VERB = frozenset(_VERB_FOLLOWS.split())
_BEFORE_ADJECTIVE = frozenset(_ADJECTIVE_FOLLOWS.split())


def tagger() -> str:
    """``spacy`` where it and its small English model are installed, else ``rules``."""
    here = importlib.util.find_spec("spacy") and importlib.util.find_spec("en_core_web_sm")
    return "spacy" if here else "rules"


def tags(puns: Sequence[Pun], by: str | None = None) -> list[str]:
    """Universal part of speech of each pun word, in order.

    Args:
        puns: texts with the place of their pun word among ``words(text)``.
        by: ``spacy`` or ``rules``; the best there is when None.
    """
    if (by or tagger()) == "spacy":
        return _spacy(puns)
    return [_by_rule(words(text), index) for text, index in puns]


def table6(data: Sequence[tuple[str, Sequence[Pun]]], by: str | None = None) -> Table:
    """Counts of pun words by part of speech, the published counts beside them.

    Args:
        data: name and puns of each item set.
        by: as ``tags``.
    """
    used = by or tagger()
    body: list[tuple[Cell, ...]] = []
    for name, puns in data:
        counts = Counter(tags(puns, used))
        shown = [counts[tag] for tag in TAGS]
        body.append((name, f"measured ({used})", *shown, len(puns) - sum(shown)))
    for row in quoted.rows("table6"):
        body.append((row["dataset"], f"{quoted.MARK} (spaCy)", *(row[tag] for tag in TAGS), None))
    return Table(
        "table6",
        "Part of speech of pun words (layout of Table 6; counts)",
        ("Data", "By", *TAGS, "Other"),
        tuple(body),
        ("rules: neighbouring words and lemminflect's dictionary; spaCy's tagger is used where it is installed.",),
    )


def tables(runs: Runs) -> Sequence[Table]:
    """Table 6 of the puns that the runs asked to locate, each text once."""
    puns = {
        score.item: (str(score.detail["spoken"]), int(score.detail["gold_index"]))
        for _, scores in runs
        for score in of_task(scores, "apun.location")
    }
    return [table6([("puns of these runs", list(puns.values()))])] if puns else []


def _by_rule(spoken: Sequence[str], index: int) -> str:
    from lemminflect import getAllLemmas

    word = spoken[index]
    if index and word[:1].isupper() and word != "I":
        return "PROPN"
    known = getAllLemmas(word.casefold())
    possible = [tag for tag in ("NOUN", "VERB", "ADJ", "ADV") if tag in known or (tag == "VERB" and "AUX" in known)]
    if not possible:
        return "NOUN"
    before = spoken[index - 1].casefold() if index else ""
    chosen = (
        ("NOUN", "ADJ")
        if before in _BEFORE_NOUN or before.endswith(("'s", "’s")) or "ADJ" in getAllLemmas(before)
        else ("VERB",)
        if before in _BEFORE_VERB
        else ("ADJ", "VERB")
        if before in _BEFORE_ADJECTIVE
        else ()
    )
    return next((tag for tag in chosen if tag in possible), possible[0])


def _spacy(puns: Sequence[Pun]) -> list[str]:
    pipeline: Any = importlib.import_module("spacy").load("en_core_web_sm", disable=["ner", "parser"])
    found = []
    for (text, index), document in zip(puns, pipeline.pipe(text for text, _ in puns), strict=True):
        own = [token for token in document if token.text.casefold() == words(text)[index].casefold()]
        found.append(str(own[-1].pos_) if own else "X")
    return found
