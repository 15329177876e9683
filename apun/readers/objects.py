"""JSON objects inside what a model wrote, however it quoted them.

Models wrap the object in prose or code fences, use smart or single quotes, full-width braces and
colons, trailing commas, line breaks inside texts. Each is repaired only where strict JSON fails.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from apun.readers import rules

_WIDE = str.maketrans({"｛": "{", "｝": "}", "＂": '"', "［": "[", "］": "]"})
_QUOTES = "\"'“”‘’„‟「」『』"
_PAIR = re.compile(
    rf"[{_QUOTES}]?\s*(?P<key>[^\s:：,，{{}}\[\]{_QUOTES}][^:：,，{{}}\[\]{_QUOTES}]{{0,30}}?)\s*[{_QUOTES}]?\s*[:：]\s*"
    rf"(?:[{_QUOTES}](?P<quoted>[^{_QUOTES}{{}}]*)[{_QUOTES}]|(?P<items>\[[^\[\]{{}}]*\])|(?P<bare>[^\s,，{{}}\[\]{_QUOTES}]+))"
)
_ITEM = re.compile(rf"[{_QUOTES}]\s*([^{_QUOTES}]*?)\s*[{_QUOTES}]|([^\s,，、\[\]{_QUOTES}]+)")
_ARRAY = re.compile(rf"\[\s*[{_QUOTES}][^\[\]{{}}]*\]")


def objects(text: str) -> list[dict[str, Any]]:
    """Every JSON object of a text that holds no other object, in order; repaired where it must be."""
    found = []
    for body in _bodies(text.translate(_WIDE)):
        value = _strict(body)
        if value is None:
            value = _repaired(body)
        if value:
            found.append({unicodedata.normalize("NFKC", key).strip().lower(): said for key, said in value.items()})
    return found


def named(found: list[dict[str, Any]], kind: str) -> tuple[str, Any]:
    """Name and value of the field that holds an answer of a kind, in the last object that has one.

    An object's only field holds the answer whatever its name, unless the name says otherwise (``reason``).
    An empty name and None where there is none.
    """
    wanted = rules.keys(kind)
    for fields in reversed(found):
        for key in wanted:
            if key in fields:
                return key, fields[key]
    last: Mapping[str, Any] = found[-1] if found else {}
    if len(last) == 1 and not rules.aside(next(iter(last))):
        return next(iter(last.items()))
    return "", None


def as_text(value: Any) -> str:
    """The value of a field as a reply would write it; a list's entries with strokes between them."""
    if isinstance(value, list):
        return "/".join(entry.strip() for entry in value if isinstance(entry, str))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).strip() if isinstance(value, (str, int)) else ""


def array(text: str) -> list[str] | None:
    """The entries of the last ``["…", "…"]`` of a text that holds one."""
    found = _ARRAY.findall(text.translate(_WIDE))
    return [quoted or bare for quoted, bare in _ITEM.findall(found[-1][1:-1])] if found else None


def _bodies(text: str) -> Iterator[str]:
    """Innermost ``{…}`` stretches."""
    start = -1
    for place, char in enumerate(text):
        if char == "{":
            start = place
        elif char == "}" and start >= 0:
            yield text[start : place + 1]
            start = -1


def _strict(body: str) -> dict[str, Any] | None:
    try:
        value = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _repaired(body: str) -> dict[str, Any]:
    """Key and value pairs, whatever the quotes; values are texts or lists of texts."""
    found: dict[str, Any] = {}
    for match in _PAIR.finditer(body[1:-1]):
        if match["items"] is not None:
            value: Any = [quoted or bare for quoted, bare in _ITEM.findall(match["items"])]
        else:
            value = match["quoted"] if match["quoted"] is not None else match["bare"]
        found[match["key"].strip()] = value
    return found
