"""Wrong options: answers of other xiehouyu that are neither homophones nor paraphrases of the right one.

Each item gets up to twelve candidates from the whole set it was loaded with, so that a question does
not change when fewer items are asked; a question then takes three of them by its seed. What is
excluded (``conflicts``):

* variants of the same xiehouyu, and riddles that share half of their characters;
* answers that hold one of the item's homophones, or whose own homophone is one of them;
* answers that sound like the item's literal or intended answer, be it nearly;
* answers that share a third of their characters, or a pair of neighbouring characters, with either answer;
* answers near in meaning, by a hand-made list for the embedded sample (``data/near_meanings.txt``); of other
  sets, paraphrases without a character in common cannot be told.

Two wrong options keep the same distances from each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from apun import draws
from benchmarks.x_riddles.homophony import compare_words
from benchmarks.x_riddles.items import Distractor, Riddle
from benchmarks.x_riddles.novelty import jaccard

CANDIDATES = 12
WRONG = 3
_SAME_RIDDLE = 0.5
_PARAPHRASE = 1 / 3
_NEAR_MEANINGS = Path(__file__).with_name("data") / "near_meanings.txt"


def with_distractors(items: Sequence[Riddle]) -> list[Riddle]:
    """The items with candidates drawn; those that already have three or more keep theirs.

    The draw depends on the item and on the set of the others, not on their order.
    """
    pool = sorted(items, key=lambda item: item.id)
    return [item if len(item.distractors) >= WRONG else replace(item, distractors=_draw(item, pool)) for item in items]


def chosen(item: Riddle, seed: int) -> tuple[Distractor, ...]:
    """The three wrong options of a question, fewer when the item has fewer candidates."""
    candidates = list(item.distractors)
    return tuple(_generator(seed, f"wrong:{item.id}").sample(candidates, min(WRONG, len(candidates))))


def shuffled(options: Sequence[str], item: Riddle, seed: int) -> list[str]:
    """Options in the order they are shown."""
    order = list(options)
    _generator(seed, f"order:{item.id}").shuffle(order)
    return order


def conflicts(item: Riddle, other: Riddle) -> str | None:
    """Why an answer of another xiehouyu cannot be a wrong option here; None when it can."""
    if other.cluster == item.cluster or jaccard(item.riddle, other.riddle) >= _SAME_RIDDLE:
        return "same xiehouyu"
    mine = {char for pair in item.pairs for char in pair.literal + pair.intended}
    answers = [text for text in (other.intended, other.literal) if text]
    if mine & set("".join(answers)):
        return "holds the homophone"
    return next(filter(None, (_answers_conflict(item, text) for text in answers)), None)


def _answers_conflict(item: Riddle, text: str) -> str | None:
    for own in filter(None, (item.intended, item.literal)):
        if compare_words(own, text) != "different":
            return "homophone of the answer"
        near = _near_meanings().get(own, frozenset())
        if jaccard(own, text) >= _PARAPHRASE or _bigrams(own) & _bigrams(text) or text in near:
            return "paraphrase of the answer"
    return None


def _draw(item: Riddle, pool: Sequence[Riddle]) -> tuple[Distractor, ...]:
    kept: list[Riddle] = []
    for same_type in (True, False):
        for other in _shuffled_pool(item, pool):
            if len(kept) == CANDIDATES:
                break
            if (other.type == item.type) != same_type or conflicts(item, other):
                continue
            if any(conflicts(earlier, other) for earlier in kept):
                continue
            kept.append(other)
        if len(kept) >= WRONG:
            break
    return tuple(
        Distractor(other.intended, other.literal, other.intended_pinyin, other.literal_pinyin) for other in kept
    )


def _shuffled_pool(item: Riddle, pool: Sequence[Riddle]) -> Iterator[Riddle]:
    """The pool in an order of the item's own, lazily (Fisher-Yates from the front)."""
    generator = _generator("pool", item.id)
    order = list(range(len(pool)))
    for place in range(len(order)):
        other = generator.randrange(place, len(order))
        order[place], order[other] = order[other], order[place]
        yield pool[order[place]]


@lru_cache(maxsize=1)
def _near_meanings() -> Mapping[str, frozenset[str]]:
    """For each answer of the list, those of its lines."""
    found: dict[str, set[str]] = {}
    for line in _NEAR_MEANINGS.read_text(encoding="utf-8").splitlines():
        for answer in line.split():
            found.setdefault(answer, set()).update(line.split())
    return {answer: frozenset(near - {answer}) for answer, near in found.items()}


def _bigrams(text: str) -> set[str]:
    return {text[i : i + 2] for i in range(len(text) - 1)}


def _generator(seed: int | str, key: str) -> random.Random:
    return random.Random(int.from_bytes(draws.rank(seed, key)[:8], "big"))
