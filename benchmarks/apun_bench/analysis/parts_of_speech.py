"""Part of speech of the pun words (Table 6), of an item set rather than of a run.

The paper used spaCy. Where spaCy and ``en_core_web_sm`` are installed they are used here; otherwise
a small rule over lemminflect's dictionary: a capital inside the sentence is a proper noun; of the
parts of speech the word can have, its left neighbour chooses (after a determiner, preposition,
possessive, number or adjective a noun; after ``to``, a pronoun or an auxiliary a verb; after a form of
``be`` or an intensifier an adjective); else the order noun, verb, adjective, adverb.
The table names which one was used.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Sequence
from typing import Any

from apun.report.tables import Cell, Table
from benchmarks.apun_bench.analysis import quoted
from benchmarks.apun_bench.items import PunItem, words

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


def tags(items: Sequence[PunItem], by: str | None = None) -> list[str]:
    """Universal part of speech of each item's pun word, in order.

    Args:
        items: puns.
        by: ``spacy`` or ``rules``; the best there is when None.
    """
    if (by or tagger()) == "spacy":
        return _spacy(items)
    return [_by_rule(words(item.text), item.pun_index) for item in items]


def table6(items: Sequence[PunItem], name: str, by: str | None = None) -> Table:
    """Counts of pun words by part of speech, the published counts beside them.

    Args:
        items: any items; puns are counted.
        name: what to call them.
        by: as ``tags``.
    """
    puns = [item for item in items if item.is_pun]
    used = by or tagger()
    counts = Counter(tags(puns, used))
    own: tuple[Cell, ...] = (
        name,
        f"measured ({used})",
        *(counts[tag] for tag in TAGS),
        len(puns) - sum(counts[tag] for tag in TAGS),
    )
    published: list[tuple[Cell, ...]] = [
        (row["dataset"], f"{quoted.MARK} (spaCy)", *(row[tag] for tag in TAGS), None) for row in quoted.rows("table6")
    ]
    return Table(
        "table6",
        "Part of speech of pun words (layout of Table 6; counts)",
        ("Data", "By", *TAGS, "Other"),
        (own, *published),
        ("rules: neighbouring words and lemminflect's dictionary; spaCy's tagger is used where it is installed.",),
    )


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


def _spacy(items: Sequence[PunItem]) -> list[str]:
    import spacy

    pipeline: Any = spacy.load("en_core_web_sm", disable=["ner", "parser"])
    found = []
    for item, document in zip(items, pipeline.pipe(item.text for item in items), strict=True):
        own = [token for token in document if token.text.casefold() == item.pun_word.casefold()]
        found.append(own[-1].pos_ if own else "X")
    return found
