"""Fresh items: from public xiehouyu lists, with an account of every entry, and from examples as the paper prints them.

Each answer of each entry is taken apart and its order decided (``lists``), and what is split becomes an item
with pinyin. Readings of the differing words are those that make them sound most alike; of the rest, those that
fit the words they stand in.

The paper's examples are JSON lines: ``riddle``, ``answer_literal`` (null for the direct type), ``answer_intended``,
``homophones`` (``[in the literal answer, in the intended one]``, null where there is none) and, where known,
``origin``. Their readings are derived here, once, and stored in the item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apun import digests
from apun.errors import PhoneticError
from apun.phonetics.mandarin import numbered, readings
from apun.phonetics.mandarin.pinyin import Syllable
from apun.records import Record
from benchmarks.x_riddles.homophony import LEVELS, compare, han, living_readings
from benchmarks.x_riddles.items import Pair, Riddle
from benchmarks.x_riddles.lists import Entry, Reading, literal_first, orientations, take_apart

NO_PARENTHESIS = "no parenthesis"
EXPLANATION = "the parenthesis explains, it is no homophone"
UNBALANCED = "parentheses that do not close"
UNREADABLE = "a character without a Mandarin reading"
_PRINTED = ("riddle", "answer_literal", "answer_intended")


@dataclass(frozen=True)
class Import:
    """What became of a list.

    Attributes:
        items: homophonic items, in the list's order.
        entries: number of entries read.
        answers: number of answers they hold.
        skipped: answers that gave no item, by reason.
        notes: explanations found in parentheses and kept out of the answers.
        literal_first: ids of items whose printed order was literal（intended）.
    """

    items: tuple[Riddle, ...]
    entries: int
    answers: int
    skipped: Mapping[str, int]
    notes: int
    literal_first: tuple[str, ...] = ()
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def report(self) -> str:
        """The account as lines of text."""
        matches = Counter(item.match for item in self.items)
        lines = [
            f"{self.entries} entries with {self.answers} answers: {len(self.items)} homophonic items",
            "  match: " + ", ".join(f"{level} {matches[level]}" for level in LEVELS[:-1]),
            f"  printed literal（intended）: {len(self.literal_first)}",
            f"  explanations kept out: {self.notes}",
        ]
        for reason, count in sorted(self.skipped.items(), key=lambda pair: -pair[1]):
            shown = "; ".join(self.examples.get(reason, ()))
            lines.append(f"  skipped {count}: {reason}" + (f" (such as {shown})" if shown else ""))
        return "\n".join(lines)


def import_entries(entries: Sequence[Entry]) -> Import:
    """Split a list's homophonic answers into literal and intended ones."""
    taken = [
        (entry, place, answer, take_apart(answer)) for entry in entries for place, answer in enumerate(entry.variants)
    ]
    seen = orientations(reading for _, _, _, reading in taken)
    items: list[Riddle] = []
    reversed_ids: list[str] = []
    skipped: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    for entry, place, answer, reading in taken:
        reason = _reason(answer, reading)
        first = not reason and literal_first(entry.riddle, reading, seen)
        item = None if reason else _item(entry, place, reading, first)
        if item is None:
            reason = reason or UNREADABLE
            skipped[reason] += 1
            shown = examples.setdefault(reason, [])
            if reason != NO_PARENTHESIS and len(shown) < 2:
                shown.append(answer)
            continue
        items.append(item)
        if first:
            reversed_ids.append(item.id)
    notes = sum(len(reading.notes) for _, _, _, reading in taken)
    return Import(tuple(items), len(entries), len(taken), skipped, notes, tuple(reversed_ids), examples)


def _reason(answer: str, reading: Reading) -> str | None:
    opened, closed = (sum(answer.count(char) for char in chars) for chars in ("（(", "）)"))
    if not opened and not closed:
        return NO_PARENTHESIS
    if opened != closed:
        return UNBALANCED
    return None if reading.swaps else EXPLANATION


