"""What every engine shares: its voices, the readings it can be made to say, the refusal of what it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from apun.errors import UsageError
from apun.models import Rendering, Voice
from apun.registry import unknown
from apun.speech import Utterance


class SpeechEngine:
    """An engine that is given its version and voices; a subclass names itself and overrides ``_say``.

    Attributes:
        name: command-line name.
        version: of package and weights; enters cache keys.
        deterministic: whether the same utterance, voice and seed give the same samples.
        forced: forms of reading it honours, by language.
        hint: what to do about a language that it does not speak.
    """

    name = ""
    version = ""
    deterministic = True
    forced: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    hint = ""

    def __init__(self, version: str, voices: Iterable[Voice]) -> None:
        self.version = version
        self._voices = {voice.name: voice for voice in voices}

    def voices(self) -> Sequence[Voice]:
        """The voices there are."""
        return list(self._voices.values())

    def forces(self, language: str) -> tuple[str, ...]:
        """Reading forms this engine honours for a language."""
        return self.forced.get(language, ())

    def speak(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        """Render one utterance.

        Raises:
            UsageError: no such voice, or it does not speak the language.
            ApunError: whatever the engine cannot say, or why it cannot speak at all.
        """
        if voice not in self._voices:
            raise unknown(f"voice of {self.name}", voice, self._voices)
        languages = self._voices[voice].languages
        if utterance.language not in languages:
            raise UsageError(f"{self.name} speaks {', '.join(languages)}, not {utterance.language!r}{self.hint}")
        return self._say(utterance, voice, seed)

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        """Render an utterance in a voice that speaks its language."""
        raise NotImplementedError

    def close(self) -> None:
        """Free devices and processes."""
