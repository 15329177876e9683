"""Tables: text, CSV and LaTeX of one table, against golden texts."""

from __future__ import annotations

import csv
import io

import pytest

from apun.report.tables import Table

ROWS = (("qwen_2", 61.234, 3), ("双关", None, 12), ("=cmd()", float("nan"), 1))
TABLE = Table("t", "Scores (100 %)", ("model", "acc", "n"), ROWS, ("a note",))


def test_text_aligns_wide_characters() -> None:
    assert TABLE.to_text().splitlines() == [
        "Scores (100 %)",
        "model     acc   n",
        "-----------------",
        "qwen_2  61.23   3",
        "双关        -  12",
        "=cmd()      -   1",
        "  a note",
    ]


def test_csv_keeps_precision_and_defuses_formulas() -> None:
    rows = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert rows == [["model", "acc", "n"], ["qwen_2", "61.234", "3"], ["双关", "", "12"], ["'=cmd()", "", "1"]]


def test_latex_escapes() -> None:
    latex = TABLE.to_latex()
    assert r"qwen\_2 & 61.23 & 3 \\" in latex and r"\caption{Scores (100 \%)}" in latex and latex.count("&") == 8


def test_ragged_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        Table("t", "", ("a",), ((1, 2),))


def test_published_rows_follow_measured_ones_and_nothing_measured_is_no_table() -> None:
    table = Table.of("t", "T", ("Model", "n"), [("mine", 1)], ("note",), quoted=[("theirs", 2)], decimals=1)
    assert table == Table("t", "T", ("Model", "n"), (("mine", 1), ("theirs", 2)), ("note",), 1)
    assert Table.of("t", "T", ("Model", "n"), (), quoted=[("theirs", 2)]) is None