def _item(entry: Entry, place: int, reading: Reading, first: bool) -> Riddle | None:
    literal, intended = (reading.printed, reading.swapped) if first else (reading.swapped, reading.printed)
    riddle = _without_parentheses(entry.riddle)
    try:
        sounds = {text: list(readings(text)) for text in (literal, intended)}
        spoken_riddle = readings(riddle)
    except PhoneticError:
        return None
    if any(len(sounds[text]) != len(han(text)) for text in sounds):
        return None
    pairs = []
    for swap in reading.swaps:
        a, b = (swap.printed, swap.inside) if first else (swap.inside, swap.printed)
        start = len(han(reading.printed[: swap.start]))
        stop = start + len(a)
        pair, sounds[literal][start:stop], sounds[intended][start:stop] = aligned_pair(a, b)
        pairs.append(pair)
    # The rest of the two answers is the same text, and is read the same.
    for i, syllable in enumerate(sounds[intended]):
        if han(literal)[i] == han(intended)[i]:
            sounds[literal][i] = syllable
    return Riddle(
        id=f"{entry.source}-{entry.index:05d}-{place}",
        riddle=riddle,
        intended=intended,
        type="homophonic",
        literal=literal,
        riddle_pinyin=numbered(spoken_riddle),
        literal_pinyin=numbered(sounds[literal]),
        intended_pinyin=numbered(sounds[intended]),
        pairs=tuple(pairs),
        origin=entry.source,
        group=riddle,  # the same riddle in another list, or with another answer, is no independent item
    )


def aligned_pair(a: str, b: str) -> tuple[Pair, list[Syllable], list[Syllable]]:
    """A pair of words of one length, read so that they sound as alike as they can.

    Returns:
        The pair, the syllables of the first word, and those of the second.
    """
    closest = [_closest(x, y) for x, y in zip(a, b, strict=True)]
    ours, theirs = [x for x, _ in closest], [y for _, y in closest]
    return Pair(a, b, numbered(ours), numbered(theirs), match=compare(ours, theirs)), ours, theirs


def _closest(a: str, b: str) -> tuple[Syllable, Syllable]:
    if a == b:
        return (living_readings(a)[0],) * 2
    return min(
        ((x, y) for x in living_readings(a) for y in living_readings(b)),
        key=lambda pair: LEVELS.index(compare(pair[:1], pair[1:])),
    )


def _without_parentheses(riddle: str) -> str:
    """The riddle without definitions of rare characters: 饭甑（zeng）里 is 饭甑里."""
    return take_apart(riddle).printed if any(char in riddle for char in "（(") else riddle


def is_printed(record: Record) -> bool:
    """Whether a row is an example as the paper prints it."""
    return all(name in record.values for name in _PRINTED)


def from_printed(record: Record) -> Riddle:
    """An item, its homophones judged by pinyin.

    Raises:
        DataError: a field is missing or contradicts another; names it.
    """
    riddle, intended = record.text("riddle"), record.text("answer_intended")
    literal = record.text("answer_literal", "")
    try:
        sounds = {text: list(readings(text)) for text in (riddle, literal, intended) if text}
    except PhoneticError as error:
        raise record.fault(str(error), "riddle") from error
    pairs: tuple[Pair, ...] = ()
    if record.values.get("homophones"):
        a, b = _whole(literal, intended, *record.texts("homophones", 2))
        start = literal.find(a)
        if start < 0 or not intended.startswith(b, start) or len(a) != len(b):
            raise record.fault(f"{a}/{b} do not stand at one place of {literal} and {intended}", "homophones")
        pair, sounds[literal][start : start + len(a)], sounds[intended][start : start + len(b)] = aligned_pair(a, b)
        pairs = (pair,)
    origin = record.text("origin", "")
    return Riddle(
        id=f"printed-{digests.of_text(riddle + intended, 8)}",
        riddle=riddle,
        intended=intended,
        type="homophonic" if pairs else "polysemous" if literal else "direct",
        literal=literal or None,
        riddle_pinyin=numbered(sounds[riddle]),
        literal_pinyin=numbered(sounds[literal]) if literal else "",
        intended_pinyin=numbered(sounds[intended]),
        pairs=pairs,
        novel=origin.startswith("new"),
        origin=origin,
    )


def _whole(literal: str, intended: str, a: str, b: str) -> tuple[str, str]:
    """The printed homophones, widened to every place where the answers differ: 舅/疚 becomes 欠舅/歉疚."""
    if len(literal) != len(intended) or len(han(literal)) != len(literal):
        return a, b
    differing = [place for place in range(len(literal)) if literal[place] != intended[place]]
    start, stop = literal.find(a), literal.find(a) + len(a)
    if start < 0 or not differing:
        return a, b
    start, stop = min(start, differing[0]), max(stop, differing[-1] + 1)
    return literal[start:stop], intended[start:stop]
