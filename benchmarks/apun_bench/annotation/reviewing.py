"""Drafts and reviews: what machines and people say of a clip, as JSON lines and as sheets that people correct."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apun.audio_folder import json_lines
from apun.errors import DataError
from apun.records import Record, read
from apun.sheets import write_sheet

COLUMNS = ("id", "audio", "text", "is_pun", "pun_word", "alternatives", "meaning_1", "meaning_2", "verdict", "note")
KEEP, DROP = "keep", "drop"
_YES, _NO = ("yes", "y", "true", "1", "pun"), ("no", "n", "false", "0", "non-pun")


@dataclass(frozen=True, slots=True)
class Draft:
    """What the machines say of one clip.

    Attributes:
        id: the item's id.
        transcript: the recogniser's text; empty when it failed.
        is_pun: the model's verdict; None when it gave none.
        pun_word: the word it named, where that is a word of the transcript.
        alternatives: the other word (puns on sound).
        meanings: the two meanings (puns on meaning).
        problem: why something is missing; empty otherwise.
        recogniser: name of the recogniser.
        model: name of the language model.
    """

    id: str
    transcript: str
    is_pun: bool | None = None
    pun_word: str = ""
    alternatives: tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    problem: str = ""
    recogniser: str = ""
    model: str = ""


def append(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Append rows as JSON lines, in one write."""
    with path.open("a", encoding="utf-8") as handle:
        handle.write(json_lines(rows))


def write_drafts(path: Path, drafts: Iterable[Draft]) -> None:
    """Append drafts, one JSON line each."""
    append(path, map(asdict, drafts))


def read_drafts(path: Path) -> dict[str, Draft]:
    """Drafts by id, the last line of an id counting.

    Raises:
        DataError: no drafts, or a malformed line; names file and line.
    """
    if not path.is_file():
        raise DataError("no drafts", file=path, fix="Run 'apun annotate draft' first.")
    return {draft.id: draft for draft in map(_draft, read(path))}


def _draft(row: Record) -> Draft:
    return Draft(
        id=row.text("id"),
        is_pun=row.flag("is_pun") if row.has("is_pun") else None,
        alternatives=row.texts("alternatives"),
        meanings=row.texts("meanings"),
        **{name: row.text(name, "") for name in ("transcript", "pun_word", "problem", "recogniser", "model")},
    )


@dataclass(frozen=True, slots=True)
class Review:
    """One reviewer's word on one item.

    Attributes:
        id: the item's id.
        reviewer: who reviewed.
        keep: whether the clip is good enough to be in the data.
        text: what is really said.
        is_pun: whether it is a pun.
        pun_word: the word that carries it.
        alternatives: other words, lower case, any of which is right.
        meanings: both meanings.
        note: free text.
        file: where it was read.
        line: line or task number there.
    """

    id: str
    reviewer: str
    keep: bool
    text: str
    is_pun: bool
    pun_word: str = ""
    alternatives: tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    note: str = ""
    file: str = ""
    line: int = 0

    def fields(self) -> dict[str, str]:
        """The fields that are compared with drafts and other reviewers, normalised."""
        return {
            "text": _plain(self.text),
            "is_pun": "yes" if self.is_pun else "no",
            "pun_word": _plain(self.pun_word),
            "alternatives": ";".join(sorted(map(_plain, self.alternatives))),
            "meanings": ";".join(sorted(map(_plain, self.meanings))),
        }

    def row(self) -> dict[str, str]:
        """The cells of a review sheet that hold its word."""
        meanings = [*self.meanings, "", ""]
        return {
            "id": self.id,
            "text": self.text,
            "is_pun": "yes" if self.is_pun else "no",
            "pun_word": self.pun_word,
            "alternatives": "; ".join(self.alternatives),
            "meaning_1": meanings[0],
            "meaning_2": meanings[1],
            "verdict": KEEP if self.keep else DROP,
            "note": self.note,
        }


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").strip(" .!?").split())


