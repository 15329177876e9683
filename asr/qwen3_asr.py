"""Qwen3-ASR through transformers (5.16 or later).

One clip at a time: in transformers 5.24 padding moves the shorter clip's logits (by 0.008 in float32 here,
by whole words in Fun-ASR-Nano), so a batch need not answer as single clips do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import MissingDependency, ModelUnavailable, UsageError
from apun.models import LoadOptions, ModelInfo, Transcript
from asr.arguments import check, number, synchronise, torch_device, torch_dtype
from asr.catalogue import RECOGNISERS
from asr.quality import flags
from asr.transcribing import check_language, one_by_one
from asr.weights import RANDOM, folder


def create(name: str, options: LoadOptions) -> TranscriptionRequest:
    """Qwen3-ASR from a folder in the hub's format or the hub cache."""
    return load(
        name,
        options,
        "Qwen3ASRForConditionalGeneration",
        lambda processor, ids: processor.decode(ids, return_format="transcription_only"),
    )


def load(name: str, options: LoadOptions, network_class: str, decode: Any) -> TranscriptionRequest:
    """A recogniser whose processor has ``apply_transcription_request``.

    Args:
        name: name in the catalogue.
        options: weights, device, numeric type; ``args``: ``max_new_tokens`` (448).
        network_class: class of transformers.
        decode: processor and a list of new ids to the text.

    Raises:
        ModelUnavailable: the weights are not here or cannot be loaded.
        MissingDependency: transformers is too old for this model.
    """
    import torch
    import transformers

    check(options, ("max_new_tokens",))
    if options.weights == RANDOM:
        raise UsageError(f"{name} cannot be built with random weights; use openai-whisper-*")
    found = folder(RECOGNISERS[name].source, options, ("config.json",))
    network_type = getattr(transformers, network_class, None)
    if network_type is None:
        raise MissingDependency(f"a transformers with {network_class} (here: {transformers.__version__})", "models")
    device = torch_device(options)
    dtype = torch_dtype(options, torch.device(device).type)
    try:
        processor = transformers.AutoProcessor.from_pretrained(found.path, local_files_only=True)
        network = network_type.from_pretrained(found.path, dtype=dtype, local_files_only=True)
    except (OSError, ValueError, TypeError, KeyError, RuntimeError) as error:
        raise ModelUnavailable(f"{found.path} could not be loaded as {name} ({error})") from error
    return TranscriptionRequest(name, processor, network.to(device).eval(), decode, options, found.revision)


class TranscriptionRequest:
    """An audio language model asked for a transcript through its processor's own request.

    Args:
        name: as given on the command line.
        processor: has ``apply_transcription_request``.
        network: generates.
        decode: processor and a list of new ids to the text.
        options: ``args``: ``max_new_tokens`` (448).
        revision: hub revision or digest.
    """

    def __init__(
        self,
        name: str,
        processor: Any,
        network: Any,
        decode: Any,
        options: LoadOptions,
        revision: str,
    ) -> None:
        import transformers

        self._processor, self._network, self._decode = processor, network, decode
        self._room = number(options, "max_new_tokens", 448)
        self._languages = RECOGNISERS[name].languages
        self._info = ModelInfo(
            name=name,
            family=name.split("-0")[0],
            revision=revision,
            audio=True,
            settings={
                "dtype": str(network.dtype).removeprefix("torch."),
                "device": str(network.device),
                "temperature": 0.0,
                "max_new_tokens": self._room,
                "transformers": transformers.__version__,
            },
        )

    @property
    def info(self) -> ModelInfo:
        """What this recogniser is."""
        return self._info

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        """One transcript per clip, without word times."""
        problem = check_language(self._info.name, self._languages, language)
        if problem:
            return [Transcript("", error=problem) for _ in clips]
        return one_by_one(clips, lambda clip: self._hear(clip, language))

    def _hear(self, clip: Clip, language: str | None) -> Transcript:
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
        synchronise(str(self._network.device))
        new = output[0, inputs["input_ids"].shape[1] :].tolist()
        text = str(self._decode(self._processor, new)).strip()
        return Transcript(text, seconds_heard=clip.samples.size / SAMPLE_RATE, flags=flags(text))

    def close(self) -> None:
        """Free the network."""
        self._network = None
