"""What goes wrong: where in the sentence models look (Figure 3, §5.2), the error types of inference (Figure 4), and
the parts of speech of pun words (Table 6).

The paper tagged with spaCy. Where spaCy and ``en_core_web_sm`` are installed they are used here; otherwise
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
from apun.tasks import Runs
from benchmarks.apun_bench.items import HOMOGRAPHIC, PUN_TYPES, words
from benchmarks.apun_bench.tables import MARK, base_variant, of_task, quoted, rows_of, value
from benchmarks.apun_bench.tasks import inference, location

Pun = tuple[str, int]  # a text, and the place of its pun word among its words

HINT, BASE = "hint", "p0"
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


def positions(runs: Runs) -> Table | None:
    """Share of located words by fifth of the sentence, the gold words' first (Figure 3)."""
    found: list[tuple[str, list[str]]] = []
    gold: dict[str, str] = {}
    for label, scores in rows_of(runs, location.NAME):
        gold |= {score.item: score.labels["position_gold"] for score in scores}
        found.append((label, [score.labels["position_predicted"] for score in scores]))
    intervals = (*location.INTERVALS, "none")
    body: list[Sequence[Cell]] = []
    for label, places in [("gold", list(gold.values())), *found] if found else []:
        shares = [100 * places.count(name) / len(places) for name in intervals]
        body.append((label, *shares, sum(shares[:3])))
    return Table.of(
        "figure3",
        "Position of the located word in the sentence (Figure 3; percent of puns)",
        ("Model", *location.INTERVALS, "None", "In the first 60%"),
        body,
        ("A word lies where its middle lies. None: no word was named, or nothing in the sentence sounds like it.",),
    )


def hint_effect(runs: Runs) -> Table | None:
    """Location with and without the position hint, item by item, beside the paper's figures."""
    from apun.scoring.statistics import mcnemar

    body: list[Sequence[Cell]] = []
    for name, scores in runs:
        own = of_task(scores, location.NAME)
        base, hint = ({s.item: s for s in own if base_variant(s) == kind} for kind in (BASE, HINT))
        shared = sorted(base.keys() & hint.keys())
        if not shared:
            continue
        cells: list[Cell] = []
        for metric in location.METRICS[:2]:
            pair = [[side[item] for item in shared] for side in (base, hint)]
            before, after = (value(metric, found) or 0.0 for found in pair)
            right = [[bool(s.statistics[metric.name]) for s in found] for found in pair]
            cells += [before, after, after - before, mcnemar(right[1], right[0]).p]
        body.append((name, "measured", *cells))
    theirs: list[Sequence[Cell]] = []
    for row in quoted("hint"):
        pairs = [(row[f"{metric}_base"], row[f"{metric}_hint"]) for metric in ("coarse", "fine")]
        theirs.append((row["model"], f"{MARK}, synthetic", *(x for a, b in pairs for x in (a, b, b - a, None))))
    return Table.of(
        "hint",
        "Effect of the position hint (§5.2; percent, exact McNemar p)",
        ("Model", "Data", "Coa", "Coa hint", "Δ Coa", "p", "Fin", "Fin hint", "Δ Fin", "p (fine)"),
        body,
        quoted=theirs,
    )


def located_seconds(runs: Runs) -> Table | None:
    """Where in seconds the model's word sits: within half a second of the pun word, and overlap of the spans."""
    metrics = {metric.name: metric for metric in location.METRICS}
    names = ("within_half_second", "overlap", "coarse")
    timed = [(name, [s for s in scores if s.statistics.get("timed")]) for name, scores in rows_of(runs, location.NAME)]
    return Table.of(
        "located_seconds",
        "Where in the clip the located word sits (percent of clips with word times)",
        ("Model", "Clips", "Within 0.5 s", "Overlap", "Coa"),
        [(name, len(own), *(value(metrics[metric], own) for metric in names)) for name, own in timed if own],
        ("Word times are those of the split's metadata, else the recogniser's, aligned to the text.",),
    )


