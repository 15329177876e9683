"""Questions for people: a fair sample, a page that sends nothing, answers scored like a model's."""

from __future__ import annotations

import base64
import io
import json
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import soundfile

from apun import annotate
from apun import eval as evaluation
from apun.clips import Clip
from apun.people import page
from apun.prompts import Audio, Message, Prompt, Text
from apun.records import read
from apun.sheets import write_sheet
from apun.tasks import Question
from benchmarks.apun_bench.items import PUN_TYPES, PunItem
from benchmarks.apun_bench.questionnaire import choose
from benchmarks.apun_bench.tasks import recognition


def test_sixty_a_stage_and_the_types_in_equal_number(sample: list[PunItem]) -> None:
    chosen = choose(sample, 60, seed=0)
    assert {stage: len(found) for stage, found in chosen.items()} == {
        "recognition": 60,
        "location": 60,
        "inference": 60,
    }
    types = [item.type for item in chosen["inference"]]
    assert {kind: types.count(kind) for kind in set(types)} == dict.fromkeys(PUN_TYPES, 20)
    assert all(item.is_pun for item in chosen["location"])
    assert 30 <= sum(item.is_pun for item in chosen["recognition"]) < 60
    assert chosen == choose(sample[::-1], 60, seed=0)
    assert chosen != choose(sample, 60, seed=1)


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [found for name, found in self.tags if name == tag]


def asked(item: PunItem, text: str, clip: Clip) -> Question:
    prompt = Prompt("q", recognition.NAME, (Message("user", (Audio(clip), Text(text))),))
    return Question(f"apun.recognition/{item.id}/p0.pun", recognition.NAME, item, "p0.pun", prompt)


def test_the_page_holds_its_clips_and_loads_nothing(five: list[PunItem]) -> None:
    samples = np.random.default_rng(0).normal(0, 0.1, 8_000).astype(np.float32)
    clip = Clip(samples=samples)
    hostile = '<img src=x onerror="alert(1)"> & {{ 7*7 }}'
    text = page([asked(five[0], hostile, clip), asked(five[1], "two", clip)])
    found = Page(text)
    assert not found.all("img")
    assert not found.all("link")
    assert "49" not in re.sub(r"base64,[A-Za-z0-9+/=]+", "", text).split("<script>")[0]
    assert not re.search(r"https?:|//[a-z]", re.sub(r"base64,[A-Za-z0-9+/=]+", "", text))
    assert found.all("meta")[-1]["content"].startswith("default-src 'none'; media-src data:")  # type: ignore[union-attr]
    players = found.all("audio")
    assert len(players) == 2
    data = base64.b64decode(str(players[0]["src"]).partition("base64,")[2])
    heard, rate = soundfile.read(io.BytesIO(data))
    assert rate == 16_000
    assert np.abs(heard - np.clip(samples, -1, 1)).max() < 1e-4
    fields = found.all("input")
    assert [field["data-question"] for field in fields] == ["apun.recognition/a/p0.pun", "apun.recognition/b/p0.pun"]
    assert [label["for"] for label in found.all("label")] == [field["id"] for field in fields]


def test_nothing_people_see_tells_the_answer(tmp_path: Path, sample: list[PunItem]) -> None:
    assert annotate.main(["questionnaire", "--modality", "text", "--per-stage", "9", "--out", str(tmp_path)]) == 0
    by_id = {item.id: item for item in sample}
    rows = list(read(tmp_path / "questionnaire.xlsx", ("question", "task", "asked", "answer")))
    assert [row.values for row in rows] == [row.values for row in read(tmp_path / "questionnaire.csv")]
    for row in rows:
        item = by_id[row.values["question"].split("/")[1]]
        assert row.values["answer"] == ""
        assert item.type not in row.values["asked"] + row.values["question"]
        if row.values["task"] == "inference":
            assert f'"{item.pun_word}"' in row.values["asked"]
        assert not any(f'"{other}"' in row.values["asked"] for other in (*item.alternatives, *item.meanings))


def test_answers_are_scored_like_a_models(
    tmp_path: Path, sample: list[PunItem], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert annotate.main(["questionnaire", "--modality", "text", "--per-stage", "6", "--out", "q"]) == 0
    commands = [line for line in capsys.readouterr().out.splitlines() if "apun.eval" in line]
    assert len(commands) == 3
    by_id = {item.id: item for item in sample}
    rows = [dict(row.values) for row in read(Path("q/questionnaire.csv"))]
    blank = next(row["question"] for row in rows if row["task"] == "location")
    for row in rows:
        item = by_id[row["question"].split("/")[1]]
        row["answer"] = {
            "recognition": "pun",
            "location": item.pun_word,
            "inference": item.alternatives[0] if item.alternatives else " AND ".join(item.meanings),
        }[row["task"]]
        if row["question"] == blank:
            row["answer"] = ""
    write_sheet("answers.csv", ("question", "task", "asked", "audio", "answer"), rows)
    results = {}
    for number, command in enumerate(commands):
        line = shlex.split(command)[3:]
        extra = ["--out", f"run{number}", "--json", "--no-report", "--set", "similarity=wordllama"]
        assert evaluation.main([*line, *extra]) == 0
        printed = json.loads(capsys.readouterr().out)
        results |= _tasks(printed)
    puns = sum(by_id[row["question"].split("/")[1]].is_pun for row in rows if row["task"] == "recognition")
    assert results["apun.recognition"]["metrics"]["accuracy"]["value"] == pytest.approx(puns / 6)
    assert results["apun.location"]["metrics"]["fine"]["value"] == pytest.approx(5 / 6)
    assert results["apun.location"]["counts"] == {"error": 1, "scored": 5}
    assert results["apun.inference"]["metrics"]["accuracy"]["value"] == 1.0


def _tasks(printed: object) -> dict[str, dict]:
    """The tasks of a printed summary, wherever they are in it."""
    if isinstance(printed, dict):
        if "tasks" in printed:
            return dict(printed["tasks"])
        return {name: task for value in printed.values() for name, task in _tasks(value).items()}
    if isinstance(printed, list):
        return {name: task for value in printed for name, task in _tasks(value).items()}
    return {}
