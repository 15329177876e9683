"""Speech synthesis engines by command-line name. Paths, not imports.

Each path leads to a function ``load(**options) -> Engine``. Third parties add theirs through the
entry-point group ``apun.voices``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apun.registry import entry_points


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """What is known of an engine without importing it.

    Attributes:
        path: ``module:function`` that loads it.
        title: one line.
        languages: languages it speaks.
        forces: reading forms it honours, by language, as ``language:form``.
        extra: the extra of apun that brings what it needs; empty where it needs none.
        licence: licence of code and voices.
        environment: name of the environment it needs of its own; empty for apun's.
    """

    path: str
    title: str
    languages: tuple[str, ...]
    forces: tuple[str, ...] = ()
    extra: str = ""
    licence: str = ""
    environment: str = ""


DEFAULT = "kokoro"

ENGINES: Mapping[str, EngineEntry] = {
    "kokoro": EngineEntry(
        "tts.kokoro:load",
        "Kokoro-82M int8 from the package index: the embedded default",
        ("en", "zh", "ja"),
        ("en:ipa", "zh:pinyin", "ja:kana"),
        extra="offline",
        licence="Apache-2.0",
    ),
    "openjtalk": EngineEntry(
        "tts.openjtalk:load",
        "Open JTalk with the Mei voice",
        ("ja",),
        ("ja:kana",),
        extra="ja",
        licence="MIT; voice CC BY 3.0",
    ),
    "espeak": EngineEntry(
        "tts.espeak:load",
        "eSpeak NG: fast, robotic, many variants",
        ("en", "zh", "ja"),
        ("en:ipa", "zh:pinyin", "ja:kana"),
        extra="gpl",
        licence="GPL-3.0",
    ),
    "piper": EngineEntry(
        "tts.piper:load",
        "Piper, the American English voice joe",
        ("en",),
        ("en:ipa",),
        extra="gpl",
        licence="runtime GPL-3.0; voice CC0",
    ),
    "parler": EngineEntry(
        "tts.parler:load",
        "Parler-TTS with APUN-Bench's 34 named speakers (Appendix B)",
        ("en",),
        licence="Apache-2.0",
        environment="parler",
    ),
    "transformers": EngineEntry(
        "tts.transformers_tts:load",
        "VITS (MMS-TTS), SpeechT5, Dia or CSM by hub id or folder: transformers:ID",
        ("en", "zh", "ja"),
        extra="models",
        licence="the model's",
    ),
    "openai": EngineEntry(
        "tts.openai_speech:load",
        "any OpenAI-compatible /v1/audio/speech: openai:MODEL",
        ("en", "zh", "ja"),
        extra="models",
        licence="the service's",
    ),
    "qwen-tts": EngineEntry(
        "tts.qwen_tts:load",
        "Qwen-TTS over DashScope (key from DASHSCOPE_API_KEY)",
        ("en", "zh", "ja"),
        extra="models",
        licence="the service's",
    ),
}


def names() -> list[str]:
    """Built-in and third-party engines."""
    return sorted({**ENGINES, **entry_points("apun.voices")})
