"""The page without a browser: nothing escapes, nothing is fetched, every table goes out as CSV and LaTeX."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from markupsafe import Markup

from apun.errors import UsageError
from apun.report.__main__ import main
from apun.report.page import data_json, render, write_page


def test_no_text_from_a_model_becomes_markup(page_run: Path) -> None:
    html = (page_run / "report.html").read_text()
    assert "onerror" in html and "<img src=x" not in html and "<script>alert" not in html
    assert html.lower().count("<script>") == html.lower().count("</script>") - html.count(
        '<script type="application/json"'
    )


def test_the_page_names_no_address_outside_itself(page_run: Path) -> None:
    html = (page_run / "report.html").read_text()
    without_plotly = re.sub(r"<script>/\*\*[\s\S]*?</script>", "", html)
    assert not re.findall(r"(?:src|href)=\"https?:", without_plotly)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    assert policy and "default-src &#39;none&#39;" in policy.group(1) and "unsafe-eval" not in policy.group(1)
    assert "unsafe-inline" not in policy.group(1).split("style-src")[0]


def test_json_inside_a_script_element_survives_anything() -> None:
    value = {"a": "</script><!--", "b": "\u2028", "c": float("nan"), "d": [1.5, None], "NaN": "NaN"}
    text = data_json(value)
    assert isinstance(text, Markup) and "<" not in text and "\u2028" not in text
    assert json.loads(text) == {**value, "c": None}


def test_audio_can_be_embedded(page_run: Path, tmp_path: Path) -> None:
    sizes = write_page([page_run], tmp_path / "alone.html", embed_audio=True)
    html = (tmp_path / "alone.html").read_text()
    assert sizes["audio"] > 3 * 48_000 and "data:audio/wav;base64," in html
    assert sizes["page"] == len(html.encode())


def test_data_that_has_gone_leaves_a_page_that_says_so(page_run: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "run"
    shutil.copytree(page_run, copy)
    record = json.loads((copy / "run.json").read_text())
    record["asked"]["selection"]["data_dir"] = str(tmp_path / "gone")
    (copy / "run.json").write_text(json.dumps(record))
    write_page([copy], copy / "report.html")
    assert "texts and audio are not shown" in (copy / "report.html").read_text()


def test_the_command_writes_page_tables_and_leaderboard(
    page_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(page_run), "--out", str(tmp_path / "p.html"), "--tables", str(tmp_path / "tables")]) == 0
    assert "6 questions" in capsys.readouterr().out
    names = {path.stem for path in (tmp_path / "tables").glob("*.csv")}
    assert {"summary", "table2"} <= names and names == {path.stem for path in (tmp_path / "tables").glob("*.tex")}
    assert main([str(page_run), str(page_run), "--leaderboard", str(tmp_path / "site")]) == 0
    index = (tmp_path / "site" / "index.html").read_text()
    assert index.count("apun.location") >= 2 and "quoted" in index
    assert len(list((tmp_path / "site").glob("0*.html"))) == 2
    with pytest.raises(UsageError, match="not a run folder"):
        main([str(tmp_path)])


def test_an_empty_run_still_renders() -> None:
    assert "Items" in render([], [], [], ["nothing here"])
