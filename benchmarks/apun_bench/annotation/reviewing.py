"""Review sheets: drafts out for each reviewer, corrections in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun.errors import DataError
from apun.sheets import read_sheet, write_sheet
from benchmarks.apun_bench.annotation.drafting import Draft

COLUMNS = ("id", "audio", "text", "is_pun", "pun_word", "alternatives", "meaning_1", "meaning_2", "verdict", "note")
KEEP, DROP = "keep", "drop"
_YES, _NO = ("yes", "y", "true", "1", "pun"), ("no", "n", "false", "0", "non-pun")


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
    )


def row_of(draft: Draft, audio: str) -> dict[str, str]:
    """A draft as a row of a review sheet; the reviewer corrects the cells in place."""
    meanings = [*draft.meanings, "", ""]
    return {
        "id": draft.id,
        "audio": audio,
        "text": draft.transcript,
        "is_pun": {True: "yes", False: "no", None: ""}[draft.is_pun],
        "pun_word": draft.pun_word,
        "alternatives": "; ".join(draft.alternatives),
        "meaning_1": meanings[0],
        "meaning_2": meanings[1],
        "verdict": KEEP,
        "note": draft.problem,
    }


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
    seen: set[str] = set()
    reviews = []
    for row in read_sheet(path, needed, ("audio", "verdict", "note")):
        name = row.values["id"]
        if name not in known:
            raise DataError(f"{name!r} was not drafted", file=path, line=row.line, field="id", fix="Restore the id.")
        if name in seen:
            raise DataError(f"{name!r} stands twice", file=path, line=row.line, field="id", fix="Keep one row.")
        seen.add(name)
        reviews.append(checked(row.values, reviewer, path, row.line))
    return reviews


def checked(cells: Mapping[str, str], reviewer: str, path: Path, line: int) -> Review:
    """A reviewer's cells as a ``Review``; raises ``DataError`` as ``read_reviews`` does."""

    def refuse(problem: str, field: str, fix: str) -> DataError:
        return DataError(problem, file=path, line=line, field=field, fix=fix)

    verdict = cells.get("verdict", "").strip().casefold() or KEEP
    if verdict not in (KEEP, DROP):
        raise refuse(f"{verdict[:40]!r} is no verdict", "verdict", f"Write {KEEP} or {DROP}.")
    meanings = tuple(part for part in (cells.get("meaning_1", "").strip(), cells.get("meaning_2", "").strip()) if part)
    common: dict[str, Any] = {
        "id": cells["id"],
        "reviewer": reviewer,
        "text": cells["text"].strip(),
        "note": cells.get("note", ""),
        "file": str(path),
        "line": line,
    }
    if verdict == DROP:
        return Review(**common, keep=False, is_pun=False)
    if not common["text"]:
        raise refuse("is empty", "text", f"Write what is said, or {DROP} the clip.")
    answer = cells["is_pun"].strip().casefold()
    if answer not in (*_YES, *_NO):
        raise refuse(f"{answer[:40]!r} is neither yes nor no", "is_pun", "Write yes or no.")
    if answer in _NO:
        return Review(**common, keep=True, is_pun=False)
    alternatives = tuple(part.strip() for part in cells["alternatives"].split(";") if part.strip())
    if not cells["pun_word"].strip():
        raise refuse("is empty, though it is a pun", "pun_word", "Name the word that carries the pun.")
    if len(meanings) == 1:
        raise refuse("there is one meaning", "meaning_2", "Give both meanings of a pun on one word, or neither.")
    if bool(alternatives) == bool(meanings):
        raise refuse(
            "a pun has either another word or two meanings",
            "alternatives",
            "Fill alternatives for a pun on sound, meaning_1 and meaning_2 for a pun on one word.",
        )
    return Review(
        **common,
        keep=True,
        is_pun=True,
        pun_word=cells["pun_word"].strip(),
        alternatives=alternatives,
        meanings=meanings,
    )
