"""What makes a new xiehouyu fit for a test set, as far as code can tell (X-Riddles §3).

Of the four rules by which authors are screened, code checks that the homophony is right (2) and that
the homophone is not already in the riddle (4); that the riddle leads to the answer (1), and only by way
of the literal one (3), is read by people.
"""

from __future__ import annotations

from collections.abc import Iterator

from apun.phonetics.mandarin.pinyin import parse
from benchmarks.x_riddles.homophony import compare
from benchmarks.x_riddles.items import BLANK, Riddle
from benchmarks.x_riddles.overlap import Corpus


def faults(item: Riddle, corpus: Corpus) -> Iterator[str]:
    """Everything that speaks against an item; nothing for a good one."""
    if item.type != "homophonic" or not item.literal:
        yield "is not homophonic"
        return
    if compare(parse(item.literal_pinyin), parse(item.intended_pinyin)) == "different":
        yield "the answers do not sound alike"
    in_riddle = {char for pair in item.pairs for char in pair.literal + pair.intended} & set(item.riddle)
    if in_riddle:
        yield f"the riddle holds the homophone {''.join(sorted(in_riddle))}"
    if not all(item.gloss.get(part) for part in ("riddle", "literal", "intended")):
        yield "lacks a gloss"
    if item.riddle not in item.example or f"——{BLANK}" not in item.example:
        yield "its example does not hold the riddle and a blank"
    if item.intended in item.example or item.literal in item.example:
        yield "its example gives the answer away"
    overlap = corpus.overlap(item.riddle, item.intended)
    if not overlap.original:
        yield f"overlaps by {overlap.score:.2f} with {'——'.join(corpus.entries[overlap.nearest[0]])}"
    if any(riddle == item.riddle for riddle, _ in corpus.entries):
        yield "its riddle is known"
