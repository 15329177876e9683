"""Explaining and both readings: what is named, what is made up, and how answers are read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apun.phonetics.mandarin.pinyin import parse
from apun.replies import Reply
from apun.tasks import Conditions, Question, Task
from benchmarks.x_riddles import solver
from benchmarks.x_riddles.data import sample
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.tasks import both_readings, explaining

TEXT = Conditions(modality="text")


def ok(text: str) -> Reply:
    return Reply(status="ok", text=text, answer=text)


def question(task: Task, riddle: str, conditions: Conditions = TEXT) -> Question:
    items = [item for item in sample() if item.riddle == riddle]
    return next(iter(task.ask(items, conditions, None)))


def sent(asked: Question) -> str:
    return "".join(part["text"] for message in asked.prompt.rendered() for part in message["content"])


@pytest.mark.parametrize(
    ("riddle", "text", "named", "claims", "false"),
    [
        ("孔夫子搬家", "孔夫子的东西都是书。“书”与“输”谐音。", 1, 1, 0),
        ("孔夫子搬家", "“净是书”听起来像“净是输”。", 1, 1, 0),
        ("孔夫子搬家", "因为书和输读音相同，所以总是输。", 1, 1, 0),
        ("孔夫子搬家", "孔夫子的书很多，所以总是输。", 0, 0, 0),
        ("孔夫子搬家", "“家”与“输”在方言里读音相近，所以总是输。", 0, 1, 1),
        ("孔夫子搬家", "“夫”与“输”谐音。其实“书”与“输”也谐音。", 1, 2, 1),
        ("石头蛋腌咸菜", "“盐”与“言”谐音。", 0, 1, 0),
        ("石头蛋腌咸菜", "“盐”与“言”谐音，“进”与“尽”谐音。", 1, 2, 0),
        ("少林寺的方丈", "“僧”与“升”读音相近。", 1, 1, 0),
        ("竹篮打水", "“空”有两个意思，与谐音无关。", 0, 0, 0),
        ("竹篮打水", "“蓝”与“空”谐音。", 0, 1, 1),
    ],
)
def test_named_and_made_up(riddle: str, text: str, named: int, claims: int, false: int) -> None:
    score = explaining.score(question(explaining.TASK, riddle), ok(text))
    got = {name: score.statistics[name] for name in ("named", "claims", "false", "any_false")}
    assert got == {"named": named, "claims": claims, "false": false, "any_false": float(false > 0)}
    assert score.status == "scored" and score.statistics["length"] == len(text)


def test_thinking_names_nothing() -> None:
    asked = question(explaining.TASK, "孔夫子搬家")
    thought = "<think>“书”与“输”谐音</think>"
    assert explaining.score(asked, ok(f"{thought}孔夫子的书很多。")).statistics["named"] == 0.0
    assert explaining.score(asked, ok(thought)).status == "unparsed"


def test_near_claims_are_counted_apart() -> None:
    score = explaining.score(question(explaining.TASK, "少林寺的方丈"), ok("“高僧”与“高升”谐音。"))
    assert score.statistics["near"] == 1.0 and score.parsed == [["高僧", "高升", "near"]]


def test_failures_have_their_status_and_every_statistic() -> None:
    asked = question(explaining.TASK, "孔夫子搬家")
    empty, lost = explaining.score(asked, ok(" \n")), explaining.score(asked, Reply.error("lost"))
    assert (empty.status, lost.status) == ("unparsed", "error")
    assert set(empty.statistics) == set(lost.statistics)
    assert lost.statistics["n"] == lost.statistics["homophonic"] == 1.0


def test_the_answer_is_shown_as_text_but_not_the_literal_one() -> None:
    text = sent(question(explaining.TASK, "龙王嫁女"))
    assert "龙王嫁女" in text and "瞎忙" in text and "虾" not in text
    whole = sent(question(explaining.TASK, "龙王嫁女", Conditions(modality="text", options={"form": "spoken"})))
    assert "龙王嫁女——瞎忙" in whole


def test_the_answer_to_be_heard_is_pinyin_as_text() -> None:
    text = sent(question(both_readings.TASK, "龙王嫁女"))
    assert "龙王嫁女——xiā máng" in text and "瞎" not in text and "虾" not in text


def test_only_exact_homophones_are_heard_as_one() -> None:
    asked = [asked.item for asked in both_readings.TASK.ask(sample(), TEXT, None)]
    assert {item.match for item in asked} == {"same"}  # type: ignore[attr-defined]
    for item in asked:
        assert parse(item.literal_pinyin) == parse(item.intended_pinyin)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "literal", "intended", "swapped", "status"),
    [
        ("字面：净是书\n实际：净是输", 1, 1, 0, "scored"),
        ("literal: 净是书\nintended: 净是输", 1, 1, 0, "scored"),
        ("**字面**：净是书\n**实际**：净是输（总输）", 1, 1, 0, "scored"),
        ("字面意思：孔夫子搬家——净是书\n实际意思：孔夫子搬家——净是输", 1, 1, 0, "scored"),
        ('{"literal": "净是书", "intended": "净是输"}', 1, 1, 0, "scored"),
        ("字面：尽是书\n实际：尽是输", 1, 1, 0, "scored"),
        ("字面：净是输\n实际：净是书", 0, 0, 1, "scored"),
        ("字面：净是书\n实际：净是书", 1, 0, 0, "scored"),
        ("字面：书\n实际：输", 0, 0, 0, "scored"),
        ("字面：全是书\n实际：全是输", 0, 0, 0, "scored"),
        ("字面：净是书", 0, 0, 0, "unparsed"),
        ("净是书、净是输", 0, 0, 0, "unparsed"),
        ("字面：\n实际：", 0, 0, 0, "unparsed"),
        ('{"literal": 1, "intended": []}', 0, 0, 0, "unparsed"),
        ("", 0, 0, 0, "unparsed"),
    ],
)
def test_both_readings_are_read(text: str, literal: int, intended: int, swapped: int, status: str) -> None:
    score = both_readings.score(question(both_readings.TASK, "孔夫子搬家"), ok(text))
    got = tuple(score.statistics[name] for name in ("literal", "intended", "swapped"))
    assert (*got, score.status) == (literal, intended, swapped, status)
    assert score.statistics["both"] == float(literal and intended)


def test_the_solvers_reason_from_the_transcript_only() -> None:
    """With another riddle's transcript the solver answers about that one: it has no gold to look at."""
    asked = question(both_readings.TASK, "孔夫子搬家")
    other = asked.prompt.with_transcripts({})
    swapped = type(other)(other.id, other.task, other.messages, (), {"transcripts": {"main": "龙王休假——wú yǔ"}})
    assert "孔" not in solver.read_both_ways(swapped) and solver.read_both_ways(swapped).startswith("字面：")
    heard_as_text = {"transcripts": {"main": "孔夫子搬家，净是输"}}
    again = type(other)(other.id, other.task, other.messages, (), heard_as_text)
    written = both_readings.read_both(solver.read_both_ways(again))
    assert written is not None and written["intended"].endswith(("书", "输"))


