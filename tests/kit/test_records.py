"""Strict rows: the same reading and the same errors for JSON lines and spreadsheets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apun.errors import DataError, UsageError
from apun.records import Record, read, read_json, read_keyed, unique


def written(folder: Path, suffix: str, heads: list[str], rows: list[list[str]]) -> Path:
    path = folder / f"rows{suffix}"
    if suffix == ".jsonl":
        path.write_text("".join(json.dumps(dict(zip(heads, row, strict=True))) + "\n" for row in rows))
    elif suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in [heads, *rows]:
            book.active.append(row)
        book.save(path)
    else:
        mark = "\t" if suffix == ".tsv" else ","
        path.write_text("".join(mark.join(row) + "\n" for row in [heads, *rows]))
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".tsv", ".xlsx"])
def test_every_format_gives_the_same_rows(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path, suffix, ["id", "text"], [["1", "one"], ["2", "two"]])
    records = list(read(path, ("id", "text")))
    assert [(r.text("id"), r.text("text")) for r in records] == [("1", "one"), ("2", "two")]
    assert [r.line for r in records] == ([1, 2] if suffix == ".jsonl" else [2, 3])


def test_heads_go_by_their_aliases(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Item ID;Pun word\n7;fish\n", encoding="utf-16")
    (record,) = read(path, ("id", "pun_word"), aliases={"item_id": "id"})
    assert record.values == {"id": "7", "pun_word": "fish"}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"a": 1, "a": 2}', "'a' is given twice"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": Infinity}', "Infinity is not JSON"),
        ("[1]", "is a list"),
        ("{", "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"a": 0}}\n\n{line}\n')
    with pytest.raises(DataError, match=says) as caught:
        list(read(path))
    assert (caught.value.file, caught.value.line) == (path, 3)


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": "x\u2028y\x85z"}\n', encoding="utf-8")
    assert [r.values["a"] for r in read(path)] == ["x\u2028y\x85z"]


def test_missing_wrong_encoding_and_suffix(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        list(read(tmp_path / "none.jsonl"))
    (tmp_path / "a.jsonl").write_bytes(b'{"a": 1}\n{"a": "\xe9"}\n')
    with pytest.raises(DataError, match="not UTF-8") as caught:
        list(read(tmp_path / "a.jsonl"))
    assert caught.value.line == 2
    with pytest.raises(UsageError, match="not a sheet"):
        list(read(tmp_path / "a.doc"))


ROW = Record(
    {"t": " x ", "n": 0, "f": True, "w": "7", "l": ["a", "b"], "s": "a; b", "e": "", "none": None}, Path("f"), 3
)


def test_access_gives_what_is_there() -> None:
    assert ROW.text("t") == "x"
    assert ROW.text("e", "default") == "default"
    assert ROW.texts("l") == ROW.texts("s") == ("a", "b")
    assert ROW.texts("e") == ROW.texts("gone") == ()
    assert (ROW.number("n"), ROW.number("w"), ROW.number("e", 2.0), ROW.number("gone")) == (0.0, 7.0, 2.0, None)
    assert (ROW.whole("w", 0, 9), ROW.whole("e", 0, 9, 4)) == (7, 4)
    assert (ROW.flag("f"), ROW.flag("e", True), ROW.flag("gone")) == (True, True, False)
    assert (ROW.one_of("t", ("x", "y")), ROW.one_of("gone", ("x",), "")) == ("x", "")
    assert (ROW.has("n"), ROW.has("e"), ROW.has("none")) == (True, False, False)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda r: r.text("n"), "n"),
        (lambda r: r.text("e"), "e"),
        (lambda r: r.text("gone"), "gone"),
        (lambda r: r.texts("n"), "n"),
        (lambda r: r.texts("l", 3), "l"),
        (lambda r: r.number("t"), "t"),
        (lambda r: r.number("f"), "f"),
        (lambda r: r.whole("w", 0, 6), "w"),
        (lambda r: r.whole("f", 0, 6), "f"),
        (lambda r: r.whole("t", 0, 6), "t"),
        (lambda r: r.flag("t"), "t"),
        (lambda r: r.one_of("t", ("y",)), "t"),
        (lambda r: r.only(("t", "n", "f", "w", "l", "s", "e")), "none"),
    ],
)
def test_what_cannot_be_used_names_file_line_and_field(call: Any, field: str) -> None:
    with pytest.raises(DataError) as caught:
        call(ROW)
    assert (caught.value.file, caught.value.line, caught.value.field) == (Path("f"), 3, field)


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.text())))
def test_no_value_raises_anything_but_a_data_error(value: Any) -> None:
    record = Record({"x": value})
    for call in (
        lambda: record.text("x"),
        lambda: record.texts("x"),
        lambda: record.number("x"),
        lambda: record.whole("x", 0, 10),
        lambda: record.flag("x"),
        lambda: record.one_of("x", ("a",)),
    ):
        try:
            call()
        except DataError:
            continue


def test_one_object_by_key(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"k": {"a": 1}, "l": ["x", "y"]}')
    first, second = read_keyed(path)
    assert (first.key, first.values) == ("k", {"a": 1})
    assert second.texts("values") == ("x", "y")
    with pytest.raises(DataError, match="record 'k': must be a non-empty text, is 1"):
        first.text("a")
    path.write_text('{"k": 3}')
    with pytest.raises(DataError, match="must be an object"):
        list(read_keyed(path))
    with pytest.raises(DataError, match=r"must be an object, is 3\. Restore it\."):
        list(read_keyed(path, "Restore it."))
    path.write_text('{"k": {"a": 1}}')
    (record,) = read_keyed(path, "Restore it.")
    assert (record.fault("odd").fix, record.fault("odd", fix="Mend it.").fix) == ("Restore it.", "Mend it.")
    path.write_text('{"k": {}, "k": {}}')
    with pytest.raises(DataError, match="given twice"):
        read_json(path)
    path.write_text('{"k":\n x}')
    with pytest.raises(DataError, match="not JSON") as caught:
        read_json(path)
    assert caught.value.line == 2


def test_no_id_twice_and_not_nothing() -> None:
    rows = [Record({}, Path("f"), line) for line in (1, 2, 3)]
    assert unique(zip(rows, "abc", strict=True), "f", str) == ["a", "b", "c"]
    with pytest.raises(DataError, match="'a' stands twice, first in line 1") as caught:
        unique(zip(rows, "aba", strict=True), "f", str)
    assert caught.value.line == 3
    with pytest.raises(DataError, match="no items"):
        unique([], "f", str)
