"""The phonetic scorer on SemEval-2017 Task 7: what it finds, what it misses and why.

    python scripts/measure_semeval.py ../shared/data/semeval2017-task7

Prints the coarse and fine rates with the gold word and with the alternative as the prediction, the
homophonic/heterographic split by IPA beside the paper's, and the closeness of pun pairs and of unrelated
words, which ``apun.scoring.inference.SIMILAR`` rests on.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from apun.errors import PhoneticError
from apun.phonetics import sounds
from apun.scoring.inference import SIMILAR
from apun.scoring.lemmas import same_lemma
from apun.scoring.location import locate
from apun.scoring.phonetic import closeness, same_sound

Item = dict[str, Any]
PAPER_HETEROGRAPHIC, PAPER_HOMOPHONIC = 794, 304


def read(folder: Path) -> list[Item]:
    """The puns whose pun word is annotated."""
    with (folder / "semeval_apun_schema.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row for row in rows if row["is_pun"] and "pun_word_index" in row]


def by_sound(items: list[Item]) -> list[Item]:
    """Heterographic and homophonic puns with a gold alternative."""
    return [item for item in items if item["semeval_set"] == "heterographic" and item.get("alternative_words")]


def gold_rates(items: list[Item]) -> tuple[float, float]:
    """Coarse and fine rate with the gold pun word as the prediction."""
    coarse = [locate(item["pun_word"], item["tokens"]).hits(item["pun_word_index"]) for item in items]
    fine = [same_lemma(item["pun_word"], item["tokens"][item["pun_word_index"]]) for item in items]
    return float(np.mean(coarse)), float(np.mean(fine))


def alternative_misses(items: list[Item]) -> tuple[float, Counter[str], list[str]]:
    """Coarse rate with the first alternative as the prediction; the misses by cause, and one line each."""
    causes: Counter[str] = Counter()
    lines = []
    for item in items:
        word, gold = item["alternative_words"][0], item["pun_word_index"]
        found = locate(word, item["tokens"])
        if found.hits(gold):
            continue
        cause = cause_of(word, item, found.index)
        causes[cause] += 1
        lines.append(f"{word!r} for {item['pun_word']!r} went to {found.word!r} ({cause}): {item['text']}")
    return 1 - len(lines) / len(items), causes, lines


def cause_of(word: str, item: Item, index: int | None) -> str:
    """Why the alternative was found elsewhere than at the pun word."""
    if index is None:
        return "not located"
    if same_lemma(word, item["tokens"][index]):
        return "the alternative itself stands elsewhere in the sentence"
    readings = sounds(word)
    if closeness(readings, sounds(item["pun_word"])) < SIMILAR:
        return "pun word and alternative sound little alike"
    return "another word sounds more like the alternative"


def typed(items: list[Item]) -> Counter[str]:
    """Types by IPA: homophonic where the pun word, as written or its lemma, shares a reading with an alternative."""
    found: Counter[str] = Counter()
    for item in items:
        alternatives = [sounds(word) for word in item["alternative_words"]]
        as_written = any(same_sound(sounds(item["pun_word"]), other) for other in alternatives)
        as_lemma = any(same_sound(sounds(w), other) for w in item.get("pun_lemmas", ()) for other in alternatives)
        first = [sound.segments for sound in sounds(item["pun_word"])[:1]]
        main = any(first == [sound.segments for sound in other[:1]] for other in alternatives)
        found["homophonic, word as written"] += as_written
        found["homophonic, lemma against lemma"] += as_lemma
        found["homophonic, either"] += as_written or as_lemma
        found["homophonic, first reading only"] += main
        found["puns"] += 1
        found["with a word outside CMUdict, read by rule"] += any(
            "letters" in sound.source for w in (item["pun_word"], *item["alternative_words"]) for sound in sounds(w)
        )
    return found


def closeness_percentiles(items: list[Item]) -> tuple[list[float], list[float]]:
    """Closeness of gold pairs and of every pun word with the alternative of the item 101 places on."""
    gold, unrelated = [], []
    for item, other in zip(items, items[101:] + items[:101], strict=True):
        pun = sounds(item["pun_word"])
        gold.append(closeness(pun, sounds(item["alternative_words"][0])))
        unrelated.append(closeness(pun, sounds(other["alternative_words"][0])))
    return gold, unrelated


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", action="store_true", help="print every missed alternative")
    options = parser.parse_args()
    items = read(options.folder)
    sound = by_sound(items)
    coarse, fine = gold_rates(items)
    print(f"gold pun word as prediction, {len(items)} puns: coarse {100 * coarse:.2f} %, fine {100 * fine:.2f} %")
    rate, causes, lines = alternative_misses(sound)
    print(f"alternative as prediction, {len(sound)} puns: coarse {100 * rate:.2f} %; {len(lines)} misses:")
    for cause, count in causes.most_common():
        print(f"  {count:4d}  {cause}")
    if options.misses:
        print("\n".join(lines))
    types = typed(sound)
    paper = f"paper: {PAPER_HOMOPHONIC} homophonic, {PAPER_HETEROGRAPHIC} heterographic"
    print(f"types by IPA of {types.pop('puns')} puns ({paper}):")
    for name, count in types.items():
        print(f"  {count:4d}  {name}")
    print(
        "  Why not 304: alternatives are lemmas and pun words inflected (aches, egg); CMUdict lists several\n"
        "  readings where the paper's converter gives one; and words outside the dictionary are read differently."
    )
    gold, unrelated = closeness_percentiles(sound)
    for name, values in (("gold pairs", gold), ("unrelated words", unrelated)):
        shares = ", ".join(f"p{q} {np.percentile(values, q):.2f}" for q in (5, 10, 25, 50, 75, 90, 95))
        similar = np.mean(np.asarray(values) >= SIMILAR)
        print(f"closeness of {name}: {shares}; {100 * similar:.0f} % at least {SIMILAR}")


if __name__ == "__main__":
    try:
        main()
    except PhoneticError as error:
        raise SystemExit(f"measure_semeval: {error}") from error
