"""Matching: wrong options that are fair, conditions, reading the choice, Δacc and token effort."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from apun.errors import UsageError
from apun.phonetics.mandarin.pinyin import parse
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Metric, Question, check_options
from benchmarks.x_riddles import solver
from benchmarks.x_riddles.benchmark import BENCHMARK
from benchmarks.x_riddles.data import novel, sample, traditional
from benchmarks.x_riddles.distractors import chosen, conflicts, with_distractors
from benchmarks.x_riddles.homophony import compare, compare_words
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.tasks import matching

TEXT = Conditions(modality="text")
ROOT = Path(__file__).resolve().parents[2]


def ok(text: str, tokens: int | None = None) -> Reply:
    return Reply(status="ok", text=text, answer=text, tokens_out=tokens)


def text_of(question: Question) -> str:
    return "".join(part["text"] for message in question.prompt.rendered() for part in message["content"])


def with_options(**options: str) -> Conditions:
    return Conditions(modality="text", options=options)


def test_wrong_options_are_neither_homophones_nor_paraphrases() -> None:
    for item in sample():
        assert len(item.distractors) >= 3
        words = {char for pair in item.pairs for char in pair.literal + pair.intended}
        for wrong in item.distractors:
            for text, pinyin in ((wrong.intended, wrong.intended_pinyin), (wrong.literal, wrong.literal_pinyin)):
                if not text:
                    continue
                assert not words & set(text)
                assert text not in (item.intended, item.literal)
                if item.intended_pinyin and pinyin:
                    assert compare(parse(item.intended_pinyin), parse(pinyin)) == "different"
                assert len(set(text) & set(item.intended)) / len(set(text) | set(item.intended)) < 1 / 3


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"riddle": "孔夫子搬了家"}, "same xiehouyu"),
        ({"intended": "输定了"}, "holds the homophone"),
        ({"intended": "舒"}, "homophone of the answer"),
        ({"intended": "净是树"}, "homophone of the answer"),
        ({"intended": "净是风"}, "paraphrase of the answer"),
        ({"intended": "七上八下"}, None),
    ],
)
def test_what_is_excluded_and_why(other: dict[str, str], why: str | None) -> None:
    item = next(item for item in traditional() if item.riddle == "孔夫子搬家")
    fields = {"id": "x", "riddle": "猫追狗", "intended": "一声吼", "type": "direct", **other}
    assert conflicts(item, Riddle(**fields)) == why  # type: ignore[arg-type]


def test_candidates_do_not_depend_on_the_order_of_the_file() -> None:
    items = [*novel(), *traditional()]
    mixed = items.copy()
    random.Random(3).shuffle(mixed)
    by_id = {item.id: item for item in with_distractors(mixed)}
    assert [by_id[item.id] for item in items] == list(sample())


def test_a_question_does_not_change_when_fewer_are_asked_and_does_with_the_seed() -> None:
    alone = next(matching.ask([sample()[5]], TEXT, None))
    among = next(q for q in matching.ask(sample(), TEXT, None) if q.item.id == alone.item.id)
    assert alone == among
    other = next(matching.ask([sample()[5]], replace(TEXT, seed=1), None))
    assert text_of(other) != text_of(alone)


def test_right_answers_are_spread_over_the_letters() -> None:
    letters = Counter(matching.gold(question) for question in matching.ask(sample(), TEXT, None))
    assert set(letters) == {0, 1, 2, 3} and max(letters.values()) < 0.4 * len(sample())


def test_always_a_is_at_chance_and_the_right_letter_is_perfect() -> None:
    right = total = 0
    for seed in range(12):
        for question in matching.ask(sample(), replace(TEXT, seed=seed), None):
            right += int(matching.score(question, ok("A")).statistics["correct"])
            total += 1
            assert matching.score(question, ok(matching.perfect(question))).statistics["correct"] == 1.0
    assert abs(right / total - 0.25) < 0.035  # three standard errors of 1,488 questions


def test_conditions_change_what_is_asked() -> None:
    item = next(item for item in sample() if item.riddle == "龙王嫁女")
    plain, context, cot, literal, shots, english = (
        next(matching.ask([item], with_options(**o), None))
        for o in ({}, {"context": "yes"}, {"cot": "yes"}, {"target": "literal"}, {"shots": "3"}, {"lang": "en"})
    )
    assert "瞎忙" in text_of(plain) and "____" not in text_of(plain) and "一步一步" not in text_of(plain)
    assert item.example in text_of(context)
    assert "一步一步" in text_of(cot)
    assert "虾忙" in text_of(literal) and "瞎忙" not in text_of(literal)
    assert matching.score(literal, ok(matching.perfect(literal))).statistics["correct"] == 1.0
    assert text_of(shots).count("例题") == 3 and text_of(shots).count("龙王嫁女") == 1
    assert "Write one letter only" in text_of(english)
    assert len({q.id for q in (plain, context, cot, literal, shots, english)}) == 6
    assert plain.variant == "p0" and shots.variant == "p0.shots-3"


def test_examples_share_nothing_with_the_question() -> None:
    for question in matching.ask(sample()[:40], with_options(shots="3", context="yes"), None):
        examples = text_of(question).split("例题")[1:]
        assert len(examples) == 3
        item: Riddle = question.item  # type: ignore[assignment]
        assert all(item.intended not in example for example in examples[:2])
        assert item.intended not in examples[2].split("答案：")[0]


@pytest.mark.parametrize("options", [{"shots": "2"}, {"cot": "maybe"}, {"colour": "red"}])
def test_unknown_conditions_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        check_options(BENCHMARK, options)


def test_no_guess_when_nothing_is_named() -> None:
    question = next(matching.ask(sample(), TEXT, None))
    scores = [matching.score(question, ok("不知道")), matching.score(question, Reply.error("no memory"))]
    assert [score.status for score in scores] == ["unparsed", "error"]
    assert all(score.statistics["correct"] == 0.0 and score.statistics["n"] == 1.0 for score in scores)
    names = {name for metric in matching.METRICS for name in metric.statistics}
    assert all(names <= set(score.statistics) for score in scores)


def value(metric: str, scores: list[Score]) -> float:
    chosen_metric: Metric = next(m for m in matching.METRICS if m.name == metric)
    inside = [s for s in scores if all(s.labels.get(k) == v for k, v in chosen_metric.where.items())]
    sums = np.sum([[s.statistics[name] for name in chosen_metric.statistics] for s in inside], axis=0)
    return float(chosen_metric.compute(sums[None])[0])


def test_delta_acc_and_token_effort_by_hand() -> None:
    """Low: 3 of 4 right at 20 tokens; new: 1 of 4 right at 30; high: 2 of 2 right at 10; one error."""
    questions = list(matching.ask(sample(), TEXT, None))

    def some(split: str, count: int) -> list[Question]:
        return [q for q in questions if q.item.split == split and q.item.type == "homophonic"][:count]  # type: ignore[attr-defined]

    def answer(question: Question, right: bool) -> str:
        gold = matching.gold(question)
        return "ABCD"[gold if right else (gold + 1) % 4]

    scores = [matching.score(q, ok(answer(q, i < 3), 20)) for i, q in enumerate(some("low", 4))]
    scores += [matching.score(q, ok(answer(q, i < 1), 30)) for i, q in enumerate(some("new", 4))]
    scores += [matching.score(q, ok(answer(q, True), 10)) for q in some("high", 2)]
    polysemous = next(q for q in questions if q.item.type == "polysemous")  # type: ignore[attr-defined]
    scores += [matching.score(polysemous, ok(answer(polysemous, False), 10_000))]
    assert value("delta_acc", scores) == pytest.approx(0.75 - 0.25)
    assert value("accuracy_low", scores) == 0.75 and value("accuracy_new", scores) == 0.25
    assert value("effort_low_high", scores) == pytest.approx(1.0)
    assert value("effort_new_high", scores) == pytest.approx(2.0)
    assert value("effort_new_low", scores) == pytest.approx(0.5)
    assert value("accuracy", scores) == pytest.approx(6 / 11)
    failed = matching.score(some("new", 5)[4], Reply.error("lost"))
    assert value("accuracy_new", [*scores, failed]) == 0.2
    assert value("effort_new_low", [*scores, failed]) == pytest.approx(0.5)


def test_the_solver_answers_from_sound_and_lexicon_alone() -> None:
    """Above chance on the new xiehouyu, without having seen any answer marked."""
    right = []
    for question in matching.ask(novel_with_options(), TEXT, None):
        prompt = question.prompt
        assert "right" not in prompt.fields and "intended" not in prompt.fields
        right.append(matching.score(question, ok(solver.match(prompt))).statistics["correct"])
    assert sum(right) / len(right) > 0.3


def novel_with_options() -> list[Riddle]:
    return [item for item in sample() if item.novel]


def test_own_distractors_are_kept() -> None:
    item = replace(sample()[0], distractors=sample()[0].distractors[:3])
    assert with_distractors([item, *sample()[1:]])[0].distractors == item.distractors
    assert set(chosen(item, 7)) == set(item.distractors)


def test_words_that_sound_alike_by_any_reading() -> None:
    assert compare_words("弹", "谈") == "same" and compare_words("弹", "蛋") == "same"
    assert compare_words("寺", "事") == "near"
    assert compare_words("", "事") == "different"


def test_user_prompts(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('version = 3\n[variants.mine]\nuser = "问：{transcript}\\n{options}"\n', encoding="utf-8")
    conditions = Conditions(modality="text", variants=("mine",), prompts=path)
    question = next(matching.ask(sample()[:1], conditions, None))
    assert text_of(question).startswith("问：外甥写家书\nA. ") and question.variant == "mine"


def test_answers_near_in_meaning_are_no_options() -> None:
    by_answer = {item.intended: item for item in sample()}
    for line in (ROOT / "benchmarks/x_riddles/data/near_meanings.txt").read_text(encoding="utf-8").splitlines():
        group = line.split()
        for answer in group:
            wrong = {distractor.intended for distractor in by_answer[answer].distractors}
            assert not wrong & set(group), answer


def test_too_few_wrong_options_or_no_sentence_is_an_error() -> None:
    with pytest.raises(UsageError, match="has 0 wrong options of the 3"):
        next(matching.ask([replace(sample()[0], distractors=())], TEXT, None))
    with pytest.raises(UsageError, match="none of these xiehouyu has one"):
        next(matching.ask([replace(sample()[0], example="")], with_options(context="yes"), None))
    some = [sample()[0], replace(sample()[1], example="")]
    assert len(list(matching.ask(some, with_options(context="yes"), None))) == 1


def test_a_sentence_that_is_shown_and_everything_spoken_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="leave one of them out"):
        list(matching.ask(sample()[:1], with_options(context="yes", form="spoken"), None))


def test_a_question_s_variant_names_what_differs_in_a_fixed_order() -> None:
    given = {"lang": "en", "cot": "yes", "shots": "1", "target": "intended", "dictionary": "lists"}
    question = next(matching.ask(sample()[:1], with_options(**given), None))
    assert question.variant == "p0.shots-1+cot-yes+lang-en"
