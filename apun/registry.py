"""Names to module paths. Nothing heavy is imported until it is used.

Built-in names live in one table per package (``audio_models.catalogue.MODELS``, ``asr.catalogue``,
``tts.catalogue``, ``benchmarks.catalogue``); third parties add theirs through the entry-point
groups ``apun.models``, ``apun.recognisers``, ``apun.voices`` and ``apun.benchmarks``.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from apun.errors import MissingDependency, UsageError

SHOWN = 80  # names in a message; a data folder may hold thousands of items
GROUPS = ("apun.models", "apun.recognisers", "apun.voices", "apun.benchmarks")


def load_path(path: str) -> Any:
    """Import ``package.module:attribute``."""
    module, _, attribute = path.partition(":")
    return getattr(importlib.import_module(module), attribute)


def optional(module: str, extra: str, package: str = "") -> Any:
    """A module that comes with an extra, imported.

    Args:
        module: dotted name of the module.
        extra: the extra of apun that brings it.
        package: what it is installed as; the module's own name when empty.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingDependency(package or module, extra) from error


def package_folder(module: str, extra: str, package: str = "") -> Path:
    """Where an installed module lies, without importing it: some are wanted for their files only.

    Args and errors as ``optional``'s.
    """
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise MissingDependency(package or module.replace("_", "-"), extra)
    return Path(next(iter(spec.submodule_search_locations)))


def entry_points(group: str) -> Mapping[str, str]:
    """Names third parties registered, to ``module:attribute`` paths; nothing is imported."""
    from importlib import metadata

    return {point.name: point.value for point in metadata.entry_points(group=group)}


def unknown(kind: str, name: str, known: Iterable[str], hint: str = "") -> UsageError:
    """An error that names what was asked for, the nearest known names, and how to list them."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    suggestion = f"Did you mean {' or '.join(close)}?" if close else f"Known: {', '.join(names[:SHOWN])}{more}."
    return UsageError(f"there is no {kind} called {name!r}. {suggestion}{' ' + hint if hint else ''}")
