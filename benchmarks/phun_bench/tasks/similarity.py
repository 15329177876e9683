"""Which of four words sounds most like a word, in five forms (§4.4, §5.4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from apun.asking import Case, condition_of, item_of
from apun.phonetics.mandarin import marked
from apun.readers.choice import choice
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question
from benchmarks.phun_bench import solver
from benchmarks.phun_bench.items import LETTERS, PERTURBATIONS, SimilarityItem
from benchmarks.phun_bench.speaking import ASK, WHOLE, WORDS
from benchmarks.phun_bench.tasks import ACCURACY, SPOKEN_DEFAULT, by, case, form_of, task

WRITTEN = {"word": "similarity", "pinyin": "similarity_pinyin"}
SPOKEN = {
    "whole": ("similarity_whole", (WHOLE,)),
    "clips": ("similarity", WORDS),
    "clips_only": ("similarity_clips_only", (ASK, *WORDS)),
}


def cases(items: Sequence[Any], conditions: Conditions, variant: str) -> Iterator[Case]:
    """Each word once, in the form asked for."""
    by_ear = conditions.modality == "audio"
    form = form_of(conditions, SPOKEN if by_ear else WRITTEN)
    stem, clips = SPOKEN[form] if by_ear else (WRITTEN[form], ())
    for item in items:
        if isinstance(item, SimilarityItem):
            words = [marked(item.reading) if form == "pinyin" else item.text, *options(item, form)]
            texts = dict(zip(WORDS, words, strict=True))
            yield case(item, stem, conditions, form=form, clips=clips, texts=texts)


def options(item: SimilarityItem, form: str) -> tuple[str, ...]:
    """The candidates as a question shows them: words, or their pinyin."""
    return tuple(map(marked, item.readings)) if form == "pinyin" else item.candidates


def score(question: Question, reply: Reply) -> Score:
    """Right when the option is."""
    item = item_of(question, SimilarityItem)
    shown = options(item, condition_of(question))
    found = reply.read(lambda text: choice(text, shown).value)
    parsed, gold = None if found is None else LETTERS[found], LETTERS[item.answer]
    labels = {"stratum": item.stratum, "perturbation": item.perturbation, "gold": gold}
    return Score.of(question, reply, parsed, {"correct": float(parsed == gold)}, labels, gold=gold)


def _perfect(question: Question) -> str:
    return solver.as_json(answer=LETTERS[item_of(question, SimilarityItem).answer])


SIMILARITY = task(
    "similarity",
    "Which of four words sounds most like a word (§4.4)",
    cases,
    score,
    (ACCURACY, *by("accuracy", "perturbation", PERTURBATIONS)),
    solver.similarity,
    _perfect,
    spoken_default=SPOKEN_DEFAULT,
)
