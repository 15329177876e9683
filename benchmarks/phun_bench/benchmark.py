"""Phun-Bench as the harness sees it: tasks, metrics, data, speech and tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from apun.prompts import Prompt
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Benchmark, Metric, Modality, Question, Task, ratio
from benchmarks.phun_bench import plans, rhyme, scoring, solving
from benchmarks.phun_bench.asking import Plan
from benchmarks.phun_bench.items import LETTERS, PERTURBATIONS, marked
from benchmarks.phun_bench.load import TIERS, load
from benchmarks.phun_bench.speaking import utterances
from benchmarks.phun_bench.tables import tables

ScoreFunction = Callable[[Question, Reply], Score]


def _answer(value: object) -> str:
    return json.dumps({"answer": value}, ensure_ascii=False)


def _perfect_pinyin(question: Question) -> str:
    item: Any = question.item
    return _answer(item.syllable.pinyin)


def _perfect_reading(question: Question) -> str:
    item: Any = question.item
    return _answer(marked(item.reading))


def _perfect_chars(question: Question) -> str:
    item: Any = question.item
    shown = question.prompt.fields.get("query")
    return _answer([char for char in item.chars if char != shown][:5])


def _perfect_target(question: Question) -> str:
    item: Any = question.item
    return _answer(item.target)


def _perfect_pun(question: Question) -> str:
    item: Any = question.item
    return json.dumps({"pun word": item.pun, "alternative word": item.target}, ensure_ascii=False)


def _perfect_line(count: int) -> Callable[[Question], str]:
    def perfect(question: Question) -> str:
        item: Any = question.item
        return _answer(rhyme.compose(item.text, item.groups, count))

    return perfect


def _perfect_letter(question: Question) -> str:
    item: Any = question.item
    return _answer(LETTERS[item.answer])


ACCURACY = ratio("accuracy", "Accuracy", "correct")
ANY = ratio("accuracy_any", "Any homophone", "any")
SHARE = ratio("syllables", "Syllables", "share")


def _by(metric: str, label: str, values: Sequence[str], statistic: str = "correct") -> tuple[Metric, ...]:
    return tuple(ratio(f"{metric}.{value}", value, statistic, where={label: value}) for value in values)


def _task(
    plan: Plan,
    title: str,
    score: ScoreFunction,
    metrics: tuple[Metric, ...],
    solve: Callable[[Prompt], str],
    perfect: Callable[[Question], str],
    room: int = 64,
) -> Task:
    modalities: tuple[Modality, ...] = ("audio", "text") if plan.audio else ("text",)
    return Task(
        name=plan.task,
        title=title,
        version=1,
        ask=plan.ask,
        score=score,
        metrics=metrics,
        solve=solve,
        perfect=perfect,
        modalities=modalities,
        max_new_tokens=room,
        speech=plan.speech,
        signature=versions,
        sample=plan.sample,
    )


def versions() -> dict[str, str]:
    """What readings depend on: the versions of pypinyin and jieba."""
    from importlib import metadata

    found = {}
    for name in ("pypinyin", "jieba"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "none"
    return found


_CHARS = (ratio("accuracy", "Accuracy", "share"), ratio("perfect", "All five", "perfect"))
_READING = (ACCURACY, SHARE)
_RHYME = (
    ACCURACY,
    *(ratio(cause, cause.capitalize(), cause, higher_is_better=False) for cause in rhyme.CAUSES),
)
_TASKS = (
    _task(
        plans.CHAR2PINYIN,
        "A character's pinyin, in three tiers of commonness (§3.3)",
        scoring.char2pinyin,
        (
            ACCURACY,
            *_by("accuracy.tier", "tier", TIERS),
            ratio("letters", "Letters", "letters"),
            ratio("tone", "Tone", "tone"),
        ),
        solving.char2pinyin,
        _perfect_pinyin,
    ),
    _task(
        plans.HOMOPHONE_RECALL,
        "The chengyu behind meaningless characters of its sound (§4.2.1)",
        scoring.homophone,
        (ACCURACY, ANY),
        solving.homophone_recall,
        _perfect_target,
    ),
    _task(
        plans.WORD2PINYIN,
        "Homophone recall, step 1: the characters' pinyin (§5.2.2)",
        scoring.word2pinyin,
        _READING,
        solving.word2pinyin,
        _perfect_reading,
    ),
    _task(
        plans.PINYIN2WORD,
        "Homophone recall, step 2: the chengyu of the pinyin (§5.2.2)",
        scoring.homophone,
        (ACCURACY, ANY),
        solving.pinyin2word,
        _perfect_target,
    ),
    _task(
        plans.CONTEXTUAL,
        "The pun word in a sentence, and the word it stands for (§4.2.2)",
        scoring.contextual,
        (ratio("recovery", "Recovery", "recovered"), ratio("detection", "Detection", "detected")),
        solving.contextual_homophone,
        _perfect_pun,
    ),
    _task(
        plans.CONTEXTUAL_WORD2PINYIN,
        "Contextual, step 1: the pun word's pinyin (§5.2.2)",
        scoring.word2pinyin,
        _READING,
        solving.word2pinyin,
        _perfect_reading,
    ),
    _task(
        plans.CONTEXTUAL_PINYIN2WORD,
        "Contextual, step 2: the word of the pinyin (§5.2.2)",
        scoring.homophone,
        (ACCURACY,),
        solving.pinyin2word,
        _perfect_target,
    ),
    _task(
        plans.RHYME_1,
        "A line whose last syllable rhymes (§4.3)",
        scoring.rhyming(1),
        _RHYME,
        solving.rhyming(1),
        _perfect_line(1),
    ),
    _task(
        plans.RHYME_2,
        "A line whose last two syllables rhyme, one by one (§4.3)",
        scoring.rhyming(2),
        _RHYME,
        solving.rhyming(2),
        _perfect_line(2),
    ),
    _task(
        plans.SIMILARITY,
        "Which of four words sounds most like a word (§4.4)",
        scoring.similarity,
        (ACCURACY, *_by("accuracy", "perturbation", PERTURBATIONS)),
        solving.similarity,
        _perfect_letter,
    ),
    _task(
        plans.CHAR2CHAR,
        "Five characters that sound like a character (§E.2)",
        scoring.chars,
        _CHARS,
        solving.chars_of_sound,
        _perfect_chars,
    ),
    _task(
        plans.PINYIN2CHAR,
        "Five characters of a syllable (§E.2)",
        scoring.chars,
        _CHARS,
        solving.chars_of_sound,
        _perfect_chars,
    ),
    _task(
        plans.DICTATION,
        "The chengyu of four spoken syllables",
        scoring.homophone,
        (ACCURACY, ANY),
        solving.homophone_recall,
        _perfect_target,
    ),
)

BENCHMARK = Benchmark(
    name="phun",
    title="Phun-Bench: phonological understanding of Mandarin",
    version=1,
    paper="Yue, Shen and Lu, Phun-Bench: Evaluating LLMs on Phonological Understanding in Chinese, arXiv 2606.07300",
    tasks={task.name.partition(".")[2]: task for task in _TASKS},
    subsets={
        "sample": "embedded items, made by the builder from public word lists; lines and puns written here",
        "released": "the released data set (--data-dir: the folder that holds its dataset/ folder)",
        "built": "items that python -m benchmarks.phun_bench.build wrote (--data-dir: its --out folder)",
        "synthetic": "a split that apun synth rendered: clips, metadata.jsonl and items.jsonl",
        "real": "recordings that apun ingest made into a split, with items.jsonl beside them",
    },
    load=load,
    utterances=utterances,
    tables=tables,
)
