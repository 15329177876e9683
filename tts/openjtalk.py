"""Open JTalk: Japanese by rule, fast and plain, with the Mei voice (CC BY 3.0) of pyopenjtalk-plus."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from typing import Any

from apun.errors import MissingDependency, UsageError
from apun.models import Rendering, Voice
from apun.phonetics import japanese
from apun.registry import unknown
from apun.speech import Utterance

# Half-tones and tempo make further voices of the one there is.
VOICES = {
    "mei": (0.0, 1.0, "woman; the package's own"),
    "mei-low": (-4.0, 1.0, "four half-tones lower"),
    "mei-high": (3.0, 1.0, "three half-tones higher"),
    "mei-slow": (-1.0, 0.85, "slower"),
    "mei-fast": (1.0, 1.15, "faster"),
}


class OpenJTalk:
    """Speaks Japanese."""

    name = "openjtalk"
    deterministic = True

    def __init__(self, library: Any) -> None:
        self._library = library

    @property
    def version(self) -> str:
        return metadata.version("pyopenjtalk-plus")

    def voices(self) -> Sequence[Voice]:
        return [Voice(name, self.name, ("ja",), note) for name, (_, _, note) in VOICES.items()]

    def forces(self, language: str) -> tuple[str, ...]:
        return ("kana",) if language == "ja" else ()

    def speak(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        """Render one utterance; a kana reading is spoken in place of the text, mora by mora.

        Raises:
            UsageError: another language, or no such voice.
            PhoneticError: the reading is not kana.
        """
        import numpy as np

        if utterance.language != "ja":
            raise UsageError(f"openjtalk speaks Japanese, not {utterance.language!r}")
        if voice not in VOICES:
            raise unknown("voice of openjtalk", voice, VOICES)
        half_tone, speed, _ = VOICES[voice]
        text = utterance.text
        if kana := utterance.reading.get("kana"):
            # katakana is read as written; hiragana は or へ could be taken for a particle
            text = "".join(_katakana("".join(japanese.morae(word))) for word in kana.split())
        samples, rate = self._library.tts(text, speed=speed, half_tone=half_tone)
        scaled = np.asarray(samples, dtype=np.float64) / 32768.0
        return Rendering(scaled.astype(np.float32), int(rate), text, {"kana": self._library.g2p(text, kana=True)})

    def close(self) -> None: ...


def _katakana(kana: str) -> str:
    return "".join(chr(ord(char) + 0x60) if "ぁ" <= char <= "ゖ" else char for char in kana)


def load() -> OpenJTalk:
    """The engine.

    Raises:
        MissingDependency: pyopenjtalk-plus is not installed.
    """
    try:
        import pyopenjtalk
    except ImportError as error:
        raise MissingDependency("pyopenjtalk-plus", "ja") from error
    return OpenJTalk(pyopenjtalk)
