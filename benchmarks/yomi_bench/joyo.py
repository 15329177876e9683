"""The official jōyō table (Cabinet notice no. 2 of 2010): kanji, readings, example words.

The file is JSON lines, one kanji a line: ``kanji``, ``items`` (each with ``reading``, ``examples``). On readings are
katakana, kun readings hiragana with their okurigana. A notice of the state is outside copyright
(Japanese Copyright Act, article 13).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apun.errors import DataError
from apun.phonetics.japanese import is_kana, normalise

TABLE = "joyo_readings.jsonl"
_INFLECTED = "うくぐすつぬぶむるい"
_WORD = re.compile(r"[㐀-鿿𠀀-𪛟々ぁ-ゖァ-ヶー]+")


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
    found: list[Kanji] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            readings = tuple(_reading(item, path, number) for item in row["items"])
            char = row["kanji"]
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            fix = "Each line is an object with 'kanji' and 'items'."
            raise DataError(f"not a row of the table ({error})", file=path, line=number, fix=fix) from error
        if not isinstance(char, str) or len(char) != 1:
            raise DataError(f"must be one character, is {char!r}", file=path, line=number, field="kanji")
        if readings:
            found.append(Kanji(char, readings))
    return found


def _reading(item: dict[str, object], path: Path, line: int) -> Reading:
    kana = item["reading"]
    examples = item["examples"]
    if not isinstance(kana, str) or not is_kana(kana):
        raise DataError(f"must be kana, is {kana!r}", file=path, line=line, field="reading")
    if not isinstance(examples, list) or not all(isinstance(example, str) for example in examples):
        raise DataError("must be a list of words", file=path, line=line, field="examples")
    words = (re.sub(r"[（〔].*", "", example).strip() for example in examples)
    clean = tuple(word for word in words if _WORD.fullmatch(word))
    return Reading(normalise(kana), "ァ" <= kana[0] <= "ヶ", clean)


def stems(kanji: Kanji) -> tuple[str, ...]:
    """Official readings without okurigana: ``おぼ`` and ``さ`` for 覚, whose kun are ``おぼえる`` and ``さめる``."""
    return tuple(dict.fromkeys(stem(kanji.char, reading) for reading in kanji.readings))


def stem(char: str, reading: Reading) -> str:
    """The part of a reading that the kanji itself carries, judged by the table's example words."""
    if reading.on:
        return reading.kana
    for word in reading.examples:
        head, found, tail = word.partition(char)
        if not found or head:
            continue
        kana = re.match(r"[ぁ-ゖ]*", tail)
        okurigana = kana.group() if kana else ""
        for length in range(len(reading.kana) - 1, 0, -1):
            rest = reading.kana[length:]
            if okurigana.startswith(rest):
                return reading.kana[:length]
    return _by_conjugation(char, reading)


def _by_conjugation(char: str, reading: Reading) -> str:
    """For a verb or adjective whose examples are all inflected (``集い`` for ``つどう``): what they have in common."""
    if reading.kana[-1] not in _INFLECTED or char in reading.examples:
        return reading.kana
    for word in reading.examples:
        _, found, tail = word.partition(char)
        if found and tail and "ぁ" <= tail[0] <= "ゖ" and len(reading.kana) > 1:
            kana = re.match(r"[ぁ-ゖ]*", tail)
            count = len(kana.group()) if kana else 0
            return reading.kana[: max(1, len(reading.kana) - max(1, count))]
    return reading.kana


def by_char(table: Sequence[Kanji]) -> dict[str, Kanji]:
    """The table by character."""
    return {kanji.char: kanji for kanji in table}
