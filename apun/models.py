"""Model, Recogniser and Voice engine: the three things the harness drives.

Anything that turns prompts into replies is a model: an end-to-end adapter, a cascade, an endpoint,
a scripted mock, a human's filled-in sheet. The harness cannot tell them apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from apun.clips import Clip
from apun.errors import UsageError
from apun.prompts import Prompt
from apun.replies import Reply

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from apun.speech import Utterance
    from apun.tasks import Question

SWITCH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Generation:
    """Generation settings. Temperature 0 means greedy: every sampling and penalty field is set."""

    max_new_tokens: int = 64
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What a loaded model is; ``identity`` enters every key and the signature.

    Attributes:
        name: as given on the command line.
        family: adapter family.
        revision: hub revision, folder digest, or served version.
        audio: whether clips can be given.
        max_clips: most clips in one prompt; None for no limit.
        longest_seconds: longest clip the model hears whole; None for no limit.
        max_batch: most prompts in one call that are proven to answer as single ones.
        settings: dtype, device, attention, library versions, effective generation settings.
    """

    name: str
    family: str
    revision: str
    audio: bool
    max_clips: int | None = 1
    longest_seconds: float | None = None
    max_batch: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def identity(self) -> Mapping[str, str]:
        """What makes a reply this model's: name, family, revision and numeric type."""
        return {
            "name": self.name,
            "family": self.family,
            "revision": self.revision,
            "dtype": str(self.settings.get("dtype", "")),
        }


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load: device and numeric type by name, folder of weights, and free-form arguments."""

    device: str = "auto"
    dtype: str = "auto"
    weights: str | None = None
    revision: str | None = None
    family: str | None = None
    base_url: str | None = None
    trust_remote_code: bool = False
    args: Mapping[str, str] = field(default_factory=dict)

    def number(self, key: str, default: float, *, positive: bool = False) -> float:
        """An argument that is a number.

        Raises:
            UsageError: it is none, or must be positive and finite and is not.
        """
        text = self.args.get(key)
        try:
            value = default if text is None else float(text)
        except ValueError:
            raise UsageError(f"--model-arg {key}={text!r} is not a number") from None
        if positive and not 0 < value < float("inf"):
            raise UsageError(f"--model-arg {key}={text!r} is not a positive number")
        return value

    def whole(self, key: str, default: int) -> int:
        """An argument that is a whole number.

        Raises:
            UsageError: it is none.
        """
        text = self.args.get(key)
        try:
            return default if text is None else int(text)
        except ValueError:
            raise UsageError(f"--model-arg {key}={text!r} is not a whole number") from None

    def switch(self, key: str, default: bool = False) -> bool:
        """An argument that is yes or no.

        Raises:
            UsageError: anything else.
        """
        text = self.args.get(key)
        if text is not None and text.lower() not in SWITCH:
            raise UsageError(f"--model-arg {key}={text!r} must be yes or no")
        return default if text is None else SWITCH[text.lower()]


@runtime_checkable
class Model(Protocol):
    """Turns prompts into replies."""

    @property
    def info(self) -> ModelInfo:
        """What this model is."""

    def prepare(self, prompts: Sequence[Prompt]) -> None:
        """Told which prompts are asked next, while others are being answered; may encode them ahead. Never raises."""

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """One reply per prompt, in order. A prompt that fails gets an error reply; an exception
        means that the whole batch failed."""

    def close(self) -> None:
        """Free devices and processes."""


class BaseModel:
    """What a model need not say itself: it encodes nothing ahead and holds nothing to free."""

    info: ModelInfo

    def prepare(self, prompts: Sequence[Prompt]) -> None:
        """Nothing is encoded ahead."""

    def close(self) -> None:
        """Nothing to free."""


class Scripted(ABC):
    """What answers from the questions themselves: shown each of them, gold answer included, before it is asked.

    It stands beside ``Model`` for the scripted models of this tree alone (mocks, the gold text in place of a
    transcript). ``show`` goes by this type and never by a method's name, and a third party's model comes from
    ``audio_models.catalogue`` inside another object, which is no such type: it can never be handed gold.
    """

    @abstractmethod
    def see(self, questions: Sequence[Question]) -> None:
        """Learn the questions that are asked next."""


def show(model: object, questions: Sequence[Question]) -> None:
    """Show a scripted model the questions that come; nothing for any other model."""
    if isinstance(model, Scripted):
        model.see(questions)


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its times in seconds from the start of the clip."""

    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a recogniser heard.

    Attributes:
        text: the words as written by the recogniser, tags and emoji removed.
        words: word times, where the engine gives them.
        seconds_heard: how much of the clip was consumed.
        seconds: wall seconds spent.
        flags: ``loop``, ``no_speech``, ``low_confidence`` - suspicions, never silent corrections.
        error: why there is no transcript; None when there is one.
    """

    text: str
    words: tuple[Word, ...] = ()
    seconds_heard: float = 0.0
    seconds: float = 0.0
    flags: tuple[str, ...] = ()
    error: str | None = None


@runtime_checkable
class Recogniser(Protocol):
    """Turns clips into transcripts."""

    @property
    def info(self) -> ModelInfo:
        """What this recogniser is."""

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        """One transcript per clip, in order. ``language`` is ``en``/``zh``/``ja``, or None to guess."""

    def close(self) -> None:
        """Free devices and processes."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One voice of an engine."""

    name: str
    engine: str
    languages: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Rendering:
    """Audio a synthesiser produced: float32 mono samples of shape ``(n,)`` at ``rate`` Hz."""

    samples: NDArray[np.float32]
    rate: int
    text_sent: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class Engine(Protocol):
    """Turns utterances into audio."""

    @property
    def name(self) -> str:
        """Command-line name."""

    @property
    def version(self) -> str:
        """Package version and model revision; enters cache keys."""

    @property
    def deterministic(self) -> bool:
        """Whether the same utterance, voice and seed give the same bytes."""

    def voices(self) -> Sequence[Voice]:
        """The voices there are."""

    def forces(self, language: str) -> tuple[str, ...]:
        """Reading forms (``ipa``, ``pinyin``, ``kana``) this engine honours for a language."""

    def speak(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        """Render one utterance."""

    def close(self) -> None:
        """Free devices and processes."""
