"""Load a recogniser by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from apun.errors import MissingDependency, UsageError
from apun.models import LoadOptions, Recogniser
from apun.registry import entry_points, load_path, unknown
from apun.weights import RANDOM
from asr.catalogue import ENDPOINT, RECOGNISERS, SERVICE


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
