"""True-size Whisper networks with random weights: for latency and memory where there is no model hub."""

from __future__ import annotations

from typing import Any

from apun.errors import UsageError

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


def shape(size: str) -> dict[str, int]:
    """Dimensions of a released size, by openai-whisper's names.

    Raises:
        UsageError: there is no such size.
    """
    stem = size.removesuffix(".en")
    if stem not in _SHAPES:
        raise UsageError(f"the dimensions of Whisper {size!r} are not known")
    width, heads, encoder, decoder = _SHAPES[stem]
    newest = stem in ("large", "large-v3", "turbo")
    return {
        "n_mels": 128 if newest else 80,
        "n_audio_ctx": 1500,
        "n_audio_state": width,
        "n_audio_head": heads,
        "n_audio_layer": encoder,
        "n_vocab": 51866 if newest else 51864 if size.endswith(".en") else 51865,
        "n_text_ctx": 448,
        "n_text_state": width,
        "n_text_head": heads,
        "n_text_layer": decoder,
    }


def openai_network(size: str) -> Any:
    """``whisper.model.Whisper`` of that size with random weights (some tensors are allocated unset)."""
    import torch
    from whisper.model import ModelDimensions, Whisper

    torch.manual_seed(0)
    network = Whisper(ModelDimensions(**shape(size)))
    torch.nn.init.normal_(network.decoder.positional_embedding, std=0.01)  # left uninitialised by the class
    return network.eval()
