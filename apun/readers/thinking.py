"""Reasoning set apart from the answer. Thinking is never graded; an unclosed thought is truncated."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from apun.readers import rules

_TOKENS = re.compile(r"<\|(?:end|return)\|>")


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


@dataclass(frozen=True, slots=True)
class Rule:
    """How a family sets its reasoning apart; a splitter.

    Attributes:
        begun: the prompt already opened the thought, so that a text without an end of it is all thinking.
        section: the tag that holds the answer, of which the last counts; empty when there is none.
        required: without that section there is no answer, and it may be left open when the model ended by itself.
    """

    begun: bool = False
    section: str = ""
    required: bool = False

    def __call__(self, text: str) -> Split:
        tags = list(re.finditer(rf"<(/?){self.section}>", text, re.IGNORECASE)) if self.section else []
        opened = next((tag for tag in reversed(tags) if not tag[1]), None)
        if opened is None:
            return Split(None, _untagged(text) or None, truncated=True) if self.required else _split(text, self.begun)
        closed = next((tag.start() for tag in reversed(tags) if tag[1] and tag.start() > opened.start()), None)
        if closed is None and not self.required:
            return Split(None, _untagged(text[: opened.start()]), truncated=True)
        head = text[: opened.start()]
        thought = _untagged(head) if any(mark.search(head) for mark in rules.thoughts()) else None
        return Split(text[opened.end() : closed].strip(), thought)


OPTIONAL = Rule()
"""A thought may stand before the answer, in any mark-up of the table."""
BEGUN = Rule(begun=True)
ANSWER = Rule(section="answer")
"""``<think>…</think><answer>…</answer>`` (Omni-R1); without an answer block as ``OPTIONAL``."""
RESPONSE = Rule(section="RESPONSE", required=True)
"""``<THINK>…</THINK><RESPONSE>…</RESPONSE>`` (Audio-Reasoner)."""
RULES = {"optional": OPTIONAL, "begun": BEGUN, "answer": ANSWER, "response": RESPONSE}


def answer_of(text: str) -> str:
    """What is left of a reply without its thinking; empty where a thought never closed."""
    return OPTIONAL(text).answer or ""


def of_content(content: object) -> tuple[str, str | None]:
    """Text and thinking of a message as services send it: a string, or a list of typed parts.

    Raises:
        ValueError: a part is of no known type; it may hold reasoning, so it is not taken for an answer.
    """
    if not isinstance(content, list):
        return str(content or ""), None
    text, thinking = [], []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in ("text", "output_text"):
            text.append(str(part.get("text") or ""))
        elif kind in ("thinking", "reasoning", "redacted_thinking"):
            thinking.append(of_content(part.get("thinking") or part.get("reasoning") or part.get("text"))[0])
        else:
            raise ValueError(f"the message holds a part of unknown type ({kind!r})")
    return "".join(text), "".join(thinking) or None


def _split(text: str, begun: bool) -> Split:
    opens, closes = rules.thoughts()
    ends = [mark.span() for mark in closes.finditer(text)]
    start, stop = ends[-1] if ends else (0, 0)
    if opens.search(text, stop) or (begun and not ends):
        return Split(None, _untagged(text), truncated=True)
    return Split(_TOKENS.sub("", text[stop:]).strip(), _untagged(text[:start]) if ends else None)


def _untagged(text: str) -> str:
    for mark in rules.thoughts():
        text = mark.sub("", text)
    return text.strip()
