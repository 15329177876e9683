"""The paper's published figures, shipped as reference data. Quoted, not measured."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent.parent / "data" / "quoted.json"
MARK = "quoted"


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["tables"]
    return loaded


def rows(table: str) -> list[dict[str, Any]]:
    """The rows of a published table, such as ``table2``, by column name."""
    found = _tables()[table]
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]
