"""Known xiehouyu, against which novelty is measured: the embedded traditional ones and the user's lists."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from apun.errors import DataError
from benchmarks.x_riddles.dictionary import Entry, read_entries
from benchmarks.x_riddles.load import LISTS, traditional
from benchmarks.x_riddles.overlap import Corpus
from benchmarks.x_riddles.parentheses import take_apart


def entry_pairs(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """(riddle, answer) of every answer of every entry, homophones and explanations in parentheses left out."""
    return [(entry.riddle, take_apart(answer).printed) for entry in entries for answer in entry.variants]


@lru_cache(maxsize=4)
def known(dictionary: str = "") -> Corpus:
    """The union of the embedded traditional xiehouyu and the lists under a path.

    Args:
        dictionary: a list, or a folder with lists below it; empty for the embedded ones alone.

    Raises:
        DataError: no list is there.
    """
    pairs = [(item.riddle, item.intended) for item in traditional()]
    if dictionary:
        path = Path(dictionary)
        files = [path] if path.is_file() else [file for name in LISTS for file in sorted(path.rglob(name))]
        if not files:
            raise DataError("holds no xiehouyu list", file=path, fix=f"Put {' or '.join(LISTS)} there.")
        for file in files:
            pairs += entry_pairs(read_entries(file))
    return Corpus(tuple(dict.fromkeys(pairs)))
