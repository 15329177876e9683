"""Creating: fields read, checks made, copies of the prompt found."""

from __future__ import annotations

from pathlib import Path

import pytest

from apun.errors import DataError
from apun.replies import Reply
from apun.tasks import Conditions, Question
from benchmarks.x_riddles import solver
from benchmarks.x_riddles.data import known, sample
from benchmarks.x_riddles.lexicon import plausible
from benchmarks.x_riddles.novelty import Corpus
from benchmarks.x_riddles.tasks import creating
from benchmarks.x_riddles.tasks.creating import check, differences, read_creation

TEXT = Conditions(modality="text")
GOOD = """前半句：水牛闯进瓷器店
字面后半句：碎瓷
实际后半句：岁辞
谐音：瓷/辞
解释：换字。
例句：这真是水牛闯进瓷器店——岁辞。"""


def ok(text: str) -> Reply:
    return Reply(status="ok", text=text, answer=text)


def asked(riddle: str = "孔夫子搬家", **options: str) -> Question:
    items = [item for item in sample() if item.riddle == riddle]
    return next(iter(creating.TASK.ask(items, Conditions(modality="text", options=options), None)))


def made(riddle: str, literal: str, intended: str, pair: str = "", **changed: str) -> str:
    fields = {
        "前半句": riddle,
        "字面后半句": literal,
        "实际后半句": intended,
        "谐音": pair or f"{literal}/{intended}",
        "解释": "说明",
        "例句": "例子",
        **changed,
    }
    return "\n".join(f"{name}：{value}" for name, value in fields.items() if value)


@pytest.mark.parametrize(
    "text",
    [
        "前半句：龙王休假\n字面后半句：无雨\n实际后半句：无语\n谐音：雨/语\n解释：甲\n例句：乙",
        "**谜面**: 龙王休假\n- **字面义谜底**: 无雨 (wú yǔ)\n- 引申义谜底: 无语\n谐音字：雨：语\n意思：甲\n例句：乙",
        "riddle: 龙王休假\nliteral answer: 无雨\nintended answer: 无语\nhomophones: 雨/语\nexplanation: x\nexample: y",
        "歇后语：龙王休假——无语\n字面后半句：无雨\n实际后半句：无语（雨）\n谐音：“雨”和“语”\n解释：甲\n例句：乙",
    ],
)
def test_fields_are_read_in_several_formats(text: str) -> None:
    creation = read_creation(text)
    assert creation is not None
    assert (creation.riddle, creation.literal, creation.intended) == ("龙王休假", "无雨", "无语")
    assert creation.homophones == ("雨", "语") and creation.missing == ()


def test_an_incomplete_creation_is_read_and_says_what_lacks() -> None:
    creation = read_creation("前半句：龙王休假\n字面后半句：无雨\n实际后半句：无语")
    assert creation is not None and creation.missing == ("homophones", "meaning", "example")
    assert read_creation("龙王休假——无语") is None
    assert read_creation("") is None and read_creation("前半句：\n字面后半句：\n实际后半句：") is None


@pytest.mark.parametrize(
    ("literal", "intended", "spans"),
    [
        ("净是书", "净是输", [("书", "输")]),
        ("一盐难进", "一言难尽", [("盐", "言"), ("进", "尽")]),
        ("新丝", "心思", [("新丝", "心思")]),
        ("书", "净输", []),
        ("书", "书", []),
    ],
)
def test_where_two_answers_differ(literal: str, intended: str, spans: list[tuple[str, str]]) -> None:
    assert differences(literal, intended) == spans


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (made("龙王休假", "无雨", "无语"), set()),
        (made("孙悟空穿破洞裤", "猴补", "候补"), set()),
        (made("和尚流浪", "没寺找寺", "没事找事"), {"homophonic"}),
        (made("黄豆配绿豆", "双豆", "双斗"), {"hidden", "word"}),
        (made("龙王休假", "无云", "无语"), {"homophonic"}),
        (made("下雨天龙王休假", "无雨", "无语"), {"hidden"}),
        (made("龙王休假", "无雨", "无语", 例句=""), {"complete"}),
        (made("龙王休假", "书", "无语"), {"homophonic", "hidden"}),
        (made("孔夫子去搬家", "净是书", "净是输"), {"original"}),
    ],
)
def test_what_is_wrong_with_a_creation(text: str, wrong: set[str]) -> None:
    creation = read_creation(text)
    assert creation is not None
    found = check(creation, known())
    names = {"complete", "homophonic", "hidden", "word"}
    bad = {name for name in names if not getattr(found, name)}
    if not found.overlap.original:
        bad.add("original")
    assert bad == wrong
    assert found.valid == (not wrong)


