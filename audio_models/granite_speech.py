"""Granite Speech: one clip a prompt, a conformer encoder, a projector of 15-frame windows.

The encoder does not mask padding, so a short clip beside a longer one would be heard with the
padding's echo: only clips of one length share a batch. The speech adapter (LoRA) is switched on by
transformers for prompts with a clip; ``peft`` must be installed for it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from apun.errors import MissingDependency
from apun.models import LoadOptions, Model
from audio_models.core import audio_input
from audio_models.core.audio_input import Features

if TYPE_CHECKING:
    from audio_models.core.audio_input import Extract, Samples

TEMPLATE = (
    "{% for m in messages %}<|start_of_role|>{{ m['role'] }}<|end_of_role|>{% for c in m['content'] %}"
    "{% if c['type'] == 'audio' %}<|audio|>{% else %}{{ c['text'] }}{% endif %}{% endfor %}<|end_of_text|>\n"
    "{% endfor %}<|start_of_role|>assistant<|end_of_role|>"
)


def create(name: str, options: LoadOptions) -> Model:
    """Load Granite Speech; see ``audio_models.catalogue.load``."""
    loaded = audio_input.load(name, options)
    config = loaded.network.config
    if config.has_lora_adapter and importlib.util.find_spec("peft") is None:
        raise MissingDependency("peft (without it Granite Speech runs without its speech adapter)", "models")
    return audio_input.audio_model(
        loaded,
        extract=extract(loaded.extractor),
        pieces=pieces,
        tokens_of=positions(config.window_size, config.downsample_rate),
        seconds_of=lambda frames: frames / 50,
        template=TEMPLATE,
        alike=audio_input.same_length,
    )


def positions(window: int, downsample: int) -> audio_input.TokensOf:
    """Audio positions for encoder frames (two mel frames each): whole projector windows."""

    def counted(frames: int) -> int:
        return -(-frames // window) * (window // downsample)

    return counted


def pieces(tensors: Mapping[str, Any]) -> list[int]:
    """Encoder frames of each clip; clips of a batch have one length."""
    features = tensors["input_features"]
    return [int(features.shape[1])] * int(features.shape[0])


def extract(extractor: Any) -> Extract:
    """Stacked mel features of shape ``(clips, frames, 160)`` and the mask of their positions."""

    def extracted(clips: Sequence[Samples]) -> Features:
        out = extractor(list(clips))
        tensors = {"input_features": out["input_features"], "input_features_mask": out["input_features_mask"]}
        return Features(tensors, tuple(int(size) for size in out["audio_embed_sizes"]))

    return extracted
