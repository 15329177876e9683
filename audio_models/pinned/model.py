"""Audio models that pin other libraries, driven from here; see the package's docstring.

``python -m apun.env create NAME`` makes the environment; this module starts its Python with ``chat.py`` and the
family's program, sends conversations as messages and float32 clips, and turns what comes back into replies. A process
that dies is started again and the prompt put to it once more; a prompt that kills it twice gets an error reply that
ends in what the process last wrote.

Arguments (``--model-arg``): ``attention``; ``threads`` (CPU threads); ``download=yes``;
``repository=FOLDER`` for the families whose code is a repository of its own; ``thinking=yes`` for
MiniCPM-o 4.5; ``low_resource=yes`` for SALMONN; ``silence`` (seconds without a heartbeat).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apun import digests, environments, weights
from apun.environments.client import SILENCE_SECONDS, Worker, WorkerDied, WorkerError
from apun.errors import ModelUnavailable, UsageError
from apun.models import BaseModel, Generation, LoadOptions, Model, ModelInfo
from apun.prompts import Audio, Prompt, Text
from apun.replies import Consumed, Reply
from audio_models.catalogue import Entry, entry_for
from audio_models.core.checkpoint import check_remote_code, find
from audio_models.core.inputs import refusal
from audio_models.core.native import Splitter, finished, splitter

PROGRAMS = Path(__file__).parent
HANDLER = PROGRAMS / "chat.py"
MOST_DEATHS = 3  # in a row; a model that cannot stay alive is not loaded anew for each of 600 prompts


def create(name: str, options: LoadOptions) -> Model:
    """Start the worker of a model; see ``audio_models.catalogue.load``.

    Raises:
        ModelUnavailable: environment, repository or weights are not here, or the model cannot be
            loaded; says what to do.
        UsageError: the family runs its checkpoint's code and the user did not allow it.
    """
    entry = entry_for(name, options.family)
    python = environments.python_of(entry.environment)
    given, revision = _given(name, entry, options)
    silence = options.number("silence", SILENCE_SECONDS)
    worker = Worker(python, HANDLER, given, silence=silence, environment=_variables(options))
    try:
        loaded = worker.start()
    except (WorkerError, WorkerDied) as error:
        worker.close()
        raise ModelUnavailable(f"{name} cannot be loaded in its environment {entry.environment!r}: {error}") from error
    return WorkerModel(_info(name, entry, revision, worker.hello, loaded), worker, splitter(entry.thinking))


def _given(name: str, entry: Entry, options: LoadOptions) -> tuple[dict[str, Any], str]:
    """What the program's ``load`` is given, and the revision of the weights."""
    if options.weights == weights.RANDOM:
        raise UsageError(f"{entry.family} has no constructor for random weights; give a folder with --weights")
    repository = _repository(entry, options)
    if entry.runs_code and not options.trust_remote_code:
        raise UsageError(
            f"{entry.family} runs code that comes with its checkpoint: allow it with --trust-remote-code, "
            "and pin a hub model with --revision COMMIT"
        )
    check_remote_code(options)
    code = sorted(map(str, Path(repository).rglob("*.py"))) if repository else []
    given: dict[str, Any] = {
        "program": str(PROGRAMS / entry.program),
        "device": options.device,
        "dtype": options.dtype,
        "threads": int(options.number("threads", 0)),
        "attention": options.args.get("attention"),
        "thinking": options.switch("thinking"),
        "low_resource": options.switch("low_resource"),
        "trust_remote_code": options.trust_remote_code,
        "repository": repository,
        **entry.fixed,
    }
    if entry.parts:
        folder, parts = _parts(entry, options)
        return {**given, **parts, "weights": folder}, digests.of_paths([*parts.values(), *code])
    found = find(name, entry, options)
    revision = f"{found.revision}+{digests.of_paths(code)}" if code else found.revision
    return {**given, "weights": str(found.path.resolve())}, revision


def _repository(entry: Entry, options: LoadOptions) -> str | None:
    """The clone that holds a family's code; None for families that need none.

    Raises:
        ModelUnavailable: it was not given or is something else; says what to clone and how to name it.
    """
    if not entry.repository:
        return None
    given = options.args.get("repository")
    how = f"clone {entry.repository} and give its folder with --model-arg repository=FOLDER"
    if not given:
        raise ModelUnavailable(f"{entry.family} needs its authors' code, which no package index carries: {how}")
    folder = Path(given).expanduser().resolve()
    if not (folder / entry.mark).is_file():
        raise ModelUnavailable(f"{folder} is not {entry.family}'s code (there is no {entry.mark} in it): {how}")
    return str(folder)


