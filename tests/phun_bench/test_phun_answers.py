"""Messy replies: each is read as a careful person would read it, or not at all."""

from __future__ import annotations

import time
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.phun_bench import answers
from benchmarks.phun_bench.objects import answer_text, objects

OPTIONS = ("提升", "陌生", "新生", "萌生")

CHOICES: list[tuple[str, int | None]] = [
    ('{"answer": "B"}', 1),
    ('```json\n{"answer": "D"}\n```', 3),
    ("{“answer”: “C”}", 2),
    ("{'answer': 'A'}", 0),
    ('｛"answer"：＂Ｂ＂｝', 1),
    ('{"answer": "b"}', 1),
    ('{"answer": "B. 陌生"}', 1),
    ('{"answer": "新生"}', 2),
    ('{"answer": "D",}', 3),
    ("{answer: C}", 2),
    ('{"答案": "A"}', 0),
    ('{"Answer": "A"}', 0),
    ('先看声母……{"answer": "A"}，不对，再想想，{"answer": "C"}', 2),
    ('<think>A 的韵母相同，B 也像。{"answer": "A"}</think>\n{"answer": "B"}', 1),
    ('<think>也许是 {"answer": "A"} 吧', None),
    ('也许选A……</think>{"answer": "D"}', 3),
    ("B", 1),
    ("(c)", 2),
    ("Ｄ。", 3),
    ("**B**", 1),
    ("B. 陌生", 1),
    ("B. 提升", None),
    ("选项C", 2),
    ("Option C", 2),
    ("I choose C", 2),
    ("My answer: C", 2),
    ("答案：C", 2),
    ("答案是选项 B", 1),
    ("A、B、C 的声母都不同，所以我选D。", 3),
    ("The final answer is **B**.", 1),
    ("The answer is B because the finals agree.", 1),
    ("The answer is a matter of taste.", None),
    ("Photosynthesis is a, well, process; so I would go with C)", 2),
    ("选项A的声母不同。", None),
    ("不选A，也不选B。", None),
    ("提升", 0),
    ("它们的声母分别是 m、t、x。\n\nC", 2),
    ("B，因为声母和声调都一样", 1),
    ("A word that sounds alike is hard to find.", None),
    ('{"answer": "E"}', None),
    ('{"answer": ""}', None),
    ('{"answer": ["A", "B"]}', None),
    ('{"answer": "A or B"}', None),
    ('{"reason": "韵母相同", "answer": "C"}', 2),
    ('{"answer": {"letter": "C"}}', None),
    ("抱歉，我无法回答这个问题。", None),
    ("", None),
    ("A B C D", None),
    ("第三个", 2),
    ("第二个词。", 1),
    ('{"answer": "第四个"}', 3),
    ("应该是第一个", 0),
    ("The third word.", 2),
    ("2", 1),
    ("第五个", None),
    ("我想了四个小时", None),
    ("选陌生", 1),
    ("A. 提升\nB. 陌生\nC. 新生\nD. 萌生", None),
    ("选项有：\nA. 提升\nB. 陌生\nC. 新生\nD. 萌生\n\n答案：B", 1),
    ("A\nC", None),
    ("C\nC", 2),
]


@pytest.mark.parametrize(("text", "expected"), CHOICES)
def test_choices(text: str, expected: int | None) -> None:
    assert answers.choice(text, OPTIONS) == expected


PINYIN: list[tuple[str, str | None]] = [
    ('{"answer": "zhāng"}', "zhang1"),
    ('{"answer": "Zhang1"}', "zhang1"),
    ('{"answer": "wú yǔ lún bǐ"}', "wu2 yu3 lun2 bi3"),
    ('{"answer": ["wú", "yǔ", "lún", "bǐ"]}', "wu2 yu3 lun2 bi3"),
    ('{"pinyin": "wu2yu3lun2bi3"}', "wu2 yu3 lun2 bi3"),
    ('{"answer": "lv4"}', "lü4"),
    ('{"answer": "jiā fǎ， jié hé lǜ。"}', "jia1 fa3 jie2 he2 lü4"),
    ("zhāng", "zhang1"),
    ("“zhāng”。", "zhang1"),
    ("答案：zhāng", "zhang1"),
    ("The answer is wú yǔ lún bǐ.", "wu2 yu3 lun2 bi3"),
    ("```\nzhang1\n```", "zhang1"),
    ("这个字读作什么呢？\nzhāng", "zhang1"),
    ('{"answer": "张"}', None),
    ('{"answer": 5}', None),
    ("he can", None),
    ("I do not know.", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "expected"), PINYIN)
def test_pinyin(text: str, expected: str | None) -> None:
    found = answers.pinyin(text)
    assert (None if found is None else " ".join(s.numbered for s in found)) == expected


WORDS: list[tuple[str, str | None]] = [
    ('{"answer": "亡羊补牢"}', "亡羊补牢"),
    ('{"answer": "「亡羊补牢」。"}', "亡羊补牢"),
    ('{"成语": "亡羊补牢"}', "亡羊补牢"),
    ('{"answer": "亡羊\n补牢"}', "亡羊补牢"),
    ("{‘answer’: ‘亡羊补牢’}", "亡羊补牢"),
    ("亡羊补牢", "亡羊补牢"),
    ("《亡羊补牢》", "亡羊补牢"),
    ("这个成语应该是“亡羊补牢”，意思是……", "亡羊补牢"),
    ("答案：**亡羊补牢**", "亡羊补牢"),
    ("答案是亡羊补牢（wáng yáng bǔ láo）", "亡羊补牢"),
    ('{"answer": "wáng yáng bǔ láo"}', None),
    ('{"answer": null}', None),
    ('{"answer": ""}', None),
    ("我不知道。", None),
    ("抱歉，我无法回答。", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "expected"), WORDS)
