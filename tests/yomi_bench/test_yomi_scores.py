"""Scores: readings against the gold, rhymes and their causes, weights, prompts, statuses, options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from apun.errors import UsageError
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, Subset, Task, check_options
from benchmarks.yomi_bench.benchmark import BENCHMARK
from benchmarks.yomi_bench.data import load, slips
from benchmarks.yomi_bench.items import ReadingItem, RhymeItem, Wording, YomiItem
from benchmarks.yomi_bench.tables import all_tables
from benchmarks.yomi_bench.tasks import generation
from benchmarks.yomi_bench.tasks.reading import judge

TEXT = Conditions(modality="text")
SAMPLE = list(load(Subset("sample")))
OBOERU = ReadingItem("multi_0_0", "覚", "覚える", "おぼ", "multiple", "かけ", "おぼえる", None, ("かく", "さ"))
ZONO = ReadingItem("multi_1_0", "園", "花園", "ぞの", "multiple", "さき", "はなぞの", "その", ("えん",))
KOU = ReadingItem("multi_2_0", "格", "格子", "こう", "multiple", "さい", "こうし", None, ("かく",))
HI = ReadingItem("multi_3_0", "筆", "筆記", "ひっ", "multiple", "さか", "ひっき", None, ("ふで",))


@pytest.mark.parametrize(
    ("item", "answer", "exact", "lenient", "cause"),
    [
        (OBOERU, "おぼ", True, True, "right"),
        (OBOERU, "オボ", True, True, "right"),
        (OBOERU, "おぼえる", False, True, "okurigana"),
        (OBOERU, "おぼえ", False, True, "okurigana"),
        (OBOERU, "さ", False, False, "other_reading"),
        (OBOERU, "がく", False, False, "other_reading"),
        (OBOERU, "おぽ", False, False, "voicing"),
        (OBOERU, "めざ", False, False, "wrong"),
        (ZONO, "ぞの", True, True, "right"),
        (ZONO, "その", False, True, "base"),
        (ZONO, "はなぞの", False, True, "whole_word"),
        (KOU, "こー", True, True, "right"),
        (KOU, "こ", False, False, "long_vowel"),
        (KOU, "こお", False, False, "long_vowel"),
        (KOU, "ごう", False, False, "voicing"),
        (HI, "ひつ", False, False, "small_tsu"),
        (HI, "ふで", False, False, "other_reading"),
    ],
)
def test_readings_against_the_gold(item: ReadingItem, answer: str, exact: bool, lenient: bool, cause: str) -> None:
    verdict = judge((answer,), item)
    assert (verdict.exact, verdict.lenient, verdict.cause) == (exact, lenient, cause)


def test_open_romaji_counts_by_its_best_spelling() -> None:
    assert judge(("こお", "こう"), KOU).exact


RHYME = RhymeItem(
    "rhyme_0", "覚醒", "かくせい", ("学生", "論文", "委員", "博士"), ("がくせい", "ろんぶん", "いいん", "はかせ"), 0
)


@pytest.mark.parametrize(
    ("word", "cause", "exists"),
    [
        ("がくせい", "right", True),
        ("はつめい", "right", True),
        ("さむけい", "no_word", False),
        ("かくせい", "repeat", True),
        ("はつめ", "length", None),
        ("はつまい", "one_vowel", None),
        ("はんめい", "n_or_q", None),
        ("はっつめい", "n_or_q", None),
        ("こころざ", "vowels", None),
    ],
)
def test_rhymes_and_their_causes(word: str, cause: str, exists: bool | None) -> None:
    rhyme = generation.check(word, RHYME)
    assert rhyme is not None and (rhyme.cause, rhyme.exists) == (cause, exists)
    assert rhyme.matches == (cause in ("right", "no_word", "repeat"))


@pytest.mark.parametrize(("reply", "cause"), [("発明", "not_kana"), ("わかりません", "unparsed"), ("ゃ", "unparsed")])
def test_what_is_no_kana_word_has_a_cause_too(reply: str, cause: str) -> None:
    task = BENCHMARK.tasks["rhyme_generation"]
    question = next(task.ask([RHYME], TEXT, None))
    score = task.score(question, Reply(status="ok", answer=reply))
    assert score.status == "unparsed" and score.labels["cause"] == cause and score.statistics["correct"] == 0


def test_without_a_dictionary_existence_is_unknown_not_false(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation.lexicon, "exists", lambda word: None)
    task = BENCHMARK.tasks["rhyme_generation"]
    question = next(task.ask([RHYME], TEXT, None))
    score = task.score(question, Reply(status="ok", answer="はつめい"))
    assert score.statistics["correct"] == 1 and score.statistics["checked"] == 0 and score.labels["cause"] == "right"


def values(task: Task, scores: list[Score]) -> dict[str, float]:
    names = {name for metric in task.metrics for name in metric.statistics}
    sums = {name: sum(score.statistics[name] for score in scores) for name in names}
    return {m.name: float(m.compute(np.array([sums[name] for name in m.statistics]))) for m in task.metrics}


def scored(name: str, items: list[YomiItem], conditions: Conditions, answer: Callable[[Question], str]) -> Any:
    task = BENCHMARK.tasks[name]
    return task, [task.score(q, Reply(status="ok", answer=answer(q))) for q in task.ask(items, conditions, None)]


def test_readings_are_averaged_per_kanji_then_over_kanji() -> None:
    """One kanji of three readings all wrong, one of two all right: 1/2, where a plain mean gives 2/5."""
    wrong = [replace(OBOERU, id=f"multi_0_{n}", weight=1 / 3) for n in range(3)]
    right = [replace(ZONO, id=f"multi_1_{n}", weight=1 / 2) for n in range(2)]
    task, scores = scored(
        "reading_multiple", [*wrong, *right], TEXT, lambda q: "めざ" if q.item.text == "覚える" else "ぞの"
    )
    assert values(task, scores)["accuracy"] == pytest.approx(0.5)
    assert sum(score.statistics["correct"] for score in scores) / 5 == pytest.approx(1.0)


def test_bootstrap_resamples_kanji() -> None:
    assert {item.cluster for item in (OBOERU, replace(OBOERU, id="x", word="目覚まし"))} == {"kanji:覚"}


def test_spread_over_prompts() -> None:
    """Right under p1 only: mean 0.2, standard deviation 0.4, range 1."""
    items = [item for item in SAMPLE if isinstance(item, ReadingItem) and item.kind == "single"][:4]
    task, scores = scored("reading_single", items, TEXT, lambda q: q.item.reading if q.variant == "p1" else "ぬ")  # type: ignore[attr-defined]
    found = values(task, scores)
    assert found["accuracy"] == pytest.approx(0.2)
    assert found["prompt_sd"] == pytest.approx(0.4)
    assert found["prompt_range"] == pytest.approx(1.0)
    task, one = scored("reading_single", items, replace(TEXT, variants=("p2",)), lambda q: "ぬ")
    assert np.isnan(values(task, one)["prompt_sd"]) and values(task, one)["accuracy"] == 0


def test_qa_keeps_yes_bias_visible() -> None:
    items = [item for item in SAMPLE if isinstance(item, ReadingItem) and item.kind == "single"][:10]
    task, scores = scored("qa_single", items, TEXT, lambda q: "はい")
    found = values(task, scores)
    assert found["accuracy"] == pytest.approx(0.5)
    assert (found["accuracy_yes"], found["accuracy_no"], found["yes_share"]) == (1, 0, 1)


@pytest.mark.parametrize("name", BENCHMARK.tasks)
@pytest.mark.parametrize("status", ["error", "refused", "truncated"])
def test_failed_replies_stay_in_the_denominator(name: str, status: Any) -> None:
    task = BENCHMARK.tasks[name]
    question = next(task.ask(SAMPLE, TEXT, None))
    score = task.score(question, Reply(status=status, reason="test"))
    names = {statistic for metric in task.metrics for statistic in metric.statistics}
    assert score.status == status == score.labels["cause"] and score.parsed is None
    assert names <= set(score.statistics)
    assert score.statistics["n"] > 0 and score.statistics["correct"] == 0


@pytest.mark.parametrize("name", BENCHMARK.tasks)
def test_prompts_never_hold_the_answer_key(name: str) -> None:
    task = BENCHMARK.tasks[name]
    for question in task.ask(SAMPLE, TEXT, None):
        assert not {"answer", "gold", "negative", "rhyme", "options_kana"} & set(question.prompt.fields)
        if name == "reading_single":
            asked = "".join(part.text for part in question.prompt.messages[0].parts)  # type: ignore[union-attr]
            assert asked.endswith("答え：")


def test_few_shots_are_two_and_two_the_same_for_both_questions_and_never_the_own_kanji() -> None:
    task = BENCHMARK.tasks["qa_multiple"]
    shown: dict[str, set[str]] = {}
    for question in task.ask(SAMPLE, replace(TEXT, variants=("p1", "p4")), None):
        examples = str(question.prompt.fields["shots"])
        assert examples.count("：Yes") == 2 == examples.count("：No")
        assert f"の「{question.item.kanji}」を" not in examples  # type: ignore[attr-defined]
        shown.setdefault(question.item.id, set()).add(examples)
    assert all(len(examples) == 1 for examples in shown.values())
    assert len(set.union(*shown.values())) > 200


def test_prompts_do_not_depend_on_which_items_are_asked() -> None:
    task = BENCHMARK.tasks["qa_single"]
    every = {question.id: question.prompt.digest for question in task.ask(SAMPLE, TEXT, None)}
    few = {question.id: question.prompt.digest for question in task.ask(SAMPLE[40:43][::-1], TEXT, None)}
    assert few and all(every[name] == digest for name, digest in few.items())
    other = {question.id: question.prompt.digest for question in task.ask(SAMPLE, replace(TEXT, seed=1), None)}
    assert other.keys() == every.keys() and sum(other[name] != every[name] for name in every) > 900


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shots": "many"}, "shots is 'many'"),
        ({"shots": "13"}, "0 to 12"),
        ({"corrected": "maybe"}, "value of corrected called 'maybe'"),
        ({"wording": "theirs"}, "own, released"),
        ({"shot": "3"}, "option of yomi called 'shot'"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_options(BENCHMARK, options)


@pytest.mark.parametrize("name", [name for name in BENCHMARK.tasks if name != "heard_reading"])
def test_the_released_wording_needs_the_released_prompts(name: str) -> None:
    with pytest.raises(UsageError, match="needs --data-dir"):
        next(BENCHMARK.tasks[name].ask(SAMPLE, replace(TEXT, options={"wording": "released"}), None))


def test_zero_shots_and_unknown_variants() -> None:
    task = BENCHMARK.tasks["reading_single"]
    question = next(task.ask(SAMPLE, replace(TEXT, options={"shots": "0"}), None))
    assert "例" not in question.prompt.messages[0].parts[0].text  # type: ignore[union-attr]
    with pytest.raises(UsageError, match="no prompt variant 'p9'"):
        next(task.ask(SAMPLE, replace(TEXT, variants=("p9",)), None))


def test_tables() -> None:
    items = [item for item in SAMPLE if isinstance(item, (ReadingItem, RhymeItem))][::25]
    scores: list[Score] = []
    for name in ("reading_single", "rhyme_generation", "qa_single"):
        scores += scored(name, items, TEXT, BENCHMARK.tasks[name].perfect)[1]
    scores += scored("rhyme_selection_kana", items, TEXT, lambda q: "どれでしょう")[1]
    tables = {table.name: table for table in all_tables([("model", scores), ("other", [])])}
    main = tables["yomi_main"]
    rows = {row[0]: dict(zip(main.columns, row, strict=True)) for row in main.rows}
    assert rows["model"]["Reading single"] == 1.0 and rows["model"]["Rhyme sel. kana"] == 0.0
    assert rows["model"]["QA multiple"] is None and "other" not in rows
    assert rows["Ministral-8B-Instruct-2410 (quoted)"]["Reading single"] == 0.4679
    prompts = {row[2]: row for row in tables["yomi_prompts"].rows}
    assert prompts["Rhyme gen."][3:] == (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0)
    failures = {row[2]: row[3:] for row in tables["yomi_failures"].rows}
    count = sum(isinstance(item, RhymeItem) for item in items) * 5
    assert failures["Rhyme sel. kana"] == (0, count, 0, 0, 0)
    assert all_tables([]) == []


def test_tables_list_the_slips() -> None:
    slip = replace(OBOERU, id="multi_9_0", kanji="病", word="疾病", reading="ぺい", slip="why")
    for option, expected in (("no", "counted here: 疾病: ぺい"), ("yes", "left out where")):
        conditions = replace(TEXT, options={"corrected": option})
        scores = scored("reading_multiple", [slip, ZONO], conditions, lambda q: "ぞの")[1]
        notes = " ".join(all_tables([("model", scores)])[0].notes)
        assert expected in notes and "疾病: ぺい" in notes


def test_spread_is_over_the_prompts_that_were_used() -> None:
    task = BENCHMARK.tasks["reading_single"]
    items = [item for item in SAMPLE if isinstance(item, ReadingItem) and item.kind == "single"][:4]
    used = ("p1", "p2", "p4")
    questions = list(task.ask(items, Conditions(modality="text", variants=used), None))
    scores = [
        task.score(question, Reply("ok", text="x", answer=task.perfect(question) if question.variant == "p2" else "ぬ"))
        for question in questions
    ]
    found = values(task, scores)
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert found["prompt_sd"] == pytest.approx(np.std([0, 1, 0]))
    assert found["prompt_range"] == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["qa_single", "qa_multiple"])
def test_the_id_of_a_yes_no_question_does_not_tell_its_answer(name: str) -> None:
    """Sheets for people show the ids, in the order in which questions are asked."""
    task = BENCHMARK.tasks[name]
    questions = list(task.ask(SAMPLE, Conditions(modality="text", variants=("p1",)), None))
    first = [task.perfect(question) for question in questions[::2]]
    assert 0.35 < first.count("Yes") / len(first) < 0.65
    assert {question.variant for question in questions} == {"p1.1", "p1.2"}
    for one, two in zip(questions[::2], questions[1::2], strict=True):
        assert one.item.id == two.item.id and {task.perfect(one), task.perfect(two)} == {"Yes", "No"}
        for question in (one, two):
            assert isinstance(question.item, ReadingItem)
            true = question.prompt.fields["reading"] == question.item.reading
            assert task.perfect(question) == ("Yes" if true else "No")


def test_the_released_wording_is_refused_by_ear_before_anything_is_spoken() -> None:
    wording = {"kanji_reading_prediction": Wording(("{word}の{kanji}は？",), block="{QUESTION}{ANSWER}")}
    task, item = BENCHMARK.tasks["reading_multiple"], replace(OBOERU, wording=wording)
    conditions = Conditions(modality="audio", options={"wording": "released"})
    assert task.speech is not None
    with pytest.raises(UsageError, match="released wording is for text"):
        task.speech(item, conditions)
    question = next(task.ask([item], replace(conditions, modality="text", variants=("p1",)), None))
    assert question.prompt.messages[0].parts[0].text == "覚えるの覚は？"  # type: ignore[union-attr]
    with pytest.raises(UsageError, match="no variant 'p2'"):
        next(task.ask([item], replace(conditions, modality="text", variants=("p2",)), None))


def test_a_slip_that_is_listed_is_known_wherever_it_stands() -> None:
    assert slips()["定規"[1], "定規", "き"].endswith("ぎ")
    assert all(len(kanji) == 1 and kanji in word for kanji, word, _ in slips())
