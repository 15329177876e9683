"""The 21 examples that the paper prints: they load, render, and match as the text says."""

from __future__ import annotations

from pathlib import Path

import pytest

from apun.errors import DataError
from apun.records import Record
from apun.tasks import Conditions
from benchmarks.x_riddles.build import from_printed
from benchmarks.x_riddles.data import read_item_file
from benchmarks.x_riddles.distractors import with_distractors
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.tasks import both_readings, explaining, matching

TEXT = Conditions(modality="text")


@pytest.fixture(scope="module")
def printed(shared_data: Path) -> list[Riddle]:
    return read_item_file(shared_data / "xiehouyu" / "xriddles_paper_examples.jsonl")


def test_they_match_as_the_paper_says(printed: list[Riddle]) -> None:
    levels = {item.riddle: item.match for item in printed}
    assert len(levels) == 21
    assert {riddle for riddle, level in levels.items() if level == "near"} == {"和尚流浪"}
    assert {riddle for riddle, level in levels.items() if level == "tone"} == {"孙悟空穿破洞裤", "猪八戒的学生"}
    assert {riddle for riddle, level in levels.items() if level is None} == {"打开天窗", "八仙过海"}
    assert sum(level == "same" for level in levels.values()) == 16


def test_types_and_novelty(printed: list[Riddle]) -> None:
    kinds = {item.riddle: item.type for item in printed}
    assert (kinds["打开天窗"], kinds["八仙过海"], kinds["孔夫子搬家"]) == ("polysemous", "direct", "homophonic")
    assert sum(item.novel for item in printed) == 15
    by_riddle = {item.riddle: item for item in printed}
    assert by_riddle["外甥借钱"].pairs[0].literal == "欠舅"
    assert by_riddle["和尚流浪"].pairs[0].literal_pinyin.startswith("si4")
    assert by_riddle["孙悟空穿破洞裤"].intended_pinyin == "hou4 bu3"


def test_they_render_in_every_text_task(printed: list[Riddle]) -> None:
    items = with_distractors(printed)
    asked = list(matching.ask(items, TEXT, None))
    assert len(asked) == 21
    for question in asked:
        text = "".join(part["text"] for message in question.prompt.rendered() for part in message["content"])
        assert question.item.text in text and text.count("\nA. ") == text.count("\nD. ") == 1
    assert len(list(explaining.TASK.ask(items, TEXT, None))) == 21
    assert len(list(both_readings.TASK.ask(items, TEXT, None))) == 16


@pytest.mark.parametrize(
    "change",
    [
        {"homophones": ["书"]},
        {"homophones": ["猫", "狗"]},
        {"answer_intended": ""},
        {"riddle": 3},
        {"riddle": "ABC"},
    ],
)
def test_contradictions_are_refused(change: dict[str, object]) -> None:
    good = {"riddle": "孔夫子搬家", "answer_literal": "净是书", "answer_intended": "净是输", "homophones": ["书", "输"]}
    assert from_printed(Record(good)).match == "same"
    with pytest.raises(DataError):
        from_printed(Record({**good, **change}))
