"""Statistics of a split: lengths of its clips by type, and its voices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apun.prompts import MAIN
from apun.report.tables import Table
from apun.speech import Split


def clip_lengths(split: Split, types: Mapping[str, str] | None = None) -> dict[str, list[tuple[float, int]]]:
    """Seconds of each clip and length of its sentence, by type.

    Only ``main`` clips count, so that variants of an item do not weigh twice.

    Args:
        split: any split; clips without ``seconds`` in their row are decoded.
        types: type of each item; the row's own ``type`` where absent.
    """
    groups: dict[str, list[tuple[float, int]]] = {}
    for (item, part), row in split.rows.items():
        if part != MAIN and MAIN in split.parts(item):
            continue
        kind = (types or {}).get(item) or str(row.get("type") or "untyped")
        seconds = row.get("seconds")
        length = float(seconds) if seconds not in (None, "") else split.clip(item, part).seconds
        groups.setdefault(kind, []).append((length, sentence_length(str(row.get("text", "")))))
    return groups


def sentence_length(text: str) -> int:
    """Words separated by spaces, or characters where the text has no Latin letters."""
    if has_latin(text):
        return len(text.split())
    return sum(char.isalnum() for char in text)


def has_latin(text: str) -> bool:
    """Whether the text's length is counted in words."""
    return any("a" <= char.lower() <= "z" for char in text)


def voices(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Clips and minutes by voice."""
    names = sorted({str(row.get("voice", "")) for row in rows})
    body = []
    for name in names:
        mine = [float(row.get("seconds") or 0) for row in rows if str(row.get("voice", "")) == name]
        body.append((name or "unknown", len(mine), sum(mine) / 60))
    return Table("voices", "Voices", ("voice", "clips", "minutes"), tuple(body))
