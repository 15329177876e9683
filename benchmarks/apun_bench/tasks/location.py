"""Stage 2, pun word location: coarse by sound and place, fine by lemma (paper §3.2, equations 1-3).

An answer has a place in the item's own text: the word that sounds most like it. Places are also told as fifths of the
sentence (Figure 3) and, where words have times, in seconds (beyond the paper).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from apun.asking import Case, Plan, item_of
from apun.readers.word import word
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, ratio
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.items import HEADS, PUN_TYPES, SHORT, PunItem, words
from benchmarks.apun_bench.tasks import PROMPTS, case, letters_backend

if TYPE_CHECKING:
    from apun.scoring.location import Location, Span, WordSimilarity

NAME = "apun.location"
FILE = "location.en.toml"
INTERVALS = ("0.0-0.2", "0.2-0.4", "0.4-0.6", "0.6-0.8", "0.8-1.0")

Times = Sequence[tuple[str, float, float]]


def cases(items: Sequence[PunItem], conditions: Conditions, variant: str) -> Iterator[Case]:
    """Each pun once."""
    return (case(item, FILE) for item in items if item.is_pun)


def score(question: Question, reply: Reply) -> Score:
    """Where the named word sits, and whether it is the pun word.

    Coarse: equations 1-3 choose the word of the item's own text that sounds most like the answer; that
    place must be the pun word's. Fine: answer and pun word have the same lemma. A reply that names no
    word is wrong in both. The text is the gold transcript, so a recogniser's slips cost the model no
    place that it heard well enough.
    """
    item = item_of(question, PunItem)
    said = reply.read(lambda text: word(text).value)
    found = place(item, said)
    times = times_of(reply, question.prompt.fields.get("word_times"))
    statistics = {"coarse": float(found.coarse), "fine": float(found.fine), **seconds_of(item, said, times)}
    labels = {
        "type": item.type,
        "position_gold": interval(item.pun_index, len(words(item.text))),
        "position_predicted": found.interval or "none",
    }
    return Score.of(question, reply, said, statistics, labels, spoken=item.text, **found.detail)


def interval(index: int, length: int) -> str:
    """The fifth of the sentence that a word lies in, by the middle of the word (Figure 3).

    Args:
        index: 0-based place of the word.
        length: number of words, at least 1.
    """
    from apun.scoring.location import interval_of_word

    return INTERVALS[interval_of_word(index, length)]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer was found in an item's text.

    Attributes:
        coarse: the place is the pun word's.
        fine: the answer is the pun word, by lemma.
        interval: position interval of the answer; None where it was not located.
        index: 0-based place of the answer; None where it was not located.
        detail: similarities and reasons, in plain JSON values.
    """

    coarse: bool
    fine: bool
    interval: str | None = None
    index: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


def place(item: PunItem, said: str | None) -> Place:
    """Locate an answer in the item's own text.

    The pun word in any form is at its place, so fine implies coarse, also where the word stands in the text
    more than once.
    """
    from apun.scoring.lemmas import same_lemma
    from apun.scoring.location import locate

    tokens = words(item.text)
    pieces, owners = _pieces(item, tokens)
    gold_piece = next(i for i, piece in enumerate(pieces) if owners[i] == item.pun_index and _is_pun(piece, item))
    detail: dict[str, Any] = {"gold_word": item.pun_word, "gold_index": item.pun_index}
    if said is None:
        return Place(False, False, detail=detail | {"why": "no word could be read from the reply"})
    found = locate(said, pieces, item.language)
    fine = same_lemma(said, item.pun_word)
    if found.index is None:
        return Place(fine, fine, detail=detail | {"why": found.reason})
    coarse = fine or found.hits(gold_piece)
    index = item.pun_index if coarse else owners[found.index]
    detail |= {
        "word": found.word,
        "index": index,
        "similarity": round(found.similarity, 4),
        "edit": round(found.edit, 4),
        "cosine": round(found.cosine, 4),
        "similarities": _by_word(found, tokens, owners),
    }
    return Place(coarse, fine, interval(index, len(tokens)), index, detail)