def test_words(text: str, expected: str | None) -> None:
    assert answers.word(text, 4) == expected


CHARS: list[tuple[str, list[str] | None]] = [
    ('{"answer": ["张", "章", "彰", "樟", "漳"]}', ["张", "章", "彰", "樟", "漳"]),
    ('{"answer": "张章彰樟漳"}', ["张", "章", "彰", "樟", "漳"]),
    ('{"answer": "张、章、彰、樟、漳"}', ["张", "章", "彰", "樟", "漳"]),
    ("{“answer”：[“张”，“章”]}", ["张", "章"]),
    ("张、章、彰、樟、漳", ["张", "章", "彰", "樟", "漳"]),
    ("答案：张，章，彰", ["张", "章", "彰"]),
    ('["张", "章"]', ["张", "章"]),
    ('{"answer": ["张三", "章"]}', ["张三", "章"]),
    ('{"answer": []}', None),
    ('{"answer": [1, 2]}', None),
    ("同音字有很多。", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "expected"), CHARS)
def test_chars(text: str, expected: list[str] | None) -> None:
    assert answers.chars(text) == expected


PUNS: list[tuple[str, tuple[str, str] | None]] = [
    ('{"pun word": "透柿眼", "alternative word": "透视眼"}', ("透柿眼", "透视眼")),
    ('{"alternative word": "透视眼", "pun word": "透柿眼"}', ("透柿眼", "透视眼")),
    ('{"pun_word": "“透柿眼”", "alternative_word": "透视眼。"}', ("透柿眼", "透视眼")),
    ("{“pun word”：“透柿眼”，“alternative word”：“透视眼”}", ("透柿眼", "透视眼")),
    ('{"谐音词": "透柿眼", "原词": "透视眼"}', ("透柿眼", "透视眼")),
    ('{"pun word": "", "alternative word": ""}', ("", "")),
    ('{"pun word": "透柿眼"}', ("透柿眼", "")),
    ("谐音词：透柿眼\n原词：透视眼", ("透柿眼", "透视眼")),
    (
        '{"pun word": "柿子", "alternative word": "视子"} 不对 {"pun word": "透柿眼", "alternative word": "透视眼"}',
        ("透柿眼", "透视眼"),
    ),
    ('{"answer": "透柿眼"}', None),
    ("没有双关。", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "expected"), PUNS)
def test_puns(text: str, expected: tuple[str, str] | None) -> None:
    assert answers.pun(text) == expected


LINES: list[tuple[str, str | None]] = [
    ('{"answer": "月光洒满了回家的路"}', "月光洒满了回家的路"),
    ('{"answer": "月光洒满了回家的路，"}', "月光洒满了回家的路，"),
    ("月光洒满了回家的路。", "月光洒满了回家的路。"),
    ("答案：月光洒满了回家的路", "月光洒满了回家的路"),
    ("<think>要押 u 韵</think>月光洒满了回家的路", "月光洒满了回家的路"),
    ('{"answer": "moonlight"}', None),
    ("抱歉，我无法回答。", None),
    ("第一句\n第二句", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "expected"), LINES)
def test_lines(text: str, expected: str | None) -> None:
    assert answers.line(text) == expected


def test_there_are_enough_messy_replies() -> None:
    total: list[Any] = [*CHOICES, *PINYIN, *WORDS, *CHARS, *PUNS, *LINES]
    assert len(total) >= 40 and sum(expected is None for _, expected in total) >= 15


@given(st.text(max_size=60), st.sampled_from(["choice", "pinyin", "word", "chars", "line", "pun"]))
@settings(deadline=None, max_examples=300)
def test_no_text_breaks_a_reader(text: str, kind: str) -> None:
    for wrapped in (text, '{"answer": ' + text + "}", '{"answer": "' + text + '"}'):
        if kind == "choice":
            found = answers.choice(wrapped, OPTIONS)
            assert found is None or 0 <= found < 4
        else:
            getattr(answers, kind)(wrapped)


@pytest.mark.parametrize(
    "text",
    ["我选" * 30_000, "答案" * 30_000, '{"a"' * 20_000, "{" * 100_000, "{'" * 30_000, "A" * 100_000, '"' * 100_000,
     "a: " * 30_000, "{" + "a: b " * 30_000 + "}", "[" * 30_000, "{" + "“" * 30_000 + "}", "<think>" * 20_000],
)  # fmt: skip
def test_a_runaway_reply_costs_neither_minutes_nor_gigabytes(text: str) -> None:
    start = time.process_time()
    tracemalloc.start()
    try:
        assert answers.choice(text, OPTIONS) is None
        for kind in ("pinyin", "word", "chars", "line", "pun"):
            getattr(answers, kind)(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60e6
    assert time.process_time() - start < 5


def test_an_answer_after_a_runaway_start_is_found() -> None:
    assert objects("{" * 300_000 + '{"answer": "B"}')[-1] == {"answer": "B"}
    assert answers.choice("x" * 300_000 + "\n答案：C", OPTIONS) == 2
    assert answer_text("<think>" + "x" * 1000) == ""
