"""Cascades: any recogniser, then any text model (``whisper-large-v3+qwen2.5-7b-instruct``).

``RECOGNISER+solver`` reasons by rule over the transcript; ``gold+MODEL`` gives the model the gold
text in place of a transcript. Transcripts are kept by clip hash and recogniser, so ten models over
one recogniser transcribe once; a kept transcript's time never enters a latency.

Options go to the text model, except the device and ``weights=random``, which both stages share.
Arguments (``--model-arg``): ``asr.KEY`` sets the recogniser's option or argument (``asr.weights``,
``asr.dtype``, ``asr.device``, ``asr.beam_size`` …), ``llm.KEY`` the text model's; ``cache`` is
``disk`` (default), ``memory`` or ``off``; ``flagged`` is ``error`` (default: a transcript that
loops, or that was written over silence, is not passed on) or ``pass``.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from apun.errors import AudioError, UsageError
from apun.models import BaseModel, Generation, LoadOptions, Model, ModelInfo, Scripted, show
from apun.paths import cache_dir
from apun.prompts import Prompt
from apun.registry import load_model, load_recogniser
from apun.replies import Consumed, Reply
from apun.weights import RANDOM
from asr.core.quality import UNUSABLE
from audio_models.cascade.transcripts import GoldListener, Heard, Listener, RecogniserListener, TranscriptCache

GOLD = "gold"
_OWN = {"cache": ("disk", "memory", "off"), "flagged": ("error", "pass")}
_FIELDS = ("device", "dtype", "weights", "revision", "family", "base_url")


class Cascade(BaseModel, Scripted):
    """A recogniser and a text model in a row.

    Args:
        name: as given on the command line.
        listener: first stage.
        model: second stage; is only given text.
        pass_flagged: whether transcripts flagged as loops or as written over silence are passed on.
    """

    def __init__(self, name: str, listener: Listener, model: Model, pass_flagged: bool = False) -> None:
        self.listener, self.model = listener, model
        self._pass_flagged = pass_flagged
        self.info = _describe(name, listener.info, model.info, pass_flagged)

    def see(self, questions: Sequence[Any]) -> None:
        """Hand the questions on to a stage that is scripted or reads gold text."""
        for stage in (self.listener, self.model):
            show(stage, questions)

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """Transcribe every clip, then ask the model about the texts, each stage in one batch."""
        for prompt in prompts:
            for audio in prompt.audios:
                with suppress(AudioError):  # reported by the first stage, as that prompt's error
                    _ = audio.clip.sha256  # decodes: reading a file is no part of either stage's time
        start = time.perf_counter()
        heard = self.listener.hear(prompts)
        problems = [_problem(clips, self._pass_flagged) for clips in heard]
        asked = [index for index, problem in enumerate(problems) if problem is None]
        texts = [_as_text(prompts[index], heard[index]) for index in asked]
        before = time.perf_counter()
        answers = self.model.generate(texts, generation) if texts else []
        after = time.perf_counter()
        by_index = dict(zip(asked, answers, strict=True))
        transcribing = sum(_asr_seconds(clips) for clips in heard)
        timing = _Timing(
            reasoning=(after - before) / max(1, len(asked)),
            between=max(0.0, before - start - transcribing) / max(1, len(prompts)),
        )
        replies = []
        for index, (prompt, clips, problem) in enumerate(zip(prompts, heard, problems, strict=True)):
            reply = Reply.error(problem) if problem is not None else by_index[index]
            replies.append(_joined(reply, prompt, clips, timing, asked=problem is None))
        return replies

    def close(self) -> None:
        """Free both stages."""
        self.listener.close()
        self.model.close()


@dataclass(frozen=True, slots=True)
class _Timing:
    """Seconds a prompt spent in the text model, and between the stages."""

    reasoning: float
    between: float


def _problem(heard: Mapping[str, Heard], pass_flagged: bool) -> str | None:
    """Why the model is not asked; None when it is."""
    for name, clip in heard.items():
        if clip.transcript.error is not None:
            return f"the recogniser failed on clip {name!r}: {clip.transcript.error}"
        bad = sorted(UNUSABLE & set(clip.transcript.flags))
        if bad and not pass_flagged:
            return (
                f"the recogniser's transcript of clip {name!r} is flagged {', '.join(bad)} and was not passed on "
                "(flagged=pass passes it)"
            )
    return None


def _as_text(prompt: Prompt, heard: Mapping[str, Heard]) -> Prompt:
    if not prompt.audios:
        return prompt
    return prompt.with_transcripts({name: clip.transcript.text for name, clip in heard.items()})


def _asr_seconds(heard: Mapping[str, Heard]) -> float:
    return sum(clip.transcript.seconds for clip in heard.values() if clip.origin == "now")


def _joined(reply: Reply, prompt: Prompt, heard: Mapping[str, Heard], timing: _Timing, asked: bool) -> Reply:
    """The model's reply with what was heard, and each stage's seconds."""
    seconds: dict[str, float] = {}
    extra = dict(reply.extra)
    if asked:
        seconds["reasoning"] = timing.reasoning
    first_token = reply.seconds.get("first_token")
    origins = {clip.origin for clip in heard.values()}
    if "kept" in origins:
        extra["asr_cached"] = True
    else:
        asr = _asr_seconds(heard)
        if "now" in origins:
            seconds["asr"] = asr
        if "gold" in origins:
            extra["asr_gold"] = True
        seconds["total"] = asr + timing.between + (timing.reasoning if asked else 0.0)
        if first_token is not None:
            seconds["first_token"] = asr + timing.between + first_token
    in_order = [heard[audio.name].transcript for audio in prompt.audios]
    usable = [transcript for transcript in in_order if transcript.error is None]
    flags = sorted({flag for transcript in in_order for flag in transcript.flags})
    if flags:
        extra["asr_flags"] = flags
    return replace(
        reply,
        consumed=Consumed(len(usable), sum(transcript.seconds_heard for transcript in usable)),
        seconds=seconds,
        transcripts=tuple(transcript.text for transcript in in_order),
        words=tuple(tuple((word.text, word.start, word.end) for word in transcript.words) for transcript in in_order),
        extra=extra,
    )


def _describe(name: str, asr: ModelInfo, llm: ModelInfo, pass_flagged: bool) -> ModelInfo:
    return ModelInfo(
        name=name,
        family="cascade",
        revision=f"{asr.revision}+{llm.revision}" + (";flagged=pass" if pass_flagged else ""),
        audio=True,
        max_clips=None,
        longest_seconds=asr.longest_seconds,
        max_batch=llm.max_batch,
        settings={
            "dtype": "+".join(str(stage.settings["dtype"]) for stage in (asr, llm) if stage.settings.get("dtype")),
            "device": llm.settings.get("device", asr.settings.get("device", "cpu")),
            "asr": {"name": asr.name, "family": asr.family, "revision": asr.revision, **asr.settings},
            "llm": {"name": llm.name, "family": llm.family, "revision": llm.revision, **llm.settings},
        },
    )


def stage_options(options: LoadOptions, stage: str) -> LoadOptions:
    """The options of one stage (``asr`` or ``llm``) out of a cascade's.

    Raises:
        UsageError: an argument belongs to no stage.
    """
    args: dict[str, str] = {}
    named: dict[str, Any] = {}
    for full, value in options.args.items():
        prefix, _, name = full.partition(".")
        if full in _OWN:
            continue
        if prefix not in ("asr", "llm") or not name:
            raise UsageError(
                f"a cascade takes no argument {full!r}; write asr.{full} or llm.{full}, or one of {sorted(_OWN)}"
            )
        if prefix == stage:
            (named if name in _FIELDS else args)[name] = value
    if stage == "llm":
        return replace(options, **named, args=args)
    shared = LoadOptions(device=options.device, weights=RANDOM if options.weights == RANDOM else None)
    return replace(shared, **named, args=args)


def create(name: str, options: LoadOptions) -> Cascade:
    """Load both stages of ``RECOGNISER+MODEL``.

    Raises:
        UsageError: a stage's name or an argument is unknown.
        ModelUnavailable: a stage's weights are not here.
    """
    first, _, second = name.partition("+")
    own = {key: options.args.get(key, values[0]) for key, values in _OWN.items()}
    for key, value in own.items():
        if value not in _OWN[key]:
            raise UsageError(f"the cascade argument {key}={value!r} must be one of {', '.join(_OWN[key])}")
    asr_options, llm_options = stage_options(options, "asr"), stage_options(options, "llm")
    listener: Listener
    if first == GOLD:
        listener = GoldListener()
    else:
        listener = RecogniserListener(load_recogniser(first, asr_options), _cache(own["cache"]))
    try:
        model = load_model(second, llm_options)
    except BaseException:  # the recogniser must not stay on the device when its model fails; raised again
        listener.close()
        raise
    return Cascade(name, listener, model, pass_flagged=own["flagged"] == "pass")


def _cache(kind: str) -> TranscriptCache | None:
    if kind == "off":
        return None
    return TranscriptCache(cache_dir("transcripts") if kind == "disk" else None)
