"""A model from its command-line name. Only the module that is asked for is imported.

``A+B`` is a cascade of recogniser A and model B; ``mock:…``, ``sheet:FILE``, ``openai:MODEL`` and
``gemini:MODEL`` go to their modules; ``hf:ORG/NAME`` and folders are checkpoints whose family is
``--family`` or read from their ``config.json``; entry points ``apun.models`` add names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from apun.errors import ModelUnavailable, UsageError
from apun.models import Generation, LoadOptions, Model, ModelInfo
from apun.prompts import Prompt
from apun.registry import entry_points, load_path, unknown
from apun.replies import Reply
from apun.weights import PICKLES, RANDOM
from apun.weights import find as find_weights
from audio_models.catalogue import MODELS, entry_for, families, family_of_type, unknown_model

PREFIXES = {
    "mock:": "audio_models.mock:create",
    "sheet:": "audio_models.sheet:create",
    "openai:": "audio_models.openai_api:create",
    "gemini:": "audio_models.gemini:create",
}
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
    path, options = resolve(name, options or LoadOptions())
    factory: Any = load_path(path)
    if path == CASCADE:  # knows its own arguments
        cascade: Model = factory(name, options)
        return cascade
    if path not in {*PREFIXES.values(), *(entry.path for entry in MODELS.values())}:
        return Outside(factory(name, options))
    check_arguments(options)
    model: Model = factory(name, options)
    return model


def check_arguments(options: LoadOptions) -> None:
    """Refuse an argument that no family takes; one that another family takes may stand, for several models at once."""
    known = frozenset().union(*(entry.arguments for entry in families().values()))
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
    if options.weights == RANDOM:
        return _of_family(options.family or "text-llm", options)
    folder = find_weights(hub_id, options, skip=PICKLES)
    return _checkpoint(name, replace(options, weights=str(folder.path), revision=folder.revision))


def _checkpoint(name: str, options: LoadOptions) -> tuple[str, LoadOptions]:
    return _of_family(options.family or family_of(Path(str(options.weights))), options)


def _of_family(family: str, options: LoadOptions) -> tuple[str, LoadOptions]:
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
    return family_of_type(model_type)


class Outside:
    """A third party's model: the four names of ``Model`` reach it, and nothing else does; never gold (``Scripted``)."""

    def __init__(self, model: Any) -> None:
        self._model = model

    @property
    def info(self) -> ModelInfo:
        """What the model is."""
        info: ModelInfo = self._model.info
        return info

    def prepare(self, prompts: Sequence[Prompt]) -> None:
        """Passed on where the model encodes ahead."""
        if isinstance(self._model, Model):
            self._model.prepare(prompts)

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        """The model's own."""
        replies: list[Reply] = self._model.generate(prompts, generation)
        return replies

    def close(self) -> None:
        """The model's own."""
        self._model.close()
