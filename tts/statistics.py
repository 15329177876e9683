"""Statistics of a split in the layout of APUN-Bench's Table 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apun.report.tables import Cell, Table
from apun.speech import Split

_ORDER = ("heterographic", "homophonic", "homographic", "untyped", "negative")


def table1(split: Split, types: Mapping[str, str] | None = None) -> Table:
    """Counts, mean seconds of a clip and mean words of a sentence, by type and overall.

    As in the paper, the sentence length is in words for English; in characters for Mandarin and
    Japanese. Only ``main`` clips count, so that variants of an item do not weigh twice.

    Args:
        split: any split; clips without ``seconds`` in their row are decoded.
        types: type of each item; the row's own ``type`` where absent.
    """
    groups: dict[str, list[tuple[float, int]]] = {}
    for (item, part), row in split.rows.items():
        if part != "main" and ("main" in split.parts(item)):
            continue
        kind = (types or {}).get(item) or str(row.get("type") or "untyped")
        seconds = row.get("seconds")
        length = float(seconds) if seconds not in (None, "") else split.clip(item, part).seconds
        groups.setdefault(kind, []).append((length, sentence_length(str(row.get("text", "")))))
    kinds = [kind for kind in _ORDER if kind in groups] + sorted(set(groups) - set(_ORDER))
    everything = [value for kind in kinds for value in groups[kind]]
    columns = ["", *(kind.capitalize() for kind in kinds), "Overall"]
    lists = [*(groups[kind] for kind in kinds), everything]
    rows: list[tuple[Cell, ...]] = [
        ("Clips", *(len(values) for values in lists)),
        ("- Segment Clip (s)", *(_mean([seconds for seconds, _ in values]) for values in lists)),
        ("- Sentence Length", *(_mean([float(words) for _, words in values]) for values in lists)),
        ("- Total (min)", *(sum(seconds for seconds, _ in values) / 60 for values in lists)),
    ]
    return Table("table1", f"Table 1: statistics of {split.folder.name}", tuple(columns), tuple(rows))


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


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
