"""Does a line rhyme with another, and if not, why not (Phun-Bench §4.3, §5.3.2).

Readings are taken in context (jieba, then pypinyin), finals are put into the 18 rhyme groups, tones do
not count. Only the last one or two characters decide. A line that ends in a character of the reference
at the same place from the end is disqualified.

Causes of a wrong answer, the first that holds:

* ``unparsed``: there is no line, or its end is not Chinese characters with a reading;
* ``plagiarised``: it repeats the reference's final character(s);
* ``swapped``: (two syllables) the groups are right, in the wrong order;
* ``indexing``: its end rhymes with the reference read one or two characters earlier, or its own line one or
  two characters earlier rhymes with the reference's end: right groups, counted at the wrong place;
* ``misgrouped``: a final of another group, at the last syllable, the one before, or both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from apun.errors import PhoneticError
from apun.phonetics.mandarin import han, is_han, parse, readings, rhyme_group
from benchmarks.phun_bench import lexicon

Cause = Literal["", "unparsed", "plagiarised", "swapped", "indexing", "misgrouped"]
CAUSES: tuple[Cause, ...] = ("unparsed", "plagiarised", "swapped", "indexing", "misgrouped")
_SHIFTS = (1, 2)
_OPENINGS = ("我在夜里轻轻想起", "风吹过来时我看见")


@dataclass(frozen=True, slots=True)
class Ending:
    """The last stretch of Chinese characters of a line, and their rhyme groups, one a character."""

    chars: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a line rhymes.

    Attributes:
        cause: why not; empty when it does.
        groups: rhyme groups of the generated line's end, as many as were asked for.
        where: for ``misgrouped``, ``last``, ``next-to-last`` or ``both``.
    """

    cause: Cause
    groups: tuple[str, ...] = ()
    where: str = ""

    @property
    def correct(self) -> bool:
        """Whether the line rhymes and repeats nothing."""
        return not self.cause


@lru_cache(maxsize=16_384)
def ending(line: str) -> Ending | None:
    """What a line ends in; None where that is no Chinese character with a rhyme group."""
    stretch = _last_stretch(line)
    try:
        groups = tuple(rhyme_group(syllable.final) for syllable in readings(stretch))
    except PhoneticError:
        return None
    return Ending(han(stretch), groups) if groups else None


def _last_stretch(line: str) -> str:
    """From the last letter or digit that is not Chinese to the end."""
    for place in range(len(line) - 1, -1, -1):
        if line[place].isalnum() and not is_han(line[place]):
            return line[place + 1 :]
    return line


def judge(reference: str, groups: Sequence[str], line: str | None, count: int) -> Verdict:
    """Whether a generated line rhymes with the reference in its last ``count`` syllables (1 or 2).

    Args:
        reference: the reference line.
        groups: gold rhyme groups of its last two characters.
        line: the generated line; None where none was found.
        count: syllables that must rhyme.
    """
    own = ending(line) if line else None
    if own is None or len(own.groups) < count:
        return Verdict("unparsed")
    wanted, found = tuple(groups[-count:]), own.groups[-count:]
    if any(a == b for a, b in zip(han(reference)[: -count - 1 : -1], own.chars[: -count - 1 : -1], strict=False)):
        return Verdict("plagiarised", found)
    if wanted == found:
        return Verdict("", found)
    if count == 2 and wanted == found[::-1]:
        return Verdict("swapped", found)
    before = ending(reference)
    if found in _earlier(before, count) or wanted in _earlier(own, count):
        return Verdict("indexing", found)
    wrong = [a != b for a, b in zip(wanted, found, strict=True)]
    where = "both" if all(wrong) and count == 2 else "last" if wrong[-1] else "next-to-last"
    return Verdict("misgrouped", found, where)


def _earlier(line: Ending | None, count: int) -> list[tuple[str, ...]]:
    """The groups one and two characters before the end."""
    if line is None:
        return []
    size = len(line.groups)
    return [line.groups[size - count - shift : size - shift] for shift in _SHIFTS if size >= count + shift]


def compose(reference: str, groups: Sequence[str], count: int) -> str:
    """A line that rhymes, by rule; what the solver answers. Empty where no word of the lexicon does."""
    wanted = tuple(groups)
    for opening in _OPENINGS:
        for word in _closings(wanted[-count:], reference):
            if judge(reference, wanted, opening + word, count).correct:
                return opening + word
    return ""


def _closings(wanted: tuple[str, ...], reference: str) -> Iterator[str]:
    """Words that end in the groups, frequent ones first, then single characters put side by side."""
    spent = set(reference)
    index = _words_by_groups()
    yield from (word for word in index.get(wanted, ())[:40] if not spent & set(word))
    if len(wanted) == 2:
        firsts, seconds = (index.get((group, ""), ())[:12] for group in wanted)
        yield from (a + b for a in firsts for b in seconds if not spent & {a, b})


@lru_cache(maxsize=1)
def _words_by_groups() -> dict[tuple[str, ...], list[str]]:
    """Two-character words by their two groups and by their last; single characters under ``(group, "")``."""
    found: dict[tuple[str, ...], list[str]] = {}
    for entry in lexicon.entries()[:60_000]:
        if len(entry.word) > 2 or not (sound := lexicon.word_sound(entry.word)):
            continue
        try:
            groups = tuple(_group(part) for part in sound.split())
        except PhoneticError:
            continue
        keys = [(groups[0], "")] if len(groups) == 1 else [groups, groups[1:]]
        for key in keys:
            found.setdefault(key, []).append(entry.word)
    return found


@lru_cache(maxsize=4096)
def _group(sound: str) -> str:
    return rhyme_group(parse(sound)[0].final)
