"""Reasoning set apart from the answer. Thinking is never graded; an unclosed thought is truncated."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Split:
    """What a model wrote, taken apart.

    Attributes:
        answer: what is graded; None when there is none.
        thinking: reasoning before it; None when there is none.
        truncated: a thought was opened and no answer followed.
    """

    answer: str | None
    thinking: str | None = None
    truncated: bool = False


Splitter = Callable[[str], Split]


def plain(text: str) -> Split:
    """For models that do not think: everything is the answer."""
    return Split(text.strip())


def optional_think(text: str) -> Split:
    """``<think>…</think>answer`` where the thought may be missing altogether."""
    return think(text) if "<think>" in text or "</think>" in text else plain(text)


def think(text: str) -> Split:
    """Split at the last ``</think>``.

    The prompt may already hold ``<think>``, so the output can begin inside a thought; without
    ``</think>`` everything is thinking and there is no answer.
    """
    head, mark, tail = text.rpartition("</think>")
    if not mark:
        return Split(None, _untagged(text), truncated=True)
    if "<think>" in tail:  # a second thought was opened and never closed
        return Split(None, _untagged(text), truncated=True)
    return Split(tail.strip(), _untagged(head))


def think_then_answer(text: str) -> Split:
    """``<think>…</think><answer>…</answer>`` (Omni-R1): the last answer block counts.

    Without an answer block, what follows a closed thought is the answer; a text with neither tag
    is the answer itself; an unclosed thought or answer is truncated.
    """
    blocks = re.findall(r"<answer>(.*?)</answer>", text, re.DOTALL)
    thought = "".join(re.findall(r"<think>(.*?)(?:</think>|\Z)", text, re.DOTALL)) or None
    if blocks:
        return Split(blocks[-1].strip(), thought and thought.strip())
    if "<answer>" in text:
        return Split(None, _untagged(text.partition("<answer>")[0]), truncated=True)
    return optional_think(text)


def response_section(text: str) -> Split:
    """``<THINK>…</THINK><RESPONSE>…</RESPONSE>`` (Audio-Reasoner).

    Without ``<RESPONSE>`` there is no answer: the text is thinking that ran out of tokens. An
    unclosed ``<RESPONSE>`` holds the answer when the model ended by itself.
    """
    found = re.search(r"<RESPONSE>(.*?)(?:</RESPONSE>|\Z)", text, re.DOTALL)
    if found is None:
        return Split(None, text.strip() or None, truncated=True)
    thought = re.sub(r"</?THINK>", "", text[: found.start()]).strip()
    return Split(found.group(1).strip(), thought or None)


def _untagged(text: str) -> str:
    return text.replace("<think>", "").replace("</think>", "").strip()
