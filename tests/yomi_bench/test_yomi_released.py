"""The released data: counts, gold answers, the vowel rule, the released prompts, known slips."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from apun.phonetics.japanese import kana_of, vowel_sequence
from apun.replies import Reply
from apun.tasks import Conditions, Subset, Task
from benchmarks.yomi_bench.benchmark import BENCHMARK
from benchmarks.yomi_bench.data import slips
from benchmarks.yomi_bench.items import HeardItem, ReadingItem, RhymeItem, YomiItem
from benchmarks.yomi_bench.kanji import align, read_table, sounds, stems
from benchmarks.yomi_bench.speaking import utterances

TEXT = Conditions(modality="text")


@pytest.fixture(scope="module")
def items(shared_data: Path) -> list[YomiItem]:
    return list(BENCHMARK.load(Subset("released", shared_data)))


def metrics(task: Task, items: list[YomiItem], conditions: Conditions, answer: str = "perfect") -> dict[str, float]:
    sums: Counter[str] = Counter()
    for question in task.ask(items, conditions, None):
        text = {"perfect": task.perfect, "solve": lambda q: task.solve(q.prompt)}.get(answer, lambda q: answer)(
            question
        )
        sums.update(task.score(question, Reply(status="ok", text=text, answer=text)).statistics)
    return {
        metric.name: float(metric.compute(np.array([sums[name] for name in metric.statistics])))
        for metric in task.metrics
    }


def test_counts(items: list[YomiItem]) -> None:
    readings = [item for item in items if isinstance(item, ReadingItem)]
    assert Counter(item.kind for item in readings) == {"single": 100, "multiple": 376}
    assert len({item.kanji for item in readings if item.kind == "multiple"}) == 166
    assert sum(isinstance(item, RhymeItem) for item in items) == 100
    assert sum(isinstance(item, HeardItem) for item in items) == 100
    assert sum(item.weight for item in readings if item.kind == "multiple") == pytest.approx(166)
    asked = {name: sum(1 for _ in task.ask(items, TEXT, None)) for name, task in BENCHMARK.tasks.items()}
    assert asked == {
        "qa_single": 1000,
        "qa_multiple": 3760,
        "reading_single": 500,
        "reading_multiple": 1880,
        "rhyme_selection_kanji": 500,
        "rhyme_selection_kana": 500,
        "rhyme_generation": 500,
        "heard_reading": 500,
    }


@pytest.mark.parametrize("name", BENCHMARK.tasks)
def test_gold_scores_one_in_every_prompt(items: list[YomiItem], name: str) -> None:
    found = metrics(BENCHMARK.tasks[name], items, TEXT)
    assert found["accuracy"] == pytest.approx(1.0)
    assert found["prompt_sd"] == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("name", "least"),
    [("qa_single", 0.98), ("qa_multiple", 0.97), ("reading_single", 0.96), ("reading_multiple", 0.95)],
)
def test_the_reasoner_reads_most_words(items: list[YomiItem], name: str, least: float) -> None:
    assert metrics(BENCHMARK.tasks[name], items, Conditions(modality="text", variants=("p1",)), "solve")[
        "accuracy"
    ] == pytest.approx(least, abs=0.01)


@pytest.mark.parametrize("name", ["rhyme_selection_kanji", "rhyme_selection_kana", "rhyme_generation"])
def test_the_reasoner_rhymes_without_fault(items: list[YomiItem], name: str) -> None:
    assert (
        metrics(BENCHMARK.tasks[name], items, Conditions(modality="text", variants=("p1",)), "solve")["accuracy"] == 1
    )


def test_the_vowel_rule_agrees_on_all_hundred_with_no_second_option(shared_data: Path) -> None:
    """Recomputed from the file itself, not from what the loader made of it."""
    agree = 0
    for line in (shared_data / "yomi-bench/rhyme_items.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        wanted = vowel_sequence(row["query_kana"])
        matching = [
            i for i, kana in enumerate(row["options_kana"]) if "○" not in kana and vowel_sequence(kana) == wanted
        ]
        agree += matching == [row["answer"]]
    assert agree == 100


def test_the_one_reference_that_equals_its_query(items: list[YomiItem]) -> None:
    """一括 and 一喝 are both いっかつ: the reference scores, there and only there it is no repetition."""
    rhymes = [item for item in items if isinstance(item, RhymeItem)]
    same = [item for item in rhymes if item.rhyme == item.query_kana]
    assert [(item.query_kanji, item.options_kanji[item.answer], item.rhyme) for item in same] == [
        ("一括", "一喝", "いっかつ")
    ]
    task = BENCHMARK.tasks["rhyme_generation"]
    gold = metrics(task, items, TEXT)
    assert gold["accuracy"] == 1 and gold["new"] == 1 and gold["repeats"] == 0
    sums: Counter[str] = Counter()
    for question in task.ask(items, Conditions(modality="text", variants=("p1",)), None):
        echo = str(question.prompt.fields["query"])
        sums.update(task.score(question, Reply(status="ok", text=echo, answer=echo)).statistics)
    assert (sums["correct"], sums["new"], sums["repeats"]) == (100, 1, 99)


def test_the_released_prompts_are_rebuilt_letter_for_letter(items: list[YomiItem], shared_data: Path) -> None:
    folders = {
        "rhyme_selection_kanji": "rhyme_selection/kanji/rhyme_selection_kanji_{}.jsonl",
        "rhyme_selection_kana": "rhyme_selection/hiragana/kanji_selection_hiragana_{}.jsonl",
        "rhyme_generation": "rhyme_generation/rhyme_generation_hiragana_{}.jsonl",
    }
    compared = 0
    for name, pattern in folders.items():
        for number in range(5):
            conditions = Conditions(modality="text", variants=(f"p{number + 1}",), options={"wording": "released"})
            questions = list(BENCHMARK.tasks[name].ask(items, conditions, None))
            lines = (shared_data / "yomi-bench/tasks" / pattern.format(number)).read_text("utf-8").splitlines()
            assert len(questions) == len(lines) == 100
            for question, line in zip(questions, lines, strict=True):
                row = json.loads(line)
                text = "".join(part.text for part in question.prompt.messages[0].parts)  # type: ignore[union-attr]
                assert text == row["input"]
                gold = question.item.rhyme if name == "rhyme_generation" else str(question.item.answer)  # type: ignore[attr-defined]
                assert gold == row["output"]
                compared += 1
    assert compared == 1500


def test_released_wording_of_readings(items: list[YomiItem]) -> None:
    conditions = Conditions(modality="text", variants=("p1",), options={"wording": "released"})
    question = next(iter(BENCHMARK.tasks["qa_single"].ask(items, conditions, None)))
    text = question.prompt.messages[0].parts[0].text  # type: ignore[union-attr]
    assert text.count("質問:") == 5 and text.count("答えは：Yes") == 2 and text.count("答えは：No") == 2
    assert text.endswith("という漢字の読みは「みさき」ですか？\n答えは：")
    assert question.prompt.fields == {"word": "岬", "kanji": "岬", "reading": "みさき", "language": "ja"}


def test_every_slip_is_one(items: list[YomiItem], shared_data: Path) -> None:
    """Each listed slip is in the data, and its gold is not how the kanji sounds in the word, or not of the table."""
    table = {kanji.char: kanji for kanji in read_table(shared_data / "joyo")}
    readings = {(item.kanji, item.word, item.reading) for item in items if isinstance(item, ReadingItem)}
    assert set(slips()) <= readings
    for kanji, word, gold in slips():
        parts = align(word, kana_of(word), lambda char: stems(table[char]) if char in table else ())
        assert parts is not None
        differs = parts[word.index(kanji)] != gold
        assert differs or gold not in stems(table[kanji])


def test_no_other_gold_departs_from_the_words_sound(items: list[YomiItem], shared_data: Path) -> None:
    """Where dictionary and table agree on how the word splits, the gold is that part, slips apart."""
    table = {kanji.char: kanji for kanji in read_table(shared_data / "joyo")}
    agree = differ = 0
    for item in items:
        if not isinstance(item, ReadingItem) or item.slip or item.okurigana or len(item.word) == 1:
            continue
        spoken = utterances(item, "default")
        parts = spoken and align(
            item.word, spoken[0].reading["kana"], lambda char: stems(table[char]) if char in table else ()
        )
        if parts:
            agree += parts[item.word.index(item.kanji)] == item.reading
            differ += parts[item.word.index(item.kanji)] != item.reading
    assert differ == 0 and agree > 290


def test_corrected_leaves_slips_out_and_keeps_kanji_equal(items: list[YomiItem]) -> None:
    conditions = Conditions(modality="text", variants=("p1",), options={"corrected": "yes"})
    task = BENCHMARK.tasks["reading_multiple"]
    questions = list(task.ask(items, conditions, None))
    assert len(questions) == 371
    assert not any(question.item.slip for question in questions)  # type: ignore[attr-defined]
    shares: Counter[str] = Counter()
    for question in questions:
        shares[question.item.kanji] += task.score(question, Reply(status="ok", answer="x")).statistics["n"]  # type: ignore[attr-defined]
    assert len(shares) == 166 and all(share == pytest.approx(1.0) for share in shares.values())
    assert len(list(BENCHMARK.tasks["reading_single"].ask(items, conditions, None))) == 98


def test_all_but_two_words_can_be_spoken_with_its_kana_forced(items: list[YomiItem]) -> None:
    silent = []
    for item in items:
        spoken = utterances(item, "all")
        if not spoken:
            silent.append(item.text)
        for utterance in spoken:
            assert utterance.must_force and vowel_sequence(utterance.reading["kana"])
        if isinstance(item, ReadingItem) and spoken:
            right, wrong = (utterance.reading["kana"] for utterance in spoken)
            # a slip's clip says the word as it is: じょうぎ for 定規, whose gold is き
            assert any(form in right for form in (sounds(item.reading) if item.slip else (item.reading,)))
            assert item.negative in wrong and right != wrong
    assert silent == ["来る○日", "Ａ判"]
