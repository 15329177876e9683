"""What the stages share: the prompt files, and a question about one clip of an item."""

from __future__ import annotations

from pathlib import Path

from apun.asking import Case
from apun.prompts import MAIN
from benchmarks.apun_bench.items import PunItem

PROMPTS = Path(__file__).parents[1] / "prompts"


def case(
    item: PunItem,
    file: str,
    suffix: str = "",
    *,
    part: str = MAIN,
    text: str = "",
    wording: str = "",
    **fields: str,
) -> Case:
    """A question about one clip, which the prompt knows as its main clip; in writing, about what is said in it.

    Args:
        item: what is asked about.
        file: prompt file.
        suffix: condition appended to the variant, such as ``.pun``.
        part: the clip's name in the split.
        text: what is said in the clip; the item's text by default.
        wording: name of the template in the file; empty: that of the variant.
        fields: values of the template's placeholders.
    """
    return Case(item, file, fields, suffix, wording, {MAIN: part}, {MAIN: text or item.text})


def letters_backend() -> dict[str, str]:
    """The letter-to-sound backend for words CMUdict lacks; it decides locations."""
    from apun.phonetics.english import backend

    return {"g2p": backend()}
