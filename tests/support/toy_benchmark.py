"""A tiny benchmark for testing the harness: items are numbers, answers are their parity."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from apun.clips import Clip
from apun.prompts import Audio, Message, Prompt, Text
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech, Utterance
from apun.tasks import Benchmark, Conditions, Question, Subset, Task, ratio


@dataclass(frozen=True)
class Number:
    id: str
    value: int
    language: str = "en"

    @property
    def cluster(self) -> str:
        return f"c{self.value // 2}"

    @property
    def text(self) -> str:
        return f"the number {self.value}"


def tone(value: int, seconds: float = 0.3) -> Clip:
    time = np.arange(int(16_000 * seconds)) / 16_000
    return Clip(samples=(0.3 * np.sin(2 * np.pi * (200 + 10 * value) * time)).astype(np.float32))


def load(subset: Subset) -> Sequence[Number]:
    count = int(os.environ.get("TOY_ITEMS", "20"))
    return [Number(f"n{i:05d}", i) for i in range(count)]


def ask(items: Sequence[Number], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    for item in items:
        identity = f"toy.parity/{item.id}/p0"
        heard = (Audio(tone(item.value)),) if conditions.modality == "audio" else ()
        message = Message("user", (*heard, Text(f"Is {item.value} odd or even?")))
        yield Question(identity, "toy.parity", item, "p0", Prompt(identity, "toy.parity", (message,)))


def gold(item: Number) -> str:
    return "odd" if item.value % 2 else "even"


def score(question: Question, reply: Reply) -> Score:
    answer = (reply.answer or "").strip().lower()
    parsed = answer if answer in ("odd", "even") else None
    status = reply.status if reply.status != "ok" else "scored" if parsed else "unparsed"
    right = float(parsed == gold(question.item))
    return Score(
        question.id,
        question.item.id,
        question.item.cluster,
        question.task,
        question.variant,
        status,
        {"right": right, "n": 1.0},
        {"parity": gold(question.item)},
        parsed,
    )


TASK = Task(
    name="toy.parity",
    title="odd or even",
    version=1,
    ask=ask,
    score=score,
    metrics=(
        ratio("accuracy", "Acc.", "right"),
        ratio("odd", "Odd", "right", where={"parity": "odd"}),
    ),
    solve=lambda prompt: "odd",
    perfect=lambda question: gold(question.item),
    speech=lambda item, conditions: (),
)

BENCHMARK = Benchmark(
    name="toy",
    title="parity of numbers",
    version=1,
    paper="",
    tasks={"parity": TASK},
    subsets={"sample": "numbers"},
    load=load,
    utterances=lambda item, form: (Utterance(item.id, item.text, "en"),),
    tables=lambda runs: [],
)
