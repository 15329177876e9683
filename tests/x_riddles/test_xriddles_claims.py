"""Claimed homophones are found in a text and judged by pinyin (Table 16)."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from benchmarks.x_riddles.tasks.explaining import find_claims

# The pairs of Table 16, in sentences of our own that have the shapes of the paper's excerpts.
HALLUCINATED = [
    ("“胡”与“虚”在有些方言里读音相近（谐音游戏里更是如此），而“须”与“假”合成“虚假”。", ("胡", "虚")),
    (
        "“不鸣”与“无名”发音相似（“不鸣”读作 bù míng，“无名”读作 wú míng），靠谐音把“不鸣”变成“无名”。",
        ("不鸣", "无名"),
    ),
    ("口语里“听”（tīng）和“瘾”（yǐn）发音相近，容易产生谐音。", ("听", "瘾")),
    ("而“书宅”与“输家”谐音，听起来像“输家”，", ("书宅", "输家")),
    ("“补”与“候”谐音（在方言里可能更接近）", ("补", "候")),
    ("有的方言里“弦”读若“xián”，与“功”的韵母“ong”形成谐音", ("弦", "功")),
    ("“杏核儿”读作 xìng húr… 但“杏核儿”连读时… 近似“人儿苦”（rénr kǔ）…", ("杏核儿", "人儿苦")),
]


@pytest.mark.parametrize(("text", "pair"), HALLUCINATED)
def test_the_paper_s_hallucinations_are_false(text: str, pair: tuple[str, str]) -> None:
    assert [(claim.first, claim.second, claim.level, claim.false) for claim in find_claims(text)] == [
        (*pair, "different", True)
    ]


def test_every_row_of_the_paper_s_table_is_found_false(shared_data: Path) -> None:
    """The excerpts as printed, where the paper's text lies beside the data."""
    paper = shared_data.parent / "papers" / "x-riddles.txt"
    if not paper.is_file():
        pytest.skip("the paper's text (../shared/papers) is not beside this checkout")
    text = paper.read_text(encoding="utf-8")
    rows = text[text.rindex("Claimed Homophones (Error)") : text.rindex("Table 16")].splitlines()
    table = [row.split("\t") for row in rows[1:] if row.count("\t") == 2]
    assert len(table) == 7
    for excerpt, claimed, _model in table:
        found = [(claim.first, claim.second, claim.level) for claim in find_claims(excerpt)]
        words = [word for word in re.split(r"[^\u4e00-\u9fff]+", claimed) if word]
        assert found == [(*words, "different")], excerpt


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("这里“书”谐音“输”，所以是净是输。", [("书", "输", "same")]),
        ("利用书与输谐音", [("书", "输", "same")]),
        ("书（shū）和输（shū）同音。", [("书", "输", "same")]),
        ("谐音字：盐/言", [("盐", "言", "same")]),
        ('"书"的谐音是"输"', [("书", "输", "same")]),
        ("“盐”：与“言”同音相谐。", [("盐", "言", "same")]),
        ("取“猴补”与“候补”音近之趣", [("猴补", "候补", "tone")]),
        ("“寺”(sì)与“事”(shì)音近", [("寺", "事", "near")]),
        ("「拦网」和「难忘」听起来很像，「拦网」与「难忘」读音相近", [("拦网", "难忘", "near")]),
        ("“净是书”听起来就像“净是输”", [("净是书", "净是输", "same")]),
        ("把“书”（shū）换成同音的“输”（shū）", [("书", "输", "same")]),
        ("“响”谐“想”", [("响", "想", "same")]),
        ("“弹”与“谈”同音。“弹”与“蛋”也同音。", [("弹", "谈", "same"), ("弹", "蛋", "same")]),
        ("“照舅”与“旧”谐音", [("照舅", "旧", "same")]),
        ("The word 书 (shū, books) and 输 (shū, lose) are homophones.", [("书", "输", "same")]),
        ("书 (shū) sounds like 输 (shū)", [("书", "输", "same")]),
        ("“书”和“输”并不谐音", []),
        ("“输”与“书”没有谐音关系", []),
        ("这句话没有谐音，“书”就是“书本”。", []),
        ("孔夫子有很多“书”。他总是“输”。两句之间不谈读音。", []),
        ("“书”与“书”同音", []),
        ("“外甥”和“舅舅”是亲戚，这里用了谐音。", []),
        ("这里利用谐音，“外甥”和“舅舅”的关系一目了然。", []),
        ("“照旧”中的“旧”与“舅”同音", [("旧", "舅", "same")]),
        ("“外甥打灯笼”，“照舅”谐音“照旧”。", [("照舅", "照旧", "same")]),
        ("“书”与“输”在普通话里，读音完全相同。", [("书", "输", "same")]),
        ("这里用了谐音，即“书”与“输”。", [("书", "输", "same")]),
        ("“孔夫子”和弟子都爱“书”，“书”与“输”谐音，“净是书”就成了“净是输”。", [("书", "输", "same")]),
        ("", []),
    ],
)
def test_claims_and_their_levels(text: str, claims: list[tuple[str, str, str]]) -> None:
    assert [(claim.first, claim.second, claim.level) for claim in find_claims(text)] == claims


def test_a_pair_counts_once() -> None:
    text = "“书”与“输”谐音。“输”与“书”同音，书（shū）和输（shū）读音相同。"
    assert len(find_claims(text)) == 1


def test_stated_pinyin_is_checked() -> None:
    (claim,) = find_claims("“书”（xū）与“输”（shū）谐音")
    assert claim.level == "same" and claim.misread == ("书",)
    (claim,) = find_claims("“弹”（tán）与“谈”（tán）谐音")
    assert claim.misread == ()


@pytest.mark.parametrize(
    "text",
    [
        "“书”" * 20_000 + "谐音",
        "谐音" * 20_000,
        "字（" + "a " * 30_000,
        "“书”与" * 10_000 + "“输”谐音",
        "\ue000\ue001谐音\uf8ff" * 5_000,
        "一（" * 15_000 + "yi）谐音",
    ],
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    start = time.perf_counter()
    find_claims(text)
    assert time.perf_counter() - start < 2.0


@pytest.mark.parametrize(
    ("first", "second", "level"),
    [("照舅", "照旧", "same"), ("守发", "守法", "tone"), ("拦网", "难忘", "near"), ("书法", "叔父", "different")],
)
def test_a_word_is_as_close_as_its_worst_syllable(first: str, second: str, level: str) -> None:
    from apun.phonetics.mandarin import readings
    from benchmarks.x_riddles.homophony import compare, compare_words, worst

    assert compare_words(first, second) == level
    if "发" not in first:
        assert compare(readings(first), readings(second)) == level
    assert worst(("same", "near", "tone")) == "near" and worst(()) == "different"
