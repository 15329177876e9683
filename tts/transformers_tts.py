"""Speech models of transformers by hub id or folder: VITS (MMS-TTS), SpeechT5, Dia, CSM.

``transformers:facebook/mms-tts-eng``, ``transformers:FOLDER``. Which family it is comes from the
checkpoint's own ``config.json``; no remote code is run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from apun import digests
from apun.errors import ModelUnavailable, UsageError
from apun.models import Rendering, Voice
from apun.registry import optional
from apun.speech import Utterance
from tts.core.engine import SpeechEngine

VOCODER = "microsoft/speecht5_hifigan"
_LANGUAGE_OF = {"eng": "en", "zho": "zh", "cmn": "zh", "jpn": "ja"}


class TransformersSpeech(SpeechEngine):
    """A loaded model, seeded before each utterance: ``say(text, voice)`` gives samples."""

    name = "transformers"
    hint = "; tell it with --option language=…"

    def __init__(
        self,
        version: str,
        voices: Mapping[str, Any],
        languages: tuple[str, ...],
        say: Callable[[str, Any], Any],
        rate: int,
    ) -> None:
        super().__init__(version, [Voice(name, self.name, languages) for name in voices])
        self._given, self._model, self._rate = voices, say, rate

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        import torch

        torch.manual_seed(seed)
        with torch.inference_mode():
            samples = self._model(utterance.text, self._given[voice])
        array = samples.float().cpu().numpy() if hasattr(samples, "cpu") else np.asarray(samples)
        return Rendering(array.astype(np.float32).ravel(), self._rate, utterance.text)

    def close(self) -> None:
        self._model = _closed


def load(
    model: str = "",
    revision: str | None = None,
    device: str = "cpu",
    language: str = "",
    speakers: str = "",
    vocoder: str = VOCODER,
    threads: int = 1,
) -> TransformersSpeech:
    """The engine.

    Args:
        model: hub id or folder.
        revision: hub commit.
        device: torch device.
        language: languages spoken, such as ``en`` or ``en,zh``; MMS-TTS says so in its name.
        speakers: for SpeechT5: folder of ``NAME.npy`` x-vectors of 512 numbers, one a voice.
        vocoder: for SpeechT5: hub id or folder of its HiFi-GAN.
        threads: CPU threads; output depends on it by rounding.

    Raises:
        UsageError: no model named, or SpeechT5 without speakers.
        ModelUnavailable: the checkpoint cannot be loaded here, or is of another family.
    """
    if not model:
        raise UsageError("name the model: transformers:HUB_ID or transformers:FOLDER")
    transformers = optional("transformers", "models")
    optional("torch", "models").set_num_threads(int(threads))
    try:
        config = transformers.AutoConfig.from_pretrained(model, revision=revision)
    except (OSError, ValueError) as error:
        raise ModelUnavailable(f"the speech model {model!r} cannot be loaded: {error}") from error
    if config.model_type not in FAMILIES:
        raise ModelUnavailable(f"{model} is a {config.model_type!r} model; known here: {', '.join(FAMILIES)}")
    spoken = tuple(part for part in language.split(",") if part) or (_language_in(model),)
    try:
        voices, say, rate = FAMILIES[config.model_type](model, revision, device, speakers, vocoder)
    except (OSError, ValueError) as error:
        raise ModelUnavailable(f"the speech model {model!r} cannot be loaded: {error}") from error
    return TransformersSpeech(_version(model, revision, config), voices, spoken, say, rate)


Family = tuple[Mapping[str, Any], Callable[[str, Any], Any], int]


def _vits(model: str, revision: str | None, device: str, speakers: str, vocoder: str) -> Family:
    from transformers import AutoTokenizer, VitsModel

    tokenizer = AutoTokenizer.from_pretrained(model, revision=revision)
    network = VitsModel.from_pretrained(model, revision=revision).to(device).eval()
    count = int(network.config.num_speakers)

    def say(text: str, speaker: Any) -> Any:
        inputs = tokenizer(text, return_tensors="pt").to(device)
        if not inputs["input_ids"].numel():
            raise UsageError(f"this model has no letter of {text!r} in its alphabet")
        return network(**inputs, speaker_id=speaker).waveform[0]

    voices = {f"speaker{number}": number for number in range(count)} if count > 1 else {"default": None}
    return voices, say, int(network.config.sampling_rate)


def _speecht5(model: str, revision: str | None, device: str, speakers: str, vocoder: str) -> Family:
    import torch
    from transformers import SpeechT5ForTextToSpeech, SpeechT5HifiGan, SpeechT5Processor

    if not speakers:
        raise UsageError("SpeechT5 needs --option speakers=FOLDER with an x-vector NAME.npy for each voice")
    processor = SpeechT5Processor.from_pretrained(model, revision=revision)
    network = SpeechT5ForTextToSpeech.from_pretrained(model, revision=revision).to(device).eval()
    gan = SpeechT5HifiGan.from_pretrained(vocoder).to(device).eval()
    size = int(network.config.speaker_embedding_dim)
    voices = {}
    for path in sorted(Path(speakers).glob("*.npy")):
        vector = np.load(path, allow_pickle=False).astype(np.float32).ravel()
        if vector.size != size or not np.isfinite(vector).all():
            raise UsageError(f"{path} does not hold {size} finite numbers")
        voices[path.stem] = torch.from_numpy(vector)[None].to(device)
    if not voices:
        raise UsageError(f"{speakers} holds no .npy x-vectors")

    def say(text: str, vector: Any) -> Any:
        inputs = processor(text=text, return_tensors="pt").to(device)
        return network.generate_speech(inputs["input_ids"], vector, vocoder=gan)

    return voices, say, int(gan.config.sampling_rate)


def _dia(model: str, revision: str | None, device: str, speakers: str, vocoder: str) -> Family:
    from transformers import AutoProcessor, DiaForConditionalGeneration

    processor = AutoProcessor.from_pretrained(model, revision=revision)
    network = DiaForConditionalGeneration.from_pretrained(model, revision=revision).to(device).eval()

    def say(text: str, tag: Any) -> Any:
        inputs = processor(text=[f"{tag} {text}"], padding=True, return_tensors="pt").to(device)
        return processor.batch_decode(network.generate(**inputs))[0]

    rate = int(processor.feature_extractor.sampling_rate)
    return {"S1": "[S1]", "S2": "[S2]"}, say, rate


def _csm(model: str, revision: str | None, device: str, speakers: str, vocoder: str) -> Family:
    from transformers import AutoProcessor, CsmForConditionalGeneration

    processor = AutoProcessor.from_pretrained(model, revision=revision)
    network = CsmForConditionalGeneration.from_pretrained(model, revision=revision).to(device).eval()

    def say(text: str, speaker: Any) -> Any:
        inputs = processor(f"[{speaker}]{text}", add_special_tokens=True, return_tensors="pt").to(device)
        return network.generate(**inputs, output_audio=True)[0]

    rate = int(processor.feature_extractor.sampling_rate)
    return {f"speaker{number}": number for number in range(4)}, say, rate


FAMILIES: Mapping[str, Callable[[str, str | None, str, str, str], Family]] = {
    "vits": _vits,
    "speecht5": _speecht5,
    "dia": _dia,
    "csm": _csm,
}


def _language_in(model: str) -> str:
    """``facebook/mms-tts-eng`` says ``eng``; everything else is taken to be English."""
    return _LANGUAGE_OF.get(model.rstrip("/").rsplit("-", 1)[-1], "en")


def _version(model: str, revision: str | None, config: Any) -> str:
    import transformers

    if Path(model).is_dir():
        what = f"{Path(model).name}@folder:{digests.of_folder(Path(model))}"
    else:
        what = f"{model}@{getattr(config, '_commit_hash', None) or revision or 'unknown'}"
    return f"{what}+transformers-{transformers.__version__}"


def _closed(text: str, voice: Any) -> Any:
    raise UsageError("this engine was closed")
