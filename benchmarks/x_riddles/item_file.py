"""Reading item files, with every fault named by file, line and field."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun.errors import DataError, PhoneticError
from apun.phonetics.mandarin.pinyin import parse
from benchmarks.x_riddles.homophony import LEVELS, compare, han
from benchmarks.x_riddles.items import BLANK, TYPES, Distractor, Pair, Riddle


def read_items(path: str | Path) -> list[Riddle]:
    """Read an item file.

    Raises:
        DataError: names the file, line and field of the first fault.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError("no such item file", file=path)
    items: list[Riddle] = []
    ids: dict[str, int] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise DataError("is not UTF-8 text", file=path, fix="Save it as UTF-8.") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"is not JSON ({error})", file=path, line=number) from error
        item = from_record(record, path, number)
        if item.id in ids:
            raise DataError(
                f"repeats the id of line {ids[item.id]}", file=path, line=number, field="id", fix="Ids must be unique."
            )
        ids[item.id] = number
        items.append(item)
    return items


def write_items(path: str | Path, items: Iterable[Riddle]) -> None:
    """Write an item file, one line an item; its folder is made where it lacks."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(item.to_json(), ensure_ascii=False) + "\n" for item in items)
    path.write_text("".join(lines), encoding="utf-8")


def from_record(record: Any, file: str | Path | None = None, line: int | None = None) -> Riddle:
    """An item from plain JSON values, checked.

    Raises:
        DataError: a field is missing, unknown, of the wrong kind, or contradicts another.
    """
    check = _Checker(record, file, line)
    check.known()
    item = Riddle(
        id=check.text("id", required=True),
        riddle=check.text("riddle", required=True),
        intended=check.text("intended", required=True),
        type=check.one_of("type", TYPES),
        literal=check.text("literal") or None,
        riddle_pinyin=check.text("riddle_pinyin"),
        literal_pinyin=check.text("literal_pinyin"),
        intended_pinyin=check.text("intended_pinyin"),
        pairs=tuple(check.pair(i, row) for i, row in enumerate(check.rows("pairs"))),
        familiarity=check.familiarity(),
        band=check.one_of("band", ("", "high", "low")),
        novel=check.flag("novel"),
        origin=check.text("origin"),
        seed=check.text("seed"),
        gloss=check.gloss(),
        example=check.text("example"),
        distractors=tuple(check.distractor(i, row) for i, row in enumerate(check.rows("distractors"))),
        group=check.text("cluster"),
    )
    check.consistent(item)
    return item


_FIELDS = (*(name for name in Riddle.__dataclass_fields__ if name != "group"), "cluster")


@dataclass(frozen=True, slots=True)
class _Checker:
    record: Any
    file: str | Path | None
    line: int | None

    def fail(self, problem: str, field: str, fix: str | None = None) -> DataError:
        return DataError(problem, file=self.file, line=self.line, field=field, fix=fix)

    def known(self) -> None:
        if not isinstance(self.record, dict):
            raise DataError("is not an object", file=self.file, line=self.line)
        if unknown := sorted(set(self.record) - set(_FIELDS)):
            raise self.fail("is not a field of an item", unknown[0], f"Known: {', '.join(_FIELDS)}.")

    def text(self, name: str, *, required: bool = False) -> str:
        value = self.record.get(name)
        if value is None and not required:
            return ""
        if not isinstance(value, str) or (required and not value.strip()):
            raise self.fail("must be text", name)
        return value

    def one_of(self, name: str, allowed: Sequence[str]) -> str:
        value = self.record.get(name, "")
        if value not in allowed:
            raise self.fail(f"is {value!r}", name, f"Use one of: {', '.join(filter(None, allowed))}.")
        return str(value)

    def flag(self, name: str) -> bool:
        value = self.record.get(name, False)
        if not isinstance(value, bool):
            raise self.fail("must be true or false", name)
        return value

    def rows(self, name: str) -> Sequence[Any]:
        value = self.record.get(name, [])
        if not isinstance(value, (list, tuple)):
            raise self.fail("must be a list", name)
        return value

    def familiarity(self) -> float | None:
        value = self.record.get("familiarity")
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 1 <= value <= 4:
            raise self.fail("must be a mean rating from 1 to 4", "familiarity")
        return float(value)

    def gloss(self) -> Mapping[str, str]:
        value = self.record.get("gloss", {})
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            raise self.fail("must map riddle, literal and intended to text", "gloss")
        return value

    def pair(self, index: int, row: Any) -> Pair:
        where = f"pairs[{index}]"
        names = tuple(Pair.__dataclass_fields__)
        if not isinstance(row, dict) or set(row) != set(names) or not all(isinstance(row[n], str) for n in names):
            raise self.fail("must hold text for each of " + ", ".join(names), where)
        if row["match"] not in LEVELS:
            raise self.fail(f"is {row['match']!r}", f"{where}.match", f"Use one of: {', '.join(LEVELS)}.")
        pair = Pair(**row)
        found = (
            self.sound(pair.literal, pair.literal_pinyin, where),
            self.sound(pair.intended, pair.intended_pinyin, where),
        )
        if (by_pinyin := compare(*found)) != pair.match:
            spelled = f"{pair.literal_pinyin}/{pair.intended_pinyin}"
            raise self.fail(f"says {pair.match!r}, and by pinyin {spelled} is {by_pinyin!r}", f"{where}.match")
        return pair

    def sound(self, text: str, pinyin: str, where: str) -> Any:
        try:
            syllables = parse(pinyin)
        except PhoneticError as error:
            raise self.fail(str(error), where, "Write one toned syllable a character, such as shu1.") from error
        if len(syllables) != len(han(text)):
            raise self.fail(f"has {len(syllables)} syllables for the {len(han(text))} characters of {text!r}", where)
        return syllables

    def distractor(self, index: int, row: Any) -> Distractor:
        if isinstance(row, str) and row:
            return Distractor(row)
        if (
            isinstance(row, list)
            and len(row) == 2
            and isinstance(row[0], str)
            and row[0]
            and (row[1] is None or isinstance(row[1], str))
        ):
            return Distractor(row[0], row[1] or None)
        raise self.fail("must be an answer, or [intended, literal or null]", f"distractors[{index}]")

    def consistent(self, item: Riddle) -> None:
        for name in ("riddle", "literal", "intended"):
            pinyin = getattr(item, f"{name}_pinyin")
            if pinyin:
                self.sound(getattr(item, name) or "", pinyin, f"{name}_pinyin")
        if item.example and BLANK not in item.example:
            raise self.fail(f"has no blank {BLANK}", "example")
        if item.type == "homophonic":
            if not item.literal or not item.pairs:
                raise self.fail("is needed for a homophonic xiehouyu", "pairs" if item.literal else "literal")
            self.linked(item)
        elif item.pairs:
            raise self.fail(f"belongs to a homophonic xiehouyu, and this one is {item.type}", "pairs")

    def linked(self, item: Riddle) -> None:
        literal = item.literal or ""
        if not _links(literal, item.intended, item.pairs):
            pairs = ", ".join(f"{pair.literal}/{pair.intended}" for pair in item.pairs)
            raise self.fail(f"{pairs} does not turn {literal!r} into {item.intended!r}", "pairs")


def _links(literal: str, intended: str, pairs: Sequence[Pair]) -> bool:
    """Whether the pairs, in order, turn the literal answer into the intended one, all else being equal."""
    if not pairs:
        return literal == intended
    first, rest = pairs[0], pairs[1:]
    start = literal.find(first.literal)
    while start >= 0 and literal[:start] == intended[:start]:
        stops = start + len(first.literal), start + len(first.intended)
        same_place = intended.startswith(first.intended, start)
        if same_place and _links(literal[stops[0] :], intended[stops[1] :], rest):
            return True
        start = literal.find(first.literal, start + 1)
    return False
