"""Whether a reply says yes or no, and whether it calls what was heard a pun."""

from __future__ import annotations

import re
from typing import Literal

from apun.readers import denials, rules, text
from apun.readers.one import Parsed, one, only

Verdict = Literal["pun", "non-pun"]
_PUN = r"(?<![a-z])(?:(?P<non>non[\s\-‐‑–]*)?pun(?:s|ny|ning)?)(?![a-z])(?!\s+{definition})"
_FIELD = re.compile(r"(?:is[ _])?(non[ _\-]?)?pun")


def yes_no(reply: str) -> Parsed[bool]:
    """Whether a reply says yes.

    The word after the last "the answer is" counts, else the first word, else what the sentence says.
    "いいえ、正しい読みは…" is no; "はい、違います" is neither.
    """
    left = _without_form(text.clean(reply, "verdict").text)
    ends = (text.first_line, text.last_line)
    return only(one(left, _said, lambda piece: _leading(piece) or _stated(piece), ends=ends, closing=_leading))


def _without_form(answer: str) -> str:
    """The answer without the form asked for ("yes or no"), which it may say over again; ``-`` if that is all."""
    return rules.pattern(r"{yes}\s*(?:/|か|・|{either})\s*{no}").sub(" ", answer).strip() or ("-" if answer else "")


def _said(piece: str) -> list[tuple[bool]]:
    """A piece that is nothing but yes or no."""
    match = rules.pattern(r"(?:(?P<yes>{yes})|{no})(?:です|になります)?").fullmatch(text.bare(piece))
    return [(bool(match["yes"]),)] if match else []


def _opening(piece: str) -> tuple[set[bool], str]:
    """The yes or no at the beginning (both in "yes/no"), and the rest of its sentence."""
    words = rules.pattern(r"(?:(?P<yes>{yes})|{no})(?![a-z])")
    match = words.match(piece.lstrip(text.EDGES))
    if not match:
        return set(), piece
    rest = text.first_sentence(match.string[match.end() :].lstrip(text.EDGES))
    other = words.match(rest)
    return {bool(match["yes"])} | ({bool(other["yes"])} if other else set()), rest


def _leading(piece: str) -> list[tuple[bool]]:
    """A yes or no at the beginning; both, where what follows contradicts it."""
    found, rest = _opening(piece)
    if (found == {True} and _stated(rest) == [(False,)]) or (
        found == {False} and rest in ("正しいです", "その通りです")
    ):
        found = {True, False}
    return [(yes,) for yes in found]


def _stated(piece: str) -> list[tuple[bool]]:
    """What a sentence says, by its words and by a yes or no that stands in it."""
    words = rules.pattern(r"(?<![a-z])(?:(?P<yes>yes)|no)(?![a-z])").finditer(piece)
    found = {bool(word["yes"]) for word in words} | {yes for quote in text.quoted(piece) for (yes,) in _said(quote)}
    if rules.pattern("{affirmed}").search(piece):
        found.add(True)
    if rules.pattern("{rejected}").search(piece):
        found.add(False)
    return [(yes,) for yes in found]


def verdict(reply: str, asked: Verdict) -> Parsed[Verdict]:
    """Whether the reply calls the clip a pun.

    A statement ("this is not a pun") outranks a bare yes or no, which is relative to what was asked, or to the question
    that the reply itself repeats ("Is it a pun? No."). What is only supposed ("if this were a pun") is not said.

    Args:
        reply: what the model wrote.
        asked: the polarity of the question ("is this a pun" or "is this a non-pun").
    """
    cleaned = text.clean(reply, "verdict")
    field = _FIELD.fullmatch(cleaned.key)
    if field:
        asked = "non-pun" if field[1] else "pun"
    answer = _without_form(cleaned.text.replace("*", "").replace("`", ""))
    question, mark, rest = answer.rpartition("?")
    if mark and rest.strip():
        claimed = _claims(question)
        asked, answer = (claimed.pop() if len(claimed) == 1 else asked), rest.strip()
    ends = (text.first_line,)

    def alone(piece: str) -> list[tuple[Verdict]]:
        bare = text.bare(piece)
        short = _said(bare) or rules.pattern(_PUN).fullmatch(bare)
        return named(bare) if short else []

    def named(piece: str) -> list[tuple[Verdict]]:
        return [(claim,) for claim in sorted(_verdicts(piece, asked))]

    return only(one(answer, alone, named, ends=ends, closing=named))


def _claims(piece: str) -> set[Verdict]:
    """What the mentions of a pun in a text say, each with the denials before it."""
    found: set[Verdict] = set()
    for mention in rules.pattern(_PUN).finditer(piece):
        if not denials.supposed(piece, mention.start()):
            found.add("pun" if denials.denied_before(piece, mention.start()) == bool(mention["non"]) else "non-pun")
    return found


def _verdicts(piece: str, asked: Verdict) -> set[Verdict]:
    claims, (weak, _) = _claims(piece), _opening(piece)
    if len(claims) == 2 or len(weak) == 2:
        return {"pun", "non-pun"}
    # "No, this is not a pun" denies twice what it denies once, whatever was asked
    if not weak or (claims == {"non-pun"} and weak == {False}):
        return claims
    denied: Verdict = "non-pun" if asked == "pun" else "pun"
    return claims | {asked if weak == {True} else denied}
