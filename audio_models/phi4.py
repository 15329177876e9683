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
from audio_models import audio_family, audio_input, loading
from audio_models.audio_input import Features

if TYPE_CHECKING:
    from audio_models.audio_input import Extract, Samples

CLASS = "Phi4MultimodalForCausalLM"
ADAPTER = "speech-lora"


def create(name: str, options: LoadOptions) -> Model:
    """Load Phi-4-multimodal; ``--model-arg adapter=none`` for a checkpoint with the adapter merged in."""
    entry = loading.entry(name, options)
    checkpoint = audio_family.checkpoint(name, entry, options, CLASS, front_end=front_end)
    if options.args.get("adapter") != "none":
        load_adapter(checkpoint.network, checkpoint.folder)
    tokenizer, extractor = checkpoint.tokenizer, checkpoint.extractor
    audio = tokenizer.convert_ids_to_tokens(int(checkpoint.network.config.audio_config.audio_token_id))
    return audio_family.audio_model(
        checkpoint,
        entry,
        extract=extract(extractor),
        features="audio_input_features",
        pieces=audio_input.mask_frames("audio_attention_mask"),
        tokens_of=positions(extractor),
        seconds_of=lambda frames: (frames * extractor.hop_length + extractor.win_length) / SAMPLE_RATE,
        template=template(str(audio)),
        alike=audio_family.same_length,
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


def front_end(folder: Path) -> Any:
    """The checkpoint's mel front end.

    Raises:
        ModelUnavailable: the folder has no settings for it.
    """
    kind = loading.transformers_class("Phi4MultimodalFeatureExtractor")
    try:
        return kind.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError) as error:
        raise ModelUnavailable(f"{folder} has no feature extractor settings: {error}") from error


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
