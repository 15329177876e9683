"""Item: one question with its gold answer and its own gold readings.

Each benchmark defines its items as frozen dataclasses; the harness needs only the four
attributes below. Gold readings (IPA, pinyin, kana) are stored in the item and never derived
while scoring.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Item(Protocol):
    """What the harness knows of an item; everything else belongs to its benchmark."""

    @property
    def id(self) -> str:
        """Unique within the benchmark and subset."""

    @property
    def cluster(self) -> str:
        """Items that are variants of one another share it; bootstraps resample clusters."""

    @property
    def language(self) -> str:
        """Language of the item's text: ``en``, ``zh`` or ``ja``."""

    @property
    def text(self) -> str:
        """The text that is spoken, or the question's main text where nothing is spoken."""
