"""Whisper, reference implementation (package ``openai-whisper``); also true-size networks with random weights."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from apun import digests
from apun.clips import Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, ModelInfo
from apun.weights import RANDOM
from asr.catalogue import RECOGNISERS
from asr.core.recogniser import BaseRecogniser, Hypothesis, device_of, dtype_of, revised, whisper_hypothesis

RANDOM_TOKENS_A_SECOND = 3.5  # about what read English takes in Whisper's vocabulary
_SHAPES = {  # width, heads, encoder layers, decoder layers (Radford et al. 2023, table 1; turbo: model card)
    "tiny": (384, 6, 4, 4),
    "base": (512, 8, 6, 6),
    "small": (768, 12, 12, 12),
    "medium": (1024, 16, 24, 24),
    "large": (1280, 20, 32, 32),
    "large-v1": (1280, 20, 32, 32),
    "large-v2": (1280, 20, 32, 32),
    "large-v3": (1280, 20, 32, 32),
    "turbo": (1280, 20, 32, 4),
}


def create(name: str, options: LoadOptions) -> OpenaiWhisper:
    """From a local checkpoint (``options.weights``: a file, or a folder with ``SIZE.pt``) or the cache.

    Raises:
        ModelUnavailable: there is no checkpoint here and fetching was not allowed.
    """
    import whisper

    size = RECOGNISERS[name].source
    device = device_of(options)
    if options.weights == RANDOM:
        return OpenaiWhisper(name, random_network(size).to(device), options, revision=RANDOM)
    path = _checkpoint(size, options)
    try:
        network = whisper.load_model(str(path) if path else size, device=device)
    except Exception as error:  # torch and the downloader raise many types; all mean that there is no usable model
        raise ModelUnavailable(f"{path or size} could not be loaded as a Whisper checkpoint ({error})") from error
    return OpenaiWhisper(name, network, options, digests.of_file(path)[:12] if path else size)


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
    if options.switch("download"):
        return None
    raise ModelUnavailable(
        f"the Whisper checkpoint {file_name} is not in {cache.parent}: give it as weights or allow "
        "fetching with download=yes (in a cascade --model-arg asr.weights=FILE, asr.download=yes)"
    )


def random_network(size: str) -> Any:
    """``whisper.model.Whisper`` of a released size with random weights (some tensors are allocated unset).

    Raises:
        UsageError: the dimensions of that size are not known.
    """
    import torch
    from whisper.model import ModelDimensions, Whisper

    stem = size.removesuffix(".en")
    if stem not in _SHAPES:
        raise UsageError(f"the dimensions of Whisper {size!r} are not known")
    width, heads, encoder, decoder = _SHAPES[stem]
    newest = stem in ("large", "large-v3", "turbo")
    torch.manual_seed(0)
    network = Whisper(
        ModelDimensions(
            n_mels=128 if newest else 80,
            n_audio_ctx=1500,
            n_audio_state=width,
            n_audio_head=heads,
            n_audio_layer=encoder,
            n_vocab=51866 if newest else 51864 if size.endswith(".en") else 51865,
            n_text_ctx=448,
            n_text_state=width,
            n_text_head=heads,
            n_text_layer=decoder,
        )
    )
    torch.nn.init.normal_(network.decoder.positional_embedding, std=0.01)  # left uninitialised by the class
    return network.eval()


class OpenaiWhisper(BaseRecogniser):
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

        dtype = dtype_of(options, str(network.device))
        if dtype not in (torch.float16, torch.float32):
            raise UsageError(f"openai-whisper computes in float16 or float32, not {options.dtype}")
        self._half = dtype == torch.float16
        self._beam = options.whole("beam_size", 1)
        self._random = revision == RANDOM
        self._word_times = options.switch("words", True) and not self._random
        settings = {
            "dtype": str(dtype).removeprefix("torch."),
            "device": str(network.device),
            "beam_size": self._beam,
            "temperature": 0.0,
            "openai_whisper": whisper.__version__,
            "torch": torch.__version__,
        }
        info = ModelInfo(name, "openai-whisper", revised(revision, self._beam), audio=True, settings=settings)
        super().__init__(info, network, RECOGNISERS[name].languages)

    def hear(self, clip: Clip, language: str | None) -> Hypothesis:
        """Decode one clip, with word times; it is walked through in 30 s windows."""
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
            word_timestamps=self._word_times,
            fp16=self._half,
            verbose=None,
            **(self._fixed_length(clip) if self._random else {}),
        )
        return whisper_hypothesis(result["text"], result["segments"], dict.get)

    def _fixed_length(self, clip: Clip) -> dict[str, Any]:
        """Decoding options that write a set number of tokens: random weights never end by themselves."""
        from whisper.tokenizer import get_tokenizer

        eot = get_tokenizer(self._network.is_multilingual, num_languages=self._network.num_languages).eot
        length = max(1, round(min(clip.seconds, 30.0) * RANDOM_TOKENS_A_SECOND))
        suppressed = [-1, *range(eot, self._network.dims.n_vocab)]  # words alone: neither end nor time stamps
        return {"sample_len": length, "without_timestamps": True, "suppress_tokens": suppressed}
