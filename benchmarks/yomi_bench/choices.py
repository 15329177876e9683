"""Choosing one of four words: the one with the query's vowels (paper section 3.3), or the one that was heard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from apun.readers.choice import choice
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.yomi_bench import solver
from benchmarks.yomi_bench.asking import (
    VARIANTS,
    accuracy,
    ask_one,
    ask_released,
    fill,
    item_of,
    make_score,
    question_of,
    released,
    statistics,
    variants,
)
from benchmarks.yomi_bench.items import LETTERS, HeardItem, RhymeItem, YomiItem
from benchmarks.yomi_bench.speaking import speech_for

Script = Literal["kanji", "kana"]
RELEASED = "rhyme_selection"
METRICS = (*accuracy(), ratio("unparsed", "Unparsed", "unparsed", higher_is_better=False))


def _fields(options: Sequence[str]) -> dict[str, str]:
    return {letter.lower(): option for letter, option in zip(LETTERS, options, strict=True)}


def _score(question: Question, reply: Reply, right: int, *spellings: Sequence[str]) -> Score:
    parsed = choice(reply.answer or "", *spellings)
    said = parsed.value if reply.status == "ok" else None
    numbers = statistics(question, 1.0, correct=said == right, unparsed=reply.status == "ok" and said is None)
    cause = "right" if said == right else parsed.cause or "wrong"
    letter = None if said is None else LETTERS[said]
    return make_score(question, reply, letter, numbers, cause, gold=LETTERS[right], options=list(spellings[0]))


def rhyme_task(script: Script) -> Task:
    """Rhyme selection with words in kanji or in kana; by ear the query is heard and the options are read."""
    name = f"yomi.rhyme_selection_{script}"

    def ask(items: Sequence[YomiItem], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
        by_ear = conditions.modality == "audio"
        file = "rhyme_selection_heard.ja.toml" if by_ear else "rhyme_selection.ja.toml"
        for item in items:
            if not isinstance(item, RhymeItem):
                continue
            query, options = spelled(item, script)
            fields = _fields(options) if by_ear else {"query": query, **_fields(options)}
            for variant in variants(conditions):
                wording = released(item, RELEASED, conditions)
                if wording:
                    asked = question_of(wording, variant, {"query": query})
                    text = fill(wording.body, {"QUESTION": asked, **_fields(options)})
                    yield ask_released(name, item, variant, fields, text)
                    continue
                yield ask_one(
                    name, item, variant, conditions, file=file, fields=fields, speech=speech if by_ear else None
                )

    def score(question: Question, reply: Reply) -> Score:
        item = item_of(question, RhymeItem)
        _, options = spelled(item, script)
        return _score(question, reply, item.answer, options, item.options_kana)

    return Task(
        name=name,
        title=f"Which of four words has the same vowels? (words in {script})",
        version=1,
        ask=ask,
        score=score,
        metrics=METRICS,
        solve=solver.choose_by_vowels,
        perfect=_perfect,
        variants=VARIANTS,
        max_new_tokens=256,
        speech=speech_for(RhymeItem),
    )


def spelled(item: RhymeItem, script: Script) -> tuple[str, tuple[str, ...]]:
    """Query and options in one script."""
    return (item.query_kanji, item.options_kanji) if script == "kanji" else (item.query_kana, item.options_kana)


def _perfect(question: Question) -> str:
    item = question.item
    assert isinstance(item, (RhymeItem, HeardItem))
    return f"正解は：**({LETTERS[item.answer]})**"


def _ask_heard(items: Sequence[YomiItem], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """In the text modality the word's kana stand in the clip's place."""
    for item in items:
        if isinstance(item, HeardItem):
            for variant in variants(conditions):
                yield ask_one(
                    HEARD.name,
                    item,
                    variant,
                    conditions,
                    file="heard_reading.ja.toml",
                    fields=_fields(item.options),
                    speech=speech if conditions.modality == "audio" else None,
                    transcript=item.kana,
                )


def _score_heard(question: Question, reply: Reply) -> Score:
    item = item_of(question, HeardItem)
    return _score(question, reply, item.answer, item.options, item.options_kana)


HEARD = Task(
    name="yomi.heard_reading",
    title="A word is heard: which of four words that sound alike is it?",
    version=1,
    ask=_ask_heard,
    score=_score_heard,
    metrics=METRICS,
    solve=solver.choose_by_sound,
    perfect=_perfect,
    variants=VARIANTS,
    max_new_tokens=64,
    speech=speech_for(HeardItem),
)
KANJI, KANA = rhyme_task("kanji"), rhyme_task("kana")