def word_errors(runs: Runs) -> Table | None:
    """Wrong answers by error type (Table 3), for puns on two words."""
    from apun.scoring.inference import WORD_ERRORS

    kinds = [kind for kind in PUN_TYPES if kind != HOMOGRAPHIC]
    return _error_types(runs, "figure4_words", "heterographic and homophonic puns", kinds, WORD_ERRORS)


def meaning_errors(runs: Runs) -> Table | None:
    """Wrong answers by error type (Table 3), for puns on one word."""
    from apun.scoring.inference import MEANING_ERRORS

    return _error_types(runs, "figure4_meanings", "homographic puns", [HOMOGRAPHIC], MEANING_ERRORS)


def _error_types(runs: Runs, name: str, title: str, kinds: Sequence[str], errors: Sequence[str]) -> Table | None:
    body: list[Sequence[Cell]] = []
    for label, scores in rows_of(runs, inference.NAME):
        for kind in kinds:
            found = [score.labels["error_type"] for score in scores if score.labels["type"] == kind]
            right, failed = found.count(inference.RIGHT), found.count(inference.FAILED)
            wrong = len(found) - right - failed
            shares = [100 * found.count(error) / wrong if wrong else None for error in errors]
            if found:
                body.append((label, kind, len(found), right, failed, *shares))
    return Table.of(
        name,
        f"Error types of inference, {title} (Figure 4; percent of wrong answers)",
        ("Model", "Type", "Puns", "Right", "No reply", *errors),
        body,
        ("Types and their rules: apun/scoring/inference.py (Table 3). Replies that failed have no type.",),
    )


def table6(runs: Runs) -> Table | None:
    """Parts of speech of the puns that the runs asked to locate, each text once."""
    puns = {
        score.item: (str(score.detail["spoken"]), int(score.detail["gold_index"]))
        for _, scores in runs
        for score in of_task(scores, location.NAME)
    }
    return parts_of_speech([("puns of these runs", list(puns.values()))]) if puns else None


def parts_of_speech(data: Sequence[tuple[str, Sequence[Pun]]], by: str | None = None) -> Table | None:
    """Counts of pun words by part of speech, the published counts beside them.

    Args:
        data: name and puns of each item set.
        by: as ``tags``.
    """
    used = by or tagger()
    body: list[Sequence[Cell]] = []
    for name, puns in data:
        counts = Counter(tags(puns, used))
        shown = [counts[tag] for tag in TAGS]
        body.append((name, f"measured ({used})", *shown, len(puns) - sum(shown)))
    return Table.of(
        "table6",
        "Part of speech of pun words (layout of Table 6; counts)",
        ("Data", "By", *TAGS, "Other"),
        body,
        ("rules: neighbouring words and lemminflect's dictionary; spaCy's tagger is used where it is installed.",),
        [(row["dataset"], f"{MARK} (spaCy)", *(row[tag] for tag in TAGS), None) for row in quoted("table6")],
    )


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
    chosen: tuple[str, ...] = ()
    if before in _BEFORE_NOUN or before.endswith(("'s", "’s")) or "ADJ" in getAllLemmas(before):
        chosen = ("NOUN", "ADJ")
    elif before in _BEFORE_VERB:
        chosen = ("VERB",)
    elif before in _BEFORE_ADJECTIVE:
        chosen = ("ADJ", "VERB")
    return next((tag for tag in chosen if tag in possible), possible[0])


def _spacy(puns: Sequence[Pun]) -> list[str]:
    pipeline: Any = importlib.import_module("spacy").load("en_core_web_sm", disable=["ner", "parser"])
    found = []
    for (text, index), document in zip(puns, pipeline.pipe(text for text, _ in puns), strict=True):
        own = [token for token in document if token.text.casefold() == words(text)[index].casefold()]
        found.append(str(own[-1].pos_) if own else "X")
    return found
