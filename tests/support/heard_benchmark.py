"""A benchmark over the public speech clips: say what is said. For end-to-end tests of audio models."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from apun.clips import Clip
from apun.prompts import Audio, Message, Prompt, Text
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech, Utterance
from apun.tasks import Benchmark, Conditions, Question, Subset, Task, ratio


@dataclass(frozen=True)
class Saying:
    id: str
    text: str
    language: str
    file: Path

    @property
    def cluster(self) -> str:
        return self.id


def load(subset: Subset) -> Sequence[Saying]:
    folder = Path(os.environ["HEARD_SPEECH"])
    rows = [json.loads(line) for line in (folder / "metadata.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Saying(Path(row["file_name"]).stem, row["transcript"], row["language"], folder / row["file_name"])
        for row in rows
    ]


def ask(items: Sequence[Saying], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    for item in items:
        identity = f"heard.words/{item.id}/p0"
        message = Message("user", (Audio(Clip(item.file)), Text("Write down what is said. <|im_end|>")))
        yield Question(identity, "heard.words", item, "p0", Prompt(identity, "heard.words", (message,)))


def score(question: Question, reply: Reply) -> Score:
    right = float(reply.answer == question.item.text)
    status = "scored" if reply.status == "ok" else reply.status
    return Score(
        question.id,
        question.item.id,
        question.item.cluster,
        question.task,
        question.variant,
        status,
        {"right": right, "n": 1.0},
        {},
        reply.answer,
    )


TASK = Task(
    name="heard.words",
    title="what is said",
    version=1,
    ask=ask,
    score=score,
    metrics=(ratio("accuracy", "Acc.", "right"),),
    solve=lambda prompt: "",
    perfect=lambda question: question.item.text,
    speech=lambda item, conditions: (),
    max_new_tokens=6,
)

BENCHMARK = Benchmark(
    name="heard",
    title="public clips",
    version=1,
    paper="",
    tasks={"words": TASK},
    subsets={"sample": "clips"},
    load=load,
    utterances=lambda item, form: (Utterance(item.id, item.text, item.language),),
    tables=lambda runs: [],
)
