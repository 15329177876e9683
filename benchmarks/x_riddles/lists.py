"""Public xiehouyu lists: entries as they are printed, and the two answers in each.

Two formats are read: the JSON array of ``chinese-xinhua`` (``{"riddle": …, "answer": …}``) and the
lines of ``signalw`` (``riddle　——　answer；answer``, alternatives of the riddle apart by ``|``).

净输（书） holds two answers, 净输 and 净书. A parenthesis that holds k characters is a homophone when the k
characters before it can be read alike (same, tone differs or near). Anything else in parentheses - a
paraphrase, a definition, pinyin of a rare character - is an explanation: it is kept apart and is no part
of either answer.

净输（书） and 净是书（输） print the same pair in opposite orders. The printed word is nearly always the intended
one. It is taken for the literal one when evidence says so; the evidence is

* **orientation**: how often the list itself (plus the pairs of ``data/known_pairs.tsv``) has the two
  words the other way round, less how often it has them this way round;
* **word strength**: whether the answer is held together by dictionary words as printed, or only with
  the homophone put in (空费芯 is no word, 费心 is);
* **echo**: the printed word repeats a character of the riddle and the other does not (杏树: 扫杏).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from apun.errors import DataError
from apun.paths import read_text
from apun.records import Record, read, read_json
from benchmarks.x_riddles.homophony import LEVELS, Level, compare_chars, han, worst
from benchmarks.x_riddles.lexicon import word_strength

LISTS = ("xiehouyu.json", "vocabs.txt")
_KNOWN = Path(__file__).with_name("data") / "known_pairs.tsv"
_LARGEST_BYTES = 64 << 20  # the larger public list has 1.3 MB
_DASH = re.compile(r"\s*(?:——|—|--+)\s*")
_OPEN, _CLOSE = "（(", "）)"
_GROUP = re.compile(r"[（(]([^（）()]*)[）)]?")
_LONGEST = 6  # characters; the longest homophone in the public lists has four
_KNOWN_WEIGHT = 2
_NO_WORD, _WEAK_WORD = 3.0, 6.0  # strengths below: no word at all; at most one rare word
_WORD, _PLAIN_WORD = 9.0, 10.0  # strengths from: a word; a word that stands on its own

Orientations = Counter[tuple[str, str]]


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
        elif depth == 0 and char in "；;":
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
    text = read_text(path, largest=_LARGEST_BYTES)
    entries = list(_from_json(path) if path.suffix == ".json" else _from_lines(path, text))
    if not entries:
        raise DataError("holds no xiehouyu", file=path, fix="Expected lines such as: riddle —— answer")
    return entries


def _from_json(path: Path) -> Iterator[Entry]:
    rows = read_json(path)
    if not isinstance(rows, list):
        raise DataError("must be an array of entries", file=path, fix='Expected [{"riddle": …, "answer": …}, …].')
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise DataError(f"entry {index} is not an object", file=path)
        record = Record(row, path, key=f"entry {index}")
        yield Entry("chinese-xinhua", index, record.text("riddle"), record.text("answer"))


def _from_lines(path: Path, text: str) -> Iterator[Entry]:
    for index, line in enumerate(text.splitlines()):
        if not line.strip():
            continue
        parts = _DASH.split(line.strip(), maxsplit=1)
        if len(parts) != 2 or not all(parts):
            problem = "has no riddle and answer apart by ——"
            raise DataError(problem, file=path, line=index + 1, fix="Correct or remove the line.")
        yield Entry("signalw", index, parts[0].split("|")[0].strip(), parts[1].strip())


@dataclass(frozen=True, slots=True)
class Swap:
    """Two words at one place of an answer: as printed before the parenthesis, and inside it."""

    start: int
    printed: str
    inside: str
    level: Level


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer with its parentheses taken apart.

    Attributes:
        printed: the answer without parentheses.
        swapped: the same with each homophone put in; equal to ``printed`` where there is none.
        swaps: the homophones, in order.
        notes: explanations that stood in parentheses.
    """

    printed: str
    swapped: str
    swaps: tuple[Swap, ...]
    notes: tuple[str, ...]


def take_apart(answer: str) -> Reading:
    """Separate an answer from what stands in its parentheses."""
    printed, swapped = "", ""
    swaps: list[Swap] = []
    notes: list[str] = []
    position = 0
    free = 0  # characters before this place belong to an earlier swap
    for group in _GROUP.finditer(answer):
        between = answer[position : group.start()]
        printed += between
        swapped += between
        position = group.end()
        swap = _swap(printed, group.group(1).strip(), free)
        if swap is None:
            if group.group(1).strip():
                notes.append(group.group(1).strip())
            continue
        swaps.append(swap)
        free = len(printed)
        swapped = swapped[: -len(swap.inside)] + swap.inside
    printed += answer[position:]
    swapped += answer[position:]
    return Reading(printed.strip(), swapped.strip(), tuple(swaps), tuple(notes))


def _swap(printed: str, inside: str, free: int) -> Swap | None:
    size = len(inside)
    if not 0 < size <= _LONGEST or han(inside) != inside:
        return None
    start = len(printed) - size
    word = printed[start:] if start >= free else ""
    if not word or han(word) != word or word == inside:
        return None
    level = worst(compare_chars(a, b) for a, b in zip(word, inside, strict=True))
    return Swap(start, word, inside, level) if level != LEVELS[-1] else None


def orientations(readings: Iterable[Reading]) -> Orientations:
    """How often each (intended, literal) pair stands in this order, the known pairs included."""
    found: Orientations = Counter(
        {(intended, literal): _KNOWN_WEIGHT for literal, intended in _known_pairs()},
    )
    for reading in readings:
        found.update((swap.printed, swap.inside) for swap in reading.swaps)
    return found


def literal_first(riddle: str, reading: Reading, seen: Orientations) -> bool:
    """Whether the printed answer is the literal one.

    Args:
        riddle: first part.
        reading: the answer, with at least one homophone.
        seen: orientations of the whole list, this entry included.
    """
    votes = [seen[swap.inside, swap.printed] - seen[swap.printed, swap.inside] + 1 for swap in reading.swaps]
    printed = max(word_strength(reading.printed, swap.start, len(swap.printed)) for swap in reading.swaps)
    swapped = max(word_strength(reading.swapped, swap.start, len(swap.inside)) for swap in reading.swaps)
    total = sum(votes)
    if printed < _NO_WORD:
        if total >= 2 or (total >= 1 and swapped >= _WORD):
            return True
    elif min(printed, swapped) >= _PLAIN_WORD and min(votes) >= 2:
        return True  # both are words, so only the list can tell
    echo = any(set(swap.printed) & set(riddle) and not set(swap.inside) & set(riddle) for swap in reading.swaps)
    return echo and printed < _WEAK_WORD and swapped >= _WORD


@lru_cache(maxsize=1)
def _known_pairs() -> tuple[tuple[str, str], ...]:
    return tuple((row.text("literal"), row.text("intended")) for row in read(_KNOWN, ("literal", "intended")))
