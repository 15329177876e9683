"""Messy replies that name a word or list characters: one reading, or none."""

from __future__ import annotations

import pytest

from apun.readers.word import characters, chinese_word, word

WORDS = [
    ("honey", "honey"),
    ("Honey.", "Honey"),
    ('"honey"', "honey"),
    ("**honey**", "honey"),
    ("‘honey’", "honey"),
    ("honey comb", "honey comb"),
    ("The pun word is honey.", "honey"),
    ('The word that carries the pun is "honey".', "honey"),
    ("Answer: honey", "honey"),
    ("Answer: **honey**", "honey"),
    ("It plays on two meanings of it.\nAnswer: honey", "honey"),
    ("The bees want something sweet, which sounds like cash.\n\nhoney", "honey"),
    ("Answer:\nhoney", "honey"),
    ("I think the word is **honey**, which sounds like **money**.", "honey"),
    ("The punning word is honey because bees make it", "honey"),
    ("Answer: honey - it sounds like money", "honey"),
    ("The key word is 'honey' (like 'money').", "honey"),
    ("honey, bees", None),
    ("honey/bees", None),
    ("honey (money)", None),
    ('Either "honey" or "bees".', None),
    ("The bees want it for the thing they make all day", None),
    ("none", None),
    ("None.", None),
    ("", None),
    ("???", None),
    ("don't", "don't"),
    ("knot", "knot"),
    ("never", "never"),
    ('{"answer": "honey"}', "honey"),
    ('```json\n{"word": "honey"}\n```', "honey"),
    ('{"answer": ""}', None),
    ("{}", None),
    ("I don't know.", None),
    ("I’m not sure", None),
    ("Sorry, no idea", None),
    ("No idea at all", None),
    ("Not honey", None),
    ("The answer is not honey.", None),
]

CHINESE: list[tuple[str, str | None]] = [
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

MORE_WORDS = [
    ("honey or bees", None),
    ("Answer: honey or bees", None),
    ("honey-bees-and-money", None),
    ("The word “psalms” in “sweaty psalms”", "psalms"),
    ("'Psalms,' which plays on 'palms'.", "Psalms"),
    ("The pun word is psalms (palms).", "psalms"),
    ("Pun word: psalms; alternative word: palms", "psalms"),
    ("honey, which sounds like money", "honey"),
    ('{"pun_word": "honey", "alternative_word": "money"}', "honey"),
    ("<think>money?</think>honey", "honey"),
    ("Sure!\nhoney", "honey"),
    ("honey\nbees", None),
]
OTHER_WORDS = [
    ('"psalms" sounds like "palms"', "palms"),
    ("psalms → palms", "palms"),
    ("palm(s)", "palms"),
    ("palms (psalms)", "palms"),
    ("palms or balms", None),
    ("Pun word: psalms; alternative word: palms", "palms"),
    ('{"pun_word": "psalms", "alternative_word": "palms"}', "palms"),
    ("psalms", "psalms"),
    ("can't elope", "can't elope"),
]
MORE_CHINESE = [
    ("这个成语是“亡羊补牢”。", "亡羊补牢"),
    ("正确的成语是亡羊补牢。", "亡羊补牢"),
    ("The idiom is 亡羊补牢.", "亡羊补牢"),
    ("读音是 wáng yáng bǔ láo\n\n亡羊补牢", "亡羊补牢"),
    ('{"answer": ["亡羊补牢"]}', "亡羊补牢"),
    ('{"answer": ["亡羊补牢", "守株待兔"]}', None),
    ("不是“亡羊补牢”。", None),
    ("“亡羊补牢”或“守株待兔”", None),
]
MORE_CHARS = [
    ("1. 狈\n2. 备\n3. 辈", ["狈", "备", "辈"]),
    ("狈（bèi）、备（bèi）、辈（bèi）", ["狈", "备", "辈"]),
    ('{"answer": ["张章彰樟漳"]}', ["张", "章", "彰", "樟", "漳"]),
]


@pytest.mark.parametrize(("reply", "expected"), [*WORDS, *MORE_WORDS])
def test_the_word_that_carries_the_pun(reply: str, expected: str | None) -> None:
    assert word(reply).value == expected


@pytest.mark.parametrize(("reply", "expected"), OTHER_WORDS)
def test_the_other_word(reply: str, expected: str | None) -> None:
    assert word(reply, "other", "psalms").value == expected


@pytest.mark.parametrize(("text", "expected"), [*CHINESE, *MORE_CHINESE])
def test_chinese_words(text: str, expected: str | None) -> None:
    assert chinese_word(text, 4).value == expected


@pytest.mark.parametrize(("text", "expected"), [*CHARS, *MORE_CHARS])
def test_characters(text: str, expected: list[str] | None) -> None:
    assert characters(text).value == expected


@pytest.mark.parametrize(
    ("reply", "length", "expected"),
    [
        ('{"answer": "晨钟响，暮鼓鸣"}', None, "晨钟响暮鼓鸣"),  # a field holds one word, commas and all
        ("晨钟响，暮鼓鸣", 6, "晨钟响暮鼓鸣"),
        ("答案是晨钟响，暮鼓鸣。", 6, "晨钟响暮鼓鸣"),
        ("晨钟，暮鼓", 2, None),  # two words of the length asked for
        ("晨钟，暮鼓", None, None),
    ],
)
def test_a_chinese_word_with_a_comma_of_its_own(reply: str, length: int | None, expected: str | None) -> None:
    assert chinese_word(reply, length).value == expected


@pytest.mark.parametrize(
    "reply",
    [
        "grebe, which sounds like greed",
        "grebe (sounds like greed)",
        "grebe, because it sounds like greed.",
        "The other word is grebe, which sounds like greed.",
        "grebe, a homophone of greed",
        "'grebe' sounds like 'greed'.",
        "greed sounds like grebe",
    ],
)
def test_the_other_word_is_not_the_one_that_the_question_gave(reply: str) -> None:
    assert word(reply, "other", "greed").value == "grebe"


@pytest.mark.parametrize(
    "reply", ["Definitely not grebe.", "Surely never grebe", "Hardly grebe", "Anything but grebe", "All except grebe"]
)
def test_what_the_answer_is_not_is_no_answer(reply: str) -> None:
    assert word(reply).value is None
