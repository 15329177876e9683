"""What is spoken for each item: the sentence, and for the listening test the same with another word in it."""

from __future__ import annotations

from collections.abc import Sequence

from apun.registry import unknown
from apun.speech import Utterance
from apun.tasks import Option
from benchmarks.apun_bench.items import HETEROGRAPHIC, PunItem

SWAPPED = "swapped"
FORMS = ("default", SWAPPED, "all")
FORM = Option("form", "what is spoken: the sentence, the listening test's other clip, or both", FORMS)


def swappable(item: PunItem) -> bool:
    """Whether the item can be spoken both ways with a difference to hear."""
    return item.type == HETEROGRAPHIC and bool(item.swap_word)


def utterances(item: PunItem, form: str = "default") -> Sequence[Utterance]:
    """What must be spoken: ``default`` the sentence; ``swapped`` the listening test's other clip; ``all`` both.

    The pun word's reading is not forced: a listener meets the word as it is spelled. It is named as a
    key word, so that a quality gate checks it.
    """
    if form not in FORMS:
        raise unknown("spoken form of apun", form, FORMS)
    spoken = []
    if form != SWAPPED:
        spoken.append(Utterance(item.id, item.text, item.language, key_words=(item.pun_word,) if item.pun_word else ()))
    if form != "default" and swappable(item):
        swapped = Utterance(item.id, item.swapped_text, item.language, SWAPPED, key_words=(item.swap_word,))
        spoken.append(swapped)
    return spoken
