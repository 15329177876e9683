"""Check the new xiehouyu of the embedded sample against public lists.

    python scripts/check_xriddles_sample.py ../shared/data/xiehouyu

For each: homophony by pinyin, homophone not in the riddle, largest overlap with any entry below 0.5,
and neither its riddle with that answer nor its riddle alone printed in a list. Exits with 1 on a fault.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from benchmarks.x_riddles.data import known, novel
from benchmarks.x_riddles.novelty import faults


def main() -> int:
    """Run the check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", type=Path, help="a list or a folder of lists")
    args = parser.parse_args()
    corpus = known(str(args.lists))
    found = 0
    largest = 0.0
    for item in novel():
        overlap = corpus.overlap(item.riddle, item.intended)
        largest = max(largest, overlap.score)
        for fault in faults(item, corpus):
            found += 1
            print(f"{item.id} {item.riddle}——{item.intended}: {fault}")
    origins = Counter(item.origin for item in novel())
    matches = Counter(item.match for item in novel())
    print(
        f"{len(novel())} new xiehouyu ({origins['seeded']} on a seed, {origins['free']} free; "
        f"{matches['same']} same, {matches['tone']} tone differs, {matches['near']} near) "
        f"against {len(corpus.entries)} known: largest overlap {largest:.2f}, {found} faults"
    )
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
