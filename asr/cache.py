"""Transcripts kept on disk, so that ten language models over one recogniser transcribe once."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
import threading
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from apun.models import ModelInfo, Transcript, Word


def key(info: ModelInfo, language: str | None, sha256: str) -> str:
    """Content key of a transcript: the recogniser with every setting, the language, the samples."""
    what = {"who": dict(info.identity), "settings": dict(info.settings), "language": language, "clip": sha256}
    return hashlib.sha256(json.dumps(what, sort_keys=True, default=str).encode()).hexdigest()


class TranscriptCache:
    """A small SQLite table of transcripts by content key; safe between threads and processes.

    Errors are never kept, and a kept transcript has no time: it must not enter a latency.

    Args:
        folder: where ``transcripts.sqlite`` lies; None keeps transcripts in memory only.
    """

    def __init__(self, folder: Path | None) -> None:
        self._lock = threading.Lock()
        self._memory: dict[str, Transcript] = {}
        self._database: sqlite3.Connection | None = None
        if folder is not None:
            try:
                self._database = _opened(folder)
            except (OSError, sqlite3.Error) as error:  # a cache that cannot be used must not stop a run
                print(f"apun: transcripts are not kept on disk: {folder} cannot be used ({error})", file=sys.stderr)

    def get(self, key: str) -> Transcript | None:
        """The transcript kept under a key, without its time; None when there is none."""
        with self._lock:
            if key in self._memory or self._database is None:
                return self._memory.get(key)
            row = None
            with suppress(sqlite3.Error):
                row = self._database.execute("SELECT body FROM transcripts WHERE key = ?", (key,)).fetchone()
            transcript = _read(row[0]) if row is not None else None
            if transcript is not None:
                self._memory[key] = transcript
            return transcript

    def put(self, key: str, transcript: Transcript) -> None:
        """Keep a transcript; one that carries an error is not kept."""
        if transcript.error is not None:
            return
        kept = replace(transcript, seconds=0.0)
        with self._lock:
            self._memory[key] = kept
            if self._database is not None:
                body = json.dumps(asdict(kept), ensure_ascii=False)
                with suppress(sqlite3.Error), self._database:  # full disk: memory still has it
                    self._database.execute("INSERT OR REPLACE INTO transcripts VALUES (?, ?)", (key, body))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None


def _opened(folder: Path) -> sqlite3.Connection:
    folder.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(folder / "transcripts.sqlite", timeout=30, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        with database:
            database.execute("CREATE TABLE IF NOT EXISTS transcripts (key TEXT PRIMARY KEY, body TEXT NOT NULL)")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _read(body: str) -> Transcript | None:
    """A transcript from its JSON; None when the row is damaged: it is then made anew."""
    try:
        record = json.loads(body)
        record["words"] = tuple(Word(**word) for word in record["words"])
        record["flags"] = tuple(record["flags"])
        return Transcript(**record)
    except (ValueError, TypeError, KeyError):
        return None
