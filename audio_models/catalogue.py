"""Every model by command-line name, read from ``catalogue.toml``: what it is, what it accepts, how it is run.

Paths, not imports. Names that are not listed work too: ``hf:ORG/NAME``, a folder with ``--family``, any
``openai:MODEL`` or ``gemini:MODEL``, ``RECOGNISER+LLM`` for a cascade, and third parties' entry
points; see ``audio_models.load``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apun.errors import UsageError
from apun.registry import entry_points, unknown

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

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


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
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
