"""What a reply says but does not mean: refusals, denials, and what is asked or supposed. One rule for every reader."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from apun.readers import rules

_REACH = 60  # characters of a clause that are looked at
# A comma ends a clause where what follows starts anew: "not all of it, it is a pun"; in Chinese and Japanese always.
_CLAUSE = (
    r"[.!?;。！？；\n]|{turn}|,(?=\s*(?:it|this|that|there|so|and|yet|the|i|we|option)\b)|[,，、](?=\s?[^\x00-\x7f])"
)
_CLOSING = r"[)\"'」』】\]>*”’》\s]{0,6}"
_OPENING = " \t(\"'「『【[<*“‘《"


def refuses(text: str) -> bool:
    """Whether a text says that it cannot or will not answer."""
    return rules.pattern("{refusal}").search(text) is not None


def denied_before(text: str, start: int) -> bool:
    """Whether the clause up to a place denies or only supposes what comes there: not A, 不是A, I doubt, if A …"""
    return _in_clause(text, start, "{deny_before}") or supposed(text, start)


def denies(phrase: str) -> bool:
    """Whether a phrase of a few words says what the answer is not (definitely not rook); "can't elope" is a phrase."""
    return rules.pattern(r"{deny_word}\s").search(phrase) is not None


def supposed(text: str, start: int) -> bool:
    """Whether the clause up to a place only asks or supposes what comes there."""
    return _in_clause(text, start, "{undecided}")


def denied_after(text: str, end: int) -> bool:
    """Whether what follows a place denies what stood before it: A is wrong, A不对, Aではなく, is it A? No."""
    following = _CLOSING + r"(?:が|は)?{deny_after}|[^.!?。！？\n]{0,20}[?？]\s?(?:{no}|不)"
    return rules.pattern(following).match(text, end) is not None


def dismissed(text: str, start: int, end: int) -> bool:
    """Whether a mention does not count, by what stands before and after it."""
    return denied_after(text, end) or denied_before(text, start)


def negated(between: str) -> bool:
    """Whether what stands between a word and what is said of it turns that into its opposite."""
    return rules.pattern(r"{negation}\s?$|{negation_inside}").search(between) is not None


def _in_clause(text: str, start: int, table: str) -> bool:
    """Whether an entry of a table stands between the beginning of a clause and a place in it."""
    starts, ends = _places(text, table)
    last = bisect_right(ends, start) - 1
    if (
        last < 0
        or starts[last] < start - _REACH
        or text[max(0, start - 6) : start].rstrip(_OPENING).endswith((",", "、", "，"))
    ):
        return False
    _, clauses = _places(text, _CLAUSE)
    begin = clauses[bisect_right(clauses, start) - 1] if clauses and clauses[0] <= start else 0
    return ends[last] >= begin  # "anything but" holds the "but" that begins a clause


@lru_cache(maxsize=64)
def _places(text: str, table: str) -> tuple[list[int], list[int]]:
    """Where the matches of a table begin and end, in order: many mentions of one text are looked up in it."""
    spans = [match.span() for match in rules.pattern(table).finditer(text)]
    return [start for start, _ in spans], [end for _, end in spans]
