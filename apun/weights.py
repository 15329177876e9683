"""Where weights are on this machine, and the digest that names their content; nothing is fetched unasked.

Looked for in this order: the folder of ``--weights``, the folder of ``APUN_WEIGHTS`` (one sub-folder a model), the hub
cache. ``--model-arg download=yes`` lets the hub client fetch what is missing. Embedded weights lie in a package of the
package index, which is found and never run; its uploader is an individual, so they are checked against a known
SHA-256 every time before they are loaded.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from apun import digests
from apun.errors import MissingDependency, ModelUnavailable

if TYPE_CHECKING:
    from apun.models import LoadOptions

RANDOM = "random"  # --weights random: the true architecture with random weights: latency and memory, never accuracy
CHECKPOINT = ("config.json", "params.json", "tekken.json")  # any of them tells a checkpoint's folder, as a GGUF does
PICKLES = ("*.bin", "*.pt", "*.pth", "original/*")  # a model's are never loaded, so they are not fetched either
Lacking = Callable[[Path], str]


@dataclass(frozen=True, slots=True)
class Weights:
    """A folder or file of weights and the revision that names its content."""

    path: Path
    revision: str


def no_checkpoint(folder: Path) -> str:
    """What a folder lacks to be a checkpoint of a model; empty where it is one."""
    known = any((folder / mark).is_file() for mark in CHECKPOINT)
    return "" if known or (folder.is_dir() and any(folder.glob("*.gguf"))) else CHECKPOINT[0]


def lacks(*files: str) -> Lacking:
    """The first of the files that a folder must hold and does not; empty where it holds all."""
    return lambda folder: next((file for file in files if not (folder / file).is_file()), "")


def find(
    source: str, options: LoadOptions, lacking: Lacking = no_checkpoint, *, skip: Sequence[str] = (), hint: str = ""
) -> Weights:
    """The folder of a hub repository.

    Args:
        source: ``ORG/NAME`` on the model hub; may be empty when a folder is given.
        options: ``weights``, ``revision`` and the argument ``download``.
        lacking: what a folder lacks to be the one.
        skip: patterns of files that are not fetched.
        hint: added to the advice where nothing is found.

    Raises:
        ModelUnavailable: it is not here; one sentence with everything that was looked at.
    """
    looked: list[str] = []
    if options.weights:  # a folder the user named is never silently replaced by another copy
        given = Path(options.weights).expanduser()
        for folder in (given, *_named(given, source)):
            if not lacking(folder):
                return Weights(folder, options.revision or digests.of_folder(folder))
        inside = f", nor does it hold {source}" if source else ""
        raise ModelUnavailable(f"there is no checkpoint in --weights {given}: it has no {lacking(given)}{inside}")
    if root := os.environ.get("APUN_WEIGHTS"):
        for folder in _named(Path(root).expanduser(), source):
            if not lacking(folder):
                return Weights(folder, options.revision or digests.of_folder(folder))
        looked.append(f"APUN_WEIGHTS {root}")
    if source:
        cached = _from_hub(source, options, skip)
        if cached is not None:
            return cached
        looked.append(f"the hub cache {_cache_folder()}")
    raise ModelUnavailable(
        f"the weights of {source or 'this model'} are not on this machine (looked in {', '.join(looked)}): give their "
        f"folder with --weights FOLDER or in APUN_WEIGHTS, or fetch them with --model-arg download=yes{hint}"
    )


def package_folder(package: str) -> Path | None:
    """Where an installed package lies; nothing of it is run. None where it is not installed."""
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


def verify(path: Path, expected: str) -> str:
    """The SHA-256 of a file whose content is known.

    Raises:
        ModelUnavailable: it is another; says how to get rid of a damaged copy.
    """
    found = digests.of_file(path)
    if found != expected:
        raise ModelUnavailable(f"{path} has SHA-256 {found}, expected {expected}; delete it or reinstall its package")
    return found


def _named(root: Path, source: str) -> Iterator[Path]:
    if source:
        yield root / source
        yield root / source.split("/")[-1]


def _cache_folder() -> Path:
    from huggingface_hub.constants import HF_HUB_CACHE

    return Path(HF_HUB_CACHE)


def _from_hub(source: str, options: LoadOptions, skip: Sequence[str]) -> Weights | None:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError as error:
        raise MissingDependency("huggingface_hub", "models") from error

    fetch = options.switch("download")
    try:
        found = snapshot_download(
            source,
            revision=options.revision,
            local_files_only=not fetch,
            ignore_patterns=list(skip) if fetch and skip else None,
        )
    except LocalEntryNotFoundError:
        return None
    except (HfHubHTTPError, OSError, ValueError) as error:
        raise ModelUnavailable(
            f"{source} could not be fetched from the hub ({type(error).__name__}: {error})"
        ) from error
    folder = Path(found)
    return Weights(folder, folder.name)
