"""Thinking is set apart and never graded; an unclosed thought gives no answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.readers.thinking import ANSWER, BEGUN, OPTIONAL, RESPONSE, Split, answer_of, of_content


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>a or b?</think>b", Split("b", "a or b?")),
        ("it begins inside a thought</think>\n\nb", Split("b", "it begins inside a thought")),
        ("<think>one</think>no<think>two</think>b", Split("b", "onenotwo")),
        ("<think>never closed, the answer is b", Split(None, "never closed, the answer is b", True)),
        ("<think>closed</think> then <think>open again b", Split(None, "closed then open again b", True)),
        ("no tag at all", Split(None, "no tag at all", True)),
    ],
)
def test_think(text: str, expected: Split) -> None:
    assert BEGUN(text) == expected


SPELLINGS = [
    "<think>{}</think>{}",
    "<THINK>{}</THINK>{}",
    "<thinking>{}</thinking>\n{}",
    "<thought>{}</thought>{}",
    "<reasoning>{}</reasoning>{}",
    "[THINK]{}[/THINK]{}",
    "◁think▷{}◁/think▷{}",
    "<seed:think>{}</seed:think>{}",
    "<|begin_of_thought|>{}<|end_of_thought|>{}",
    "<|START_THINKING|>{}<|END_THINKING|>{}",
    "<unused94>thought\n{}<unused95>{}",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
    "analysis{}assistantfinal{}",
    "<new:thinking>{}</new:thinking>{}",  # nobody writes so; yet
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_thinking(spelling: str) -> None:
    whole = spelling.format("It is a or b.", "c")
    assert OPTIONAL(whole) == Split("c", "It is a or b.")
    cut = whole[: whole.index("b.") + 2]
    assert OPTIONAL(cut) == Split(None, "It is a or b.", truncated=True) and answer_of(cut) == ""


def test_a_message_of_parts() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "a?"}]}, {"type": "text", "text": "b"}]
    assert of_content(parts) == ("b", "a?")
    assert of_content([{"type": "reasoning", "text": "a?"}, {"type": "output_text", "text": "b"}]) == ("b", "a?")
    assert of_content("b") == ("b", None) and of_content(None) == ("", None)
    for unknown in ([{"type": "musing", "text": "a"}], ["a"], [{}]):
        with pytest.raises(ValueError, match="unknown type"):
            of_content(unknown)


def test_optional_thinking() -> None:
    assert OPTIONAL(" b ") == Split("b")
    assert OPTIONAL("<think>x</think>b") == Split("b", "x")
    assert OPTIONAL("<think>x").truncated


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>x</think><answer>b</answer>", Split("b", "x")),
        ("<answer>a</answer> no, <answer> b </answer>", Split("b")),
        ("<think>x</think><answer>b", Split(None, "x", True)),
        ("<think>the <answer>b", Split(None, "the", True)),
        ("<think>x</think> b", Split("b", "x")),
        ("<think>x and the answer is b", Split(None, "x and the answer is b", True)),
        ("b", Split("b")),
    ],
)
def test_think_then_answer(text: str, expected: Split) -> None:
    assert ANSWER(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<THINK><PLANNING>p</PLANNING></THINK><RESPONSE>b</RESPONSE>", Split("b", "<PLANNING>p</PLANNING>")),
        ("<THINK>t</THINK>\n<RESPONSE> b", Split("b", "t")),
        ("<THINK>the response is b", Split(None, "the response is b", True)),
        ("b", Split(None, "b", True)),
        ("", Split(None, None, True)),
    ],
)
def test_response_section(text: str, expected: Split) -> None:
    assert RESPONSE(text) == expected


tags = st.sampled_from(
    ["<think>", "</think>", "<answer>", "</answer>", "<RESPONSE>", "</RESPONSE>", "<THINK>", "b", " "]
)


@given(st.lists(tags, max_size=12).map("".join))
@settings(deadline=None)
def test_truncated_means_no_answer_and_an_answer_is_never_thinking(text: str) -> None:
    for split in (OPTIONAL, BEGUN, ANSWER, RESPONSE):
        found = split(text)
        assert found.truncated == (found.answer is None)
        if found.answer is not None:
            assert found.answer in text
    assert "</think>" not in (BEGUN(text).answer or "")
