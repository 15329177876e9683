"""Public xiehouyu lists as they are: riddle and raw answer, nothing decided yet.

Two formats are read: the JSON array of ``chinese-xinhua`` (``{"riddle": …, "answer": …}``) and the
lines of ``signalw`` (``riddle　——　answer；answer``, alternatives of the riddle apart by ``|``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun.errors import DataError

_LARGEST_BYTES = 64 * 1024 * 1024  # the larger public list has 1.3 MB
_DASH = re.compile(r"\s*(?:——|—|--+)\s*")
_ALTERNATIVES = re.compile(r"[；;]")
_OPEN, _CLOSE = "（(", "）)"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list.

    Attributes:
        source: name of the list.
        index: position in it: 0-based entry of the JSON array, 0-based line of the text file.
        riddle: first part, as printed; the first of several spellings.
        answer: second part, as printed, with parentheses and alternatives.
    """

    source: str
    index: int
    riddle: str
    answer: str

    @property
    def variants(self) -> tuple[str, ...]:
        """Answers apart by a semicolon that stands outside parentheses."""
        return split_alternatives(self.answer)


def split_alternatives(answer: str) -> tuple[str, ...]:
    """Cut an answer at semicolons outside parentheses."""
    depth, start, parts = 0, 0, []
    for place, char in enumerate(answer):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth = max(0, depth - 1)
        elif depth == 0 and _ALTERNATIVES.match(char):
            parts.append(answer[start:place])
            start = place + 1
    parts.append(answer[start:])
    return tuple(part.strip() for part in parts if part.strip())


def read_entries(path: str | Path) -> list[Entry]:
    """Read a list, by its suffix: ``.json`` or lines.

    Raises:
        DataError: missing, not UTF-8, not JSON, too large, or an entry without riddle or answer.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError("no such xiehouyu list", file=path, fix="Give xiehouyu.json or vocabs.txt.")
    if path.stat().st_size > _LARGEST_BYTES:
        raise DataError("is larger than any xiehouyu list", file=path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError("is not UTF-8 text", file=path, fix="Save it as UTF-8.") from error
    entries = list(_from_json(path, text) if path.suffix == ".json" else _from_lines(path, text))
    if not entries:
        raise DataError("holds no xiehouyu", file=path, fix="Expected lines such as: riddle —— answer")
    return entries


def _from_json(path: Path, text: str) -> Iterator[Entry]:
    try:
        rows: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"is not JSON ({error})", file=path) from error
    if not isinstance(rows, list):
        raise DataError("must be an array of entries", file=path, fix='Expected [{"riddle": …, "answer": …}, …].')
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise DataError(f"entry {index} is not an object", file=path)
        for field in ("riddle", "answer"):
            if not isinstance(row.get(field), str) or not row[field].strip():
                raise DataError(f"entry {index} lacks text", file=path, field=field)
        yield Entry("chinese-xinhua", index, row["riddle"].strip(), row["answer"].strip())


def _from_lines(path: Path, text: str) -> Iterator[Entry]:
    for index, line in enumerate(text.splitlines()):
        if not line.strip():
            continue
        parts = _DASH.split(line.strip(), maxsplit=1)
        if len(parts) != 2 or not parts[0] or not parts[1]:
            raise DataError(
                "has no riddle and answer apart by ——", file=path, line=index + 1, fix="Correct or remove the line."
            )
        yield Entry("signalw", index, parts[0].split("|")[0].strip(), parts[1].strip())
