"""Seeded draws that depend on a key and never on order: the same seed and ids give the same sample anywhere.

Ranks are sha256 of ``SEED:KEY``, so a sample of n is part of the sample of n + 1, and items added to a file move no
other item. Generators are Python's own, seeded by text, which is stable across versions and machines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


def rank(seed: int | str, key: str) -> bytes:
    """What things are sorted by: 32 bytes, as good as random."""
    return hashlib.sha256(f"{seed}:{key}".encode()).digest()


def coin(seed: int | str, key: str) -> bool:
    """True for one key in two."""
    return rank(seed, key)[0] % 2 == 1


def number(seed: int, *names: object) -> int:
    """A 63-bit number from seed and names; the same wherever and in whatever order it is asked for."""
    text = "\x1f".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def generator(*parts: object) -> Random:
    """A generator of its own for each seed and purpose: ``generator(0, "rhymes", item.id)``."""
    return Random("/".join(map(str, parts)))


def shuffled(things: Iterable[T], seed: int | str, key: Callable[[T], str] = str) -> list[T]:
    """Things in an order that seed and keys decide."""
    return sorted(things, key=lambda thing: rank(seed, key(thing)))


def sample(
    items: Sequence[Any], limit: int | None, seed: int, stratum: Callable[[Any], str] = lambda item: ""
) -> list[Any]:
    """At most ``limit`` items of each stratum, in the order they are given; all of them for None.

    Args:
        items: each with an ``id``.
        limit: most items of one stratum.
        seed: decides which.
        stratum: what an item is drawn within; all are one stratum by default.
    """
    if limit is None:
        return list(items)
    room: dict[str, int] = {}
    kept = set()
    for item in shuffled(items, seed, lambda item: str(item.id)):
        name = stratum(item)
        room[name] = room.get(name, limit) - 1
        if room[name] >= 0:
            kept.add(item.id)
    return [item for item in items if item.id in kept]
