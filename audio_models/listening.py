"""The first stage of a cascade: clips of prompts to transcripts, kept where they can be reused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from apun import registry
from apun.errors import AudioError
from apun.models import ModelInfo, Recogniser, Transcript
from apun.prompts import Prompt
from asr.cache import TranscriptCache, key

if TYPE_CHECKING:
    from apun.clips import Clip


@dataclass(frozen=True, slots=True)
class Heard:
    """A clip's transcript.

    Attributes:
        transcript: what was heard.
        origin: ``now`` (made for this prompt), ``kept`` (made before, or for another prompt of the
            batch: its time is not this prompt's), ``gold`` (the text as written).
    """

    transcript: Transcript
    origin: Literal["now", "kept", "gold"]


class Listener(Protocol):
    """Turns prompts into transcripts."""

    @property
    def info(self) -> ModelInfo:
        """What listens."""

    def hear(self, prompts: Sequence[Prompt]) -> list[dict[str, Heard]]:
        """For each prompt, what was heard by clip name; failures are transcripts with an error."""

    def close(self) -> None:
        """Free devices."""


@dataclass
class RecogniserListener:
    """A recogniser behind a cache of transcripts.

    Args:
        recogniser: what transcribes.
        cache: where transcripts are kept; None to transcribe every clip anew.
    """

    recogniser: Recogniser
    cache: TranscriptCache | None = None

    @property
    def info(self) -> ModelInfo:
        """The recogniser's."""
        return self.recogniser.info

    def hear(self, prompts: Sequence[Prompt]) -> list[dict[str, Heard]]:
        """Each distinct clip is transcribed once, whichever prompts share it."""
        wanted: dict[str, dict[str, tuple[str, Clip]]] = {}
        owners: dict[str, tuple[int, str]] = {}
        heard: list[dict[str, Heard]] = [{} for _ in prompts]
        keys: list[dict[str, str]] = [{} for _ in prompts]
        known: dict[str, Transcript] = {}
        for index, prompt in enumerate(prompts):
            language = language_of(prompt)
            for audio in prompt.audios:
                try:
                    mark = key(self.info, language, audio.clip.sha256)
                except AudioError as error:
                    heard[index][audio.name] = Heard(Transcript("", error=str(error)), "now")
                    continue
                keys[index][audio.name] = mark
                if mark in known or mark in owners:
                    continue
                kept = self.cache.get(mark) if self.cache is not None else None
                if kept is not None:
                    known[mark] = kept
                else:
                    owners[mark] = (index, audio.name)
                    wanted.setdefault(language, {})[mark] = (audio.name, audio.clip)
        for language, clips in wanted.items():
            marks = list(clips)
            size = max(1, self.info.max_batch)
            for first in range(0, len(marks), size):
                batch = marks[first : first + size]
                transcripts = self.recogniser.transcribe([clips[mark][1] for mark in batch], language)
                known.update(zip(batch, transcripts, strict=True))
        if self.cache is not None:
            for mark in owners:
                self.cache.put(mark, known[mark])
        for index, names in enumerate(keys):
            for name, mark in names.items():
                heard[index][name] = Heard(known[mark], "now" if owners.get(mark) == (index, name) else "kept")
        return heard

    def close(self) -> None:
        """Free the recogniser and close the cache."""
        self.recogniser.close()
        if self.cache is not None:
            self.cache.close()


class GoldListener:
    """Gives the gold text of each clip, as a perfect recogniser would; the ceiling of hearing."""

    info = ModelInfo(name="gold", family="gold", revision="1", audio=True, max_clips=None, max_batch=64)

    def __init__(self) -> None:
        self._texts: dict[str, dict[str, str]] = {}

    def see(self, questions: Sequence[Any]) -> None:
        """Learn what is said in the clips of the coming questions."""
        self._texts = {
            question.id: {
                utterance.part: utterance.text
                for utterance in registry.benchmark(question.task.partition(".")[0]).utterances(
                    question.item, "default"
                )
            }
            for question in questions
        }

    def hear(self, prompts: Sequence[Prompt]) -> list[dict[str, Heard]]:
        """The gold text of every clip."""
        return [
            {audio.name: Heard(self._gold(prompt, audio.name, audio.clip), "gold") for audio in prompt.audios}
            for prompt in prompts
        ]

    def _gold(self, prompt: Prompt, name: str, clip: Clip) -> Transcript:
        text = self._texts.get(prompt.id, {}).get(name)
        if text is None:
            return Transcript("", error=f"no gold text is known for clip {name!r}; use --modality text")
        return Transcript(text, seconds_heard=clip.seconds)

    def close(self) -> None:
        """Nothing to free."""


def language_of(prompt: Prompt) -> str:
    """The language spoken in a prompt's clips: told by its task, English otherwise."""
    return str(prompt.fields.get("language", "en"))


def _spoken(question: Any) -> dict[str, str]:
    """The gold text of each clip of a question."""
    owner = registry.benchmark(question.task.partition(".")[0])
    return {utterance.part: utterance.text for utterance in owner.utterances(question.item, "default")}
