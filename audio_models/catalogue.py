"""Every model by command-line name, read from ``catalogue.toml``: what it is, what it accepts, how it is run.

Paths, not imports. Names that are not listed work too: ``hf:ORG/NAME``, a folder with ``--family``, any
``openai:MODEL`` or ``gemini:MODEL``, ``RECOGNISER+LLM`` for a cascade, and third parties' entry
points; see ``audio_models.catalogue``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from apun.errors import ModelUnavailable, UsageError
from apun.models import Generation, LoadOptions, Model, ModelInfo
from apun.paths import read_toml
from apun.prompts import Prompt
from apun.registry import entry_points, load_path, unknown
from apun.replies import Reply
from apun.weights import PICKLES, RANDOM
from apun.weights import find as find_weights

PINNED = "audio_models.pinned.model:create"


@dataclass(frozen=True, slots=True)
class Accepts:
    """What a model takes.

    Attributes:
        audio: clips.
        text: prompts without a clip.
        clips: most clips in one prompt; None for no limit.
        seconds: longest clip heard whole; None for no known limit.
    """

    audio: bool = True
    text: bool = True
    clips: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One model; what its family shares stands in each of them.

    Attributes:
        name: command-line name.
        family: adapter family; ``--family`` takes it for a folder of weights.
        path: ``module:factory``; the factory takes ``(name, options)``.
        hub_id: where the weights are published; empty where there are none to fetch.
        size: parameters, as text.
        licence: of the weights.
        accepts: audio, text, clips, seconds.
        environment: empty for this environment, else the name ``apun env create`` takes.
        note: still served or not, what replaces it, and other things to know.
        extra: the pip extra that brings its packages.
        network: transformers class of the network.
        front_end: transformers class of the feature extractor.
        model_types: ``model_type`` of the config.json of checkpoints that are this family's.
        thinking: how thinking is set apart from the answer; a name in ``apun.readers.thinking.RULES``.
        arguments: what ``--model-arg`` may name.
        vllm: flags vLLM starts with; None for families that it does not serve.
        program: of a pinned family, its file in ``audio_models/pinned``.
        runs_code: whether Python code of the checkpoint is run, so that the user must allow it.
        repository: what to clone, for families whose code is a repository; empty otherwise.
        mark: a file that tells a clone of that repository.
        parts: argument to file or folder expected in the folder of weights, for models that are put
            together from several; empty for an ordinary checkpoint.
        fixed: further options of the program.
    """

    name: str
    family: str
    path: str
    hub_id: str = ""
    size: str = ""
    licence: str = ""
    accepts: Accepts = field(default_factory=Accepts)
    environment: str = ""
    note: str = ""
    extra: str = ""
    network: str = ""
    front_end: str = "WhisperFeatureExtractor"
    model_types: tuple[str, ...] = ()
    thinking: str = "optional"
    arguments: frozenset[str] = frozenset()
    vllm: tuple[str, ...] | None = None
    program: str = ""
    runs_code: bool = False
    repository: str = ""
    mark: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)


def _entries(table: Mapping[str, Any]) -> Iterator[Entry]:
    for family in table["family"]:
        shared = {key: value for key, value in family.items() if key not in ("name", "model")}
        for model in family["model"]:
            yield _entry(family["name"], {**shared, **model}, table["arguments"])


def _entry(family: str, fields: dict[str, Any], arguments: Mapping[str, list[str]]) -> Entry:
    kind = fields.pop("kind", "native")
    own = {*arguments[kind], *fields.pop("arguments", ()), *fields.get("parts", {})}
    audio, seconds = fields.pop("audio", True), fields.pop("seconds", None)
    accepts = Accepts(
        audio,
        fields.pop("text", True),
        fields.pop("clips", None if audio else 0),
        None if seconds is None else float(seconds),
    )
    if kind == "pinned":
        fields |= {"path": PINNED, "environment": family}
    vllm = fields.pop("vllm", None)
    return Entry(
        family=family,
        accepts=accepts,
        arguments=frozenset(own),
        extra="models" if kind in ("native", "service") else "",
        model_types=tuple(fields.pop("model_types", ())),
        vllm=None if vllm is None else tuple(vllm),
        **fields,
    )


_TABLE = read_toml(Path(__file__).with_suffix(".toml"))
MODELS: Mapping[str, Entry] = {entry.name: entry for entry in _entries(_TABLE)}


def families() -> dict[str, Entry]:
    """The first entry of each family: it stands for the family when a folder is given."""
    found: dict[str, Entry] = {}
    for entry in MODELS.values():
        found.setdefault(entry.family, entry)
    return found


def family_of_type(model_type: str) -> str:
    """The family that runs checkpoints of a ``model_type``; those of none are text language models."""
    return next((entry.family for entry in MODELS.values() if model_type in entry.model_types), "text-llm")


def entry_for(name: str, family: str | None = None) -> Entry:
    """The entry that describes a model: by name, else by family.

    Raises:
        UsageError: neither the name nor the family is known; suggests the nearest.
    """
    if name in MODELS and family in (None, MODELS[name].family):
        return MODELS[name]
    if family is not None:
        known = families()
        if family not in known:
            raise unknown("model family", family, known)
        return known[family]
    raise unknown_model(name)


def unknown_model(name: str) -> UsageError:
    """The error for a name nobody knows."""
    return unknown(
        "model",
        name,
        [*MODELS, *entry_points("apun.models")],
        "Other forms: hf:ORG/NAME, a folder with --family, openai:MODEL, gemini:MODEL, sheet:FILE, RECOGNISER+MODEL.",
    )


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
        from asr.catalogue import check_name as check_recogniser

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
