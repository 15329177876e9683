"""Granite Speech: one clip a prompt, a conformer encoder, a projector of 15-frame windows.

The encoder does not mask padding, so a short clip beside a longer one would be heard with the
padding's echo: only clips of one length share a batch. The speech adapter (LoRA) is switched on by
transformers for prompts with a clip; ``peft`` must be installed for it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.errors import MissingDependency, ModelUnavailable
from apun.models import LoadOptions, Model
from audio_models import audio_family, audio_input, loading
from audio_models.audio_input import Features

if TYPE_CHECKING:
    from audio_models.audio_input import Extract, Samples

CLASS = "GraniteSpeechForConditionalGeneration"
TEMPLATE = (
    "{% for m in messages %}<|start_of_role|>{{ m['role'] }}<|end_of_role|>{% for c in m['content'] %}"
    "{% if c['type'] == 'audio' %}<|audio|>{% else %}{{ c['text'] }}{% endif %}{% endfor %}<|end_of_text|>\n"
    "{% endfor %}<|start_of_role|>assistant<|end_of_role|>"
)


def create(name: str, options: LoadOptions) -> Model:
    """Load Granite Speech; see ``audio_models.load.load``."""
    entry = loading.entry(name, options)
    checkpoint = audio_family.checkpoint(name, entry, options, CLASS, front_end=front_end)
    if checkpoint.network.config.has_lora_adapter and importlib.util.find_spec("peft") is None:
        raise MissingDependency("peft (without it Granite Speech runs without its speech adapter)", "models")
    return audio_family.audio_model(
        checkpoint,
        entry,
        extract=extract(checkpoint.extractor),
        pieces=pieces,
        tokens_of=positions(checkpoint.network.config.window_size, checkpoint.network.config.downsample_rate),
        seconds_of=lambda frames: frames / 50,
        template=TEMPLATE,
        alike=audio_family.same_length,
    )


def front_end(folder: Path) -> Any:
    """The checkpoint's mel front end.

    Raises:
        ModelUnavailable: the folder has no settings for it.
    """
    kind = loading.transformers_class("GraniteSpeechFeatureExtractor")
    try:
        return kind.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError) as error:
        raise ModelUnavailable(f"{folder} has no feature extractor settings: {error}") from error


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
