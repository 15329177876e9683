"""Audio models that pin other libraries, each in an environment and a process of its own.

``python -m apun.env create NAME`` makes the environment; this module starts its Python with
``audio_models/workers/chat.py`` and the family's program, sends conversations as messages and
float32 clips, and turns what comes back into replies. A process that dies is started again and the
prompt put to it once more; a prompt that kills it twice gets an error reply that ends in what the
process last wrote.

Arguments (``--model-arg``): ``attention``; ``threads`` (CPU threads); ``download=yes``;
``repository=FOLDER`` for the families whose code is a repository of its own; ``thinking=yes`` for
MiniCPM-o 4.5; ``low_resource=yes`` for SALMONN; ``silence`` (seconds without a heartbeat).
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apun.errors import AudioError, ModelUnavailable, UsageError
from apun.models import Generation, LoadOptions, Model, ModelInfo
from apun.prompts import Audio, Prompt, Text
from apun.readers import thinking
from apun.replies import Consumed, Reply
from apun.worker import environments
from apun.worker.client import SILENCE_SECONDS, Worker, WorkerDied, WorkerError
from audio_models import weights
from audio_models.catalogue import Entry, entry_for
from audio_models.worker_families import FAMILIES, Family, content_of, parts_of, repository_of

HANDLER = Path(__file__).parent / "workers" / "chat.py"
PROGRAMS = HANDLER.parent
SLACK_SECONDS = 0.05
MOST_DEATHS = 3  # in a row; a model that cannot stay alive is not loaded anew for each of 600 prompts


def create(name: str, options: LoadOptions) -> Model:
    """Start the worker of a model; see ``audio_models.load.load``.

    Raises:
        ModelUnavailable: environment, repository or weights are not here, or the model cannot be
            loaded; says what to do.
        UsageError: the family runs its checkpoint's code and the user did not allow it.
    """
    entry = entry_for(name, options.family)
    family = FAMILIES[entry.family]
    python = environments.python_of(entry.environment)
    given, revision = _given(name, entry, family, options)
    worker = Worker(
        python,
        HANDLER,
        given,
        silence=_number(options, "silence", SILENCE_SECONDS),
        environment=_variables(options),
    )
    try:
        loaded = worker.start()
    except (WorkerError, WorkerDied) as error:
        worker.close()
        raise ModelUnavailable(f"{name} cannot be loaded in its environment {entry.environment!r}: {error}") from error
    return WorkerModel(_info(name, entry, revision, worker.hello, loaded), worker, family.split)


def _given(name: str, entry: Entry, family: Family, options: LoadOptions) -> tuple[dict[str, Any], str]:
    """What the program's ``load`` is given, and the revision of the weights."""
    if options.weights == weights.RANDOM:
        raise UsageError(f"{entry.family} has no constructor for random weights; give a folder with --weights")
    repository = repository_of(entry, family, options)
    if family.runs_code and not options.trust_remote_code:
        raise UsageError(
            f"{entry.family} runs code that comes with its checkpoint: allow it with --trust-remote-code, "
            "and pin a hub model with --revision COMMIT"
        )
    weights.check_remote_code(options)
    code = sorted(map(str, Path(repository).rglob("*.py"))) if repository else []
    given: dict[str, Any] = {
        "program": str(PROGRAMS / family.program),
        "device": options.device,
        "dtype": options.dtype,
        "threads": int(_number(options, "threads", 0)),
        "attention": options.args.get("attention"),
        "thinking": _yes(options, "thinking"),
        "low_resource": _yes(options, "low_resource"),
        "trust_remote_code": options.trust_remote_code,
        "repository": repository,
        **family.fixed,
    }
    if family.parts:
        folder, parts = parts_of(entry, family, options)
        return {**given, **parts, "weights": folder}, content_of([*parts.values(), *code])
    hub_id = "" if options.weights and options.family else entry.hub_id
    if name.startswith("hf:"):
        hub_id = name.removeprefix("hf:")
    found = weights.resolve(hub_id, options)
    revision = f"{found.revision}+{content_of(code)}" if code else found.revision
    return {**given, "weights": str(found.path.resolve())}, revision


def _yes(options: LoadOptions, key: str) -> bool:
    return options.args.get(key, "no").lower() in ("yes", "true", "1")


def _number(options: LoadOptions, key: str, default: float) -> float:
    try:
        return float(options.args.get(key, default))
    except ValueError:
        raise UsageError(f"--model-arg {key}={options.args[key]!r} is not a number") from None


def _variables(options: LoadOptions) -> dict[str, str]:
    quiet = {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_DISABLE_TELEMETRY": "1"}
    return quiet if _yes(options, "download") else {**quiet, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}


def _info(name: str, entry: Entry, revision: str, hello: Mapping[str, Any], loaded: Mapping[str, Any]) -> ModelInfo:
    lock = environments.lock_of(entry.environment)
    settings = {
        "environment": entry.environment,
        "requirements": hashlib.sha256(lock.read_bytes()).hexdigest()[:16],
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


class WorkerModel:
    """A model in another process behind the ``Model`` protocol.

    Args:
        info: what it is.
        worker: its process.
        split: text to thinking and answer.
    """

    def __init__(self, info: ModelInfo, worker: Worker, split: thinking.Splitter = thinking.OPTIONAL) -> None:
        self.info, self._worker, self._split = info, worker, split
        self._deaths = 0

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """One reply per prompt, in order; see ``apun.models.Model``."""
        return [self._one(prompt, generation) for prompt in prompts]

    def close(self) -> None:
        """End the process."""
        self._worker.close()

    def _one(self, prompt: Prompt, generation: Generation) -> Reply:
        try:
            problem = self._refusal(prompt)
        except AudioError as error:
            problem = f"audio: {error}"
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
        split = self._split(str(answer["text"]))
        extra = {"heard": tuple(answer["heard"]), "generation": answer["generation"]}
        extra |= {"neutralised": answer["neutralised"], "restarts": restarts}
        extra = {name: value for name, value in extra.items() if value}
        fields: dict[str, Any] = {
            "text": str(answer["text"]),
            "thinking": split.thinking,
            "consumed": Consumed(int(answer["clips"]), float(answer["seconds"]), answer["audio_tokens"]),
            "tokens_in": answer["tokens_in"],
            "tokens_out": answer["tokens_out"],
            "seconds": {"generate": float(answer["seconds_taken"]), "total": spent},
            "extra": extra,
        }
        if answer["ended"] is False:
            reason = f"no end within {answer['tokens_out'] or generation.max_new_tokens} new tokens"
            return Reply(status="truncated", reason=reason, **fields)
        if split.truncated:
            return Reply(status="truncated", reason="a thought was never closed, so there is no answer", **fields)
        return Reply(status="ok", answer=split.answer, **fields)

    def _refusal(self, prompt: Prompt) -> str | None:
        info, audios = self.info, prompt.audios
        if info.max_clips is not None and len(audios) > info.max_clips:
            return f"{info.name} takes {info.max_clips} clip(s) in a prompt, and this one has {len(audios)}"
        longest = max((audio.clip.seconds for audio in audios), default=0.0)
        if info.longest_seconds is not None and longest > info.longest_seconds + SLACK_SECONDS:
            return f"{info.name} hears {info.longest_seconds:g} s of a clip, and this one has {longest:.2f} s"
        return None


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
