"""Whisper, reference implementation (package ``openai-whisper``)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, ModelInfo, Transcript, Word
from asr.arguments import check, number, switch, synchronise, torch_device, torch_dtype
from asr.catalogue import RECOGNISERS
from asr.quality import by_window, flags
from asr.transcribing import check_language, one_by_one
from asr.weights import RANDOM, digest, may_download

RANDOM_TOKENS_A_SECOND = 3.5  # about what read English takes in Whisper's vocabulary


def create(name: str, options: LoadOptions) -> OpenaiWhisper:
    """From a local checkpoint (``options.weights``: a file, or a folder with ``SIZE.pt``) or the cache.

    Raises:
        ModelUnavailable: there is no checkpoint here and fetching was not allowed.
    """
    import whisper

    check(options, ("beam_size", "words"))
    size = RECOGNISERS[name].source
    device = torch_device(options)
    if options.weights == RANDOM:
        from asr.random_whisper import openai_network

        network = openai_network(size).to(device)
        return OpenaiWhisper(name, network, options, revision=RANDOM)
    path = _checkpoint(size, options)
    try:
        network = whisper.load_model(str(path) if path else size, device=device)
    except Exception as error:  # torch and the downloader raise many types; all mean that there is no usable model
        raise ModelUnavailable(f"{path or size} could not be loaded as a Whisper checkpoint ({error})") from error
    revision = digest(path)[:12] if path else size
    return OpenaiWhisper(name, network, options, revision)


def _checkpoint(size: str, options: LoadOptions) -> Path | None:
    """The checkpoint file; None where openai-whisper is to fetch it."""
    import whisper

    file_name = Path(whisper._MODELS[size]).name
    if options.weights is not None:
        path = Path(options.weights).expanduser()
        path = path / file_name if path.is_dir() else path
        if not path.is_file():
            raise ModelUnavailable(f"there is no Whisper checkpoint {path}")
        return path
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "whisper" / file_name
    if cache.is_file():
        return cache
    if may_download(options):
        return None
    raise ModelUnavailable(
        f"the Whisper checkpoint {file_name} is not in {cache.parent}: give it as weights or allow "
        "fetching with download=yes (in a cascade --model-arg asr.weights=FILE, asr.download=yes)"
    )


class OpenaiWhisper:
    """A Whisper network of the reference implementation.

    Greedy at one temperature (no fallback to sampling), not conditioned on the text before, and
    nothing skipped as silence: suspicious output is flagged.

    Args:
        name: as given on the command line.
        network: ``whisper.model.Whisper``.
        options: device and numeric type; ``args``: ``beam_size`` (1), ``words`` (yes: word times).
        revision: checkpoint digest; ``random`` for random weights, which then write a fixed number
            of tokens per second so that the time is that of a real transcript.
    """

    def __init__(self, name: str, network: Any, options: LoadOptions, revision: str) -> None:
        import torch
        import whisper

        self._network = network
        self._device = str(network.device)
        self._dtype = torch_dtype(options, network.device.type)
        if self._dtype not in (torch.float16, torch.float32):
            raise UsageError(f"openai-whisper computes in float16 or float32, not {options.dtype}")
        self._beam = number(options, "beam_size", 1)
        self._words = switch(options, "words", True)
        self._random = revision == RANDOM
        self._languages = RECOGNISERS[name].languages
        self._info = ModelInfo(
            name=name,
            family="openai-whisper",
            revision=revision if self._beam == 1 else f"{revision};beam={self._beam}",
            audio=True,
            settings={
                "dtype": str(self._dtype).removeprefix("torch."),
                "device": self._device,
                "beam_size": self._beam,
                "temperature": 0.0,
                "openai_whisper": whisper.__version__,
                "torch": torch.__version__,
            },
        )

    @property
    def info(self) -> ModelInfo:
        """What this recogniser is."""
        return self._info

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        """One transcript per clip, with word times."""
        problem = check_language(self._info.name, self._languages, language)
        if problem:
            return [Transcript("", error=problem) for _ in clips]
        return one_by_one(clips, lambda clip: self._hear(clip, language))

    def _hear(self, clip: Clip, language: str | None) -> Transcript:
        import torch

        result = self._network.transcribe(
            clip.samples,
            language=language,
            task="transcribe",
            temperature=0.0,
            beam_size=self._beam if self._beam > 1 else None,
            condition_on_previous_text=False,
            compression_ratio_threshold=None,
            logprob_threshold=None,
            no_speech_threshold=None,
            word_timestamps=self._words and not self._random,
            fp16=self._dtype == torch.float16,
            verbose=None,
            **(self._fixed_length(clip) if self._random else {}),
        )
        synchronise(self._device)
        segments = result["segments"]
        text = result["text"].strip()
        words = tuple(
            Word(word["word"].strip(), float(word["start"]), float(word["end"]))
            for segment in segments
            for word in segment.get("words", ())
        )
        tokens = sum(len(segment["tokens"]) for segment in segments)
        logprob = sum(s["avg_logprob"] * len(s["tokens"]) for s in segments) / tokens if tokens else None
        no_speech = min((float(s["no_speech_prob"]) for s in segments), default=None)
        windows = by_window((segment["seek"], segment["text"]) for segment in segments)
        found = flags(text, no_speech=no_speech, logprob=logprob, windows=windows)
        heard = clip.samples.size / SAMPLE_RATE  # the whole clip is walked through in 30 s windows
        return Transcript(text, words, heard, flags=found)

    def _fixed_length(self, clip: Clip) -> dict[str, Any]:
        """Decoding options that write a set number of tokens: random weights never end by themselves."""
        from whisper.tokenizer import get_tokenizer

        eot = get_tokenizer(self._network.is_multilingual, num_languages=self._network.num_languages).eot
        length = max(1, round(min(clip.seconds, 30.0) * RANDOM_TOKENS_A_SECOND))
        suppressed = [-1, *range(eot, self._network.dims.n_vocab)]  # words alone: neither end nor time stamps
        return {"sample_len": length, "without_timestamps": True, "suppress_tokens": suppressed}

    def close(self) -> None:
        """Free the network."""
        self._network = None
