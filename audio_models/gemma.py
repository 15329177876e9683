"""Gemma 3n and Gemma 4: clips up to 30 s, the checkpoint's own chat template.

Gemma 3n gives every clip 188 audio positions whatever its length; Gemma 4 gives 25 a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from apun.clips import SAMPLE_RATE
from apun.models import LoadOptions, Model
from audio_models.core import audio_input
from audio_models.core.audio_input import Features

if TYPE_CHECKING:
    from audio_models.core.audio_input import Extract, Samples


TURNS: Mapping[str, tuple[str, str]] = {
    "gemma-3n": ("<start_of_turn>", "<end_of_turn>"),
    "gemma-4": ("<|turn>", "<turn|>"),
}


def create(name: str, options: LoadOptions) -> Model:
    """Load Gemma 3n or Gemma 4; see ``audio_models.catalogue.load``."""
    loaded = audio_input.load(name, options)
    config, extractor, written = loaded.network.config, loaded.extractor, loaded.tokenizer.convert_ids_to_tokens
    if loaded.entry.family == "gemma-3n":
        tokens_of = fixed(int(config.audio_soft_tokens_per_image))
        closing, margin = config.eoa_token_id, "\n\n"
    else:
        tokens_of = quarter
        closing, margin = config.eoa_token_index, ""
    return audio_input.audio_model(
        loaded,
        extract=extract(extractor, tokens_of),
        pieces=audio_input.mask_frames("input_features_mask"),
        tokens_of=tokens_of,
        seconds_of=lambda frames: (frames * extractor.hop_length + extractor.frame_length) / SAMPLE_RATE,
        template=template(TURNS[loaded.entry.family], str(written(int(config.audio_token_id)))),
        surround=(margin + str(written(int(config.boa_token_id))), str(written(int(closing))) + margin),
    )


def template(turn: tuple[str, str], audio: str) -> str:
    """A chat template for checkpoints that carry none; system text opens the first turn."""
    start, end = turn
    return (
        "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('no system role') }}"
        "{% endif %}" + start + "{{ 'model' if m['role'] == 'assistant' else m['role'] }}\n{% for c in m['content'] %}"
        "{% if c['type'] == 'audio' %}" + audio + "{% else %}{{ c['text'] }}{% endif %}{% endfor %}" + end + "\n"
        "{% endfor %}{{ '" + start + "model\n' }}"
    )


def fixed(count: int) -> audio_input.TokensOf:
    """As many positions for every clip that has any frame."""
    return lambda frames: count if frames > 0 else 0


def quarter(frames: int) -> int:
    """Positions after two stride-2 convolutions."""
    half = (frames + 1) // 2
    return (half + 1) // 2


def extract(extractor: Any, tokens_of: audio_input.TokensOf) -> Extract:
    """Mel features of shape ``(clips, frames, 128)`` and their mask; nothing is cut off.

    Each clip is extracted by itself: inside a padded batch the extractor counts frames that reach
    past a shorter clip's end.
    """

    def extracted(clips: Sequence[Samples]) -> Features:
        import torch

        found = [extractor([clip], max_length=None, truncation=False, return_attention_mask=True) for clip in clips]
        masks = [torch.as_tensor(one["input_features_mask"][0]).bool() for one in found]
        longest = max(len(mask) for mask in masks)
        features = torch.zeros((len(clips), longest, found[0]["input_features"][0].shape[-1]))
        mask = torch.zeros((len(clips), longest), dtype=torch.bool)
        for index, one in enumerate(found):
            size = len(masks[index])
            features[index, :size] = torch.as_tensor(one["input_features"][0])
            mask[index, :size] = masks[index]
        tokens = tuple(tokens_of(int(frames)) for frames in mask.sum(-1))
        return Features({"input_features": features, "input_features_mask": mask}, tokens)

    return extracted
