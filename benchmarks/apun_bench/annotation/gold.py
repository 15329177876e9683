"""From reviews to gold: correction rate, agreement of reviewers, and what is left to decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from apun.errors import UsageError
from apun.prompts import MAIN
from apun.records import Record, read_json
from apun.report.tables import Cell, Table
from apun.scores import share
from apun.sheets import write_sheet
from benchmarks.apun_bench.annotation import label_studio as project
from benchmarks.apun_bench.annotation.drafting import DRAFTS, SOURCE
from benchmarks.apun_bench.annotation.reviewing import COLUMNS, Draft, Review, from_draft, read_drafts, read_reviews
from benchmarks.apun_bench.data import write_items
from benchmarks.apun_bench.items import (
    HOMOGRAPHIC,
    HOMOPHONIC,
    NEGATIVE,
    PunItem,
    gold_sounds,
    inflected_like,
    ipa_of,
    item_from,
    lemmas_of,
    type_of,
    words,
)

FIELDS = ("text", "is_pun", "pun_word", "alternatives", "meanings")
GOLD = "items.jsonl"
OPEN = "open.csv"


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
    drafts = read_drafts(out / DRAFTS)
    reviews = {name: read_reviews(path, name, drafts) for name, path in sheets.items()}
    for name, found in (project.read_annotations(label_studio, drafts) if label_studio else {}).items():
        if name in reviews:
            raise UsageError(f"reviewer {name!r} is in a sheet and in the Label Studio export")
        reviews[name] = found
    if not reviews:
        raise UsageError("nothing to merge: give --sheet NAME=FILE for each reviewer, or --label-studio FILE")
    result = agree(drafts, reviews, read_reviews(decided, "decided", drafts) if decided else [])
    rows = _rows(out)
    items = tuple(gold_item(r, rows.get(r.id, {}), drafts[r.id].transcript) for r in result.agreed)
    write_items(out / GOLD, items)
    open_path = out / OPEN if result.open else None
    if open_path:
        disputed = [review for found in result.open.values() for review in found]
        rows_of_open = [r.row() | {"note": f"{r.reviewer}: {r.note}".rstrip(": ")} for r in disputed]
        write_sheet(open_path, COLUMNS, rows_of_open)
    return Merged(items, out / GOLD, open_path, result)


def _rows(out: Path) -> Mapping[str, Mapping[str, Any]]:
    """Metadata by item, where the clips' folder is still there; speaker and licence come from it."""
    from apun.splits import read_split

    source = out / SOURCE
    folder = Path(read_json(source)["data_dir"]) if source.is_file() else None
    if folder is None or not folder.is_dir():
        return {}
    return {item: row for (item, part), row in read_split(folder).rows.items() if part == MAIN}


@dataclass(frozen=True, slots=True)
class Agreement:
    """The outcome of a review.

    Attributes:
        agreed: one review an item, where all reviewers agree or an adjudicator decided.
        open: items on which reviewers differ, with every review.
        dropped: ids that all reviewers (or the adjudicator) drop.
        tables: correction rate and Cohen's κ.
    """

    agreed: tuple[Review, ...]
    open: Mapping[str, tuple[Review, ...]]
    dropped: tuple[str, ...]
    tables: tuple[Table, ...]


def agree(
    drafts: Mapping[str, Draft], reviews: Mapping[str, Sequence[Review]], decided: Sequence[Review] = ()
) -> Agreement:
    """Compare reviewers with one another and with the drafts.

    Args:
        drafts: by id.
        reviews: by reviewer.
        decided: an adjudicator's rows; they settle the items they name.
    """
    by_item: dict[str, list[Review]] = {}
    for found in reviews.values():
        for review in found:
            by_item.setdefault(review.id, []).append(review)
    final = {review.id: review for review in decided}
    agreed: list[Review] = []
    dropped: list[str] = []
    unsettled: dict[str, tuple[Review, ...]] = {}
    for name in sorted(by_item.keys() | final.keys()):
        given = [final[name]] if name in final else by_item[name]
        if not any(review.keep for review in given):
            dropped.append(name)
        elif all(review.keep for review in given) and len({tuple(r.fields().values()) for r in given}) == 1:
            agreed.append(given[0])
        else:
            unsettled[name] = tuple(given)
    return Agreement(tuple(agreed), unsettled, tuple(dropped), (corrections(drafts, agreed), kappas(drafts, reviews)))


