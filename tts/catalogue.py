"""Speech synthesis engines by command-line name. Paths, not imports.

Each path leads to a function ``load(**options) -> Engine``. Third parties add theirs through the
entry-point group ``apun.voices``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apun.errors import UsageError
from apun.registry import entry_points, load_path, unknown

if TYPE_CHECKING:
    from apun.models import Engine


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


TAKES_MODEL = frozenset({"transformers", "openai", "qwen-tts", "parler", "piper"})


def load(name: str, **options: Any) -> Engine:
    """The engine of that name, ready to speak.

    Args:
        name: an engine of ``tts.catalogue``, or ``ENGINE:MODEL`` where the engine takes a model
            (``transformers:facebook/mms-tts-eng``, ``parler:FOLDER``).
        options: passed to the engine's own ``load``.

    Raises:
        UsageError: there is no such engine, it takes no model, or it does not know an option.
        MissingDependency: the extra it needs is not installed.
        ModelUnavailable: its model cannot be loaded here.
    """
    engine, _, model = name.partition(":")
    table = {**entry_points("apun.voices"), **{known: entry.path for known, entry in ENGINES.items()}}
    if engine not in table:
        raise unknown("voice engine", engine, table, "List them with 'apun list voices'.")
    if model:
        if engine in ENGINES and engine not in TAKES_MODEL:
            raise UsageError(f"the engine {engine!r} has a model of its own: write {engine!r}, not {name!r}")
        options["model"] = model
    try:
        loaded: Engine = load_path(table[engine])(**options)
    except TypeError as error:
        if "unexpected keyword argument" in str(error):
            raise UsageError(f"the engine {engine!r} does not take that option ({error})") from error
        raise
    return loaded
