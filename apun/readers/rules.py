"""The tables of ``rules.toml``, and the patterns that are built of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from apun.paths import read_toml

_FILE = Path(__file__).with_name("rules.toml")
_NAME = re.compile(r"\{([a-z_]{2,})\}")


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    return read_toml(_FILE)


def keys(kind: str) -> Sequence[str]:
    """Names of JSON fields that hold an answer of a kind, the most telling first."""
    table: dict[str, list[str]] = _tables()["keys"]
    return (*table["answer"], *table.get(kind, ()))


def aside(name: str) -> bool:
    """Whether a JSON field's name says that it holds something beside the answer."""
    return name in _tables()["keys"]["aside"]


@lru_cache(maxsize=1)
def thoughts() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of how a thought begins and how it ends, in any mark-up."""
    opens, closes = zip(*_tables()["thinking"]["marks"], strict=True)
    return re.compile("|".join(opens), re.IGNORECASE), re.compile("|".join(closes), re.IGNORECASE)


@lru_cache(maxsize=256)
def pattern(template: str, flags: int = 0) -> re.Pattern[str]:
    """A compiled pattern in which ``{name}`` stands for any entry of that table; case does not count.

    Args:
        template: a regular expression; ``{name}`` becomes one group.
        flags: further flags of ``re``.
    """
    return re.compile(_NAME.sub(lambda found: _any_of(found[1]), template), re.IGNORECASE | flags)


def _any_of(name: str) -> str:
    parts = []
    for language, entries in _tables()[name].items():
        listed = "|".join(entries)
        parts.append(rf"(?<![a-z])(?:{listed})(?![a-z'])" if language == "en" else listed)
    return "(?:" + "|".join(parts) + ")"
