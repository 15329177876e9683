"""Qwen2.5-Omni, Omni-R1 and Qwen3-Omni: the thinker alone, text out.

The thinker classes read their part of a full checkpoint; the talker is never built, so nothing
waits for speech nobody asked for. Inputs are built here from the tokenizer and the feature
extractor: the official processors import torchvision and pad every batch to 300 s. The tensors
are the official ones without that padding (a test compares them).
"""

from __future__ import annotations

from apun.models import LoadOptions, Model
from audio_models.core import audio_input

CHATML = (
    "{% for m in messages %}{% if loop.first and m['role'] != 'system' %}<|im_start|>system\n"
    "You are a helpful assistant.<|im_end|>\n{% endif %}<|im_start|>{{ m['role'] }}\n"
    "{% for c in m['content'] %}{% if c['type'] == 'audio' %}@AUDIO@{% else %}{{ c['text'] }}{% endif %}{% endfor %}"
    "<|im_end|>\n{% endfor %}{{ '<|im_start|>assistant\n' }}"
)
QWEN25_TEMPLATE = CHATML.replace("@AUDIO@", "<|audio_bos|><|AUDIO|><|audio_eos|>")
QWEN3_TEMPLATE = CHATML.replace("@AUDIO@", "<|audio_start|><|audio_pad|><|audio_end|>")


def create(name: str, options: LoadOptions) -> Model:
    """Load an Omni thinker; see ``audio_models.catalogue.load``."""
    loaded = audio_input.load(name, options)
    if loaded.entry.family.startswith("qwen3"):
        template, log_mel = QWEN3_TEMPLATE, audio_input.log_mel_alone
        tokens_of = omni3_positions(loaded.network.config.audio_config.n_window)
    else:
        template, log_mel, tokens_of = QWEN25_TEMPLATE, audio_input.log_mel, audio_input.two_convolutions
    return audio_input.audio_model(
        loaded,
        extract=audio_input.mel_features(lambda clips: log_mel(loaded.extractor, clips), tokens_of),
        pieces=audio_input.mask_frames("feature_attention_mask"),
        tokens_of=tokens_of,
        template=template,
    )


def omni3_positions(n_window: int) -> audio_input.TokensOf:
    """Audio positions of Qwen3-Omni: 13 for every full window of ``2 * n_window`` frames, and the rest's."""

    def positions(frames: int) -> int:
        whole, rest = divmod(frames, 2 * n_window)
        halves = (rest - 1) // 2 + 1
        return ((halves - 1) // 2 + 1 - 1) // 2 + 1 + whole * 13

    return positions
