"""Thinking is set apart and never graded; an unclosed thought gives no answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audio_models.thinking import Split, optional_think, plain, response_section, think, think_then_answer


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
    assert think(text) == expected


def test_optional_think() -> None:
    assert optional_think(" b ") == Split("b")
    assert optional_think("<think>x</think>b") == Split("b", "x")
    assert optional_think("<think>x").truncated


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
    assert think_then_answer(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<THINK><PLANNING>p</PLANNING></THINK><RESPONSE>b</RESPONSE>", Split("b", "<PLANNING>p</PLANNING>")),
        ("<THINK>t</THINK>\n<RESPONSE> b", Split("b", "t")),
        ("<THINK>the response is b", Split(None, "<THINK>the response is b", True)),
        ("b", Split(None, "b", True)),
        ("", Split(None, None, True)),
    ],
)
def test_response_section(text: str, expected: Split) -> None:
    assert response_section(text) == expected


tags = st.sampled_from(
    ["<think>", "</think>", "<answer>", "</answer>", "<RESPONSE>", "</RESPONSE>", "<THINK>", "b", " "]
)


@given(st.lists(tags, max_size=12).map("".join))
@settings(deadline=None)
def test_truncated_means_no_answer_and_an_answer_is_never_thinking(text: str) -> None:
    for split in (plain, optional_think, think, think_then_answer, response_section):
        found = split(text)
        assert found.truncated == (found.answer is None)
        if found.answer is not None:
            assert found.answer in text
    assert "</think>" not in (think(text).answer or "")
