"""Qwen3-ASR (transformers 5.16 or later) and Fun-ASR-Nano (5.20, with torchaudio).

Both are asked through their processor's own transcription request, one clip at a time: in transformers 5.24 padding
moves the shorter clip's logits (by 0.008 in float32 for Qwen3-ASR here, by whole words in Fun-ASR-Nano), so a batch
need not answer as single clips do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apun.clips import Clip
from apun.errors import ModelUnavailable
from apun.models import LoadOptions
from asr.catalogue import RECOGNISERS
from asr.core.recogniser import BaseRecogniser, Hypothesis, described, pretrained

Decode = Callable[[Any, list[int]], str]


def create(name: str, options: LoadOptions) -> TranscriptionRequest:
    """Qwen3-ASR from a folder in the hub's format or the hub cache."""

    def decode(processor: Any, ids: list[int]) -> str:
        return str(processor.decode(ids, return_format="transcription_only"))

    return TranscriptionRequest(name, "Qwen3ASRForConditionalGeneration", decode, options)


def create_fun_asr_nano(name: str, options: LoadOptions) -> TranscriptionRequest:
    """Fun-ASR-Nano from a folder in the hub's format or the hub cache."""

    def decode(processor: Any, ids: list[int]) -> str:
        return str(processor.decode(ids, skip_special_tokens=True))

    return TranscriptionRequest(name, "FunAsrNanoForConditionalGeneration", decode, options)


class TranscriptionRequest(BaseRecogniser):
    """An audio language model asked for a transcript through its processor's own request.

    Args:
        name: name in the catalogue.
        network_class: class of transformers.
        decode: processor and a list of new ids to the text.
        options: weights, device, numeric type; ``args``: ``max_new_tokens`` (448).

    Raises:
        ModelUnavailable: the weights are not here or cannot be loaded.
        MissingDependency: transformers is too old for this model.
    """

    def __init__(self, name: str, network_class: str, decode: Decode, options: LoadOptions) -> None:
        import transformers

        self._decode = decode
        self._processor, network, revision = pretrained(name, network_class, options)
        self._room = options.whole("max_new_tokens", 448)
        settings = {"max_new_tokens": self._room, "transformers": transformers.__version__}
        info = described(name, name.split("-0")[0], revision, network, settings)
        super().__init__(info, network, RECOGNISERS[name].languages)

    def hear(self, clip: Clip, language: str | None) -> Hypothesis:
        """Decode one clip, without word times."""
        import torch

        inputs = self._processor.apply_transcription_request(
            audio=[clip.samples], language=language, return_tensors="pt"
        )
        if inputs.get("input_features") is None:
            raise ModelUnavailable("the processor made no audio features of the clip")
        inputs = inputs.to(self._network.device, self._network.dtype)
        with torch.inference_mode():
            output = self._network.generate(
                **inputs,
                max_new_tokens=self._room,
                do_sample=False,
                num_beams=1,
                repetition_penalty=1.0,
                temperature=None,
                top_p=None,
                top_k=None,
            )
        return Hypothesis(self._decode(self._processor, output[0, inputs["input_ids"].shape[1] :].tolist()))