def _parts(entry: Entry, options: LoadOptions) -> tuple[str, dict[str, str]]:
    """The folder of weights of a model put together from parts, and each part's path.

    Raises:
        ModelUnavailable: no folder, or parts are missing; names every one.
    """
    wanted = ", ".join(entry.parts.values())
    if not options.weights:
        raise ModelUnavailable(
            f"{entry.family} is put together from several downloads: put {wanted} into one folder and give it "
            "with --weights FOLDER"
        )
    folder = Path(options.weights).expanduser().resolve()
    parts = {name: Path(options.args.get(name, folder / file)).expanduser() for name, file in entry.parts.items()}
    missing = [f"{name} ({path})" for name, path in parts.items() if not path.exists()]
    if missing:
        raise ModelUnavailable(
            f"{entry.family} lacks {', '.join(missing)}: put {wanted} into {folder}, or name a part's place with "
            "--model-arg NAME=PATH"
        )
    return str(folder), {name: str(path.resolve()) for name, path in parts.items()}


def _variables(options: LoadOptions) -> dict[str, str]:
    quiet = {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_DISABLE_TELEMETRY": "1"}
    return quiet if options.switch("download") else {**quiet, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}


def _info(name: str, entry: Entry, revision: str, hello: Mapping[str, Any], loaded: Mapping[str, Any]) -> ModelInfo:
    lock = environments.lock_of(entry.environment)
    settings = {
        "environment": entry.environment,
        "requirements": digests.of_file(lock, 16),
        "protocol": hello.get("protocol"),
        **loaded,
    }
    return ModelInfo(
        name=name,
        family=entry.family,
        revision=revision,
        audio=entry.accepts.audio,
        max_clips=entry.accepts.clips,
        longest_seconds=loaded.get("longest_seconds") or entry.accepts.seconds,
        max_batch=1,  # none of these programs proves that a row of a batch answers as it does alone
        settings=settings,
    )


class WorkerModel(BaseModel):
    """A model in another process behind the ``Model`` protocol.

    Args:
        info: what it is.
        worker: its process.
        split: text to thinking and answer.
    """

    def __init__(self, info: ModelInfo, worker: Worker, split: Splitter) -> None:
        self.info, self._worker, self._split = info, worker, split
        self._deaths = 0

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """One reply per prompt, in order; see ``apun.models.Model``."""
        return [self._one(prompt, generation) for prompt in prompts]

    def close(self) -> None:
        """End the process."""
        self._worker.close()

    def _one(self, prompt: Prompt, generation: Generation) -> Reply:
        problem = refusal(self.info, prompt)
        if problem is not None:
            return Reply.error(problem)
        if self._deaths >= MOST_DEATHS:
            return Reply.error(f"the worker died over {self._deaths} prompts in a row and is not started again")
        messages, clips = packed(prompt)
        settings = {
            "max_new_tokens": generation.max_new_tokens,
            "temperature": float(generation.temperature),
            "seed": generation.seed,
        }
        started, starts = time.perf_counter(), self._worker.starts
        try:
            answer = self._worker.call("answer", messages=messages, clips=clips, settings=settings)
        except WorkerDied as error:
            self._deaths += 1
            return Reply.error(str(error)[-2000:], extra={"restarts": self._worker.starts - starts})
        except WorkerError as error:
            self._deaths = 0
            return Reply.error(str(error)[:2000], extra={"traceback": error.trace[-2000:]})
        self._deaths = 0
        spent = time.perf_counter() - started
        try:
            return self._reply(answer, spent, generation, self._worker.starts - starts)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return Reply.error(f"the worker's answer is not understood ({type(error).__name__}: {error})")

    def _reply(self, answer: Mapping[str, Any], spent: float, generation: Generation, restarts: int) -> Reply:
        extra = {"heard": tuple(answer["heard"]), "generation": answer["generation"]}
        extra |= {"neutralised": answer["neutralised"], "restarts": restarts}
        extra = {name: value for name, value in extra.items() if value}
        return finished(
            str(answer["text"]),
            self._split,
            answer["ended"],
            answer["tokens_out"] or generation.max_new_tokens,
            consumed=Consumed(int(answer["clips"]), float(answer["seconds"]), answer["audio_tokens"]),
            tokens_in=answer["tokens_in"],
            tokens_out=answer["tokens_out"],
            seconds={"generate": float(answer["seconds_taken"]), "total": spent},
            extra=extra,
        )


def packed(prompt: Prompt) -> tuple[list[dict[str, Any]], list[Any]]:
    """A prompt as it is sent: messages that name clips by number, and the clips' samples in that order."""
    messages: list[dict[str, Any]] = []
    clips: list[Any] = []
    for message in prompt.messages:
        content: list[dict[str, Any]] = []
        for part in message.parts:
            if isinstance(part, Text):
                content.append({"text": part.text})
            elif isinstance(part, Audio):
                content.append({"audio": len(clips)})
                clips.append(part.clip.samples)
            else:
                raise UsageError(f"the prompt still has an empty slot {part.name!r}; an audio model needs its clip")
        messages.append({"role": message.role, "content": content})
    return messages, clips
