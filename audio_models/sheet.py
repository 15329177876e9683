"""A filled-in sheet as a model: people's answers are scored by the same code as a model's.

The sheet (CSV or xlsx) has the columns ``question`` (the id that the exported sheet carries) and
``answer``; further columns are ignored. An empty answer is an error reply, not a wrong answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from apun import digests
from apun.models import BaseModel, Generation, LoadOptions, ModelInfo
from apun.prompts import Prompt
from apun.records import read
from apun.replies import Consumed, Reply


class SheetModel(BaseModel):
    """Answers by question id."""

    def __init__(self, name: str, options: LoadOptions) -> None:
        path = Path(name.removeprefix("sheet:"))
        answers: dict[str, str] = {}
        for record in read(path, ("question", "answer")):
            question = record.text("question")
            if question in answers:
                raise record.fault(f"question {question!r} is answered twice", "question", "Keep one row.")
            answers[question] = record.text("answer", "")
        self._answers = answers
        self.info = ModelInfo(
            name=name, family="sheet", revision=digests.of_value(answers, 12), audio=True, max_clips=None, max_batch=64
        )

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """The sheet's answers, in order; people are taken to have heard the clips they were given."""
        return [self._reply(prompt) for prompt in prompts]

    def _reply(self, prompt: Prompt) -> Reply:
        answer = self._answers.get(prompt.id)
        if answer is None:
            return Reply.error(f"the sheet has no row for {prompt.id}")
        if not answer:
            return Reply.error("left blank in the sheet")
        return Reply(status="ok", text=answer, answer=answer, consumed=Consumed(len(prompt.audios), prompt.seconds))


def create(name: str, options: LoadOptions) -> SheetModel:
    """Factory for ``sheet:FILE`` names."""
    return SheetModel(name, options)
