"""Every model by command-line name: where its weights are and what it accepts. Paths, not imports.

Names that are not listed here work too: ``hf:ORG/NAME``, a folder with ``--family``, any
``openai:MODEL`` or ``gemini:MODEL``, ``RECOGNISER+LLM`` for a cascade, and third parties' entry
points; see ``audio_models.load``. Sizes are parameters; what the vendors still serve was read from
their pages on 2026-11-30.
"""

from __future__ import annotations

from collections.abc import Mapping

from apun.errors import UsageError
from apun.registry import entry_points, unknown
from audio_models.entries import ENTRIES, Accepts, Entry

__all__ = ["FAMILY_OF_TYPE", "MODELS", "Accepts", "Entry", "entry_for", "families", "unknown_model"]


MODELS: Mapping[str, Entry] = {entry.name: entry for entry in ENTRIES}

FAMILY_OF_TYPE: Mapping[str, str] = {
    "qwen2_audio": "qwen2-audio",
    "qwen2_5_omni": "qwen2.5-omni",
    "qwen2_5_omni_thinker": "qwen2.5-omni",
    "qwen3_omni_moe": "qwen3-omni",
    "qwen3_omni_moe_thinker": "qwen3-omni",
    "audioflamingo3": "audio-flamingo-3",
    "voxtral": "voxtral",
    "granite_speech": "granite-speech",
    "gemma3n": "gemma-3n",
    "gemma4": "gemma-4",
    "phi4_multimodal": "phi-4-multimodal",
}
"""``model_type`` of a checkpoint's config.json to the family that runs it; others are text LLMs."""


def families() -> dict[str, Entry]:
    """The first entry of each family: it stands for the family when a folder is given."""
    found: dict[str, Entry] = {}
    for entry in ENTRIES:
        found.setdefault(entry.family, entry)
    return found


def entry_for(name: str, family: str | None = None) -> Entry:
    """The entry that describes a model: by name, else by family.

    Raises:
        UsageError: neither the name nor the family is known; suggests the nearest.
    """
    if name in MODELS and family in (None, MODELS[name].family):
        return MODELS[name]
    if family is not None:
        known = families()
        if family not in known:
            raise unknown("model family", family, known)
        return known[family]
    raise unknown_model(name)


def unknown_model(name: str) -> UsageError:
    """The error for a name nobody knows."""
    return unknown(
        "model",
        name,
        [*MODELS, *entry_points("apun.models")],
        "Other forms: hf:ORG/NAME, a folder with --family, openai:MODEL, gemini:MODEL, sheet:FILE, RECOGNISER+MODEL.",
    )
