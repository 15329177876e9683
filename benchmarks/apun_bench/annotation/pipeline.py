"""The steps of ``apun annotate``: drafts and review sheets out; corrected sheets in, gold out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun.errors import UsageError
from apun.models import LoadOptions
from apun.paths import write_atomic
from apun.registry import load_model, load_recogniser
from apun.sheets import write_sheet
from apun.speech import Split
from benchmarks.apun_bench.annotation import drafting, reviewing
from benchmarks.apun_bench.annotation import label_studio as project
from benchmarks.apun_bench.annotation.agreement import Agreement, agree, gold_item
from benchmarks.apun_bench.items import PunItem

GIVEN = "given"
SOURCE = "source.json"
GOLD = "items.jsonl"
OPEN = "open.csv"
TRANSCRIPTS = "transcripts.jsonl"


def make_drafts(
    data_dir: Path,
    out: Path,
    *,
    model: str,
    recogniser: str,
    reviewers: Sequence[str],
    limit: int | None = None,
    device: str = "auto",
    label_studio: bool = True,
    tell: Callable[[str], object] = print,
) -> int:
    """Transcribe, annotate, and write what people review; what is drafted already is not asked again.

    Args:
        data_dir: an AudioFolder.
        out: folder for ``drafts.jsonl``, ``review-NAME.csv``/``.xlsx`` and ``label_studio/``.
        model: name of a model.
        recogniser: name of a recogniser; ``given`` takes each row's ``text`` or ``transcript``.
        reviewers: names of the people.
        limit: only so many clips, in the sheet's order.
        device: where local models run.
        label_studio: whether to write the Label Studio project.
        tell: receives a line of progress.

    Returns:
        The number of drafts in the folder.

    Raises:
        UsageError: reviewers' names cannot be file names, or the folder holds drafts of another model.
        DataError, ModelUnavailable: as reading the folder and loading the models do.
    """
    from apun.splits import read_split

    for name in reviewers:
        if not name.replace("-", "").replace("_", "").isalnum():
            raise UsageError(f"{name!r} cannot be part of a file name; name reviewers with letters and digits")
    split = read_split(data_dir)
    ids = list(dict.fromkeys(item for item, _ in split.rows))[:limit]
    out.mkdir(parents=True, exist_ok=True)
    path = out / drafting.DRAFTS
    drafting.cut_torn_line(path)
    known = drafting.read_drafts(path) if path.exists() and path.stat().st_size else {}
    other = {(d.recogniser, d.model) for d in known.values()} - {(recogniser, model)}
    if other:
        heard, read = sorted(other)[0]
        raise UsageError(f"{path} holds drafts by {heard} and {read}; take another --out for {recogniser} and {model}")
    todo = [name for name in ids if name not in known or known[name].is_pun is None]  # failures are asked again
    if todo:
        _draft(split, todo, path, model, recogniser, device, tell)
        known = drafting.read_drafts(path)
    drafts = [known[name] for name in ids if name in known]
    audio = {name: str(split.row(name).get("file_name", "")) for name in ids}
    write_atomic(out / SOURCE, json.dumps({"data_dir": str(data_dir.resolve())}) + "\n")
    written = reviewing.write_reviews(out, drafts, audio, reviewers)
    if label_studio:
        written.append(project.write_project(out, drafts, split))
    unclear = sum(bool(draft.problem) for draft in drafts)
    tell(f"{len(drafts)} drafts, {sum(bool(d.is_pun) for d in drafts)} of them puns, {unclear} with a problem noted")
    for file in written:
        tell(f"  {file}")
    return len(drafts)


def _draft(
    split: Split,
    ids: Sequence[str],
    path: Path,
    model: str,
    recogniser: str,
    device: str,
    tell: Callable[[str], object],
) -> None:
    """Transcribe first and free the recogniser, so that only one model is held at a time."""
    options = LoadOptions(device=device)
    if recogniser == GIVEN:
        texts = [(name, *_given(split.row(name))) for name in ids]
    else:
        texts = _transcribed(split, ids, path.with_name(TRANSCRIPTS), recogniser, options, tell)
    reader = load_model(model, options)
    try:
        for start in range(0, len(texts), max(1, reader.info.max_batch)):
            part = texts[start : start + max(1, reader.info.max_batch)]
            drafting.write_drafts(path, list(drafting.draft(part, reader, recogniser, name=model)))
            _tell_progress(tell, "drafted", start, start + len(part), len(texts))
    finally:
        reader.close()


def _transcribed(
    split: Split, ids: Sequence[str], path: Path, recogniser: str, options: LoadOptions, tell: Callable[[str], object]
) -> list[tuple[str, str, str]]:
    """``(id, transcript, problem)`` of each clip; what was transcribed before a stop is read back."""
    from apun.splits import read_rows

    drafting.cut_torn_line(path)
    rows = [row for _, row in read_rows(path)] if path.is_file() else []
    known = {row["id"]: row["text"] for row in rows if row.get("recogniser") == recogniser and not row["problem"]}
    todo = [name for name in ids if name not in known]
    problems: dict[str, str] = {}
    if todo:
        ears = load_recogniser(recogniser, options)
        try:
            for done, (name, text, problem) in enumerate(drafting.transcribe(split, todo, ears)):
                row = {"id": name, "text": text, "problem": problem, "recogniser": recogniser}
                drafting.append(path, [row])
                known[name], problems[name] = text, problem
                _tell_progress(tell, "transcribed", done, done + 1, len(todo))
        finally:
            ears.close()
    return [(name, known[name], problems.get(name, "")) for name in ids]


def _tell_progress(tell: Callable[[str], object], what: str, before: int, done: int, total: int) -> None:
    """A line every 25 clips and at the end."""
    if done // 25 > before // 25 or done == total:
        tell(f"{what} {done}/{total}")


def _given(row: Mapping[str, Any]) -> tuple[str, str]:
    text = str(row.get("text") or row.get("transcript") or "").strip()
    return text, "" if text else "the row has neither text nor transcript"


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge gives.

    Attributes:
        items: the gold items.
        path: where they were written.
        open_path: where the reviews of open items were written; None without any.
        agreement: corrections, κ, and what is open.
    """

    items: tuple[PunItem, ...]
    path: Path
    open_path: Path | None
    agreement: Agreement


