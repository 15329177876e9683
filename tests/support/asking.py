"""Prompts with clips, for tests of audio models."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apun.clips import Clip
from apun.prompts import Audio, Message, Part, Prompt, Text

AUDIO_FAMILIES = (
    "qwen2-audio",
    "audio-reasoner",
    "qwen2.5-omni",
    "omni-r1",
    "qwen3-omni",
    "audio-flamingo-3",
    "voxtral",
    "granite-speech",
    "gemma-3n",
    "gemma-4",
    "phi-4-multimodal",
)


def tone(seconds: float, frequency: float = 440.0) -> Clip:
    """A tone in a little noise, so that no two frames are the same."""
    time = np.arange(int(16_000 * seconds)) / 16_000
    noise = np.random.default_rng(int(frequency)).standard_normal(time.size)
    return Clip(samples=(0.3 * np.sin(2 * np.pi * frequency * time) + 0.02 * noise).astype(np.float32))


def ask(
    clips: Sequence[Clip], text: str = "Which word sounds like another one?", system: str = "", id: str = "q"
) -> Prompt:
    """A prompt: clips first, then the text."""
    head = (Message("system", (Text(system),)),) if system else ()
    parts: tuple[Part, ...] = (*(Audio(clip, f"c{i}") for i, clip in enumerate(clips)), Text(text))
    return Prompt(id, "test.task", (*head, Message("user", parts)))
