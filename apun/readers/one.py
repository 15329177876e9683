"""One answer of a reply: the places where it may stand are tried in order, and they must agree.

A reader says what a piece of text holds (``alone``: it is nothing but an answer; ``named``: a sentence that names one).
Tried are: the whole reply; its lines, when each is an answer; what follows "the answer is", with which a first line
that is an answer must agree; that first line; the ends of the reply; anything named anywhere. A candidate is a tuple of
the values that a mention may stand for (romaji may be several kana words), and mentions agree on what all of them may
stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from apun.readers import denials, text

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Cause = Literal["", "empty", "refusal", "several", "no_answer", "not_kana"]
Find = Callable[[str], Sequence[tuple[T, ...]]]


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T_co]):
    """An answer as read, or why there is none.

    Attributes:
        value: the answer; None when it cannot be told.
        cause: empty when there is a value; else ``empty``, ``refusal`` (it says it cannot or will not), ``several``
            (answers that do not agree), ``no_answer``, ``not_kana`` (a Japanese word in kanji only).
    """

    value: T_co | None
    cause: Cause = ""


def agree(candidates: Sequence[tuple[T, ...]]) -> Parsed[tuple[T, ...]]:
    """What several mentions may all stand for; case does not count."""
    found = [candidate for candidate in candidates if candidate]
    if not found:
        return Parsed(None, "no_answer")
    others = [{_folded(value) for value in candidate} for candidate in found[1:]]
    common = tuple(value for value in found[0] if all(_folded(value) in other for other in others))
    return Parsed(common) if common else Parsed(None, "several")


def _folded(value: object) -> object:
    return value.casefold() if isinstance(value, str) else value


def only(found: Parsed[tuple[T, ...]]) -> Parsed[T]:
    """The first of the values that an answer may stand for; where a reader's candidates have one each, the answer."""
    return Parsed(None if found.value is None else found.value[0], found.cause)


def one(
    reply: str,
    alone: Find[T],
    named: Find[T] = lambda _: (),
    *,
    label: str = "",
    clause: Callable[[str], str] = text.first_sentence,
    ends: Sequence[Callable[[str], str]] = (text.last_line,),
    closing: Find[T] | None = None,
) -> Parsed[tuple[T, ...]]:
    """What the one answer of a cleaned reply may stand for.

    Args:
        reply: its text, as ``text.clean`` leaves it.
        alone: the candidates of a piece that holds nothing but them; none of any other piece.
        named: the candidates that a sentence names.
        label: a table of words that announce the answer beside "the answer is".
        clause: the part of what follows those words that is the answer.
        ends: places of a longer reply where the answer stands by itself, the most telling first.
        closing: what is read there; ``alone`` when None.
    """
    if not reply:
        return Parsed(None, "empty")
    whole = alone(reply)
    by_line = [whole if line == reply else alone(line) for line in text.lines(reply)]
    everything = whole or ([said for line in by_line for said in line] if all(by_line) else ())
    if everything:
        return agree(everything)
    first = by_line[0] if by_line else ()
    for rest in text.announced(reply, label):
        said = alone(clause(rest)) or alone(rest) or named(rest)
        if said:
            return agree([*first, *said])
    if first:
        return agree(first)
    for place in ends:
        piece = place(reply)
        found = agree((closing or alone)(piece) if piece else ())
        if found.value:
            return found
    found = agree(named(reply))
    if found.cause == "no_answer" and denials.refuses(reply):
        return Parsed(None, "refusal")
    return found
