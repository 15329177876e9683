"""Load a speech synthesis engine by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apun.errors import UsageError
from apun.registry import entry_points, load_path, unknown
from tts.catalogue import ENGINES

if TYPE_CHECKING:
    from apun.models import Engine

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
