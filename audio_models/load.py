"""A model from its command-line name. Only the module that is asked for is imported.

``A+B`` is a cascade of recogniser A and model B; ``mock:…``, ``sheet:FILE``, ``openai:MODEL`` and
``gemini:MODEL`` go to their modules; ``hf:ORG/NAME`` and folders are checkpoints whose family is
``--family`` or read from their ``config.json``; entry points ``apun.models`` add names.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, Model
from apun.registry import entry_points, load_path, unknown
from audio_models.catalogue import FAMILY_OF_TYPE, MODELS, entry_for, unknown_model
from audio_models.entries import GEMINI, OPENAI

PREFIXES = {
    "mock:": "audio_models.mock:create",
    "sheet:": "audio_models.sheet:create",
    "openai:": OPENAI,
    "gemini:": GEMINI,
}
# what ``--model-arg`` may name; a cascade takes them with its stage before them (``llm.batch``)
ARGUMENTS = frozenset(
    [
        "adapter",
        "attention",
        "audio",
        "backoff",
        "batch",
        "concurrency",
        "delay",
        "download",
        "layers",
        "log",
        "low_resource",
        "missing",
        "repository",
        "silence",
        "thinking",
        "thinking_budget",
        "threads",
        "timeout",
        "tries",
        "work",
    ]
)
CASCADE = "audio_models.cascade:create"


def load(name: str, options: LoadOptions | None = None) -> Model:
    """Load a model.

    Args:
        name: command-line name, see the module's docstring.
        options: device, numeric type, folder of weights and free-form arguments.

    Raises:
        UsageError: nobody knows the name.
        ModelUnavailable: the weights are not here; says what was looked for.
    """
    options = options or LoadOptions()
    path, options = resolve(name, options)
    factory: Any = load_path(path)
    if path != CASCADE and name not in entry_points("apun.models"):  # those two know their own
        _check_arguments(options)
    model: Model = factory(name, options)
    return model


def _check_arguments(options: LoadOptions) -> None:
    """Refuse an argument that no family takes; one that another family takes may stand, for several models at once."""
    from audio_models.worker_families import FAMILIES

    known = ARGUMENTS.union(*(family.parts for family in FAMILIES.values()))
    for name in options.args:
        if name not in known:
            raise unknown("--model-arg", name, known)


def resolve(name: str, options: LoadOptions) -> tuple[str, LoadOptions]:
    """The factory's path for a name, and the options it is to be called with; nothing is imported."""
    if name in MODELS and options.family is None:
        return MODELS[name].path, options
    for prefix in ("sheet:", "mock:"):  # what follows is a path or a text, and may hold a plus sign
        if name.startswith(prefix):
            return PREFIXES[prefix], options
    if Path(name).is_dir():
        return _checkpoint(name, replace(options, weights=name))
    if "+" in name:
        return CASCADE, options
    for prefix, path in PREFIXES.items():
        if name.startswith(prefix):
            return path, options
    if name.startswith("hf:"):
        return _hub(name, options)
    third_party = entry_points("apun.models")
    if name in third_party:
        return third_party[name], options
    if name in MODELS:
        return entry_for(name, options.family).path, options
    if options.family is not None and ("/" in name or name.startswith(".")):
        raise ModelUnavailable(f"there is no folder {name!r} to load a {options.family} checkpoint from")
    raise unknown_model(name)


def check_name(name: str, options: LoadOptions) -> None:
    """Refuse a name that nobody knows, before speech is rendered for it; looks for no weights.

    Raises:
        UsageError: nobody knows the model, or a stage of the cascade; suggests the nearest.
    """
    if name.startswith("hf:") or Path(name).is_dir():
        return
    if resolve(name, options)[0] == CASCADE:
        from asr.load import check_name as check_recogniser

        first, _, second = name.partition("+")
        if first != "gold":
            check_recogniser(first)
        check_name(second, LoadOptions())


def _hub(name: str, options: LoadOptions) -> tuple[str, LoadOptions]:
    hub_id = name.removeprefix("hf:")
    if hub_id.count("/") != 1 or not all(hub_id.split("/")):
        raise UsageError(f"{name!r} is not hf:ORG/NAME")
    if options.weights == "random":
        return entry_for("", options.family or "text-llm").path, options
    from audio_models.weights import resolve as resolve_weights

    folder = resolve_weights(hub_id, options)
    return _checkpoint(name, replace(options, weights=str(folder.path), revision=folder.revision))


def _checkpoint(name: str, options: LoadOptions) -> tuple[str, LoadOptions]:
    family = options.family or family_of(Path(str(options.weights)))
    return entry_for("", family).path, replace(options, family=family)


def family_of(folder: Path) -> str:
    """The family of a checkpoint folder, read from its ``config.json``.

    Raises:
        ModelUnavailable: there is no readable config.json, so ``--family`` is needed.
    """
    config = folder / "config.json"
    try:
        model_type = str(json.loads(config.read_text(encoding="utf-8"))["model_type"])
    except (OSError, ValueError, KeyError, TypeError):
        if any(folder.glob("*.gguf")):
            return "text-llm"
        raise ModelUnavailable(
            f"{config} is missing or names no model_type, so the checkpoint's family is unknown; give --family"
        ) from None
    return FAMILY_OF_TYPE.get(model_type, "text-llm")
