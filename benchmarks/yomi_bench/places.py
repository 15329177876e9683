"""Where the right option stands: each letter equally often, so that always the same letter scores a quarter."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from benchmarks.yomi_bench.items import LETTERS


def places(count: int, rng: Random) -> list[int]:
    """A place from 0 to 3 for each of ``count`` items, each as often as the others (give or take one), in no order."""
    dealt = [index % len(LETTERS) for index in range(count)]
    rng.shuffle(dealt)
    return dealt


def exchanged(options: Sequence[str], one: int, other: int) -> tuple[str, ...]:
    """The options with two of them in each other's place."""
    moved = list(options)
    moved[one], moved[other] = moved[other], moved[one]
    return tuple(moved)
