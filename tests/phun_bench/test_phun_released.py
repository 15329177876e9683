"""The released data: counts, tiers, gold answers, rhyme gold, similarity types (needs ../shared/data)."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from apun.phonetics.mandarin import similarity_type
from apun.replies import Reply
from apun.tasks import Conditions
from benchmarks.phun_bench.benchmark import BENCHMARK
from benchmarks.phun_bench.build import single_reading
from benchmarks.phun_bench.items import CharItem, HomophoneItem, PhunItem, RhymeItem, SimilarityItem
from benchmarks.phun_bench.perturb import ANSWER_TYPE
from benchmarks.phun_bench.rhyme import ending

TABLE_6 = {
    "tier1": 2122,
    "tier2": 2085,
    "tier3": 1138,
    "group": 244,
    "homo_4": 1098,
    "pun": 1684,
    "line": 1000,
    "pert1": 945,
    "pert2": 880,
    "pert3": 431,
    "pert4": 2013,
}


def test_counts_are_table_6(released: Sequence[PhunItem]) -> None:
    counts = Counter(item.stratum for item in released)
    assert {stratum: counts[stratum] for stratum in TABLE_6} == TABLE_6
    assert len({item.id for item in released}) == len(released)


@pytest.mark.parametrize("name", list(BENCHMARK.tasks))
def test_gold_answers_score_one(name: str, released: Sequence[PhunItem], ok: Callable[[str], Reply]) -> None:
    task = BENCHMARK.tasks[name]
    conditions = Conditions(modality="text")
    items = task.sample(released, conditions, None) if task.sample else released
    primary = task.metrics[0].statistics[0]
    asked, wrong = 0, []
    for question in task.ask(items, conditions, None):
        asked += 1
        score = task.score(question, ok(task.perfect(question)))
        if score.status != "scored" or score.statistics[primary] != 1.0:
            wrong.append((question.id, score.parsed, score.detail))
    assert asked == len(items) > 0
    assert wrong == []


def test_pinyin_form_gold_answers_score_one(released: Sequence[PhunItem], ok: Callable[[str], Reply]) -> None:
    task = BENCHMARK.tasks["similarity"]
    conditions = Conditions(modality="text", options={"form": "pinyin"})
    scores = [task.score(q, ok(task.perfect(q))) for q in task.ask(released, conditions, None)]
    assert len(scores) == 4269 and all(score.statistics["correct"] == 1.0 for score in scores)


def test_rhyme_gold_is_recomputed_for_999_of_1000(released: Sequence[PhunItem]) -> None:
    lines = [item for item in released if isinstance(item, RhymeItem)]
    odd = [item for item in lines if (end := ending(item.text)) is None or end.groups[-2:] != item.groups]
    assert len(lines) == 1000
    assert [item.text for item in odd] == ["你放心，你放心地去"]


def test_pert1_to_pert3_fit_their_types_on_all_pairs(released: Sequence[PhunItem]) -> None:
    """Table 1: the answer is T7 with T6, T5 or T4; the distractors T7 with one each of T1, T2 and T3."""
    pairs = 0
    for item in released:
        if not isinstance(item, SimilarityItem) or item.perturbation not in ANSWER_TYPE:
            continue
        types = [
            sorted(similarity_type(a, b) for a, b in zip(item.reading, reading, strict=True))
            for reading in item.readings
        ]
        pairs += len(types)
        assert types[item.answer] == [ANSWER_TYPE[item.perturbation], "T7"], item
        assert sorted(types[: item.answer] + types[item.answer + 1 :]) == [["T1", "T7"], ["T2", "T7"], ["T3", "T7"]], (
            item
        )
    assert pairs == 9024


def test_pert4_answers_are_closer_than_distractors(released: Sequence[PhunItem]) -> None:
    """The release matched an empty initial in answers and not in distractors; ours is one rule, so a few misfit."""
    misfits = Counter[str]()
    for item in released:
        if isinstance(item, SimilarityItem) and item.perturbation == "pert4":
            for place, reading in enumerate(item.readings):
                types = {similarity_type(a, b) for a, b in zip(item.reading, reading, strict=True)}
                wanted = {"T4", "T5", "T6"} if place == item.answer else {"T1", "T2", "T3"}
                misfits["answer" if place == item.answer else "distractor"] += not types <= wanted
    assert misfits["answer"] == 0 and misfits["distractor"] <= 181


def test_tiers_are_the_single_readings_of_the_character_list(released: Sequence[PhunItem], shared_data: Path) -> None:
    for tier in ("1", "2", "3"):
        text = (shared_data / "mandarin" / "tygf-characters" / f"level-{tier}.txt").read_text(encoding="utf-8")
        listed = [char for char in text if not char.isspace()]
        theirs = {item.text: item.syllable for item in released if isinstance(item, CharItem) and item.tier == tier}
        assert single_reading(listed) == theirs


def test_other_idioms_of_the_same_sound_are_known(released: Sequence[PhunItem], shared_data: Path) -> None:
    """Most of the 17 items whose sound has a second chengyu in the 12,976-idiom source have it as an alternative."""
    sounds: dict[str, set[str]] = {}
    with (shared_data / "mandarin" / "idioms.tsv").open(encoding="utf-8") as handle:
        for row in csv.DictReader(handle, delimiter="\t"):
            sounds.setdefault(row["pinyin"].replace(" ", ""), set()).add(row["idiom"])
    items = [item for item in released if isinstance(item, HomophoneItem) and item.perturbation == "homo_4"]
    doubled = {}
    for item in items:
        others = sounds.get("".join(s.pinyin for s in item.target_reading), set()) - {item.target}
        if others:
            doubled[item.target] = (others, set(item.alternatives))
    assert len(doubled) == 17
    assert sum(bool(others & known) for others, known in doubled.values()) >= 11


def test_the_solver_on_gold_text_is_near_the_ceiling(released: Sequence[PhunItem], ok: Callable[[str], Reply]) -> None:
    """A sample of every task; the solver knows dictionaries, not the answers."""
    floors = {"contextual_homophone": 0.6, "contextual_pinyin2word": 0.75}
    conditions = Conditions(modality="text")
    for name, task in BENCHMARK.tasks.items():
        assert task.sample is not None
        items = task.sample(released, conditions, 60)
        primary = task.metrics[0].statistics[0]
        scores = [task.score(q, ok(task.solve(q.prompt))) for q in task.ask(items, conditions, None)]
        mean = sum(score.statistics[primary] for score in scores) / len(scores)
        assert mean >= floors.get(name, 0.93), (name, mean)
