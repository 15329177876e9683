"""Phi-4-multimodal through transformers' own class, with its speech adapter switched on.

The released folder holds the adapter as ``speech-lora``; without it the model answers from a
projector that was trained against other weights, so its absence is an error. The encoder's
normalisation turns padding into sound: only clips of one length share a batch.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.clips import SAMPLE_RATE
from apun.errors import MissingDependency, ModelUnavailable
from apun.models import LoadOptions, Model
from audio_models.core import audio_input
from audio_models.core.audio_input import Features

if TYPE_CHECKING:
    from audio_models.core.audio_input import Extract, Samples

ADAPTER = "speech-lora"


def create(name: str, options: LoadOptions) -> Model:
    """Load Phi-4-multimodal; ``--model-arg adapter=none`` for a checkpoint with the adapter merged in."""
    loaded = audio_input.load(name, options)
    if options.args.get("adapter") != "none":
        load_adapter(loaded.network, loaded.folder)
    extractor = loaded.extractor
    audio = loaded.tokenizer.convert_ids_to_tokens(int(loaded.network.config.audio_config.audio_token_id))
    return audio_input.audio_model(
        loaded,
        extract=extract(extractor),
        features="audio_input_features",
        pieces=audio_input.mask_frames("audio_attention_mask"),
        tokens_of=positions(extractor),
        seconds_of=lambda frames: (frames * extractor.hop_length + extractor.win_length) / SAMPLE_RATE,
        template=template(str(audio)),
        alike=audio_input.same_length,
    )


def load_adapter(network: Any, folder: Path | None) -> None:
    """Switch the speech adapter on.

    Raises:
        MissingDependency: peft is not installed.
        ModelUnavailable: the folder has no adapter.
    """
    if folder is None or not (folder / ADAPTER / "adapter_config.json").is_file():
        raise ModelUnavailable(
            f"{folder} has no {ADAPTER}/adapter_config.json, the speech adapter Phi-4-multimodal needs to hear; use "
            "the converted weights (revision refs/pr/70), or --model-arg adapter=none where it is merged in"
        )
    if importlib.util.find_spec("peft") is None:
        raise MissingDependency("peft", "models")
    network.load_adapter(str(folder / ADAPTER), adapter_name="speech")
    network.set_adapter("speech")


def template(audio: str) -> str:
    """Phi-4's turns. The hub's template takes strings and numbered placeholders, so this one is always used."""
    return (
        "{% for m in messages %}<|{{ m['role'] }}|>{% for c in m['content'] %}{% if c['type'] == 'audio' %}"
        + audio
        + "{% else %}{{ c['text'] }}{% endif %}{% endfor %}<|end|>{% endfor %}<|assistant|>"
    )


def positions(extractor: Any) -> audio_input.TokensOf:
    """Audio positions of a number of frames: eight frames each, the last one may be short."""

    def counted(frames: int) -> int:
        eighths = -(-frames // extractor.audio_compression_rate)
        return int(-(-eighths // extractor.audio_downsample_rate))

    return counted


def extract(extractor: Any) -> Extract:
    """Mel features of shape ``(clips, frames, 80)``, their mask, and the positions of each clip."""
    tokens_of = positions(extractor)

    def extracted(clips: Sequence[Samples]) -> Features:
        import torch

        out = extractor(list(clips), sampling_rate=SAMPLE_RATE, return_tensors="pt")
        features = out["audio_input_features"]
        frames = [(clip.size - extractor.win_length) // extractor.hop_length + 1 for clip in clips]
        mask = torch.arange(features.shape[1])[None, :] < torch.tensor(frames)[:, None]
        tensors: Mapping[str, Any] = {
            "audio_input_features": features,
            "audio_attention_mask": mask,
            "audio_embed_sizes": out["audio_embed_sizes"],
        }
        return Features(tensors, tuple(tokens_of(count) for count in frames))

    return extracted
