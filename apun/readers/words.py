"""A list of Chinese characters that a reply gives."""

from __future__ import annotations

import re

from apun.phonetics.mandarin import is_han
from apun.readers import denials, text
from apun.readers.one import Parsed

_GLOSS = re.compile(r"\([^()]*\)|(?<=[\u3400-\u9fff])\s*[a-zāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü]{1,7}[1-5]?\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,、;/|\"'“”‘’。.]+")


def characters(reply: str) -> Parsed[list[str]]:
    """The characters listed, in order, without numbers and pinyin beside them.

    The entries of a field in JSON are kept as they are; elsewhere every entry must be one character.
    """
    cleaned = text.clean(reply, "chars")
    if not cleaned.text:
        return Parsed(None, "empty")
    if cleaned.key:
        entries = list(cleaned.entries or _split(cleaned.text))
        # characters run together are an entry each
        together = len(entries) == 1 and all(map(is_han, entries[0]))
        return Parsed(list(entries[0]) if together else entries) if entries else Parsed(None, "no_answer")
    for piece in (" ".join(text.lines(cleaned.text)), *text.announced(cleaned.text)):
        entries = _split(_GLOSS.sub(" ", piece))
        if entries and all(len(entry) == 1 and is_han(entry) for entry in entries):
            return Parsed(entries)
    return Parsed(None, "refusal" if denials.refuses(cleaned.text) else "no_answer")


def _split(piece: str) -> list[str]:
    """Entries of a list that was written as text."""
    return [entry for entry in _BETWEEN.split(text.bare(piece)) if entry]
