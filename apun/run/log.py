"""The reply log: append-only JSON lines, one a reply, safe to cut off at any instant.

A line is written with one ``write`` call, so a kill leaves at most one torn line, at the end;
it is cut away when the log is opened again. A damaged line inside the file is reported with its
number and kept. The log is locked while a process writes to it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from apun import digests
from apun.errors import DataError, UsageError
from apun.models import Generation, ModelInfo
from apun.prompts import Prompt
from apun.replies import Reply
from apun.tasks import Question


def question_key(question: Question, info: ModelInfo, generation: Generation) -> str:
    """The key a reply is stored under. Any change of prompt, clip, model or settings changes it."""
    return digests.of_value(
        {
            "question": question.id,
            "prompt": question.prompt.digest,
            **({"text_form": text_form.digest} if (text_form := _text_form(question)) else {}),
            "model": dict(info.identity),
            "generation": asdict(generation),
        },
        32,
    )


def _text_form(question: Question) -> Prompt | None:
    """What a cascade's model is asked in place of the clips, transcripts apart."""
    prompt = question.prompt
    return replace(prompt, messages=prompt.text_form) if prompt.text_form else None


def settings_digest(settings: Mapping[str, Any]) -> str:
    """Eight hex digits that name a run's settings in its folder."""
    return digests.of_value(settings, 8)


SYNC_SECONDS = 5.0  # a power cut costs at most this much work; a kill costs none


@dataclass(frozen=True, slots=True)
class Entry:
    """Where the latest reply to a question stands in the log."""

    key: str
    offset: int
    status: str


class ReplyLog:
    """``replies.jsonl`` of a run folder, opened for appending; use as a context manager.

    Args:
        folder: the run folder.

    Raises:
        UsageError: another process holds the log; names its pid and host.
        DataError: a line that is not the last cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "replies.jsonl"
        self._lock_path = folder / "lock"
        self._lock: BinaryIO | None = None
        self._file: BinaryIO | None = None
        self._synced = 0.0
        self.index: dict[str, Entry] = {}
        self.repaired = 0

    def __enter__(self) -> ReplyLog:
        self._acquire()
        try:
            self.repaired = repair(self.path)
            self.index = build_index(self.path)
            self._file = self.path.open("ab", buffering=0)
        except BaseException:  # whatever went wrong, Ctrl-C included, the lock must not outlive it; raised again
            self._release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._file.fileno())
            self._file.close()
            self._file = None
        self._release()

    def done(self, question: str, key: str) -> bool:
        """Whether a usable reply stands in the log. Errors are not: they are asked again."""
        entry = self.index.get(question)
        return entry is not None and entry.key == key and entry.status != "error"

    def append(self, question: str, key: str, reply: Reply, sent: list[dict[str, Any]] | None = None) -> None:
        """Write one reply. ``sent`` is what was really sent, kept beside the reply.

        Raises:
            UsageError: the disk is full or the folder went away; nothing is half-written.
        """
        import time

        assert self._file is not None, "the log is not open"
        record = {"question": question, "key": key, **reply.to_json(), "sent": sent}
        line = (
            json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str) + "\n"
        ).encode("utf-8", "backslashreplace")
        offset = os.fstat(self._file.fileno()).st_size
        try:
            written = self._file.write(line)
            if written != len(line):
                raise OSError(28, "short write")
            now = time.monotonic()
            if now - self._synced > SYNC_SECONDS:
                os.fsync(self._file.fileno())
                self._synced = now
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), offset)
            raise UsageError(
                f"cannot write to {self.path.name} ({error.strerror}). Make room, then run the same command again; "
                "no finished reply is lost"
            ) from error
        self.index[question] = Entry(key, offset, reply.status)

    def _acquire(self) -> None:
        self._lock_path.parent.mkdir(parents=True, exist_ok=True)
        handle = _locked(self._lock_path)
        handle.truncate(0)
        handle.write(f"pid {os.getpid()} on {socket.gethostname()}".encode())
        handle.flush()
        self._lock = handle

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def check_free(folder: Path) -> None:
    """Refuse to touch a run folder that a process is writing to.

    Raises:
        UsageError: names its pid and host.
    """
    if (folder / "lock").exists():
        _locked(folder / "lock").close()


def _locked(path: Path) -> BinaryIO:
    import fcntl

    handle = path.open("a+b")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.seek(0)
        holder = handle.read(200).decode("utf-8", "replace").strip() or "another process"
        handle.close()
        raise UsageError(f"{path.parent} is being written by {holder}. Wait for it, or give another --out") from None
    return handle


def repair(path: Path) -> int:
    """Cut a torn last line away; returns the number of bytes removed."""
    if not path.exists():
        return 0
    with path.open("r+b") as handle:
        size = handle.seek(0, os.SEEK_END)
        if size == 0:
            return 0
        handle.seek(size - 1)
        if handle.read(1) == b"\n":
            return 0
        position = size
        while position > 0:
            step = min(65_536, position)
            handle.seek(position - step)
            block = handle.read(step)
            cut = block.rfind(b"\n")
            if cut >= 0:
                position = position - step + cut + 1
                break
            position -= step
        handle.truncate(position)
        return size - position


def read_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Stream ``(byte offset, record)`` pairs.

    Raises:
        DataError: a line cannot be read; names it.
    """
    if not path.exists():
        return
    offset = 0
    with path.open("rb") as handle:
        for number, line in enumerate(handle, start=1):
            if not line.endswith(b"\n"):
                return  # a torn last line of a run that is being written, or was killed
            if line.strip():
                yield offset, _record(path, number, line)
            offset += len(line)


def _record(path: Path, number: int, line: bytes) -> dict[str, Any]:
    fix = "Restore the file from a copy, or remove that line: its question will be asked again."
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"damaged line ({error})", file=path, line=number, fix=fix) from error
    if (
        not isinstance(record, dict)
        or not isinstance(record.get("question"), str)
        or not isinstance(record.get("key"), str)
    ):
        raise DataError("damaged line (no question or key)", file=path, line=number, fix=fix)
    return record


def build_index(path: Path) -> dict[str, Entry]:
    """The latest entry of every question. A good reply is never replaced by a later error."""
    index: dict[str, Entry] = {}
    for offset, record in read_records(path):
        entry = Entry(record["key"], offset, str(record.get("status", "error")))
        before = index.get(record["question"])
        if entry.status == "error" and before is not None and before.status != "error" and before.key == entry.key:
            continue
        index[record["question"]] = entry
    return index


def read_at(handle: BinaryIO, offset: int) -> tuple[Reply, dict[str, Any]]:
    """The reply at a byte offset, and its whole record."""
    handle.seek(offset)
    record = json.loads(handle.readline())
    return Reply.from_json(record), record