def _perfect(task: Task) -> Iterator[tuple[Question, str]]:
    return ((asked, task.perfect(asked)) for asked in task.ask(sample(), TEXT, None))


def test_perfect_explanations_name_every_pair_and_make_nothing_up() -> None:
    for asked, text in _perfect(explaining.TASK):
        item: Riddle = asked.item  # type: ignore[assignment]
        score = explaining.score(asked, ok(text))
        assert score.statistics["false"] == 0.0, text
        assert score.statistics["named"] == float(item.type == "homophonic"), text
        assert score.statistics["claims"] == len(item.pairs)


def test_perfect_readings() -> None:
    assert all(
        both_readings.score(asked, ok(text)).statistics["both"] == 1.0 for asked, text in _perfect(both_readings.TASK)
    )


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("孔夫子搬家——净是输", ("孔夫子搬家", "净是输")),
        ("牵着不走，拉着倒退——犟", ("牵着不走，拉着倒退", "犟")),
        ("孔夫子搬家，净是输。", ("孔夫子搬家", "净是输")),
        ("外甥写家书念旧", ("外甥写家书念旧", "")),
        ("", ("", "")),
    ],
)
def test_the_halves_of_a_transcript(text: str, halves: tuple[str, str]) -> None:
    assert solver.riddle_and_answer(text) == halves


def test_the_riddle_before_spoken_options() -> None:
    assert solver.riddle_part("牵着不走，拉着倒退。甲，认输。乙，照旧。") == "牵着不走，拉着倒退"