def merge_reviews(
    out: Path, sheets: Mapping[str, Path], *, label_studio: Path | None = None, decided: Path | None = None
) -> Merged:
    """Corrected reviews in, gold items out.

    Args:
        out: the folder of ``make_drafts``.
        sheets: a corrected sheet by reviewer.
        label_studio: a Label Studio export, in place of or beside the sheets.
        decided: an adjudicator's sheet; it settles the items it names.

    Raises:
        UsageError: no review at all, or a reviewer named twice.
        DataError: a sheet is malformed or an agreed review contradicts itself; names file, line, field.
    """
    drafts = drafting.read_drafts(out / drafting.DRAFTS)
    reviews = {name: reviewing.read_reviews(path, name, drafts) for name, path in sheets.items()}
    for name, found in (project.read_annotations(label_studio, drafts) if label_studio else {}).items():
        if name in reviews:
            raise UsageError(f"reviewer {name!r} is in a sheet and in the Label Studio export")
        reviews[name] = found
    if not reviews:
        raise UsageError("nothing to merge: give --sheet NAME=FILE for each reviewer, or --label-studio FILE")
    final = reviewing.read_reviews(decided, "decided", drafts) if decided else []
    result = agree(drafts, reviews, final)
    rows = _rows(out)
    items = tuple(gold_item(r, rows.get(r.id, {}), drafts[r.id].transcript) for r in result.agreed)
    text = "".join(json.dumps(item.to_json(), ensure_ascii=False) + "\n" for item in items)
    write_atomic(out / GOLD, text)
    open_path = out / OPEN if result.open else None
    if open_path:
        write_sheet(open_path, reviewing.COLUMNS, [_row(r) for found in result.open.values() for r in found])
    return Merged(items, out / GOLD, open_path, result)


def _rows(out: Path) -> Mapping[str, Mapping[str, Any]]:
    """Metadata by item, where the clips' folder is still there; speaker and licence come from it."""
    from apun.splits import read_split

    source = out / SOURCE
    folder = Path(json.loads(source.read_text(encoding="utf-8"))["data_dir"]) if source.is_file() else None
    if folder is None or not folder.is_dir():
        return {}
    split = read_split(folder)
    return {item: row for (item, part), row in split.rows.items() if part == "main"}


def _row(review: reviewing.Review) -> dict[str, str]:
    meanings = [*review.meanings, "", ""]
    return {
        "id": review.id,
        "text": review.text,
        "is_pun": "yes" if review.is_pun else "no",
        "pun_word": review.pun_word,
        "alternatives": "; ".join(review.alternatives),
        "meaning_1": meanings[0],
        "meaning_2": meanings[1],
        "verdict": reviewing.KEEP if review.keep else reviewing.DROP,
        "note": f"{review.reviewer}: {review.note}".rstrip(": "),
    }