def corrections(drafts: Mapping[str, Draft], agreed: Sequence[Review]) -> Table:
    """How many drafts were changed, by field (the paper's manual correction rate is about 6%)."""
    changed = [
        {field for field in FIELDS if review.fields()[field] != from_draft(drafts[review.id]).fields()[field]}
        for review in agreed
    ]
    marks = {**{field: [field in found for found in changed] for field in FIELDS}, "any field": [*map(bool, changed)]}
    body = tuple((name, len(agreed), sum(found), share(found, bool)) for name, found in marks.items())
    return Table("corrections", "Drafts corrected by reviewers", ("Field", "Items", "Corrected", "Rate %"), body)


def kappas(drafts: Mapping[str, Draft], reviews: Mapping[str, Sequence[Review]]) -> Table:
    """Cohen's κ of every two reviewers: pun or not, its word, its kind, and accepting the draft as it is."""
    from apun.scoring.statistics import cohen_kappa

    body: list[tuple[Cell, ...]] = []
    for first, second in combinations(sorted(reviews), 2):
        theirs = [{review.id: review for review in reviews[name]} for name in (first, second)]
        shared = sorted(theirs[0].keys() & theirs[1].keys())
        for title, label in (
            ("pun or not", _pun_label),
            ("pun word", lambda r: r.fields()["pun_word"] if r.keep else "dropped"),
            ("kind of pun", _kind_label),
            ("draft accepted", lambda r: str(r.keep and r.fields() == from_draft(drafts[r.id]).fields())),
        ):
            labels = [[label(side[name]) for name in shared] for side in theirs]
            same = [a == b for a, b in zip(*labels, strict=True)]
            body.append((f"{first}, {second}", title, len(shared), share(same, bool), cohen_kappa(*labels)))
    return Table(
        "agreement",
        "Agreement of reviewers (Cohen's κ; the paper reports 0.92)",
        ("Reviewers", "Label", "Items", "Same %", "κ"),
        tuple(body),
        ("κ is shown as a dash where both reviewers gave every item one and the same label.",),
    )


def _pun_label(review: Review) -> str:
    return "dropped" if not review.keep else "pun" if review.is_pun else "non-pun"


def _kind_label(review: Review) -> str:
    return _pun_label(review) if not review.is_pun else "sound" if review.alternatives else "meaning"


def gold_item(review: Review, row: Mapping[str, Any], transcript: str) -> PunItem:
    """An agreed review as a gold item, its type decided by spelling and IPA.

    Where the pun word stands in the text more than once, its last place is taken, as ``locate`` does.

    Args:
        review: the agreed review.
        row: the clip's metadata (speaker, source, licence).
        transcript: the recogniser's text.

    Raises:
        DataError: the review contradicts itself, such as a pun word that is not in the text.
    """
    record: dict[str, Any] = {
        "id": review.id,
        "text": review.text,
        "transcript": transcript,
        "speaker": str(row.get("speaker") or row.get("voice") or ""),
        "source": str(row.get("source") or row.get("origin") or ""),
        "licence": str(row.get("licence") or row.get("license") or ""),
    }
    if not review.is_pun:
        return _checked(review, record | {"type": NEGATIVE})
    heard = ipa_of(review.pun_word)
    places = [i for i, word in enumerate(words(review.text)) if word.casefold() == review.pun_word.casefold()]
    if len(places) > 1:
        record["pun_index"] = places[-1]
    record |= {"pun_word": review.pun_word, "pun_ipa": heard[0] if heard else ""}
    if review.meanings:
        return _checked(review, record | {"type": HOMOGRAPHIC, "meanings": list(review.meanings)})
    spoken = [inflected_like(review.pun_word, lemmas_of(review.pun_word), other) for other in review.alternatives]
    kind = type_of((review.pun_word,), (*review.alternatives, *spoken))
    record |= {"type": kind, "alternatives": list(review.alternatives), "swap_word": spoken[0]}
    if kind != HOMOGRAPHIC:
        record |= gold_sounds((review.pun_word,), [*spoken, *review.alternatives], same=kind == HOMOPHONIC)
    return _checked(review, record)


def _checked(review: Review, values: Mapping[str, Any]) -> PunItem:
    return item_from(Record(values, Path(review.file) if review.file else None, review.line or None))
