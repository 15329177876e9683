"""Qwen2.5-Omni, Omni-R1 and Qwen3-Omni: the thinker alone, text out.

The thinker classes read their part of a full checkpoint; the talker is never built, so nothing
waits for speech nobody asked for. Inputs are built here from the tokenizer and the feature
extractor: the official processors import torchvision and pad every batch to 300 s. The tensors
are the official ones without that padding (a test compares them).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apun.models import LoadOptions, Model
from apun.readers import thinking
from audio_models import audio_family, audio_input, loading
from audio_models.audio_input import Features

if TYPE_CHECKING:
    from audio_models.audio_input import Extract, Samples

CHATML = (
    "{% for m in messages %}{% if loop.first and m['role'] != 'system' %}<|im_start|>system\n"
    "You are a helpful assistant.<|im_end|>\n{% endif %}<|im_start|>{{ m['role'] }}\n"
    "{% for c in m['content'] %}{% if c['type'] == 'audio' %}@AUDIO@{% else %}{{ c['text'] }}{% endif %}{% endfor %}"
    "<|im_end|>\n{% endfor %}{{ '<|im_start|>assistant\n' }}"
)


@dataclass(frozen=True, slots=True)
class Kind:
    """What tells the generations apart."""

    class_name: str
    template: str
    log_mel: Callable[..., tuple[Any, Any]]


QWEN25 = Kind(
    "Qwen2_5OmniThinkerForConditionalGeneration",
    CHATML.replace("@AUDIO@", "<|audio_bos|><|AUDIO|><|audio_eos|>"),
    audio_input.log_mel,
)
QWEN3 = Kind(
    "Qwen3OmniMoeThinkerForConditionalGeneration",
    CHATML.replace("@AUDIO@", "<|audio_start|><|audio_pad|><|audio_end|>"),
    audio_input.log_mel_alone,
)
FAMILIES: Mapping[str, tuple[Kind, thinking.Splitter]] = {
    "qwen2.5-omni": (QWEN25, thinking.OPTIONAL),
    "omni-r1": (QWEN25, thinking.ANSWER),
    "qwen3-omni": (QWEN3, thinking.OPTIONAL),
    "qwen3-omni-thinking": (QWEN3, thinking.BEGUN),
}


def create(name: str, options: LoadOptions) -> Model:
    """Load an Omni thinker; see ``audio_models.load.load``."""
    entry = loading.entry(name, options)
    kind, split = FAMILIES[entry.family]
    checkpoint = audio_family.checkpoint(name, entry, options, kind.class_name)
    audio = checkpoint.network.config.audio_config
    tokens_of = omni3_positions(audio.n_window) if kind is QWEN3 else audio_input.two_convolutions
    return audio_family.audio_model(
        checkpoint,
        entry,
        extract=extract(checkpoint.extractor, tokens_of, kind.log_mel),
        pieces=audio_input.mask_frames("feature_attention_mask"),
        tokens_of=tokens_of,
        template=kind.template,
        split=split,
    )


def omni3_positions(n_window: int) -> audio_input.TokensOf:
    """Audio positions of Qwen3-Omni: 13 for every full window of ``2 * n_window`` frames, and the rest's."""

    def positions(frames: int) -> int:
        whole, rest = divmod(frames, 2 * n_window)
        halves = (rest - 1) // 2 + 1
        return ((halves - 1) // 2 + 1 - 1) // 2 + 1 + whole * 13

    return positions


def extract(extractor: Any, tokens_of: audio_input.TokensOf, log_mel: Callable[..., tuple[Any, Any]]) -> Extract:
    """Features padded to the longest clip, with their mask."""

    def extracted(clips: Sequence[Samples]) -> Features:
        features, mask = log_mel(extractor, clips)
        tokens = tuple(tokens_of(int(frames)) for frames in mask.sum(-1))
        return Features({"input_features": features, "feature_attention_mask": mask}, tokens)

    return extracted
