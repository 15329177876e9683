"""Open JTalk: Japanese by rule, fast and plain, with the Mei voice (CC BY 3.0) of pyopenjtalk-plus."""

from __future__ import annotations

from importlib import metadata
from types import MappingProxyType
from typing import Any

import numpy as np

from apun.models import Rendering, Voice
from apun.phonetics import japanese
from apun.registry import optional
from apun.speech import Utterance
from tts.core.engine import SpeechEngine

# Half-tones and tempo make further voices of the one there is.
VOICES = {
    "mei": (0.0, 1.0, "woman; the package's own"),
    "mei-low": (-4.0, 1.0, "four half-tones lower"),
    "mei-high": (3.0, 1.0, "three half-tones higher"),
    "mei-slow": (-1.0, 0.85, "slower"),
    "mei-fast": (1.0, 1.15, "faster"),
}


class OpenJTalk(SpeechEngine):
    """Speaks Japanese; a kana reading is spoken in place of the text, mora by mora. The seed has no effect."""

    name = "openjtalk"
    forced = MappingProxyType({"ja": ("kana",)})

    def __init__(self, library: Any) -> None:
        voices = [Voice(name, self.name, ("ja",), note) for name, (_, _, note) in VOICES.items()]
        super().__init__(metadata.version("pyopenjtalk-plus"), voices)
        self._library = library

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        half_tone, speed, _ = VOICES[voice]
        text = utterance.text
        if kana := utterance.reading.get("kana"):
            # katakana is read as written; hiragana は or へ could be taken for a particle
            text = "".join(_katakana("".join(japanese.morae(word))) for word in kana.split())
        samples, rate = self._library.tts(text, speed=speed, half_tone=half_tone)
        scaled = np.asarray(samples, dtype=np.float64) / 32768.0
        return Rendering(scaled.astype(np.float32), int(rate), text, {"kana": self._library.g2p(text, kana=True)})


def _katakana(kana: str) -> str:
    return "".join(chr(ord(char) + 0x60) if "ぁ" <= char <= "ゖ" else char for char in kana)


def load() -> OpenJTalk:
    """The engine.

    Raises:
        MissingDependency: pyopenjtalk-plus is not installed.
    """
    return OpenJTalk(optional("pyopenjtalk", "ja", "pyopenjtalk-plus"))
