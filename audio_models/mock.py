"""A scripted model, for tests, demonstrations and dry runs of the harness.

``mock:perfect`` answers as a flawless model; ``mock:always=TEXT`` gives one answer;
``mock:last-word`` names the last word of the item's text; ``mock:script=FILE`` reads
``{"question": …, "text": …}`` lines. Options (``--model-arg``): ``log`` (a file that gets one line
per question answered), ``delay`` (seconds a batch), ``work`` (seconds of computing a prompt),
``batch`` (largest batch).
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

from apun import registry
from apun.errors import DataError, UsageError
from apun.models import BaseModel, Generation, LoadOptions, ModelInfo, Scripted
from apun.prompts import Prompt
from apun.records import read
from apun.replies import Consumed, Reply
from apun.tasks import Question


class MockModel(BaseModel, Scripted):
    """A model that knows its answers beforehand; it is shown the questions before it is asked."""

    def __init__(self, name: str, options: LoadOptions) -> None:
        kind, _, value = name.removeprefix("mock:").partition("=")
        if kind not in ("perfect", "always", "last-word", "script"):
            raise UsageError(
                f"there is no mock {kind!r}. Use mock:perfect, mock:always=TEXT, mock:last-word, mock:script=FILE"
            )
        self._kind, self._value = kind, value
        self._delay = options.number("delay", 0)
        self._work = options.number("work", 0)
        log = options.args.get("log")
        self._log = Path(log).open("ab", buffering=0) if log else None  # noqa: SIM115 - closed by close()
        self._script = _read_script(Path(value)) if kind == "script" else {}
        self._seen: dict[str, Question] = {}
        self.info = ModelInfo(
            name=name,
            family="mock",
            revision="1",
            audio=True,
            max_clips=None,
            max_batch=int(options.number("batch", 64)),
        )

    def see(self, questions: Sequence[Question]) -> None:
        """Show the questions of the coming batch, gold answers included."""
        self._seen = {question.id: question for question in questions}

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """Scripted replies, in order."""
        if self._delay:
            time.sleep(self._delay)
        if self._work:
            _compute(self._work * len(prompts))
        if self._log is not None:
            self._log.write("".join(f"{prompt.id}\n" for prompt in prompts).encode())
        return [self._reply(prompt) for prompt in prompts]

    def _reply(self, prompt: Prompt) -> Reply:
        text = self._text(prompt)
        if text is None:
            return Reply.error(f"the script has no line for {prompt.id}")
        audios = prompt.audios
        return Reply(
            status="ok",
            text=text,
            answer=text,
            consumed=Consumed(len(audios), sum(audio.clip.samples.size / 16_000 for audio in audios)),
            tokens_out=len(text.split()),
        )

    def _text(self, prompt: Prompt) -> str | None:
        if self._kind == "always":
            return self._value
        if self._kind == "script":
            return self._script.get(prompt.id)
        question = self._seen[prompt.id]
        if self._kind == "perfect":
            return registry.task(question.task).perfect(question)
        words = re.findall(r"[\w'’-]+", question.item.text)
        return words[-1] if words else ""

    def close(self) -> None:
        """Close the log."""
        if self._log is not None:
            self._log.close()


def _compute(seconds: float) -> None:
    """Keep one core busy for so much processor time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        sum(range(1000))


def create(name: str, options: LoadOptions) -> MockModel:
    """Factory for ``mock:…`` names."""
    return MockModel(name, options)


def _read_script(path: Path) -> dict[str, str]:
    if not path.is_file():
        raise DataError("no such script", file=path)
    script: dict[str, str] = {}
    for row in read(path):
        if "text" not in row.values:
            raise row.fault("is missing", "text", 'A line of a script is {"question": …, "text": …}.')
        script[row.text("question")] = str(row.values["text"])
    return script
