"""The run folder: ``run.json``, ``replies.jsonl``, ``scores.jsonl``, ``summary.json``."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from apun.errors import ApunError, DataError, UsageError
from apun.paths import write_atomic
from apun.records import read_json
from apun.run.data import Selection
from apun.run.log import check_free, settings_digest
from apun.scores import Score

FORMAT = 1


def default_folder(parent: Path, asked: Mapping[str, Any]) -> Path:
    """A folder name that the same settings always give, readable by a person."""
    selection = asked["selection"]
    model = re.sub(r"[^A-Za-z0-9.+=-]+", "_", str(asked["model"]))[-60:].strip("_")
    words = [selection["benchmark"], selection["subset"], *(["text"] if selection["modality"] == "text" else []), model]
    return parent / "-".join([*words, settings_digest(asked)])


def open_folder(folder: Path, asked: Mapping[str, Any], environment: Mapping[str, Any], fresh: bool) -> bool:
    """Make the folder, or check that it holds the same run.

    Returns:
        Whether the run is a new one.

    Raises:
        UsageError: it holds another run; names the first field that differs.
    """
    path = folder / "run.json"
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; --out names a folder. Give another --out")
    if fresh and folder.exists():
        check_free(folder)
        folder.rename(folder.with_name(f"{folder.name}.old-{int(time.time() * 1000)}"))
    if path.exists():
        before = read_run(folder)["asked"]
        if field := _difference(before, asked):
            raise UsageError(
                f"{folder} holds another run: {field} was {_at(before, field)!r} and is now {_at(asked, field)!r}. "
                "Give another --out, or --fresh to set the old one aside"
            )
        return False
    if folder.exists() and any(child.name not in ("lock",) for child in folder.iterdir()):
        raise UsageError(f"{folder} is not empty and holds no run.json. Give another --out")
    write_json(path, {"format": FORMAT, "asked": dict(asked), "environment": dict(environment), "started": _now()})
    return True


@contextmanager
def discarded_if_unused(folder: Path, made: bool) -> Iterator[None]:
    """Inside it, an error of the user's before the first reply leaves no new run folder behind; hold the lock."""
    try:
        yield
    except ApunError:
        replies = folder / "replies.jsonl"
        if made and not (replies.exists() and replies.stat().st_size):
            for name in ("run.json", "replies.jsonl", "lock"):
                (folder / name).unlink(missing_ok=True)
            with suppress(OSError):  # the user put something of theirs into it meanwhile
                folder.rmdir()
        raise


def read_run(folder: Path) -> dict[str, Any]:
    """``run.json``.

    Raises:
        UsageError: the folder holds none.
        DataError: it cannot be read.
    """
    path = folder / "run.json"
    if not path.is_file():
        raise UsageError(f"{folder} is not a run folder (no run.json)")
    record = _table(path, "asked", "Restore the file from a copy.")
    asked = record["asked"]
    try:
        Selection.from_json(asked["selection"])
        f"{asked['model']}{asked['temperature']:g}"
    except (KeyError, TypeError, ValueError) as error:
        problem = f"lacks {error}" if isinstance(error, KeyError) else f"cannot be used ({error})"
        raise DataError(problem, file=path, field="asked", fix="Restore the file from a copy.") from error
    return record


def update_run(folder: Path, **fields: Any) -> None:
    """Add fields to ``run.json``."""
    write_json(folder / "run.json", {**read_run(folder), **fields})


def read_scores(folder: Path) -> Iterator[Score]:
    """Stream ``scores.jsonl``.

    Raises:
        UsageError: the run has not been scored.
        DataError: a line cannot be read.
    """
    path = folder / "scores.jsonl"
    if not path.is_file():
        raise UsageError(f"{folder} has not been scored yet. Run: apun score {folder}")
    with path.open("rb") as handle:
        for number, line in enumerate(handle, start=1):
            try:
                yield Score.from_json(json.loads(line))
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                raise DataError(
                    f"damaged line ({error})", file=path, line=number, fix=f"Rebuild it: apun score {folder}"
                ) from error


def read_summary(folder: Path) -> dict[str, Any]:
    """``summary.json``.

    Raises:
        UsageError: the run has not been scored.
    """
    path = folder / "summary.json"
    if not path.is_file():
        raise UsageError(f"{folder} has not been scored yet. Run: apun score {folder}")
    return _table(path, "tasks", f"Rebuild it: apun score {folder}")


def _table(path: Path, field: str, fix: str) -> dict[str, Any]:
    """A JSON file that is a table and has a table of this name."""
    record = read_json(path, fix)
    if not isinstance(record, dict) or not isinstance(record.get(field), dict):
        raise DataError(f"holds no {field!r} table", file=path, fix=fix)
    return record


def write_json(path: Path, value: Any) -> None:
    """Indented JSON, whole or not at all."""
    write_atomic(path, json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n")


def _difference(before: Any, now: Any, path: str = "") -> str | None:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in sorted({*before, *now}):
            found = _difference(before.get(key), now.get(key), f"{path}.{key}" if path else str(key))
            if found:
                return found
        return None
    return None if before == now else path


def _at(record: Any, field: str) -> Any:
    for key in field.split("."):
        record = record.get(key) if isinstance(record, Mapping) else None
    return record


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
