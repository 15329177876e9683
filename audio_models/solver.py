"""The deterministic phonetic reasoner as a model: what a transcript alone can reach.

``RECOGNISER+solver`` answers by rule over what was heard; over the gold text (``solver`` with
``--modality text``, or ``gold+solver``) it is the ceiling. A model's distance to the first is
reasoning, the first's distance to the second is hearing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from apun import registry
from apun.models import BaseModel, Generation, LoadOptions, ModelInfo
from apun.prompts import Prompt
from apun.replies import Reply


class Solver(BaseModel):
    """Answers text prompts with their task's ``solve``; needs no weights and no randomness."""

    info = ModelInfo(name="solver", family="solver", revision="1", audio=False, max_clips=0, max_batch=64)

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """One reply per prompt; a task that cannot answer gives an error reply with its reason."""
        return [_answer(prompt) for prompt in prompts]


def _answer(prompt: Prompt) -> Reply:
    if prompt.audios:
        return Reply.error("the solver reads text; use RECOGNISER+solver, or --modality text for the gold transcript")
    start = time.perf_counter()
    try:
        text = registry.task(prompt.task).solve(prompt)
    except Exception as error:  # noqa: BLE001 - a task's rule may fail in any way; one item must not cost the batch
        return Reply.error(f"the solver failed on {prompt.id}: {type(error).__name__}: {error}")
    spent = time.perf_counter() - start
    return Reply(status="ok", text=text, answer=text, seconds={"reasoning": spent, "total": spent})


def create(name: str, options: LoadOptions) -> Solver:
    """Factory for ``solver``."""
    return Solver()
