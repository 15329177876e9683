"""Kanji and their readings: what the official table gives, and which kana of a word's reading are whose.

The official jōyō table (Cabinet notice no. 2 of 2010) is JSON lines, one kanji a line: ``kanji``, ``items`` (each
with ``reading``, ``examples``). On readings are katakana, kun readings hiragana with their okurigana. A notice of
the state is outside copyright (Japanese Copyright Act, article 13).

A kanji's reading changes inside a word: its first kana may be voiced (rendaku: ``その`` in ``花園`` is ``ぞの``) or
become ``p`` after ``っ ん``, and its last ``つ く ち き`` may become ``っ`` (``ひつ`` in ``筆記`` is ``ひっ``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from apun.errors import DataError
from apun.phonetics.japanese import is_kana, normalise
from apun.records import Record, read, shown

TABLE = "joyo_readings.jsonl"
_INFLECTED = "うくぐすつぬぶむるい"
_WORD = re.compile(r"[㐀-鿿𠀀-𪛟々ぁ-ゖァ-ヶー]+")
_VOICED = dict(zip("かきくけこさしすせそたちつてとはひふへほ", "がぎぐげござじずぜぞだぢづでどばびぶべぼ", strict=True))
_VOICED_TOO = {"ち": "じ", "つ": "ず"}  # ぢ and づ are mostly written じ and ず
_HARD = dict(zip("はひふへほ", "ぱぴぷぺぽ", strict=True))
_GEMINATING = "つくちき"


@dataclass(frozen=True, slots=True)
class Reading:
    """One row of the table: a reading with its example words, cleaned of notes and placeholders."""

    kana: str
    on: bool
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kanji:
    """A kanji with its official readings, in the table's order."""

    char: str
    readings: tuple[Reading, ...]

    @property
    def single(self) -> bool:
        """Whether the table gives exactly one reading."""
        return len(self.readings) == 1


def read_table(path: Path) -> list[Kanji]:
    """Kanji of the table; a row that gives no reading (a second form of a character) is passed over.

    Args:
        path: the file, or the folder that holds ``joyo_readings.jsonl``.

    Raises:
        DataError: missing or malformed; names file, line and field.
    """
    path = path / TABLE if path.is_dir() else path
    if not path.is_file():
        raise DataError("no such table", file=path, fix=f"Give the folder that holds {TABLE}.")
    found = (_kanji(record) for record in read(path))
    return [kanji for kanji in found if kanji.readings]


def _kanji(record: Record) -> Kanji:
    char, rows = record.text("kanji"), record.values.get("items")
    if len(char) != 1:
        raise record.fault(f"must be one character, is {char!r}", "kanji")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise record.fault(f"must be a list of readings, is {shown(rows)}", "items")
    return Kanji(char, tuple(_reading(Record(row, record.file, record.line)) for row in rows))


def _reading(record: Record) -> Reading:
    kana = record.text("reading")
    if not is_kana(kana):
        raise record.fault(f"must be kana, is {kana!r}", "reading")
    words = (re.sub(r"[（〔].*", "", example).strip() for example in record.texts("examples"))
    return Reading(normalise(kana), "ァ" <= kana[0] <= "ヶ", tuple(word for word in words if _WORD.fullmatch(word)))


def stems(kanji: Kanji) -> tuple[str, ...]:
    """Official readings without okurigana: ``おぼ`` and ``さ`` for 覚, whose kun are ``おぼえる`` and ``さめる``."""
    return tuple(dict.fromkeys(stem(kanji.char, reading) for reading in kanji.readings))


def stem(char: str, reading: Reading) -> str:
    """The part of a reading that the kanji itself carries, judged by the table's example words."""
    if reading.on:
        return reading.kana
    for word in reading.examples:
        if not word.startswith(char):
            continue
        tail = okurigana(word[1:])
        for length in range(len(reading.kana) - 1, 0, -1):
            if tail.startswith(reading.kana[length:]):
                return reading.kana[:length]
    return _by_conjugation(char, reading)


def _by_conjugation(char: str, reading: Reading) -> str:
    """For a verb or adjective whose examples are all inflected (``集い`` for ``つどう``): what they have in common."""
    if reading.kana[-1] not in _INFLECTED or char in reading.examples:
        return reading.kana
    for word in reading.examples:
        tail = okurigana(word.partition(char)[2])
        if tail and len(reading.kana) > 1:
            return reading.kana[: max(1, len(reading.kana) - len(tail))]
    return reading.kana


def okurigana(tail: str) -> str:
    """The hiragana that a text begins with: those which follow a kanji in its word."""
    count = next((i for i, char in enumerate(tail) if not "ぁ" <= char <= "ゖ"), len(tail))
    return tail[:count]


@lru_cache(maxsize=4096)
def sounds(reading: str) -> frozenset[str]:
    """What a reading may become inside a word, itself among them."""
    first, rest = reading[0], reading[1:]
    firsts = {first, *(table[first] for table in (_VOICED, _VOICED_TOO, _HARD) if first in table)}
    forms = {f + rest for f in firsts}
    if len(reading) > 1 and reading[-1] in _GEMINATING:
        forms |= {form[:-1] + "っ" for form in forms}
    return frozenset(forms)


def align(word: str, kana: str, readings: Callable[[str], Iterable[str]]) -> tuple[str, ...] | None:
    """Split a word's reading over its characters.

    Args:
        word: kanji and hiragana.
        kana: its reading in hiragana.
        readings: the readings a kanji may have, without okurigana; ``々`` takes those of the kanji before it.

    Returns:
        One part of ``kana`` per character of ``word``; None when there is no split, or more than one.
    """
    splits = _splits(word, kana, readings, "")
    return splits[0] if len(splits) == 1 else None


def _splits(word: str, kana: str, readings: Callable[[str], Iterable[str]], before: str) -> list[tuple[str, ...]]:
    if not word:
        return [()] if not kana else []
    char, rest = word[0], word[1:]
    if is_kana(char):
        char = normalise(char)
        return [(char, *split) for split in _splits(rest, kana[1:], readings, "")] if kana[:1] == char else []
    char = before if char == "々" and before else char
    parts = {form for reading in readings(char) for form in sounds(reading) if kana.startswith(form)}
    return [(part, *split) for part in sorted(parts) for split in _splits(rest, kana[len(part) :], readings, char)]


def place(word: str, char: str, reading: str, kana: str) -> int | None:
    """Where the reading of ``char`` begins in the reading of its word.

    Without the other kanji's readings only the kana around can tell: the reading stands at the
    beginning when the kanji does, before its okurigana at the end, and otherwise where it occurs
    exactly once in between.

    Returns:
        The index in ``kana``; None when it cannot be told, which includes a word read otherwise.
    """
    head, found, tail = word.partition(char)
    if not found:
        return None
    only_kana = okurigana(tail) == tail
    if not head:
        rest = kana[len(reading) :]
        begins = rest == tail if only_kana else rest.startswith(okurigana(tail))
        return 0 if kana.startswith(reading) and bool(rest) == bool(tail) and begins else None
    if only_kana:
        start = len(kana) - len(tail) - len(reading)
        return start if start > 0 and kana[start:] == reading + tail else None
    starts = [i for i in range(1, len(kana) - len(reading)) if kana.startswith(reading, i)]
    return starts[0] if len(starts) == 1 else None
