"""Replies of two parts: two meanings, a pun word and the word it stands for, two readings."""

from __future__ import annotations

import pytest

from apun.readers.pair import listed, meanings, pair

MEANINGS = [
    ("sound of a dog AND skin of a tree", ("sound of a dog", "skin of a tree")),
    ("Sure! Here are the meanings:\nsound of a dog AND skin of a tree", ("sound of a dog", "skin of a tree")),
    ("1. sound of a dog\n2. skin of a tree", ("sound of a dog", "skin of a tree")),
    ("1) sound of a dog 2) skin of a tree", ("sound of a dog", "skin of a tree")),
    ("- sound of a dog\n- skin of a tree", ("sound of a dog", "skin of a tree")),
    ("Here they are:\n1. sound of a dog\n2. skin of a tree", ("sound of a dog", "skin of a tree")),
    ("sound of a dog; skin of a tree", ("sound of a dog", "skin of a tree")),
    ("sound of a dog and skin of a tree", ("sound of a dog", "skin of a tree")),
    ("First meaning: sound of a dog\nSecond meaning: skin of a tree", ("sound of a dog", "skin of a tree")),
    ("Answer: sound of a dog AND skin of a tree", ("sound of a dog", "skin of a tree")),
    ("sound of a dog", None),
    ("one AND two AND three", None),
    ("a noise", None),
    ("AND", None),
    ("", None),
]

LISTED: list[tuple[str, list[str]]] = [
    ("a fish AND a tone", ["a fish", "a tone"]),
    ("salt and pepper AND old man", ["salt and pepper", "old man"]),
    ("1. a fish\n2. a tone", ["a fish", "a tone"]),
    ("1) a fish 2) a tone", ["a fish", "a tone"]),
    ("- a fish\n- a tone", ["a fish", "a tone"]),
    ("a fish; a tone", ["a fish", "a tone"]),
    ("a fish and a tone", ["a fish", "a tone"]),
    ("a and b and c", ["a and b and c"]),
    ("a fish AND A FISH", ["A FISH"]),
    ("“a fish” AND ...", ["a fish"]),
    ("", []),
]

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

MORE_MEANINGS = [
    ('["making mistakes", "installing screws"]', ("making mistakes", "installing screws")),
    ("First: making mistakes. Second: installing screws.", ("making mistakes", "installing screws")),
    ("Meaning 1: making mistakes\nMeaning 2: installing screws", ("making mistakes", "installing screws")),
    ('{"meaning_1": "making mistakes", "meaning_2": "installing screws"}', ("making mistakes", "installing screws")),
    ("Surface meaning: a fish, a bass; hidden meaning: a tone", ("a fish, a bass", "a tone")),
    ("1." + " " * 4_000 + "x", None),
]
LABELS = (r"谐音词|双关词|pun[ _]?word|pun", r"原词|本词|alternative(?:[ _]?word)?|original(?:[ _]?word)?")
MORE_PUNS = [
    ("句子里的“透柿眼”谐音“透视眼”。", ("透柿眼", "透视眼")),
    ("“透柿眼”并不谐音“透视眼”。", None),
    ("pun word: 透柿眼; alternative word: 透视眼", ("透柿眼", "透视眼")),
    ("谐音词是透柿眼，原词是透视眼。", ("透柿眼", "透视眼")),
    ("谐音：鱼/余", None),
    ('{"谐音词": "晨钟响，暮古鸣", "原词": "晨钟响，暮鼓鸣"}', ("晨钟响暮古鸣", "晨钟响暮鼓鸣")),
    ("谐音词：不可货缺\n原词：不可或缺", ("不可货缺", "不可或缺")),  # 或 inside a word parts no two answers
    ("谐音词：透柿眼\n原词：透视眼或投石眼", ("透柿眼", "")),
]
READINGS = [
    ("字面：念舅\n实际：念旧", ("念舅", "念旧")),
    ("字面：念舅；实际：念旧", ("念舅", "念旧")),
    ("字面：外甥写家书——念舅\n实际：外甥写家书——念旧", ("念舅", "念旧")),
    ('{"字面":"念舅","实际":"念旧"}', ("念舅", "念旧")),
    ("字面：念舅（niàn jiù），想舅舅", ("念舅", "")),
    ("字面：念舅或念旧\n实际：念旧", ("", "念旧")),
    ("念旧", None),
]


@pytest.mark.parametrize(("reply", "expected"), [*MEANINGS, *MORE_MEANINGS])
def test_meanings(reply: str, expected: tuple[str, str] | None) -> None:
    assert meanings(reply).value == expected


@pytest.mark.parametrize(("answer", "parts"), LISTED)
def test_meanings_an_answer_lists(answer: str, parts: list[str]) -> None:
    assert list(listed(answer)) == parts


@pytest.mark.parametrize(("text", "expected"), [*PUNS, *MORE_PUNS])
def test_puns(text: str, expected: tuple[str, str] | None) -> None:
    assert pair(text, *LABELS, sounding=True).value == expected


@pytest.mark.parametrize(("text", "expected"), READINGS)
def test_two_readings(text: str, expected: tuple[str, str] | None) -> None:
    assert pair(text, "字面", "实际").value == expected
