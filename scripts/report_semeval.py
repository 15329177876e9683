"""Print what the SemEval import holds, beside the figures of APUN-Bench's Table 1.

python scripts/report_semeval.py ../shared/data/semeval2017-task7 [--wordnet DICT]
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from apun.report.tables import Cell, Table
from benchmarks.apun_bench import semeval
from benchmarks.apun_bench.items import HETEROGRAPHIC, HOMOGRAPHIC, HOMOPHONIC, UNTYPED, PunItem, ipa_of, words
from benchmarks.apun_bench.tables.errors import parts_of_speech
from benchmarks.apun_bench.tasks.location import INTERVALS, interval

PAPER = {HETEROGRAPHIC: 794, HOMOPHONIC: 304, HOMOGRAPHIC: 1298}


def main() -> None:
    """Read the folder and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wordnet", type=Path, help="WordNet 3.1 'dict' folder: glosses for the XML form")
    args = parser.parse_args()
    items = semeval.read_folder(args.folder, args.wordnet)
    puns = [item for item in items if item.is_pun]
    pairs = [(item.text, item.pun_index) for item in puns if item.interpreted]
    spoken = parts_of_speech([("SemEval, interpreted", pairs)])
    tables = [counts(items), typing(items), duplicates(items), positions(puns), *([spoken] if spoken else [])]
    print("\n\n".join(table.to_text() for table in tables))


def counts(items: Sequence[PunItem]) -> Table:
    """Texts, puns, negatives and interpreted puns, by SemEval's two sets."""
    body: list[tuple[Cell, ...]] = []
    for name, prefix in (("homographic set", "hom_"), ("heterographic set", "het_"), ("all", "")):
        own = [item for item in items if item.id.startswith(prefix)]
        puns = [item for item in own if item.is_pun]
        body.append(
            (
                name,
                len(own),
                len(puns),
                len(own) - len(puns),
                sum(item.interpreted for item in puns),
                sum(item.type == UNTYPED for item in puns),
                sum(not item.commercial for item in own),
            )
        )
    return Table(
        "semeval",
        "SemEval-2017 Task 7 as items",
        ("Set", "Texts", "Puns", "Negatives", "Interpreted", "No alternative", "Non-commercial"),
        tuple(body),
    )


def typing(items: Sequence[PunItem]) -> Table:
    """Types by spelling and IPA under several readings of §3.2, beside the paper's counts."""
    own = [item for item in items if item.alternatives]
    homographic = sum(item.type == HOMOGRAPHIC and bool(item.meanings) for item in items)
    rules: list[tuple[str, int]] = [
        ("any reading, word, lemma or same form (ours)", sum(item.type == HOMOPHONIC for item in own)),
        ("any reading, word as written", sum(_same(item, every=True) for item in own)),
        ("first reading, word as written", sum(_same(item, every=False) for item in own)),
    ]
    unknown = sum(not (_listed(item.pun_word) and all(map(_listed, item.alternatives))) for item in own)
    body: list[tuple[Cell, ...]] = [
        (rule, len(own) - same, same, homographic, homographic + len(own)) for rule, same in rules
    ]
    body.append(("paper (quoted)", PAPER[HETEROGRAPHIC], PAPER[HOMOPHONIC], PAPER[HOMOGRAPHIC], sum(PAPER.values())))
    return Table(
        "typing",
        "Pun types by spelling and IPA (§3.2)",
        ("Rule", "Heterographic", "Homophonic", "Homographic", "All"),
        tuple(body),
        (
            "The gold alternatives are lemmas: 'heels' differs from 'heal', though 'heels' and 'heals' are homophones.",
            "Ours compares lemmas and like forms as well; as written, the counts are nearly the paper's.",
            f"{unknown} pairs have a word that CMUdict lacks; these are read by letter-to-sound rules.",
        ),
    )


def _same(item: PunItem, *, every: bool) -> bool:
    mine = ipa_of(item.pun_word)[: None if every else 1]
    return any(ipa in mine for other in item.alternatives for ipa in ipa_of(other)[: None if every else 1])


def _listed(word: str) -> bool:
    from apun.phonetics.english.dictionary import listed

    return listed(word.casefold())


def duplicates(items: Sequence[PunItem]) -> Table:
    """Texts that occur more than once: why the paper has 2,389 positives where 2,396 are interpreted."""
    positives = [item for item in items if item.interpreted]
    negatives = [item for item in items if not item.is_pun]
    body: list[tuple[Cell, ...]] = []
    for name, own, paper in (("interpreted puns", positives, 2389), ("negatives", negatives, 1152)):
        texts = Counter(" ".join(re.findall(r"[a-z0-9]+", item.text.casefold())) for item in own)
        body.append((name, len(own), len(texts), len(own) - len(texts), paper, len(own) - paper))
    return Table(
        "duplicates",
        "Repeated texts",
        ("", "Texts", "Different texts", "Repeats", "Paper (quoted)", "Fewer in the paper"),
        tuple(body),
        ("Repeats explain two of the seven missing positives. The paper's own types add up to 2,396.",),
    )


def positions(puns: Sequence[PunItem]) -> Table:
    """Where the pun words stand (Figure 3, gold)."""
    found = Counter(interval(item.pun_index, len(words(item.text))) for item in puns)
    return Table(
        "positions",
        "Position of the pun word (Figure 3, gold; percent)",
        INTERVALS,
        (tuple(100 * found[name] / len(puns) for name in INTERVALS),),
    )


if __name__ == "__main__":
    main()
