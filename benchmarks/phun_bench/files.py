"""Reading the released files, and files of the same format that the builder wrote.

One JSON object a file, a record a key. Every fault is a ``DataError`` that names the file, the record
and the field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun.errors import DataError, PhoneticError
from apun.phonetics.mandarin import Syllable, is_han, parse, rhyme_group

_LARGEST_BYTES = 256 * 1024 * 1024
_FIX = "Restore the released file, or build it again."


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file, with checked access to its fields."""

    file: Path
    key: str
    values: Mapping[str, Any]

    def fault(self, problem: str, field: str = "", fix: str = _FIX) -> DataError:
        """An error that names this record."""
        return DataError(f"record {self.key!r}: {problem}", file=self.file, field=field or None, fix=fix)

    def text(self, field: str) -> str:
        """A non-empty text without surrounding space."""
        value = self.values.get(field)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(f"must be a non-empty text, is {_shown(value)}", field)
        return value.strip()

    def han(self, field: str, length: int | None = None) -> str:
        """A word of Chinese characters (commas may stand between them)."""
        value = self.text(field)
        count = sum(map(is_han, value))
        if not count or any(char.isalnum() and not is_han(char) for char in value):
            raise self.fault(f"must be Chinese characters, is {_shown(value)}", field)
        if length is not None and (count != length or len(value) != length):
            raise self.fault(f"must be {length} Chinese characters, is {_shown(value)}", field)
        return value

    def texts(self, field: str, length: int | None = None) -> tuple[str, ...]:
        """A list of texts, no one twice."""
        value = self.values.get(field)
        if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
            raise self.fault(f"must be a list of texts, is {_shown(value)}", field)
        if length is not None and len(value) != length:
            raise self.fault(f"must have {length} entries, has {len(value)}", field)
        return tuple(text.strip() for text in value)

    def reading(self, field: str, of: str) -> tuple[Syllable, ...]:
        """The pinyin of a word, one syllable a character."""
        return self.pinyin(self.text(field), field, of)

    def pinyin(self, value: str, field: str, of: str) -> tuple[Syllable, ...]:
        """Parsed pinyin that must fit a word."""
        try:
            syllables = parse("".join(char for char in value if char not in "，,、。"))
        except PhoneticError as error:
            raise self.fault(str(error), field, "Correct the pinyin.") from error
        if len(syllables) != sum(map(is_han, of)):
            raise self.fault(f"has {len(syllables)} syllables for {of!r}", field, "Give one syllable a character.")
        return syllables

    def one_of(self, field: str, allowed: str) -> str:
        """A text that must be one of the given characters."""
        value = self.text(field)
        if value not in tuple(allowed):
            raise self.fault(f"must be one of {', '.join(allowed)}, is {_shown(value)}", field)
        return value

    def groups(self, field: str) -> tuple[str, str]:
        """Two rhyme groups, separated by a space."""
        found = self.text(field).split()
        if len(found) != 2 or not all(_is_group(group) for group in found):
            raise self.fault(f"must be two of the 18 rhyme groups, is {_shown(self.values.get(field))}", field)
        return found[0], found[1]


def _is_group(label: str) -> bool:
    try:
        return label != "ê" and rhyme_group(label) == label
    except PhoneticError:
        return False


def records(file: Path) -> Iterator[Record]:
    """The records of a file, in file order.

    Raises:
        DataError: the file is missing, too large, not UTF-8, not one JSON object, or has a key twice.
    """
    for key, value in _object(file).items():
        if isinstance(value, list):
            value = {"readings": value}
        if not isinstance(value, dict):
            raise DataError(f"record {key!r} must be an object, is {_shown(value)}", file=file, fix=_FIX)
        yield Record(file, key, value)


def _object(file: Path) -> dict[str, Any]:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", file=file, fix=_FIX) from error
    if len(data) > _LARGEST_BYTES:
        raise DataError(f"is larger than {_LARGEST_BYTES >> 20} MiB", file=file, fix=_FIX)
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise DataError(f"is not JSON ({error.msg})", file=file, line=error.lineno, fix=_FIX) from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"is not usable JSON ({error})", file=file, fix=_FIX) from error
    if not isinstance(value, dict):
        raise DataError(f"must hold one JSON object, holds {_shown(value)}", file=file, fix=_FIX)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} stands twice")
    return found


def _no_constant(name: str) -> Callable[..., Any]:
    raise ValueError(f"{name} is not JSON")


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
