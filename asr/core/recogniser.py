"""The body of every recogniser: language check, batches, times, errors as transcripts, suspicions as flags.

An engine says what it decoded (``Hypothesis``) of one clip (``hear``), or of several at once (``hear_batch``).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from apun.clips import SAMPLE_RATE, Clip
from apun.device import pick_device, pick_dtype
from apun.errors import MissingDependency, ModelUnavailable
from apun.models import LoadOptions, ModelInfo, Transcript, Word
from apun.weights import Weights, find, lacks
from asr.catalogue import RECOGNISERS
from asr.core.quality import by_window, flags


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What an engine decoded of a clip.

    Attributes:
        text: the words; space around them is taken away.
        words: word times, where the engine gives them.
        seconds: how much of the clip it took in; None for all of it.
        no_speech: probability in [0, 1] that the clip holds no speech, where the engine gives it.
        logprob: mean log probability of the tokens, where the engine gives it.
        nothing_said: the engine itself said that it heard no speech.
        windows: the transcript of each window the engine decoded by itself, where there are several.
    """

    text: str
    words: tuple[Word, ...] = ()
    seconds: float | None = None
    no_speech: float | None = None
    logprob: float | None = None
    nothing_said: bool = False
    windows: Sequence[str] = ()

    def transcript(self, clip: Clip, seconds: float) -> Transcript:
        """The transcript of a clip that took so many seconds, with its suspicions."""
        text = self.text.strip()
        suspicions = flags(
            text,
            no_speech=self.no_speech,
            logprob=self.logprob,
            nothing_said=self.nothing_said,
            windows=self.windows,
        )
        heard = clip.samples.size / SAMPLE_RATE if self.seconds is None else self.seconds
        return Transcript(text, self.words, heard, seconds, suspicions)


class BaseRecogniser(ABC):
    """A recogniser but for its engine.

    Args:
        info: what it is; ``max_batch`` clips are decoded at once.
        network: the engine, let go of by ``close``.
        languages: those it knows; None where the service decides.
    """

    def __init__(self, info: ModelInfo, network: Any, languages: Sequence[str] | None) -> None:
        self.info, self._network, self._languages = info, network, languages

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        """One transcript per clip, in order; one whose clip or engine failed carries the error."""
        if language is not None and self._languages is not None and language not in self._languages:
            problem = f"{self.info.name} hears {', '.join(self._languages)}, not {language}"
            return [Transcript("", error=problem) for _ in clips]
        size = self.batch_size(clips)
        return [
            transcript
            for first in range(0, len(clips), size)
            for transcript in self._timed(clips[first : first + size], language)
        ]

    def batch_size(self, clips: Sequence[Clip]) -> int:
        """How many of these clips are decoded at once."""
        return self.info.max_batch

    @abstractmethod
    def hear(self, clip: Clip, language: str | None) -> Hypothesis:
        """Decode one clip; raises whatever the engine raises."""

    def hear_batch(self, clips: Sequence[Clip], language: str | None) -> list[Hypothesis]:
        """Decode clips together, where the engine can."""
        return [self.hear(clip, language) for clip in clips]

    def close(self) -> None:
        """Free the network."""
        self._network = None

    def _timed(self, batch: Sequence[Clip], language: str | None) -> list[Transcript]:
        """Transcripts of a batch, each with an equal share of its wall time."""
        try:
            for clip in batch:
                clip.samples  # noqa: B018 - decode before the clock starts: reading a file is not recognition
            start = time.perf_counter()
            found = self.hear_batch(batch, language)
            share = (time.perf_counter() - start) / len(batch)
            return [one.transcript(clip, share) for clip, one in zip(batch, found, strict=True)]
        except Exception as error:  # noqa: BLE001 - engines raise anything; one bad clip must not cost the others
            if len(batch) == 1:
                return [Transcript("", error=f"{type(error).__name__}: {error}")]
            return [transcript for clip in batch for transcript in self._timed([clip], language)]


def whisper_hypothesis(
    text: str, segments: Sequence[Any], get: Callable[[Any, str], Any], seconds: float | None = None
) -> Hypothesis:
    """What Whisper's segments say, under the names its implementations share.

    Args:
        text: the words.
        segments: what was decoded, in order.
        get: reads a field of a segment or word.
        seconds: how much of the clip was taken in; None for all of it.
    """
    words = tuple(
        Word(get(word, "word").strip(), float(get(word, "start")), float(get(word, "end")))
        for segment in segments
        for word in get(segment, "words") or ()
    )
    tokens = [len(get(segment, "tokens")) for segment in segments]
    weighted = sum(get(segment, "avg_logprob") * count for segment, count in zip(segments, tokens, strict=True))
    return Hypothesis(
        text,
        words,
        seconds,
        no_speech=min((float(get(segment, "no_speech_prob")) for segment in segments), default=None),
        logprob=weighted / sum(tokens) if sum(tokens) else None,
        windows=by_window((get(segment, "seek"), get(segment, "text")) for segment in segments),
    )


def revised(revision: str, beam: int) -> str:
    """A revision that names a beam search: its transcripts are others."""
    return revision if beam == 1 else f"{revision};beam={beam}"


def device_of(options: LoadOptions) -> str:
    """The torch device: CUDA where there is one, else the CPU; a recogniser is never spread."""
    return pick_device(options.device, mps=False, spread=False)


def dtype_of(options: LoadOptions, device: str) -> Any:
    """The torch dtype; ``auto`` is float16 on an accelerator and float32 on a CPU."""
    return pick_dtype(options.dtype, device.partition(":")[0], "float16")


def weights_of(source: str, options: LoadOptions, *files: str) -> Weights:
    """The folder of a recogniser's weights, which holds these files; see ``apun.weights.find``."""
    hint = " (in a cascade --model-arg asr.weights=FOLDER, asr.download=yes)"
    return find(source, options, lacks(*files), hint=hint)


def pretrained(name: str, network_class: str, options: LoadOptions) -> tuple[Any, Any, str]:
    """Processor, network on its device and revision of a recogniser in the hub's format.

    Raises:
        ModelUnavailable: the weights are not here or cannot be loaded.
        MissingDependency: transformers is too old for this model.
    """
    import transformers

    found = weights_of(RECOGNISERS[name].source, options, "config.json")
    kind = getattr(transformers, network_class, None)
    if kind is None:
        raise MissingDependency(f"a transformers with {network_class} (here: {transformers.__version__})", "models")
    device = device_of(options)
    try:
        processor = transformers.AutoProcessor.from_pretrained(found.path, local_files_only=True)
        network = kind.from_pretrained(found.path, dtype=dtype_of(options, device), local_files_only=True)
    except (OSError, ValueError, TypeError, KeyError, RuntimeError) as error:
        raise ModelUnavailable(f"{found.path} could not be loaded as {name} ({error})") from error
    return processor, network.to(device).eval(), found.revision


def described(
    name: str, family: str, revision: str, network: Any, settings: dict[str, Any], max_batch: int = 1
) -> ModelInfo:
    """The description of a recogniser whose network is a torch module, decoded greedily."""
    computed = {"dtype": str(network.dtype).removeprefix("torch."), "device": str(network.device), "temperature": 0.0}
    return ModelInfo(name, family, revision, True, max_batch=max_batch, settings={**computed, **settings})
