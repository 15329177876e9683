"""JSON objects inside what a model wrote, however it quoted them.

Models wrap the object in prose or code fences, use smart or single quotes, full-width braces and
colons, trailing commas, line breaks inside texts. Each is repaired only where strict JSON fails.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_WIDE = str.maketrans({"｛": "{", "｝": "}", "＂": '"', "［": "[", "］": "]"})
_QUOTES = "\"'“”‘’„‟「」『』"
_LARGEST = 200_000  # characters that are searched, from the end: a run-away reply must not cost minutes
_PAIR = re.compile(
    rf"[{_QUOTES}]?\s*(?P<key>[^\s:：,，{{}}\[\]{_QUOTES}][^:：,，{{}}\[\]{_QUOTES}]{{0,30}}?)\s*[{_QUOTES}]?\s*[:：]\s*"
    rf"(?:[{_QUOTES}](?P<quoted>[^{_QUOTES}{{}}]*)[{_QUOTES}]|(?P<items>\[[^\[\]{{}}]*\])|(?P<bare>[^\s,，{{}}\[\]{_QUOTES}]+))"
)
_ITEM = re.compile(rf"[{_QUOTES}]\s*([^{_QUOTES}]*?)\s*[{_QUOTES}]|([^\s,，、\[\]{_QUOTES}]+)")


def answer_text(text: str) -> str:
    """What follows the last closed thought; nothing where a thought was opened and never closed."""
    tags = ("</think>", "</thinking>", "</thought>")
    closed = max((text.rfind(tag) + len(tag) for tag in tags if tag in text), default=0)
    rest = text[closed:]
    opened = re.search(r"<(?:think|thinking|thought)>", rest)
    return rest[: opened.start()].strip() if opened else rest.strip()


def objects(text: str) -> list[dict[str, Any]]:
    """Every JSON object of a text that holds no other object, in order; repaired where it must be."""
    found = []
    for body in _bodies(text[-_LARGEST:].translate(_WIDE)):
        value = _strict(body)
        if value is None:
            value = _repaired(body)
        if value:
            found.append(value)
    return found


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
