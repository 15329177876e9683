"""Do an item's two words sound alike, as the engine says them? A check of the item, not of a voice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from apun.errors import PhoneticError
from apun.models import Engine
from apun.report.tables import Table
from apun.speech import Utterance

HOMOPHONIC, HETEROGRAPHIC = "homophonic", "heterographic"
_NO_STRESS = str.maketrans({"ˈ": None, "ˌ": None, "ʌ": "ə"})


@runtime_checkable
class SaysPhonemes(Protocol):
    """An engine that can tell what it would say; with the same phonemes and voice it gives the same audio."""

    def phonemes(self, utterance: Utterance) -> str:
        """What the voice is fed."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An item's sentence with the pun word and with the alternative in its place."""

    item: str
    type: str
    pun: Utterance
    alternative: Utterance


def _loose(phonemes: str) -> str:
    """Without stress: ``oar`` and the weak form of ``or`` differ in nothing else."""
    return phonemes.translate(_NO_STRESS)


def pairs_of(items: Iterable[Any]) -> list[Pair]:
    """Pairs of the items that have a word to swap in (``swap_word``, ``swapped_text``)."""
    found = []
    for item in items:
        if getattr(item, "swap_word", "") and getattr(item, "type", "") in (HOMOPHONIC, HETEROGRAPHIC):
            pun = Utterance(item.id, item.text, item.language)
            found.append(Pair(item.id, item.type, pun, Utterance(item.id, item.swapped_text, item.language)))
    return found


def alike_table(pairs: Iterable[Pair], engine: Engine) -> Table | None:
    """How many pairs the engine says alike, by type; None for engines that are fed text only.

    A homophonic item whose two sentences are said differently, or a heterographic one whose are
    not, is listed by name: its annotation and the engine's pronunciation disagree.
    """
    if not isinstance(engine, SaysPhonemes):
        return None
    alike: dict[str, dict[str, bool]] = {HOMOPHONIC: {}, HETEROGRAPHIC: {}}
    for pair in pairs:
        try:
            said, meant = (_loose(engine.phonemes(utterance)) for utterance in (pair.pun, pair.alternative))
            alike[pair.type][pair.item] = said == meant
        except PhoneticError:  # a sentence that cannot be said is listed in rejected.jsonl already
            continue
    body = tuple(
        (kind, len(found), sum(found.values()), 100 * sum(found.values()) / len(found))
        for kind, found in alike.items()
        if found
    )
    if not body:
        return None
    odd = [item for kind, found in alike.items() for item, same in found.items() if same != (kind == HOMOPHONIC)]
    notes = (f"annotation and pronunciation disagree: {', '.join(odd)}",) if odd else ()
    title = f"Pun and alternative, as {engine.name} says them"
    return Table("alike", title, ("type", "items", "said alike", "%"), body, notes, decimals=1)
