"""Transcripts kept on disk, so that ten language models over one recogniser transcribe once."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from dataclasses import asdict
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
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(folder / "transcripts.sqlite", timeout=30, check_same_thread=False)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("CREATE TABLE IF NOT EXISTS transcripts (key TEXT PRIMARY KEY, body TEXT NOT NULL)")
            self._database.commit()

    def get(self, key: str) -> Transcript | None:
        """The transcript kept under a key, without its time; None when there is none."""
        with self._lock:
            if key in self._memory or self._database is None:
                return self._memory.get(key)
            row = self._database.execute("SELECT body FROM transcripts WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            self._memory[key] = transcript = _read(row[0])
            return transcript

    def put(self, key: str, transcript: Transcript) -> None:
        """Keep a transcript; one that carries an error is not kept."""
        if transcript.error is not None:
            return
        body = json.dumps({**asdict(transcript), "seconds": 0.0}, ensure_ascii=False)
        with self._lock:
            self._memory[key] = _read(body)
            if self._database is not None:
                self._database.execute("INSERT OR REPLACE INTO transcripts VALUES (?, ?)", (key, body))
                self._database.commit()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None


def _read(body: str) -> Transcript:
    record = json.loads(body)
    record["words"] = tuple(Word(**word) for word in record["words"])
    record["flags"] = tuple(record["flags"])
    return Transcript(**record)