def test_the_named_homophones_must_be_those_where_the_answers_differ() -> None:
    named = [
        check(creation, Corpus(())).named
        for creation in (read_creation(made("龙王休假", "无雨", "无语", pair)) for pair in ("雨/语", "无/雨", "龙/王"))
        if creation is not None
    ]
    assert named == [True, False, False]


@pytest.mark.parametrize("word", ["察言观色", "没输过", "无语", "收件", "无能之徒", "想得深", "找人", "自食其言"])
def test_real_words(word: str) -> None:
    assert plausible(word)


@pytest.mark.parametrize("word", ["双斗", "", "岁辞", "桥豆茶", "念舅"])
def test_made_up_words(word: str) -> None:
    assert not plausible(word)


def test_copying_the_prompt_is_no_creation() -> None:
    question = asked()
    fields = question.prompt.fields
    for name in ("seed", "model"):
        text = made(str(fields[f"{name}_riddle"]), str(fields[f"{name}_literal"]), str(fields[f"{name}_intended"]))
        score = creating.score(question, ok(text))
        assert score.statistics["original"] == 0.0 and score.statistics["valid"] == 0.0
        assert score.statistics["overlap"] == 1.0


def test_a_dictionary_finds_what_the_sample_does_not(tmp_path: Path) -> None:
    (tmp_path / "vocabs.txt").write_text("龙王休假　——　无语（雨）\n", encoding="utf-8")
    text = made("龙王休了假", "无雨", "无语")
    plain = creating.score(asked(), ok(text))
    checked = creating.score(asked(dictionary=str(tmp_path)), ok(text))
    assert plain.statistics["original"] == 1.0 and checked.statistics["original"] == 0.0
    assert checked.detail["nearest"] == ["龙王休假——无语"] and checked.detail["known"] == plain.detail["known"] + 1
    with pytest.raises(DataError, match=r"xiehouyu\.json or vocabs\.txt"):
        creating.score(asked(dictionary=str(tmp_path / "none")), ok(text))


def test_the_prompt_gives_the_seed_its_steps_and_a_model_after_it() -> None:
    question = asked("外甥打灯笼")
    text = "".join(part["text"] for part in question.prompt.rendered()[0]["content"])
    for piece in ("外甥打灯笼", "照舅", "照旧", "舅/旧", "外甥写家书", "念旧", "声母和韵母"):
        assert piece in text
    assert "____" not in text


def test_three_samples_of_a_seed_are_three_questions() -> None:
    items = [item for item in sample() if item.riddle == "孔夫子搬家"]
    questions = list(creating.TASK.ask(items, Conditions(modality="text", options={"samples": "3"}), None))
    assert len({question.id for question in questions}) == 3
    assert len({question.prompt.digest for question in questions}) == 3
    assert len({creating.score(question, ok("")).cluster for question in questions}) == 1


def test_failures_have_every_statistic() -> None:
    scores = [creating.score(asked(), reply) for reply in (ok("不会"), Reply.error("lost"), ok(GOOD))]
    assert [score.status for score in scores] == ["unparsed", "error", "scored"]
    assert len({frozenset(score.statistics) for score in scores}) == 1
    assert scores[0].statistics["parsed"] == 0.0 and scores[0].statistics["n"] == 1.0


def test_perfect_passes_and_the_solver_is_complete() -> None:
    for question in creating.TASK.ask(sample(), TEXT, None):
        assert creating.score(question, ok(creating.perfect(question))).statistics["valid"] == 1.0
        solved = creating.score(question, ok(solver.create(question.prompt))).statistics
        assert solved["complete"] == solved["hidden"] == 1.0
