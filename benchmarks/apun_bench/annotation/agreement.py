"""From reviews to gold: correction rate, agreement of reviewers, and what is left to decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from apun.report.tables import Cell, Table
from benchmarks.apun_bench.annotation.drafting import Draft
from benchmarks.apun_bench.annotation.reviewing import Review, from_draft
from benchmarks.apun_bench.classify import inflected_like, ipa_of, lemmas_of, type_of
from benchmarks.apun_bench.items import HETEROGRAPHIC, HOMOGRAPHIC, HOMOPHONIC, NEGATIVE, PunItem, item_from, words

FIELDS = ("text", "is_pun", "pun_word", "alternatives", "meanings")


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
    body: list[tuple[Cell, ...]] = [
        (field, len(agreed), sum(field in found for found in changed), _share([field in f for f in changed]))
        for field in FIELDS
    ]
    body.append(("any field", len(agreed), sum(map(bool, changed)), _share(list(map(bool, changed)))))
    return Table("corrections", "Drafts corrected by reviewers", ("Field", "Items", "Corrected", "Rate %"), tuple(body))


def _share(found: Sequence[bool]) -> float | None:
    return 100 * sum(found) / len(found) if found else None


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
            body.append((f"{first}, {second}", title, len(shared), _share(same), cohen_kappa(*labels)))
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
        return item_from(record | {"type": NEGATIVE}, review.file, review.line)
    heard = ipa_of(review.pun_word)
    places = [i for i, word in enumerate(words(review.text)) if word.casefold() == review.pun_word.casefold()]
    if len(places) > 1:
        record["pun_index"] = places[-1]
    record |= {"pun_word": review.pun_word, "pun_ipa": heard[0] if heard else ""}
    if review.meanings:
        record |= {"type": HOMOGRAPHIC, "meanings": list(review.meanings)}
        return item_from(record, review.file, review.line)
    spoken = [inflected_like(review.pun_word, lemmas_of(review.pun_word), other) for other in review.alternatives]
    kind = type_of((review.pun_word,), (*review.alternatives, *spoken))
    record |= {"type": kind, "alternatives": list(review.alternatives), "swap_word": spoken[0]}
    if kind in (HETEROGRAPHIC, HOMOPHONIC):
        record |= _heard_pair(review.pun_word, [*spoken, *review.alternatives], same=kind == HOMOPHONIC)
    return item_from(record, review.file, review.line)


def _heard_pair(pun_word: str, others: Sequence[str], *, same: bool) -> dict[str, str]:
    """Gold IPA of the first pair of readings that shows the type."""
    for mine in ipa_of(pun_word):
        for theirs in (ipa for other in others for ipa in ipa_of(other)):
            if (mine == theirs) == same:
                return {"pun_ipa": mine, "alternative_ipa": theirs}
    return {}