def from_draft(draft: Draft) -> Review:
    """A draft as if a reviewer had left it as it is."""
    return Review(
        id=draft.id,
        reviewer="draft",
        keep=True,
        text=draft.transcript,
        is_pun=bool(draft.is_pun),
        pun_word=draft.pun_word,
        alternatives=draft.alternatives,
        meanings=draft.meanings,
        note=draft.problem,
    )


def row_of(draft: Draft, audio: str) -> dict[str, str]:
    """A draft as a row of a review sheet; the reviewer corrects the cells in place."""
    undecided = {"is_pun": ""} if draft.is_pun is None else {}
    return {**from_draft(draft).row(), "audio": audio, **undecided}


def write_reviews(
    folder: Path, drafts: Iterable[Draft], audio: Mapping[str, str], reviewers: Sequence[str]
) -> list[Path]:
    """A CSV and an xlsx sheet for each reviewer; returns their paths. A sheet that is there already is kept."""
    rows = [row_of(draft, audio.get(draft.id, "")) for draft in drafts]
    written = []
    for reviewer in reviewers:
        for suffix in ("csv", "xlsx"):
            path = folder / f"review-{reviewer}.{suffix}"
            if not path.exists():
                write_sheet(path, COLUMNS, rows)
                written.append(path)
    return written


def read_reviews(path: Path, reviewer: str, known: Mapping[str, Draft]) -> list[Review]:
    """Corrected rows of one reviewer.

    Raises:
        DataError: an id that was not drafted or stands twice, a cell that cannot be read, a pun without its
            word, or a word without its interpretation; names file, line, field and what to do.
    """
    needed = ("id", "text", "is_pun", "pun_word", "alternatives", "meaning_1", "meaning_2")
    reviews: dict[str, Review] = {}
    for row in read(path, needed, ("audio", "verdict", "note")):
        name = row.values["id"]
        if name not in known:
            raise row.fault(f"{name!r} was not drafted", "id", "Restore the id.")
        if name in reviews:
            raise row.fault(f"{name!r} stands twice", "id", "Keep one row.")
        reviews[name] = review_of(row, reviewer)
    return list(reviews.values())


def review_of(row: Record, reviewer: str) -> Review:
    """A reviewer's cells as a ``Review``; raises ``DataError`` as ``read_reviews`` does."""
    cells = {name: str(row.values.get(name) or "").strip() for name in COLUMNS}
    verdict = cells["verdict"].casefold() or KEEP
    if verdict not in (KEEP, DROP):
        raise row.fault(f"{verdict[:40]!r} is no verdict", "verdict", f"Write {KEEP} or {DROP}.")
    common: dict[str, Any] = {"reviewer": reviewer, "file": str(row.file or ""), "line": row.line or 0}
    common |= {name: cells[name] for name in ("id", "text", "note")}
    if verdict == DROP:
        return Review(**common, keep=False, is_pun=False)
    if not cells["text"]:
        raise row.fault("is empty", "text", f"Write what is said, or {DROP} the clip.")
    answer = cells["is_pun"].casefold()
    if answer not in (*_YES, *_NO):
        raise row.fault(f"{answer[:40]!r} is neither yes nor no", "is_pun", "Write yes or no.")
    if answer in _NO:
        return Review(**common, keep=True, is_pun=False)
    if not cells["pun_word"]:
        raise row.fault("is empty, though it is a pun", "pun_word", "Name the word that carries the pun.")
    alternatives = tuple(part.strip() for part in cells["alternatives"].split(";") if part.strip())
    meanings = tuple(filter(None, (cells["meaning_1"], cells["meaning_2"])))
    if len(meanings) == 1:
        raise row.fault("there is one meaning", "meaning_2", "Give both meanings of a pun on one word, or neither.")
    if bool(alternatives) == bool(meanings):
        raise row.fault(
            "a pun has either another word or two meanings",
            "alternatives",
            "Fill alternatives for a pun on sound, meaning_1 and meaning_2 for a pun on one word.",
        )
    return Review(
        **common, keep=True, is_pun=True, pun_word=cells["pun_word"], alternatives=alternatives, meanings=meanings
    )
