"""From public xiehouyu lists to homophonic items, with an account of every entry.

Each answer of each entry is taken apart (``parentheses``), its order decided (``order``), and what
is split becomes an item with pinyin. Readings of the differing words are those that make them sound
most alike; of the rest, those that fit the words they stand in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apun.errors import PhoneticError
from apun.phonetics.mandarin import readings
from apun.phonetics.mandarin.pinyin import Syllable
from benchmarks.x_riddles.dictionary import Entry
from benchmarks.x_riddles.homophony import LEVELS, compare, han
from benchmarks.x_riddles.items import Pair, Riddle
from benchmarks.x_riddles.living import living_readings
from benchmarks.x_riddles.order import literal_first, orientations
from benchmarks.x_riddles.parentheses import Reading, take_apart

NO_PARENTHESIS = "no parenthesis"
EXPLANATION = "the parenthesis explains, it is no homophone"
UNBALANCED = "parentheses that do not close"
UNREADABLE = "a character without a Mandarin reading"


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
    taken = [(entry, place, answer, take_apart(answer)) for entry in entries for place, answer in _answers(entry)]
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


def _answers(entry: Entry) -> list[tuple[int, str]]:
    return list(enumerate(entry.variants))


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
        riddle_pinyin=pinyin_text(spoken_riddle),
        literal_pinyin=pinyin_text(sounds[literal]),
        intended_pinyin=pinyin_text(sounds[intended]),
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
    return Pair(a, b, pinyin_text(ours), pinyin_text(theirs), match=compare(ours, theirs)), ours, theirs


def _closest(a: str, b: str) -> tuple[Syllable, Syllable]:
    if a == b:
        return (living_readings(a)[0],) * 2
    return min(
        ((x, y) for x in living_readings(a) for y in living_readings(b)),
        key=lambda pair: LEVELS.index(compare(pair[:1], pair[1:])),
    )


def pinyin_text(syllables: Sequence[Syllable]) -> str:
    """Syllables as the items spell them: tone digits, apart by spaces."""
    return " ".join(syllable.numbered for syllable in syllables)


def _without_parentheses(riddle: str) -> str:
    """The riddle without definitions of rare characters: 饭甑（zeng）里 is 饭甑里."""
    return take_apart(riddle).printed if any(char in riddle for char in "（(") else riddle
