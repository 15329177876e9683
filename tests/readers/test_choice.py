"""Messy replies that choose an option: each is read as a careful person would read it, or not at all."""

from __future__ import annotations

import pytest

from apun.readers.choice import choice

MANDARIN: list[tuple[str, int | None]] = [
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
    ('{"answer": {"letter": "C"}}', 2),  # an object's only field holds the answer, whatever its name
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

XIEHOUYU: list[tuple[str, int | None]] = [
    ("B", 1),
    ("b", 1),  # a letter is all there is, be it small: as in the other benchmarks
    ("答案：C", 2),
    ("答案是 **D**", 3),
    ("选B", 1),
    ("Option C", 2),
    ("Answer: (A)", 0),
    ("（B）瞎忙", 1),
    ("Ｂ．瞎忙", 1),
    ("A 不对，B 也不对。\n答案：D", 3),
    ("A或B都可以", None),
    ("应该是落实", 2),
    ("落实或悠久", None),
    ('{"answer": "D"}', 3),
    ('{"answer": "瞎忙"}', 1),
    ("甲", 0),
    ("答案：丁", 3),
    ("选丙。", 2),
    ("A good question, and a hard one", None),
    ("A is right", 0),
    ("I choose A because the others do not fit", 0),
    ("答案：A。B 不通", 0),
    ("答案：C。因为其他选项 A、B 都不对。", 2),
    ("答案不是A，而是B", 1),
    ("答案不是A", None),
    ("It is not B", None),
    ("Answer: A good match is C", 2),
    ("The answer is B because A is wrong", 1),
    ("Answer: none of A-D", None),
    ("答案：瞎忙", 1),
    ("选项C更合适", 2),
    ("Photosynthesis is a, well, process", None),
    ("I can't tell", None),
    ("", None),
    ("E", None),
    ("答案：", None),
    ("答案：不知道", None),
    ("答案：A、B", None),
    ("答案：B不对", None),
    ("B is wrong", None),
    ("选项B是错的，答案是C", 2),
    ("A is wrong; B", 1),
]

JAPANESE: list[tuple[str, int | str]] = [
    ("B", 1),
    ("b", 1),
    ("Ｂ", 1),
    ("Ⓑ", 1),
    ("(B)", 1),
    ("（Ｂ）学生", 1),
    ("B) 学生", 1),
    ("B. 学生", 1),
    ("【B】", 1),
    ("正解は：**B**", 1),
    ("正解は：**(B)学生**", 1),
    ("正解は：**学生**", 1),
    ("答え：Ｄ（博士）", 3),
    ("選択肢Bが正解です", 1),
    ("Option B", 1),
    ("The answer is B.", 1),
    ("A rhyme is hard to find, but I choose (B).", 1),
    ("I think B is correct because がくせい = auei.", 1),
    ("学生", 1),
    ("「学生」", 1),
    ("がくせい", 1),
    ("ｶﾞｸｾｲ", 1),
    ("答えは学生です。", 1),
    ("論文と委員は違います。正解は：B", 1),
    ("Aではなく B です", 1),
    ("(A)ではなく(B)", 1),
    ("まず母音を考えます。\n論文: oun\n学生: auei\n\n正解は：**(B)**", 1),
    ("(A) 論文 (B) 学生 (C) 委員 (D) 博士", "several"),
    ("AかB", "several"),
    ("(A) 学生", "several"),
    ("学生と博士", "several"),
    ("2", 1),  # options have one order: the second, as in the other benchmarks
    ("正解は：**ここに正解の選択肢を入れる**", "no_answer"),
    ("大学生です", "no_answer"),
    ("わかりません", "refusal"),
    ("", "empty"),
    ("\\boxed{B}", 1),
    ("<answer>B</answer>", 1),
    ("B：学生", 1),
    ("答え: B（がくせい）", 1),
    ("（Ｂ）", 1),
    ("B\n\n理由：(A)はoun、(C)はiin、(D)はaaeだからです。", 1),
    ("正解は：**B) 学生**", 1),
    ("**正解は：(B) 学生**", 1),
    ("選択肢を見ると、(A)論文はoubu、(B)学生はauei、(C)委員はiin、(D)博士はaae。よって(B)です。", 1),
    ("したがって、正解はBです。", 1),
    ("b)", 1),
    ("Answer: (b)", 1),
    ("私はAを選びません。Bを選びます。", 1),
    ("正解は：**がくせい**", 1),
    ("All of A, B, C, D are wrong.", "several"),
    ("A\nC", "several"),
    ("A\n正解は：**(C)**", "several"),
    ("C\n正解は：**(C)**", 2),
    ("(A) 論文\n(B) 学生\n(C) 委員\n(D) 博士", "several"),
    ("(A) 論文\n(B) 学生\n(C) 委員\n(D) 博士\n答え：B", 1),
    ("The answer is not B.", "no_answer"),
    ("The answer isn't 学生", "no_answer"),
    ("正解は：(B)ではありません", "no_answer"),
]

ALSO: list[tuple[str, int | str]] = [
    ("读音最接近的是 A。", 0),
    ("最接近的是“陌生”。", 1),
    ("我觉得陌生最好", 1),
    ("Option A is correct.", 0),
    ("\\boxed{\\text{B}}", 1),
    ("除了A都不对", "no_answer"),
    ("选项A可以排除", "no_answer"),
    ("不应该是B", "no_answer"),
    ("正确答案不是提升", "no_answer"),
    ("我不认为答案是B", "no_answer"),
    ("I don't think the answer is B.", "refusal"),
    ("I doubt it is A", "no_answer"),
    ("Is it A? No.", "no_answer"),
    ("If A were right, it would rhyme. So B.", 1),
    ("B不是，C才是", 2),
    ("排除A、B、D，答案是C", 2),
    ("答案是A或B", "several"),
    ("The answer is either A or B", "several"),
    ("A/B", "several"),
    ("A. 提升 (tí shēng)\nB. 陌生 (mò shēng)\nC. 新生 (xīn shēng)\nD. 萌生 (méng shēng)", "several"),
    ("A. 提升\nB. 陌生\nC. 新生\nD. 萌生\n\n所以选C。", 2),
    ("Yuán Yuán Bù Duàn", "no_answer"),
    ("<thinking>A</thinking>B", 1),
]


@pytest.mark.parametrize(("text", "expected"), MANDARIN)
def test_options_that_sound_alike(text: str, expected: int | None) -> None:
    assert choice(text, ("提升", "陌生", "新生", "萌生")).value == expected


@pytest.mark.parametrize(("answer", "place"), XIEHOUYU)
def test_second_halves_of_xiehouyu(answer: str, place: int | None) -> None:
    assert choice(answer, ["念旧", "瞎忙", "落实", "悠久"]).value == place


@pytest.mark.parametrize(("reply", "expected"), JAPANESE)
def test_japanese_options(reply: str, expected: int | str) -> None:
    parsed = choice(reply, ["論文", "学生", "委員", "博士"], ["ろんぶん", "がくせい", "いいん", "はかせ"])
    assert (parsed.cause if parsed.value is None else parsed.value) == expected


@pytest.mark.parametrize(("reply", "expected"), ALSO)
def test_denials_hedges_and_plain_sentences(reply: str, expected: int | str) -> None:
    parsed = choice(reply, ("提升", "陌生", "新生", "萌生"))
    assert (parsed.cause if parsed.value is None else parsed.value) == expected


def test_a_short_kana_option_is_not_found_inside_a_sentence() -> None:
    parsed = choice("母音を比べると、答えはしきです。", ["かじょう", "かんそう", "まいきょ", "しき"])
    assert parsed.value == 3
    assert choice("しきりに考えました。", ["かじょう", "かんそう", "まいきょ", "しき"]).value is None


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("honey", 0),
        ("The word is **money**.", 1),
        ("It was money, not honey.", 1),
        ("honey or money", None),
        ("A jar of honey", 0),
        ("moneyed", None),
        ("B", None),
    ],
)
def test_options_without_letters(reply: str, expected: int | None) -> None:
    assert choice(reply, ("honey", "money"), labelled=False).value == expected
