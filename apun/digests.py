"""SHA-256 of what a number depends on: texts, values, samples, files, folders. Every digest of the project is one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hashlib import _Hash

_PIECE = 1 << 20  # files up to 1 MiB are hashed whole in a folder's digest, larger ones by size, head and tail


def of_text(text: str, length: int = 64) -> str:
    """Of a text in UTF-8, cut to ``length`` hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def canonical(value: Any) -> str:
    """One JSON text per value: sorted keys, no spaces, Unicode as it is."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def of_value(value: Any, length: int = 64) -> str:
    """Of the canonical JSON, cut to ``length`` hex digits."""
    return of_text(canonical(value), length)


def of_samples(samples: Any) -> str:
    """Of samples, any shape, as little-endian float32."""
    return hashlib.sha256(samples.astype("<f4", copy=False).tobytes()).hexdigest()


def of_file(path: Path, length: int = 64) -> str:
    """Of a file's bytes, read in pieces, cut to ``length`` hex digits."""
    total = hashlib.sha256()
    with path.open("rb") as handle:
        while piece := handle.read(_PIECE):
            total.update(piece)
    return total.hexdigest()[:length]


def of_folder(folder: Path) -> str:
    """A folder's content as ``sha256:`` and 16 hex digits.

    Small files count whole; large ones by size and their first and last MiB, which hold a
    safetensors header and the last tensors: hashing 16 GB would cost a minute at every start.
    """
    total = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith(".")):
        _sample(total, path, path.relative_to(folder).as_posix())
    return f"sha256:{total.hexdigest()[:16]}"


def of_paths(paths: Iterable[str | Path]) -> str:
    """One digest of files and folders, wherever they lie; large files count as in ``of_folder``."""
    total = hashlib.sha256()
    for path in map(Path, paths):
        if path.is_dir():
            total.update(of_folder(path).encode())
        else:
            _sample(total, path, path.name)
    return f"sha256:{total.hexdigest()[:16]}"


def _sample(total: _Hash, path: Path, name: str) -> None:
    size = path.stat().st_size
    total.update(f"{name}\0{size}\0".encode())
    with path.open("rb") as handle:
        total.update(handle.read(_PIECE))
        if size > _PIECE:
            handle.seek(max(_PIECE, size - _PIECE))
            total.update(handle.read(_PIECE))
