"""Files: where apun keeps those that can be made again, and how text is read and written whole."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from apun.errors import DataError

LARGEST_BYTES = 1 << 30  # of a text file; a million rows of metadata are a quarter of it
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def cache_dir(*parts: str) -> Path:
    """A folder under ``$APUN_CACHE``, else ``$XDG_CACHE_HOME/apun``, else ``~/.cache/apun``; made if missing."""
    root = os.environ.get("APUN_CACHE")
    base = Path(root) if root else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "apun"
    folder = base.joinpath(*parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def without_credentials(url: str) -> str:
    """An address as it may be shown or stand in a run folder: no user, password or query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def read_text(path: Path, *, largest: int = LARGEST_BYTES, fix: str = "Save it as UTF-8.") -> str:
    """A text file in UTF-8 (with or without a mark) or marked UTF-16; line ends as they are.

    Raises:
        DataError: missing, larger than ``largest`` bytes, or neither; names the line.
    """
    if not path.is_file():
        raise DataError("no such file", file=path, fix="Check its name, or restore it.")
    if path.stat().st_size > largest:
        raise DataError(f"is larger than {largest >> 20} MiB", file=path, fix="Split it.")
    data = path.read_bytes()
    try:
        return data.decode("utf-16" if data[:2] in _UTF16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError("is not UTF-8 text", file=path, line=line, fix=fix) from error


def read_toml(path: Path, *, fix: str = "Restore the file.") -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        DataError: missing, no UTF-8 text, or no TOML; names the line.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        return tomllib.loads(read_text(path, fix=fix))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"not valid TOML ({error})", file=path, fix=fix) from error


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name to write a file under, beside its own: it takes its place at the end, whole, or is gone after an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:  # names the file that was wanted, not the one on the way to it
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_atomic(path: Path, text: str) -> None:
    """Write a whole file or nothing: a reader never sees half of it."""
    with replacing(path) as temporary:
        # a lone surrogate from a model becomes its escape, which is what JSON would write for it
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
