"""Whisper through transformers: batches, any checkpoint in the hub's format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, ModelInfo, Transcript
from asr.arguments import check, number, synchronise, torch_device, torch_dtype
from asr.catalogue import RECOGNISERS
from asr.quality import flags
from asr.transcribing import check_language, in_batches
from asr.weights import RANDOM, folder

WINDOW_SECONDS = 30.0  # one encoder pass; longer clips go through the sequential long-form algorithm


def create(name: str, options: LoadOptions) -> HfWhisper:
    """From a folder in the hub's format (``options.weights``) or the hub cache.

    Raises:
        ModelUnavailable: it is not here, or not a Whisper checkpoint.
        UsageError: random weights were asked for.
    """
    import torch
    from transformers import AutoProcessor, WhisperForConditionalGeneration

    check(options, ("beam_size",))
    if options.weights == RANDOM:
        raise UsageError(f"{name} cannot be built with random weights; use openai-whisper-*")
    found = folder(RECOGNISERS[name].source, options, ("config.json",))
    device = torch_device(options)
    dtype = torch_dtype(options, torch.device(device).type)
    try:
        processor = AutoProcessor.from_pretrained(found.path, local_files_only=True)
        network = WhisperForConditionalGeneration.from_pretrained(found.path, dtype=dtype, local_files_only=True)
    except (OSError, ValueError, TypeError, KeyError, RuntimeError) as error:
        raise ModelUnavailable(f"{found.path} could not be loaded as a Whisper checkpoint ({error})") from error
    return HfWhisper(name, processor, network.to(device).eval(), options, found.revision)


class HfWhisper:
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

        self._processor, self._network = processor, network
        self._beam = number(options, "beam_size", 1)
        self._languages = RECOGNISERS[name].languages
        self._multilingual = bool(getattr(network.generation_config, "is_multilingual", True))
        self._info = ModelInfo(
            name=name,
            family="hf-whisper",
            revision=revision if self._beam == 1 else f"{revision};beam={self._beam}",
            audio=True,
            max_batch=8,
            settings={
                "dtype": str(network.dtype).removeprefix("torch."),
                "device": str(network.device),
                "beam_size": self._beam,
                "temperature": 0.0,
                "transformers": transformers.__version__,
                "torch": torch.__version__,
            },
        )

    @property
    def info(self) -> ModelInfo:
        """What this recogniser is."""
        return self._info

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        """One transcript per clip; clips beyond 30 s are walked through one by one."""
        problem = check_language(self._info.name, self._languages, language)
        if problem:
            return [Transcript("", error=problem) for _ in clips]
        size = self._info.max_batch if all(_short(clip) for clip in clips) else 1
        return in_batches(clips, size, lambda batch: self._hear(batch, language))

    def _hear(self, batch: Sequence[Clip], language: str | None) -> list[Transcript]:
        import torch

        short = all(_short(clip) for clip in batch)
        padding = {} if short else {"truncation": False, "padding": "longest"}
        inputs = self._processor(
            audio=[clip.samples for clip in batch],
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
            no_speech = self._no_speech(inputs["input_features"]) if short else [None] * len(batch)
        synchronise(str(self._network.device))
        sequences = output["sequences"]
        texts = self._processor.batch_decode(sequences, skip_special_tokens=True)
        logprobs = self._logprobs(output) if short and self._beam == 1 else [None] * len(batch)
        return [
            Transcript(
                text.strip(),
                seconds_heard=clip.samples.size / SAMPLE_RATE,
                flags=flags(text.strip(), no_speech=silent, logprob=logprob),
            )
            for clip, text, silent, logprob in zip(batch, texts, no_speech, logprobs, strict=True)
        ]

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

    def close(self) -> None:
        """Free the network."""
        self._network = None


def _short(clip: Clip) -> bool:
    return clip.seconds <= WINDOW_SECONDS
