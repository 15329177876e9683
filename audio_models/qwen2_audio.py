"""Qwen2-Audio-7B-Instruct and Audio-Reasoner, which has the same architecture.

The encoder takes 30 s of features, no more and no less; the official processor cuts longer clips
without a word, this adapter refuses them. Audio-Reasoner was trained with a system prompt of its
own and answers in a ``<RESPONSE>`` section.
"""

from __future__ import annotations

from dataclasses import replace

from apun.models import LoadOptions, Model
from apun.prompts import Message, Prompt, Text
from audio_models.core import audio_input

TEMPLATE = (
    "{% set n = namespace(clips=0) %}{% for m in messages %}{% if loop.first and m['role'] != 'system' %}"
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n{% endif %}<|im_start|>{{ m['role'] }}\n"
    "{% for c in m['content'] %}{% if c['type'] == 'audio' %}{% set n.clips = n.clips + 1 %}"
    "Audio {{ n.clips }}: <|audio_bos|><|AUDIO|><|audio_eos|>\n{% else %}{{ c['text'] }}{% endif %}{% endfor %}"
    "<|im_end|>\n{% endfor %}{{ '<|im_start|>assistant\n' }}"
)
# The model card's prompt: the model's format depends on these very words.
REASONER_SYSTEM = (
    "You are an audio deep-thinking model. Upon receiving a question, please respond in two parts: <THINK> and "
    "<RESPONSE>. The <THINK> section should be further divided into four parts: <PLANNING>, <CAPTION>, <REASONING>, "
    "and <SUMMARY>."
)


def create(name: str, options: LoadOptions) -> Model:
    """Load Qwen2-Audio or Audio-Reasoner; see ``audio_models.catalogue.load``."""
    loaded = audio_input.load(name, options)
    return audio_input.audio_model(
        loaded,
        extract=audio_input.mel_features(
            lambda clips: audio_input.log_mel(loaded.extractor, clips, fixed=True), audio_input.two_convolutions
        ),
        pieces=audio_input.mask_frames("feature_attention_mask"),
        tokens_of=audio_input.two_convolutions,
        template=TEMPLATE,
        fewest=2,  # a lone position makes the class believe that the prompt was not expanded yet
        adjust=with_reasoner_system if loaded.entry.family == "audio-reasoner" else lambda prompt: prompt,
    )


def with_reasoner_system(prompt: Prompt) -> Prompt:
    """The prompt under Audio-Reasoner's system prompt, ahead of the task's own system text."""
    first, *rest = prompt.messages
    if first.role == "system":
        system = Message("system", (Text(REASONER_SYSTEM + "\n\n"), *first.parts))
        return replace(prompt, messages=(system, *rest))
    return replace(prompt, messages=(Message("system", (Text(REASONER_SYSTEM),)), *prompt.messages))
