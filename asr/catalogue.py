"""Recognisers by command-line name, read from ``catalogue.toml``. Paths, not imports.

Bare ``whisper-base`` and ``whisper-tiny.en`` are the embedded ones: their weights come from the
package index, so they run with no model hub. Every other bare ``whisper-SIZE`` is the reference
implementation; ``openai-``, ``hf-`` and ``faster-whisper-`` prefixes choose the engine by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from apun.errors import MissingDependency, UsageError
from apun.models import LoadOptions, Recogniser
from apun.paths import read_toml
from apun.registry import entry_fields, entry_points, load_path, unknown
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
    source: str = ""
    size: float | None = None
    licence: str = ""
    languages: tuple[str, ...] = ("en", "zh", "ja")
    extra: str = "asr"
    word_times: bool = True
    note: str = ""
    arguments: tuple[str, ...] = ()
    random: bool = False


def _entries(table: Mapping[str, Any]) -> dict[str, Entry]:
    found = {name: Entry(**entry_fields(fields)) for name, fields in table["recogniser"].items()}
    for size, millions in table["sizes"].items():
        own = {"size": millions, "languages": ["en"]} if size.endswith(".en") else {"size": millions}
        for engine in table["whisper"]:
            shared = {key: value for key, value in engine.items() if key not in ("names", "sources")}
            source = engine.get("sources", {}).get(size, engine["source"].format(size=size))
            for name in engine["names"]:
                found.setdefault(name.format(size=size), Entry(**entry_fields({**shared, **own, "source": source})))
    return found


_TABLE = read_toml(Path(__file__).with_suffix(".toml"))
RECOGNISERS: Mapping[str, Entry] = _entries(_TABLE)
ENDPOINT = "openai-asr"  # openai-asr:MODEL
SERVICE = Entry(**entry_fields(_TABLE["endpoint"]))


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
