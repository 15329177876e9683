"""What is to be spoken, and where its clips are.

``Utterance`` is one thing to say; a synthesiser renders it, a recording holds it. ``Split`` is a
folder of clips (an AudioFolder) looked up by item and part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from apun.clips import Clip
from apun.errors import DataError
from apun.prompts import MAIN


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing to say.

    Attributes:
        item: the item's id.
        part: the clip's name inside the question (``main``, or ``a``/``b``/``ref`` …).
        text: the text as written.
        language: ``en``, ``zh`` or ``ja``.
        reading: forced reading by form: ``ipa`` (words separated by spaces), ``pinyin`` (tone
            digits, syllables separated by spaces), ``kana``. Empty when any reading will do.
        must_force: an engine that cannot honour the reading must be refused for this utterance.
        key_words: words whose sound decides the item (the pun word); quality gates look at them.
    """

    item: str
    text: str
    language: str
    part: str = MAIN
    reading: Mapping[str, str] = field(default_factory=dict)
    must_force: bool = False
    key_words: tuple[str, ...] = ()


class Speech(Protocol):
    """Where a task finds its clips."""

    def clip(self, item: str, part: str = MAIN) -> Clip:
        """The clip of an item's part; raises ``DataError`` naming the item when there is none."""

    def parts(self, item: str) -> tuple[str, ...]:
        """Names of the parts recorded for an item; empty when there is no recording."""

    def row(self, item: str, part: str = MAIN) -> Mapping[str, Any]:
        """The metadata of a clip (voice, engine, text as sent, …)."""


@dataclass(frozen=True)
class Split:
    """An AudioFolder: clips by item and part. Built by ``apun.splits.read_split``."""

    folder: Path
    rows: Mapping[tuple[str, str], Mapping[str, Any]]
    clips: Mapping[tuple[str, str], Clip]

    def clip(self, item: str, part: str = MAIN) -> Clip:
        try:
            return self.clips[item, part]
        except KeyError:
            raise DataError(
                f"no recording of item {item!r}, part {part!r}",
                file=self.folder / "metadata.jsonl",
                fix="Record or render it, or leave the item out with --ids.",
            ) from None

    def parts(self, item: str) -> tuple[str, ...]:
        return tuple(part for name, part in self.rows if name == item)

    def row(self, item: str, part: str = MAIN) -> Mapping[str, Any]:
        return self.rows.get((item, part), {})
