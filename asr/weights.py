"""Where a recogniser's weights are on this machine; nothing is fetched unless the user says so.

Looked for in this order: ``options.weights``, a sub-folder of ``$APUN_WEIGHTS``, the hub cache.
The argument ``download=yes`` lets the hub client fetch what is missing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apun.errors import ModelUnavailable
from apun.models import LoadOptions
from audio_models.weights import digest as folder_digest

RANDOM = "random"  # the true architecture with random weights: latency and memory, never accuracy
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Weights:
    """A folder or file of weights and the revision that names its content."""

    path: Path
    revision: str


def may_download(options: LoadOptions) -> bool:
    """Whether the user allowed fetching."""
    return options.args.get("download", "no").lower() in ("yes", "true", "1")


def folder(source: str, options: LoadOptions, marks: Sequence[str]) -> Weights:
    """The folder of a hub repository.

    Args:
        source: ``ORG/NAME`` on the hub.
        options: ``weights``, ``revision`` and the argument ``download``.
        marks: files that the folder must hold.

    Raises:
        ModelUnavailable: it is not here; one sentence with what was looked for.
    """
    if options.weights is not None:
        path = Path(options.weights).expanduser()
        missing = [mark for mark in marks if not (path / mark).is_file()]
        if missing:
            raise ModelUnavailable(f"the folder of weights {path} has no {missing[0]}")
        return Weights(path, options.revision or folder_digest(path))
    if root := os.environ.get("APUN_WEIGHTS"):
        for path in (Path(root) / source, Path(root) / source.split("/")[-1]):
            if all((path / mark).is_file() for mark in marks):
                return Weights(path, options.revision or folder_digest(path))
    return _from_hub(source, options)


def _from_hub(source: str, options: LoadOptions) -> Weights:
    from huggingface_hub import snapshot_download

    try:
        found = Path(snapshot_download(source, revision=options.revision, local_files_only=not may_download(options)))
    except Exception as error:  # the hub client raises dozens of types; all mean that the weights are not here
        raise ModelUnavailable(
            f"the weights of {source} are not on this machine ({type(error).__name__}): give their folder as weights "
            "or in APUN_WEIGHTS, or allow fetching with download=yes (in a cascade --model-arg asr.weights=FOLDER, "
            "asr.download=yes)"
        ) from error
    return Weights(found, found.name)


def digest(path: Path) -> str:
    """sha256 of a file, read in pieces."""
    sha = hashlib.sha256()
    with path.open("rb") as handle:
        while piece := handle.read(_PIECE):
            sha.update(piece)
    return sha.hexdigest()
