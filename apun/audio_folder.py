"""Writing an AudioFolder: the names of its files, its clips, its sheets. ``apun.splits`` reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apun import digests
from apun.errors import UsageError
from apun.paths import replacing
from apun.prompts import MAIN
from apun.speech import Utterance

AUDIO, METADATA = "audio", "metadata.jsonl"
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


def file_names(utterances: Sequence[Utterance]) -> list[str]:
    """A file name without suffix for each utterance: the item's id where that is a plain name.

    Names are unique also where upper and lower case are one; an id with other characters is
    spelled with underscores and a digest.

    Raises:
        UsageError: an item names the same part twice.
    """
    lowered = [utterance.item.lower() for utterance in {u.item: u for u in utterances}.values()]
    names = []
    for utterance in utterances:
        name = utterance.item
        if not _PLAIN.fullmatch(name) or lowered.count(name.lower()) > 1 or name.endswith("."):
            digest = digests.of_text(name, 8)
            name = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:48].strip("_") + "-" + digest
        if utterance.part != MAIN:
            part = utterance.part
            if not _PLAIN.fullmatch(part):
                part = digests.of_text(part, 8)
            name += f"--{part}"
        names.append(name)
    if len({name.lower() for name in names}) != len(names):
        raise UsageError("two utterances would share a file: an item names the same part twice")
    return names


def write_clip(path: Path, samples: Any, rate: int) -> str:
    """Write a clip as 16-bit FLAC, whole or not at all; returns the sha256 of the file.

    Args:
        path: of the file; its folder is made.
        samples: int16 or float samples, shape ``(n,)``.
        rate: sampling rate in Hz.
    """
    import soundfile

    with replacing(path) as temporary:
        soundfile.write(temporary, samples, rate, format="FLAC", subtype="PCM_16")
        return digests.of_file(temporary)


def json_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
