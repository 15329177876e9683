"""Human sheets survive spreadsheets; bad ones are refused by name."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import DataError, UsageError
from apun.records import read
from apun.sheets import write_sheet

COLUMNS = ["id", "answer", "note"]
ROWS = [
    {"id": "a", "answer": "=cmd|' /C calc'!A0", "note": "two\nlines"},
    {"id": "b", "answer": '-5, "quoted"', "note": "“curly” é 拳"},
    {"id": "c", "answer": "", "note": "'tis"},
]


def values(path: Path, required: list[str] | None = None) -> list[dict[str, str]]:
    return [dict(row.values) for row in read(path, required or COLUMNS)]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx"])
def test_round_trip(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"sheet{suffix}"
    write_sheet(path, COLUMNS, ROWS)
    assert values(path) == ROWS
    assert not list(tmp_path.glob(".*"))


def test_csv_is_what_excel_wants(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(path, COLUMNS, ROWS)
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.endswith(b"\r\n")
    assert b"a,'=cmd" in data


def test_xlsx_never_holds_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "sheet.xlsx"
    write_sheet(path, COLUMNS, ROWS)
    cells = [cell for row in openpyxl.load_workbook(path).active.iter_rows() for cell in row]
    assert not any(cell.data_type == "f" for cell in cells)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bom, CRLF", b"\xef\xbb\xbfid,answer,note\r\n1,x,y\r\n"),
        ("no bom, LF", b"id,answer,note\n1,x,y\n"),
        ("reordered", b"note,id,answer\ny,1,x\n"),
        ("blank rows", b"\r\n,,\r\nid,answer,note\r\n,,\r\n\r\n1,x,y\r\n,,\r\n"),
        ("semicolons", b"id;answer;note\r\n1;x;y\r\n"),
        ("tabs, UTF-16", "id\tanswer\tnote\r\n1\tx\ty\r\n".encode("utf-16")),
        ("trailing empty columns", b"id,answer,note,,\r\n1,x,y,,\r\n"),
        ("capital heads", b"ID, Answer ,NOTE\r\n 1 ,x , y\r\n"),
    ],
)
def test_what_spreadsheets_do_to_a_csv(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(data)
    assert values(path) == [{"id": "1", "answer": "x", "note": "y"}]


def test_lines_count_from_the_header_and_through_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(b'id,answer,note\n1,"two\nlines",\n\n2,x,\n')
    assert [row.line for row in read(path, COLUMNS)] == [2, 5]


def test_numbers_typed_into_xlsx_come_back_as_written(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["id", "answer", "note"])
    book.active.append([3.0, 2, 1.5])
    book.save(tmp_path / "sheet.xlsx")
    assert values(tmp_path / "sheet.xlsx") == [{"id": "3", "answer": "2", "note": "1.5"}]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"id,answer\n1,x\n", r"sheet\.csv:1: field 'note': the column is missing"),
        (b"id,answer,note,id\n1,x,y,2\n", r"sheet\.csv:1: field 'id': the column stands twice"),
        (b"id,answer,note\n1,x,y,z\n", r"sheet\.csv:2: has 4 cells for 3 columns"),
        (b"id,,answer,note\n1,x,y,z\n", r"sheet\.csv:1: column 2 has no name"),
        (b"id,answer,note\n1,caf\xe9,y\n", r"sheet\.csv:2: is not UTF-8 text"),
        (b'id,answer,note\n1,"x,y\n', r"sheet\.csv:2: cannot be read as CSV"),
        (b"PK\x03\x04\0\0\0", r"sheet\.csv: is not a text file"),
        (b"\xef\xbb\xbf\r\n,,\r\n", r"sheet\.csv: holds no rows"),
    ],
)
def test_bad_csv_is_refused_by_name(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(data)
    with pytest.raises(DataError, match=message):
        list(read(path, COLUMNS))


def test_unknown_columns_are_refused_where_the_columns_are_fixed(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("id,anwser\n1,x\n")
    with pytest.raises(DataError, match=r"field 'anwser': not a column of this sheet. Known: id, answer"):
        list(read(path, ["id"], ["answer"]))


def test_not_an_xlsx(tmp_path: Path) -> None:
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(b"id,answer\n")
    with pytest.raises(DataError, match=r"sheet\.xlsx: cannot be read as xlsx"):
        list(read(path, ["id"]))


def test_missing_file_and_unknown_suffix(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such sheet"):
        list(read(tmp_path / "none.csv", ["id"]))
    with pytest.raises(UsageError, match=r"sheet\.doc is not a sheet"):
        list(read(tmp_path / "sheet.doc", ["id"]))
    with pytest.raises(UsageError, match="not a column"):
        write_sheet(tmp_path / "sheet.csv", ["id"], [{"idd": 1}])


_cell = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12).map(str.strip)


@settings(deadline=None, max_examples=60)
@given(rows=st.lists(st.tuples(_cell, _cell), max_size=6), suffix=st.sampled_from([".csv", ".tsv", ".xlsx"]))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], suffix: str) -> None:
    path = tmp_path_factory.mktemp("sheets") / f"sheet{suffix}"
    write_sheet(path, ["a", "b"], [{"a": a, "b": b} for a, b in rows])
    kept = [(row.values["a"], row.values["b"]) for row in read(path, ["a", "b"])]
    assert kept == [row for row in rows if any(row)]
