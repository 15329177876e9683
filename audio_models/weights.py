"""Where a model's weights are on this machine; nothing is fetched unless the user says so.

Looked for in this order: the folder of ``--weights``, the folder of ``APUN_WEIGHTS`` (one
sub-folder a model), the hub cache. ``--model-arg download=yes`` lets the hub client fetch what is missing.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from apun.errors import MissingDependency, ModelUnavailable, UsageError
from apun.models import LoadOptions

RANDOM = "random"  # --weights random: the true architecture with random weights
_WHOLE = 1 << 20  # files up to 1 MiB are hashed whole, larger ones by size, head and tail
_MARKS = ("config.json", "params.json", "tekken.json")  # what a checkpoint folder holds


@dataclass(frozen=True, slots=True)
class Weights:
    """A checkpoint folder and the revision that names its content."""

    path: Path
    revision: str


def resolve(hub_id: str, options: LoadOptions) -> Weights:
    """Find the weights of a model.

    Args:
        hub_id: ``ORG/NAME`` on the model hub; may be empty when a folder is given.
        options: ``weights``, ``revision`` and the argument ``download``.

    Raises:
        ModelUnavailable: they are not here; one sentence with everything that was looked at.
    """
    looked: list[str] = []
    for source, root in (("--weights", options.weights), ("APUN_WEIGHTS", os.environ.get("APUN_WEIGHTS"))):
        if not root:
            continue
        found = _folder(Path(root).expanduser(), hub_id, exact=source == "--weights")
        if found is not None:
            return Weights(found, options.revision or digest(found))
        looked.append(f"{source} {root}")
    if options.weights:  # a folder the user named is never silently replaced by another copy
        raise ModelUnavailable(
            f"there is no checkpoint in --weights {options.weights}: a folder with config.json, or one that holds "
            f"{hub_id or 'such a folder'}, is needed"
        )
    if hub_id:
        cached = _cached(hub_id, options)
        if cached is not None:
            return cached
        looked.append(f"the hub cache {_cache_folder()}")
    raise ModelUnavailable(
        f"the weights of {hub_id or 'this model'} are not on this machine (looked in {', '.join(looked)}): "
        f"give their folder with --weights FOLDER or in APUN_WEIGHTS, or fetch them with --model-arg download=yes"
    )


def check_remote_code(options: LoadOptions) -> None:
    """Refuse code from a repository unless its revision is pinned.

    Raises:
        UsageError: ``trust_remote_code`` without a full commit id (a local folder is pinned by itself).
    """
    if not options.trust_remote_code or (options.weights and Path(options.weights).is_dir()):
        return
    revision = options.revision or ""
    if len(revision) != 40 or any(char not in "0123456789abcdef" for char in revision):
        raise UsageError("--trust-remote-code runs a repository's code: pin it with --revision COMMIT (40 hex digits)")


def digest(folder: Path) -> str:
    """A folder's content as ``sha256:`` and 16 hex digits.

    Small files count whole; large ones by size and their first and last MiB, which hold a
    safetensors header and the last tensors: hashing 16 GB would cost a minute at every start.
    """
    total = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith(".")):
        size = path.stat().st_size
        total.update(f"{path.relative_to(folder).as_posix()}\0{size}\0".encode())
        with path.open("rb") as handle:
            total.update(handle.read(_WHOLE))
            if size > _WHOLE:
                handle.seek(max(_WHOLE, size - _WHOLE))
                total.update(handle.read(_WHOLE))
    return f"sha256:{total.hexdigest()[:16]}"


def _folder(root: Path, hub_id: str, *, exact: bool) -> Path | None:
    name = hub_id.split("/")[-1]
    candidates = [root / hub_id, root / name] if hub_id else []
    for folder in [root, *candidates] if exact else candidates:
        if any((folder / mark).is_file() for mark in _MARKS) or (folder.is_dir() and any(folder.glob("*.gguf"))):
            return folder
    return None


def _cache_folder() -> Path:
    from huggingface_hub.constants import HF_HUB_CACHE

    return Path(HF_HUB_CACHE)


def _cached(hub_id: str, options: LoadOptions) -> Weights | None:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError as error:
        raise MissingDependency("huggingface_hub", "models") from error

    fetch = options.args.get("download", "no").lower() in ("yes", "true", "1")
    try:
        found = snapshot_download(
            hub_id,
            revision=options.revision,
            local_files_only=not fetch,
            ignore_patterns=["*.bin", "*.pt", "*.pth", "original/*"] if fetch else None,
        )
    except LocalEntryNotFoundError:
        return None
    except (HfHubHTTPError, OSError, ValueError) as error:
        raise ModelUnavailable(
            f"{hub_id} could not be fetched from the hub ({type(error).__name__}: {error})"
        ) from error
    folder = Path(found)
    return Weights(folder, folder.name)
