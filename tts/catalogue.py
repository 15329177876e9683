"""Speech synthesis engines by command-line name, read from ``catalogue.toml``. Paths, not imports.

Each path leads to a function ``load(**options) -> Engine``. Third parties add theirs through the
entry-point group ``apun.voices``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.errors import UsageError
from apun.paths import read_toml
from apun.registry import entry_fields, entry_points, load_path, unknown

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
        takes_model: whether ``ENGINE:MODEL`` names a model of it.
    """

    path: str
    title: str
    languages: tuple[str, ...]
    forces: tuple[str, ...] = ()
    extra: str = ""
    licence: str = ""
    environment: str = ""
    takes_model: bool = False


DEFAULT = "kokoro"

ENGINES: Mapping[str, EngineEntry] = {
    name: EngineEntry(**entry_fields(fields)) for name, fields in read_toml(Path(__file__).with_suffix(".toml")).items()
}


def names() -> list[str]:
    """Built-in and third-party engines."""
    return sorted({**ENGINES, **entry_points("apun.voices")})


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
        if engine in ENGINES and not ENGINES[engine].takes_model:
            raise UsageError(f"the engine {engine!r} has a model of its own: write {engine!r}, not {name!r}")
        options["model"] = model
    try:
        loaded: Engine = load_path(table[engine])(**options)
    except TypeError as error:
        if "unexpected keyword argument" in str(error):
            option = str(error).rpartition("argument ")[2]
            raise UsageError(
                f"the engine {engine!r} does not take the option {option}; see: apun list voices"
            ) from error
        raise
    return loaded
