"""Glosses of WordNet sense keys, read from a WordNet ``dict`` folder that the user gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from apun.errors import DataError

_FILES = {"1": "data.noun", "2": "data.verb", "3": "data.adj", "4": "data.adv", "5": "data.adj"}
_LAYOUT = "Give the 'dict' folder of WordNet 3.1: it holds index.sense, data.noun, data.verb, data.adj and data.adv."


def glosses(folder: Path, keys: Iterable[str]) -> Mapping[str, str]:
    """Definition by sense key, without WordNet's examples; keys that this WordNet lacks are absent.

    Raises:
        DataError: the folder is no WordNet, or its files do not fit together.
    """
    wanted = set(keys)
    index = folder / "index.sense"
    if not index.is_file():
        raise DataError("no WordNet index", file=index, fix=_LAYOUT)
    offsets: dict[str, int] = {}
    with index.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            fields = line.split()
            if fields and fields[0] in wanted:
                if len(fields) < 2 or not fields[1].isdigit():
                    raise DataError("is not 'sense_key offset …'", file=index, line=number, fix=_LAYOUT)
                offsets[fields[0]] = int(fields[1])
    found: dict[str, str] = {}
    for kind, name in _FILES.items():
        here = {key: offset for key, offset in offsets.items() if key.partition("%")[2][:1] == kind}
        if here:
            found |= _read(folder / name, here)
    return found


def _read(path: Path, offsets: Mapping[str, int]) -> dict[str, str]:
    if not path.is_file():
        raise DataError("missing", file=path, fix=_LAYOUT)
    found = {}
    with path.open("rb") as data:
        for key, offset in offsets.items():
            data.seek(offset)
            line = data.readline().decode("utf-8", "replace")
            if not line.startswith(f"{offset:08d} ") or " | " not in line:
                raise DataError(
                    f"has no synset at {offset}, where index.sense puts {key}",
                    file=path,
                    fix="Take index.sense and the data files from one WordNet release.",
                )
            found[key] = _definition(line.split(" | ", 1)[1])
    return found


def _definition(gloss: str) -> str:
    """The gloss up to its first quoted example."""
    return gloss.split('; "', 1)[0].strip()
