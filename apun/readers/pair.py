"""Answers of two parts: two meanings of a word, a pun word and the word it stands for."""

from __future__ import annotations

import re

from apun.phonetics.mandarin import is_han
from apun.readers import denials, rules, text
from apun.readers.lines import fields, labelled
from apun.readers.one import Parsed
from apun.readers.word import only_chinese

_MEANING = "(?:meaning|sense|reading)"
_MEANINGS = {
    "first": rf"(?:the\s+)?(?:first|surface|literal|1st)(?:[ _]{_MEANING})?|{_MEANING}[ _]?(?:1|a|one)",
    "second": rf"(?:the\s+)?(?:second|hidden|other|figurative|2nd)(?:[ _]{_MEANING})?|{_MEANING}[ _]?(?:2|b|two)",
}
_ITEM = re.compile(r"(?:^|\n)\s?[-•]\s|(?:^|\s)\(?(?:\d{1,2}|[a-d])[.):]\s", re.IGNORECASE)
_AND = re.compile(r"\bAND\b")
_EDGES = " \t\r\n.,;:\"'“”‘’*-•"


_FEW = 4  # characters before "sounds like" where a denial of it stands


def meanings(reply: str) -> Parsed[tuple[str, str]]:
    """The two meanings a reply gives; none unless there are exactly two."""
    found = listed(reply)
    if len(found) == 2:
        return Parsed((found[0], found[1]))
    return Parsed(None, "several" if len(found) > 2 else "no_answer" if reply.strip() else "empty")


def listed(reply: str) -> tuple[str, ...]:
    """The meanings an answer lists, however many.

    They are labelled (``First meaning: …``), parted by AND, on numbered or bulleted lines, on lines of their own, or
    parted by ``;``, ``/`` or a single "and". Parts without a letter are left out, and so are repeated ones.
    """
    named = labelled(reply, _MEANINGS, inline=True)
    cleaned = (part.strip(_EDGES) for part in (named.values() if len(named) == 2 else _parts(reply)))
    return tuple({part.casefold(): part for part in cleaned if any(char.isalpha() for char in part)}.values())


def _parts(reply: str) -> list[str]:
    answer = text.clean(reply, "meanings").text.replace("*", "").replace("`", "")
    answer = re.split(r"\banswer ?: ?", answer, flags=re.IGNORECASE)[-1] or answer
    # only the line that holds the AND: an introduction is no meaning
    joined = [line for line in answer.split("\n") if _AND.search(line) and line.strip() != "AND"]
    parts = _AND.split(joined[-1]) if joined else re.split(r"\n ?AND ?\n", answer)
    if len(parts) == 1:
        items = _ITEM.split(answer)[1:]
        parts = [item.strip().split("\n", 1)[0] for item in items] if len(items) > 1 else text.lines(answer)
    for sign in (r"[;；]", r" / ", r"(?i: and | & )"):
        halves = re.split(sign, parts[0]) if len(parts) == 1 else []
        parts = halves if len(halves) == 2 or (len(halves) > 2 and sign == r"[;；]") else parts
    return parts


def pair(reply: str, first: str, second: str, *, sounding: bool = False) -> Parsed[tuple[str, str]]:
    """Two Chinese words under two labels.

    Args:
        reply: what the model wrote.
        first: the pattern of the first word's label.
        second: that of the second's.
        sounding: whether two quoted words will also do of which the reply says that the first sounds like the second.

    Returns:
        Their Chinese characters; either may be empty where the model left it so.
    """
    labels = {"first": first, "second": second}
    prose = text.prose(reply)
    in_json = fields(prose, labels)
    found = in_json or labelled(reply, labels, inline=True)
    words = _chinese(found.get("first", ""), bool(in_json)), _chinese(found.get("second", ""), bool(in_json))
    alike = _alike(prose) if sounding and not all(words) else None
    if alike or any(words) or (found and "{" in prose):
        return Parsed(alike or words)
    return Parsed(None, "refusal" if denials.refuses(prose) else "no_answer" if prose else "empty")


def _alike(prose: str) -> tuple[str, str] | None:
    for line in prose.split("\n"):
        cue = rules.pattern("{alike}").search(line)
        if cue and not denials.negated(line[max(0, cue.start() - _FEW) : cue.start()]):
            quotes = [only_chinese(quote) for quote in text.quoted(line)]
            if len(quotes) == 2 and all(quotes):
                return quotes[0], quotes[1]
    return None


def _chinese(said: str, in_json: bool) -> str:
    """The word in what a label leads to: after the dash that parts it from its riddle, up to the end of its clause.

    A field in JSON holds nothing else, so its commas are the word's own (以彼之道，还施彼身).
    """
    clause = re.split(r"[(。;.]" if in_json else r"[(,。;.]", re.split("——|—|--", said)[-1])[0]
    parts = rules.pattern(r"[/、]|{either}").split(clause)
    several = len(parts) > 1 and not (len(parts) == 2 and "或" in clause and len(parts[0]) != len(parts[1]))  # 不可或缺
    return "" if several else "".join(filter(is_han, clause))
