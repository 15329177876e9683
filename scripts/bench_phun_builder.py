"""How fast Algorithm 2 builds similarity items, and how its time grows: ``python scripts/bench_phun_builder.py``.

Prints CPU seconds of one core for the paper's number of words (13,741) over all four perturbation types, and
for half, twice and four times as many; then the exponent of growth (1 is linear). Exits with 1 when the paper's
number takes more than the budget.
"""

from __future__ import annotations

import argparse
import math
import time

from apun.phonetics.mandarin import Syllable
from benchmarks.phun_bench import build
from benchmarks.phun_bench.items import PERTURBATIONS
from benchmarks.phun_bench.perturb import SoundIndex

PAPER_WORDS = 13_741
BUDGET_SECONDS = 5.0
Words = list[tuple[str, tuple[Syllable, ...]]]


def seconds(words: Words, seed: int) -> tuple[float, int]:
    """CPU seconds and items of one build over all perturbation types, the index included."""
    start = time.process_time()
    index = SoundIndex.of(words, seed)
    items = sum(1 for kind in PERTURBATIONS for _ in index.items(kind, seed))
    return time.process_time() - start, items


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--words", type=int, default=PAPER_WORDS, help="words of the middle row (default: the paper's)")
    args = parser.parse_args()
    start = time.process_time()
    every = list(build.default_words(least=3))
    print(f"{len(every)} words read and spelled in {time.process_time() - start:.2f} s")
    print(f"{'words':>8} {'items':>8} {'seconds':>8} {'us/word':>8} {'us/item':>8}")
    points = []
    for factor in (0.5, 1, 2, 4):
        words = every[: int(args.words * factor)]
        spent, items = seconds(words, args.seed)
        points.append((len(words), spent))
        print(f"{len(words):>8} {items:>8} {spent:>8.2f} {1e6 * spent / len(words):>8.0f} {1e6 * spent / items:>8.0f}")
    (n0, t0), (n1, t1) = points[1], points[-1]  # fewer words find fewer partners, and so fewer items a word
    print(f"growth exponent from {n0} to {n1} words: {math.log(t1 / t0) / math.log(n1 / n0):.2f} (1 is linear)")
    paper = points[1][1]
    print(f"{points[1][0]} words, four types: {paper:.2f} s of a budget of {BUDGET_SECONDS:g} s")
    return 0 if paper <= BUDGET_SECONDS else 1


if __name__ == "__main__":
    raise SystemExit(main())
