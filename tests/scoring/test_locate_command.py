"""``apun locate`` prints the table of similarities."""

from __future__ import annotations

import json

import pytest

from apun import cli
from apun.locate import main
from apun.phonetics import english

ARGS = ["--sentence", "The baker kneaded the money.", "--word", "needed"]


def test_table_marks_the_located_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(ARGS) == 0
    lines = capsys.readouterr().out.splitlines()
    marked = [line for line in lines if line.endswith("<")]
    assert len(marked) == 1
    assert marked[0].split()[:3] == ["2", "kneaded", "nidəd"]
    assert "S = 2.000" in lines[-1]
    assert len([line for line in lines if line[:1].isdigit()]) == 5


def test_json_holds_every_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ARGS, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["index"], found["word"], found["similarity"]) == (2, "kneaded", 2.0)
    assert [word["word"] for word in found["words"]] == ["The", "baker", "kneaded", "the", "money"]
    assert all(word["similarity"] == word["edit"] + word["cosine"] for word in found["words"])


def test_nothing_located_says_why_and_exits_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sentence", "hello", "--word", "🎉"]) == cli.FAILED
    assert "nothing located" in capsys.readouterr().out


def test_mandarin_shows_tones(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pypinyin")
    assert main(["--sentence", "年年有余", "--word", "鱼", "--language", "zh"]) == 0
    assert "y 2" in capsys.readouterr().out


def test_epitran_without_flite_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    try:
        code = cli.run(main, ["--sentence", "blorptasm", "--word", "zorpily", "--g2p", "epitran"])
    finally:
        english.use_backend("letters")
    assert code == cli.USAGE
    assert "lex_lookup" in capsys.readouterr().err
