"""Qwen2-Audio-7B-Instruct and Audio-Reasoner, which has the same architecture.

The encoder takes 30 s of features, no more and no less; the official processor cuts longer clips
without a word, this adapter refuses them. Audio-Reasoner was trained with a system prompt of its
own and answers in a ``<RESPONSE>`` section.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from apun.models import LoadOptions, Model
from apun.prompts import Message, Prompt, Text
from apun.readers import thinking
from audio_models import audio_family, audio_input, loading
from audio_models.audio_input import Features

if TYPE_CHECKING:
    from audio_models.audio_input import Extract, Samples

CLASS = "Qwen2AudioForConditionalGeneration"
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
    """Load Qwen2-Audio or Audio-Reasoner; see ``audio_models.load.load``."""
    entry = loading.entry(name, options)
    reasoner = entry.family == "audio-reasoner"
    checkpoint = audio_family.checkpoint(name, entry, options, CLASS)
    return audio_family.audio_model(
        checkpoint,
        entry,
        extract=extract(checkpoint.extractor),
        pieces=audio_input.mask_frames("feature_attention_mask"),
        tokens_of=audio_input.two_convolutions,
        template=TEMPLATE,
        fewest=2,  # a lone position makes the class believe that the prompt was not expanded yet
        split=thinking.RESPONSE if reasoner else thinking.OPTIONAL,
        adjust=with_reasoner_system if reasoner else lambda prompt: prompt,
    )


def with_reasoner_system(prompt: Prompt) -> Prompt:
    """The prompt under Audio-Reasoner's system prompt, ahead of the task's own system text."""
    first, *rest = prompt.messages
    if first.role == "system":
        system = Message("system", (Text(REASONER_SYSTEM + "\n\n"), *first.parts))
        return replace(prompt, messages=(system, *rest))
    return replace(prompt, messages=(Message("system", (Text(REASONER_SYSTEM),)), *prompt.messages))


def extract(extractor: Any) -> Extract:
    """Features padded to 30 s, with their mask."""

    def extracted(clips: Sequence[Samples]) -> Features:
        features, mask = audio_input.log_mel(extractor, clips, fixed=True)
        tokens = tuple(audio_input.two_convolutions(int(frames)) for frames in mask.sum(-1))
        return Features({"input_features": features, "feature_attention_mask": mask}, tokens)

    return extracted
