"""Choosing one of four words: the one with the query's vowels (paper section 3.3), or the one that was heard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from apun.asking import Case, item_of
from apun.prompts import MAIN
from apun.readers.choice import choice
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.yomi_bench import solver
from benchmarks.yomi_bench.items import LETTERS, HeardItem, RhymeItem, YomiItem
from benchmarks.yomi_bench.tasks import accuracy, case_of, plan, read, statistics

Script = Literal["kanji", "kana"]
METRICS = (*accuracy(), ratio("unparsed", "Unparsed", "unparsed", higher_is_better=False))


def _lettered(options: Sequence[str]) -> dict[str, str]:
    return {letter.lower(): option for letter, option in zip(LETTERS, options, strict=True)}


def _score(question: Question, reply: Reply, right: int, *spellings: Sequence[str]) -> Score:
    said, cause = read(reply, lambda text: choice(text, *spellings))
    numbers = statistics(question, 1.0, correct=said == right, unparsed=reply.status == "ok" and said is None)
    labels = {"cause": "right" if said == right else cause or "wrong"}
    letter = None if said is None else LETTERS[said]
    return Score.of(question, reply, letter, numbers, labels, gold=LETTERS[right], options=list(spellings[0]))


def _perfect(question: Question) -> str:
    item = question.item
    assert isinstance(item, RhymeItem | HeardItem)
    return f"正解は：**({LETTERS[item.answer]})**"


def rhyme_task(script: Script) -> Task:
    """Rhyme selection with words in kanji or in kana; by ear the query is heard and the options are read."""

    def spelled(item: RhymeItem) -> tuple[str, tuple[str, ...]]:
        return (item.query_kanji, item.options_kanji) if script == "kanji" else (item.query_kana, item.options_kana)

    def cases(items: Sequence[YomiItem], conditions: Conditions, variant: str) -> Iterator[Case]:
        for item in items:
            if isinstance(item, RhymeItem):
                query, options = spelled(item)
                fields = {"query": query, **_lettered(options)}
                released = "rhyme_selection"
                yield case_of(item, variant, conditions, released, fields, heard="query", released=released)

    def score(question: Question, reply: Reply) -> Score:
        item = item_of(question, RhymeItem)
        return _score(question, reply, item.answer, spelled(item)[1], item.options_kana)

    title = f"Which of four words has the same vowels? (words in {script})"
    asking = plan(f"yomi.rhyme_selection_{script}", cases)
    return asking.as_task(title, score, METRICS, solver.choose_by_vowels, _perfect, max_new_tokens=256)


def _cases_heard(items: Sequence[YomiItem], conditions: Conditions, variant: str) -> Iterator[Case]:
    """In the text modality the word's kana stand in the clip's place."""
    for item in items:
        if isinstance(item, HeardItem):
            fields = _lettered(item.options)
            yield Case(item, "heard_reading.ja.toml", fields, clips={MAIN: MAIN}, texts={MAIN: item.kana})


def _score_heard(question: Question, reply: Reply) -> Score:
    item = item_of(question, HeardItem)
    return _score(question, reply, item.answer, item.options, item.options_kana)


HEARD = plan("yomi.heard_reading", _cases_heard).as_task(
    "A word is heard: which of four words that sound alike is it?",
    _score_heard,
    METRICS,
    solver.choose_by_sound,
    _perfect,
)
KANJI, KANA = rhyme_task("kanji"), rhyme_task("kana")