def _pieces(item: PunItem, tokens: Sequence[str]) -> tuple[list[str], list[int]]:
    """The words among which an answer is located, and the place of each among the text's words.

    They are the text's words, but for a compound around the pun word (``10-foot``), which is taken apart.
    """
    pieces: list[str] = []
    owners: list[int] = []
    for index, token in enumerate(tokens):
        whole = index != item.pun_index or _is_pun(token, item)
        parts = [token] if whole else re.split(r"[-‑]", token)
        pieces += parts
        owners += [index] * len(parts)
    return pieces, owners


def _by_word(found: Location, tokens: Sequence[str], owners: Sequence[int]) -> list[list[Any]]:
    """``[word, edit, cosine]`` of each word of the text, of a compound its likest part."""
    best: dict[int, WordSimilarity] = {}
    for row, owner in zip(found.table, owners, strict=True):
        if owner not in best or row.similarity > best[owner].similarity:
            best[owner] = row
    return [[token, round(best[i].edit, 3), round(best[i].cosine, 3)] for i, token in enumerate(tokens)]


def _is_pun(piece: str, item: PunItem) -> bool:
    """Whether a piece of the text is the pun word, a clitic aside."""
    bare, wanted = (text.casefold().replace("’", "'") for text in (piece, item.pun_word))
    return bare == wanted or wanted in bare.split("'")


def seconds_of(item: PunItem, said: str | None, times: Times) -> dict[str, float]:
    """Whether the answer's word and the pun word lie together in time (beyond the paper).

    Args:
        item: a pun.
        said: the answer, located by its sound among the timed words.
        times: word times of the clip, in seconds; empty where nobody gave them.

    Returns:
        ``timed`` (1 where the pun word has a time), ``hit`` (within half a second) and ``overlap``
        (intersection over union of the two spans); all 0 where there are no times.
    """
    from apun.scoring.location import hit, locate_in_time, overlap

    gold = gold_span(item, times)
    if gold is None:
        return {"timed": 0.0, "hit": 0.0, "overlap": 0.0}
    found = locate_in_time(said, times, item.language)[0] if said is not None else None
    return {"timed": 1.0, "hit": float(hit(found, gold)), "overlap": overlap(found, gold)}


def gold_span(item: PunItem, times: Times) -> Span | None:
    """When the pun word is spoken: the timed words aligned to the text, misheard ones included."""
    if not times:
        return None
    from rapidfuzz.distance import Levenshtein

    from apun.scoring.location import Span

    tokens = [word.casefold() for word in words(item.text)]
    heard = [word.strip(" .,;:!?\"'“”‘’").casefold() for word, _, _ in times]
    for step in Levenshtein.opcodes(tokens, heard):
        if step.tag in ("equal", "replace") and step.src_start <= item.pun_index < step.src_end:
            _, start, end = times[step.dest_start + item.pun_index - step.src_start]
            return Span(start, end) if 0 <= start <= end else None
    return None


def times_of(reply: Reply, stated: Any) -> Times:
    """Word times of the main clip: those the split's metadata states, else those the recogniser gave."""
    if isinstance(stated, list | tuple):
        return [(str(word), float(start), float(end)) for word, start, end in stated]
    return reply.words[0] if reply.words else ()


METRICS = (
    ratio("coarse", "Coa", "coarse"),
    ratio("fine", "Fin", "fine"),
    *(
        ratio(f"{name}_{SHORT[kind]}", f"{label} ({HEADS[kind]})", name, where={"type": kind})
        for kind in PUN_TYPES
        for name, label in (("coarse", "Coa"), ("fine", "Fin"))
    ),
    ratio("within_half_second", "±0.5 s", "hit", "timed"),
    ratio("overlap", "Overlap", "overlap", "timed"),
)

TASK = Plan(NAME, PROMPTS, cases).as_task(
    "Which word carries the pun? (coarse and fine)",
    score,
    METRICS,
    solver.locate_pun,
    lambda question: item_of(question, PunItem).pun_word,
    signature=letters_backend,
)
