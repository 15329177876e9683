"""Whatever a model writes: no reader raises, guesses, or takes time that grows faster than the text."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.readers import objects, text
from apun.readers.choice import choice
from apun.readers.lines import labelled, verse
from apun.readers.one import Parsed
from apun.readers.pair import listed, meanings, pair
from apun.readers.reading import kana, pinyin
from apun.readers.thinking import ANSWER, RESPONSE, answer_of
from apun.readers.verdict import verdict, yes_no
from apun.readers.word import characters, chinese_word, word

PARSED: dict[str, Callable[[str], Parsed[object]]] = {
    "choice": lambda reply: choice(
        reply, ["論文", "学生", "委員", "博士"], ["ろんぶん", "がくせい", "いいん", "はかせ"]
    ),
    "choice of words": lambda reply: choice(reply, ["honey", "money"], labelled=False),
    "verdict": lambda reply: verdict(reply, "pun"),
    "yes or no": yes_no,
    "word": lambda reply: word(reply, "other", "psalms"),
    "Chinese word": lambda reply: chinese_word(reply, 4),
    "characters": characters,
    "reading": lambda reply: kana(reply, kanji="覚", word="覚える", okurigana="える"),
    "rhyme": lambda reply: kana(reply, given="かくせい"),
    "pinyin": pinyin,
    "meanings": meanings,
    "pair": lambda reply: pair(reply, "字面(?:上)?", "实际", sounding=True),
    "verse": verse,
}
READERS: dict[str, Callable[[str], object]] = {
    **PARSED,
    "labels": lambda reply: labelled(reply, {"pun": "pun", "word": "word"}, inline=True),
    "answer section": ANSWER,
    "response section": RESPONSE,
}
CAUSES = ("empty", "refusal", "several", "no_answer", "not_kana")
PIECES = [
    *(
        "not a ",
        "pun ",
        '"x" ',
        "1. a 2. b ",
        "Answer: ",
        "AND ",
        "\n",
        "'a' ",
        "no ",
        "我选",
        "答案",
        '{"a"',
        "{",
        "{'",
        "A",
        '"',
    ),
    *(
        "a: ",
        "[",
        "“",
        "<think>",
        "(",
        "「",
        "**",
        "か(",
        "はい、",
        "覚は",
        "答え：",
        "read as ",
        "か",
        "覚",
        "字面：",
        "、",
        " ",
    ),
    *(
        "=",
        "→",
        "a1 ",
        "lǚ ",
        "u:",
        "<answer>",
        "\\boxed{",
        "<|channel|>analysis<|message|>",
        "</think>",
        "reading of ",
    ),
    *(
        "不是A",
        "A或",
        "if a pun ",
        "学生",
        "\nQuestion",
        "```",
        "- ",
        "| ",
        "x\n",
        "? ",
        "かと",
        "，",
        "。",
        "First: ",
        "a;",
        "I don't ",
    ),
    *('{"answer": "', '["a", ', "“舅”", "<RESPONSE>", "the word is ", "谐音", "\u200b", "…", "🎵", "か\u3099"),
]


@pytest.mark.parametrize("name", READERS)
@given(st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(deadline=None, max_examples=60)
def test_no_text_breaks_a_reader(name: str, reply: str) -> None:
    for said in (reply, '{"answer": ' + reply + "}", '{"answer": "' + reply + '"}', f"Answer: {reply}"):
        found = READERS[name](said)
        if isinstance(found, Parsed):
            assert (found.value is None) == bool(found.cause)
            assert found.cause in ("", *CAUSES)


@given(st.text(max_size=80))
@settings(deadline=None, max_examples=100)
def test_what_is_read_stands_in_the_reply(reply: str) -> None:
    said = word(reply).value
    assert said is None or (said in text.prose(reply).replace("(", "").replace(")", "") and len(said.split()) <= 3)
    assert all(any(char.isalpha() for char in part) for part in listed(reply))
    assert answer_of(reply) in reply


@pytest.mark.parametrize("name", READERS)
def test_time_grows_with_the_text_and_no_faster(name: str) -> None:
    """Five times the text may take fifteen times as long before this fails; a cubic reader takes 125 times as long."""

    def seconds(reply: str) -> float:
        start = time.process_time()
        READERS[name](reply)
        return time.process_time() - start

    READERS[name]("patterns are compiled once")
    for piece in PIECES:
        small, large = ((piece * (size // len(piece) + 1))[:size] for size in (600, 3_000))
        if seconds(large) > 15 * max(seconds(small), 0.002):  # once may be chance: the machine does other things
            assert min(seconds(large + " " * n) for n in range(3)) <= 15 * max(seconds(small + " "), 0.002), (
                name,
                piece,
            )


@pytest.mark.parametrize("piece", ["我选", '{"a"', "{", "A", '"', "a: ", "[", "“", "<think>", "\n"])
def test_a_runaway_reply_takes_neither_long_nor_gigabytes(piece: str) -> None:
    reply = piece * (100_000 // len(piece))
    for read in READERS.values():
        read(reply[:100])
    tracemalloc.start()
    try:
        for name in ("choice", "meanings", "labels"):
            READERS[name](reply)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60e6


def test_an_answer_after_a_runaway_start_is_found() -> None:
    options = ("提升", "陌生", "新生", "萌生")
    assert objects.objects(text.prose("{" * 300_000 + '{"answer": "B"}'))[-1] == {"answer": "B"}
    assert choice("x" * 300_000 + "\n答案：C", options).value == 2
    assert choice("<think>" + "x" * 300_000 + "</think>C", options).value == 2
    assert answer_of("<think>" + "x" * 1000) == ""
