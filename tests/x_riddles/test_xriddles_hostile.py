"""Whatever a model writes or a list holds: no exception, no guess, no time without end."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.readers.choice import choice
from apun.records import Record
from apun.replies import Reply
from apun.tasks import Conditions, Question
from benchmarks.x_riddles.benchmark import BENCHMARK
from benchmarks.x_riddles.build import import_entries
from benchmarks.x_riddles.data import sample
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.lists import Entry
from benchmarks.x_riddles.tasks.both_readings import read_both
from benchmarks.x_riddles.tasks.creating import read_creation
from benchmarks.x_riddles.tasks.explaining import find_claims

WORDS = ("谐音", "同音", "答案", "字面", "实际", "前半句", "shū", "answer", "homophones", "——", "听起来像")
PIECES = st.sampled_from([*'书输盐言净是“”‘’（）()：:，。、\n—/甲乙ABCD{}"[]*=0 aé\ue000𠀀', *WORDS])
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=60)
HOSTILE = [
    "答案：" * 20_000,
    "{" * 50_000,
    '{"answer": ' * 10_000,
    "字面：" * 20_000 + "\n实际：" * 5_000,
    "前半句：" + "书" * 100_000 + "\n字面后半句：" + "书" * 100_000 + "\n实际后半句：" + "输" * 100_000,
    "前半句：" * 10_000,
    "=HYPERLINK(1)\x00\x1b[31m<script>",
    "A" * 100_000,
]


def questions() -> list[Question]:
    conditions = Conditions(modality="text")
    items = [item for item in sample() if item.id == "old-homophonic-high-01"]
    return [next(iter(task.ask(items, conditions, None))) for task in BENCHMARK.tasks.values()]


@given(TEXTS)
@settings(deadline=None, max_examples=150)
def test_every_task_scores_any_text(text: str) -> None:
    for question in questions():
        task = BENCHMARK.tasks[question.task.partition(".")[2]]
        score = task.score(question, Reply(status="ok", text=text, answer=text))
        needed = {name for metric in task.metrics for name in metric.statistics}
        assert needed <= set(score.statistics) and score.status in ("scored", "unparsed")
        assert all(value == value for value in score.statistics.values())


@given(TEXTS)
@settings(deadline=None, max_examples=150)
def test_any_list_entry_gives_items_that_check_or_a_reason(answer: str) -> None:
    done = import_entries([Entry("t", 0, "孔夫子的箱子", answer)])
    assert len(done.items) + sum(done.skipped.values()) == done.answers
    for item in done.items:
        assert Riddle.from_record(Record(item.to_json())) == item


@pytest.mark.parametrize("text", HOSTILE)
def test_long_and_nested_text_takes_no_time(text: str) -> None:
    start = time.process_time()
    choice(text, ["书", "输", "盐", "言"])
    read_both(text)
    read_creation(text)
    find_claims(text)
    for question in questions():
        BENCHMARK.tasks[question.task.partition(".")[2]].score(question, Reply(status="ok", text=text, answer=text))
    assert time.process_time() - start < 5.0
