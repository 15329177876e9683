"""Whisper through transformers: batches, any checkpoint in the hub's format."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import AudioError
from apun.models import LoadOptions
from asr.catalogue import RECOGNISERS
from asr.core.recogniser import BaseRecogniser, Hypothesis, described, pretrained, revised

WINDOW_SECONDS = 30.0  # one encoder pass; longer clips go through the sequential long-form algorithm


def create(name: str, options: LoadOptions) -> HfWhisper:
    """From a folder in the hub's format (``options.weights``) or the hub cache.

    Raises:
        ModelUnavailable: it is not here, or not a Whisper checkpoint.
    """
    processor, network, revision = pretrained(name, "WhisperForConditionalGeneration", options)
    return HfWhisper(name, processor, network, options, revision)


class HfWhisper(BaseRecogniser):
    """A Whisper checkpoint run by transformers. Greedy; suspicious output is flagged.

    Args:
        name: as given on the command line.
        processor: feature extractor and tokenizer.
        network: ``WhisperForConditionalGeneration``.
        options: ``args``: ``beam_size`` (1).
        revision: hub revision or digest.
    """

    def __init__(self, name: str, processor: Any, network: Any, options: LoadOptions, revision: str) -> None:
        import torch
        import transformers

        self._processor = processor
        self._beam = options.whole("beam_size", 1)
        self._multilingual = bool(getattr(network.generation_config, "is_multilingual", True))
        versions = {"transformers": transformers.__version__, "torch": torch.__version__}
        settings = {"beam_size": self._beam, **versions}
        info = described(name, "hf-whisper", revised(revision, self._beam), network, settings, max_batch=8)
        super().__init__(info, network, RECOGNISERS[name].languages)

    def batch_size(self, clips: Sequence[Clip]) -> int:
        """Clips beyond 30 s are walked through one by one, and so are those beside one that cannot be read."""
        with suppress(AudioError):  # reported as that clip's error
            return self.info.max_batch if all(_short(clip) for clip in clips) else 1
        return 1

    def hear(self, clip: Clip, language: str | None) -> Hypothesis:
        """Decode one clip."""
        return self.hear_batch([clip], language)[0]

    def hear_batch(self, clips: Sequence[Clip], language: str | None) -> list[Hypothesis]:
        """Decode clips together; none of them, or the only one, is beyond 30 s."""
        import torch

        short = all(_short(clip) for clip in clips)
        padding = {} if short else {"truncation": False, "padding": "longest"}
        inputs = self._processor(
            audio=[clip.samples for clip in clips],
            sampling_rate=SAMPLE_RATE,
            return_tensors="pt",
            return_attention_mask=True,
            **padding,
        ).to(self._network.device, self._network.dtype)
        spoken = {"language": language, "task": "transcribe"} if self._multilingual else {}
        with torch.inference_mode():
            output = self._network.generate(
                **inputs,
                **spoken,
                do_sample=False,
                num_beams=self._beam,
                repetition_penalty=1.0,
                return_timestamps=not short,
                return_dict_in_generate=True,
                output_scores=short and self._beam == 1,
            )
            no_speech = self._no_speech(inputs["input_features"]) if short else [None] * len(clips)
        texts = self._processor.batch_decode(output["sequences"], skip_special_tokens=True)  # waits for the device
        logprobs = self._logprobs(output) if short and self._beam == 1 else [None] * len(clips)
        rows = zip(texts, no_speech, logprobs, strict=True)
        return [Hypothesis(text, no_speech=silent, logprob=logprob) for text, silent, logprob in rows]

    def _logprobs(self, output: Any) -> list[float | None]:
        """Mean log probability of each row's tokens up to its end."""
        import torch

        scores = torch.stack(output["scores"], dim=1).float().log_softmax(dim=-1)
        tokens = output["sequences"][:, -scores.shape[1] :]
        picked = scores.gather(2, tokens.unsqueeze(2)).squeeze(2)
        end = self._network.generation_config.eos_token_id
        ends = [end] if isinstance(end, int) else list(end or [])
        means: list[float | None] = []
        for row, ids in zip(picked, tokens.tolist(), strict=True):
            length = next((index + 1 for index, token in enumerate(ids) if token in ends), len(ids))
            means.append(float(row[:length].mean()) if length else None)
        return means

    def _no_speech(self, features: Any) -> list[float | None]:
        """Probability of the no-speech token at the start of the transcript, as Whisper defines it."""
        import torch

        token = getattr(self._network.generation_config, "no_timestamps_token_id", None)
        start = self._network.config.decoder_start_token_id
        if token is None or start is None:
            return [None] * len(features)
        ids = torch.full((len(features), 1), start, device=features.device)
        logits = self._network(input_features=features, decoder_input_ids=ids).logits[:, 0].float()
        return [float(value) for value in logits.softmax(dim=-1)[:, token - 1]]  # it stands before <|notimestamps|>


def _short(clip: Clip) -> bool:
    return clip.seconds <= WINDOW_SECONDS
