"""Time novelty: the overlap of 1,000 created xiehouyu with every entry of a public list.

    python scripts/bench_xriddles_overlap.py ../shared/data/xiehouyu/chinese-xinhua/data/xiehouyu.json

Prints seconds for the index, for the creations, and the share found original.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.x_riddles.data import novel
from benchmarks.x_riddles.lists import read_entries
from benchmarks.x_riddles.novelty import Corpus


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path)
    parser.add_argument("--creations", type=int, default=1000)
    args = parser.parse_args()
    corpus = Corpus(tuple((entry.riddle, entry.answer) for entry in read_entries(args.list)))
    # Riddles and answers of the new xiehouyu crossed: as long as real creations, and all different.
    new = novel()
    created = [
        (new[i % len(new)].riddle, new[(i * 7 + i // len(new)) % len(new)].intended) for i in range(args.creations)
    ]
    start = time.perf_counter()
    corpus.overlap("一", "二")
    indexed = time.perf_counter()
    found = [corpus.overlap(riddle, answer) for riddle, answer in created]
    done = time.perf_counter()
    original = sum(overlap.original for overlap in found) / len(found)
    print(
        f"{len(corpus.entries)} entries indexed in {indexed - start:.3f} s; "
        f"{len(found)} creations in {done - indexed:.3f} s; {100 * original:.1f} % original"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
