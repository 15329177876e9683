"""The first stage of a cascade: clips of prompts to transcripts, kept where they can be reused.

Transcripts are kept on disk under the recogniser and the clip, so that ten language models over one recogniser
transcribe once.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from apun import digests, registry
from apun.errors import AudioError
from apun.models import ModelInfo, Recogniser, Scripted, Transcript, Word
from apun.prompts import Prompt

if TYPE_CHECKING:
    from apun.clips import Clip

LOCK_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Heard:
    """A clip's transcript.

    Attributes:
        transcript: what was heard.
        origin: ``now`` (made for this prompt), ``kept`` (made before, or for another prompt of the
            batch: its time is not this prompt's), ``gold`` (the text as written).
    """

    transcript: Transcript
    origin: Literal["now", "kept", "gold"]


class Listener(Protocol):
    """Turns prompts into transcripts."""

    @property
    def info(self) -> ModelInfo:
        """What listens."""

    def hear(self, prompts: Sequence[Prompt]) -> list[dict[str, Heard]]:
        """For each prompt, what was heard by clip name; failures are transcripts with an error."""

    def close(self) -> None:
        """Free devices."""


@dataclass
class RecogniserListener:
    """A recogniser behind a cache of transcripts.

    Args:
        recogniser: what transcribes.
        cache: where transcripts are kept; None to transcribe every clip anew.
    """

    recogniser: Recogniser
    cache: TranscriptCache | None = None

    @property
    def info(self) -> ModelInfo:
        """The recogniser's."""
        return self.recogniser.info

    def hear(self, prompts: Sequence[Prompt]) -> list[dict[str, Heard]]:
        """Each distinct clip is transcribed once, whichever prompts share it."""
        wanted: dict[str, dict[str, tuple[str, Clip]]] = {}
        owners: dict[str, tuple[int, str]] = {}
        heard: list[dict[str, Heard]] = [{} for _ in prompts]
        keys: list[dict[str, str]] = [{} for _ in prompts]
        known: dict[str, Transcript] = {}
        for index, prompt in enumerate(prompts):
            language = language_of(prompt)
            for audio in prompt.audios:
                try:
                    mark = key(self.info, language, audio.clip.sha256)
                except AudioError as error:
                    heard[index][audio.name] = Heard(Transcript("", error=str(error)), "now")
                    continue
                keys[index][audio.name] = mark
                if mark in known or mark in owners:
                    continue
                kept = self.cache.get(mark) if self.cache is not None else None
                if kept is not None:
                    known[mark] = kept
                else:
                    owners[mark] = (index, audio.name)
                    wanted.setdefault(language, {})[mark] = (audio.name, audio.clip)
        for language, clips in wanted.items():
            marks = list(clips)
            size = max(1, self.info.max_batch)
            for first in range(0, len(marks), size):
                batch = marks[first : first + size]
                transcripts = self.recogniser.transcribe([clips[mark][1] for mark in batch], language)
                known.update(zip(batch, transcripts, strict=True))
        if self.cache is not None:
            for mark in owners:
                self.cache.put(mark, known[mark])
        for index, names in enumerate(keys):
            for name, mark in names.items():
                heard[index][name] = Heard(known[mark], "now" if owners.get(mark) == (index, name) else "kept")
        return heard

    def close(self) -> None:
        """Free the recogniser and close the cache."""
        self.recogniser.close()
        if self.cache is not None:
            self.cache.close()


class GoldListener(Scripted):
    """Gives the gold text of each clip, as a perfect recogniser would; the ceiling of hearing."""

    info = ModelInfo(name="gold", family="gold", revision="1", audio=True, max_clips=None, max_batch=64)

    def __init__(self) -> None:
        self._texts: dict[str, dict[str, str]] = {}

    def see(self, questions: Sequence[Any]) -> None:
        """Learn what is said in the clips of the coming questions."""
        self._texts = {question.id: _spoken(question) for question in questions}

    def hear(self, prompts: Sequence[Prompt]) -> list[dict[str, Heard]]:
        """The gold text of every clip."""
        return [
            {audio.name: Heard(self._gold(prompt, audio.name, audio.clip), "gold") for audio in prompt.audios}
            for prompt in prompts
        ]

    def _gold(self, prompt: Prompt, name: str, clip: Clip) -> Transcript:
        text = self._texts.get(prompt.id, {}).get(name)
        if text is None:
            return Transcript("", error=f"no gold text is known for clip {name!r}; use --modality text")
        return Transcript(text, seconds_heard=clip.seconds)

    def close(self) -> None:
        """Nothing to free."""


def language_of(prompt: Prompt) -> str:
    """The language spoken in a prompt's clips: told by its task, English otherwise."""
    return str(prompt.fields.get("language", "en"))


def _spoken(question: Any) -> dict[str, str]:
    """The gold text of each clip of a question."""
    owner = registry.benchmark(question.task.partition(".")[0])
    return {utterance.part: utterance.text for utterance in owner.utterances(question.item, "default")}


def key(info: ModelInfo, language: str | None, sha256: str) -> str:
    """Content key of a transcript: the recogniser with every setting, the language, the samples."""
    what = {"who": dict(info.identity), "settings": dict(info.settings), "language": language, "clip": sha256}
    return digests.of_text(json.dumps(what, sort_keys=True, default=str))


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
    database = sqlite3.connect(folder / "transcripts.sqlite", timeout=LOCK_SECONDS, check_same_thread=False)
    try:
        _write_ahead(database)
        database.execute("PRAGMA synchronous=NORMAL")
        with database:
            database.execute("CREATE TABLE IF NOT EXISTS transcripts (key TEXT PRIMARY KEY, body TEXT NOT NULL)")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _write_ahead(database: sqlite3.Connection) -> None:
    """Switch to the write-ahead log, which alone does not wait for another process that is opening the file."""
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            database.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _read(body: str) -> Transcript | None:
    """A transcript from its JSON; None when the row is damaged: it is then made anew."""
    try:
        record = json.loads(body)
        record["words"] = tuple(Word(**word) for word in record["words"])
        record["flags"] = tuple(record["flags"])
        return Transcript(**record)
    except (ValueError, TypeError, KeyError):
        return None
