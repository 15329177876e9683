"""Load a recogniser by name."""

from __future__ import annotations

from typing import Any, cast

from apun.errors import MissingDependency
from apun.models import LoadOptions, Recogniser
from apun.registry import entry_points, load_path, unknown
from asr.catalogue import ENDPOINT, RECOGNISERS


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


def load(name: str, options: LoadOptions | None = None) -> Recogniser:
    """The recogniser of that name, ready to transcribe.

    Args:
        name: a name of ``asr.catalogue``, a third party's, or ``openai-asr:MODEL``.
        options: device, numeric type, weights (a local file or folder, or ``random`` for the true
            size with random numbers), and ``args`` (``beam_size``, ``threads`` … by engine).

    Raises:
        UsageError: there is no such recogniser.
        ModelUnavailable: its weights are not here and cannot be fetched.
        MissingDependency: its packages are not installed.
    """
    check_name(name)
    options = options or LoadOptions()
    if name.startswith(f"{ENDPOINT}:"):
        return _created("asr.endpoint:create", name, options, "models")
    if name in RECOGNISERS:
        entry = RECOGNISERS[name]
        return _created(entry.path, name, options, entry.extra)
    return cast(Recogniser, load_path(entry_points("apun.recognisers")[name])(name, options))


def _created(path: str, name: str, options: LoadOptions, extra: str) -> Recogniser:
    create: Any = load_path(path)
    try:
        return cast(Recogniser, create(name, options))
    except ModuleNotFoundError as error:
        raise MissingDependency(error.name or "a package", extra) from error
