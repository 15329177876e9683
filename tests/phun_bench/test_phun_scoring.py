"""Scores: the official rules with their defects mended, the causes of failed rhymes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from apun.phonetics.mandarin import parse
from apun.prompts import Prompt
from apun.replies import Reply
from apun.tasks import Conditions, Question
from benchmarks.phun_bench import rhyme
from benchmarks.phun_bench.benchmark import BENCHMARK
from benchmarks.phun_bench.items import (
    CharItem,
    GroupItem,
    HomophoneItem,
    PunItem,
    RhymeItem,
    SimilarityItem,
)

Ok = Callable[[str], Reply]
LU = CharItem("c", "绿", parse("lǜ")[0], "1")
GROUP = GroupItem("g", parse("lǚ")[0], tuple("吕旅铝缕履屡侣"))
WORD = HomophoneItem("h", "末铭骑庙", parse("mò míng qí miào"), "莫名其妙", parse("mò míng qí miào"), ("莫明其妙",))
PUN = PunItem("p", "农场主有一双透柿眼。", "透柿眼", "透视眼", parse("tòu shì yǎn"))
LINE = RhymeItem("r", "院子里飘着桂花香", ("a", "ang"))
SIMILAR = SimilarityItem(
    "s",
    "民生",
    parse("mín shēng"),
    ("提升", "陌生", "新生", "萌生"),
    tuple(map(parse, ("tí shēng", "mò shēng", "xīn shēng", "méng shēng"))),
    3,
    "pert2",
)


def ask(name: str, item: Any, **options: str) -> Question:
    (question,) = BENCHMARK.tasks[name].ask([item], Conditions(modality="text", options=options), None)
    return question


def stats(name: str, item: Any, reply: Reply, **options: str) -> dict[str, float]:
    return dict(BENCHMARK.tasks[name].score(ask(name, item, **options), reply).statistics)


@pytest.mark.parametrize("name", list(BENCHMARK.tasks))
def test_the_denominator_is_every_item(name: str, ok: Ok) -> None:
    """Failed and unreadable replies count, with nothing right, under their own status."""
    items = {
        "char2pinyin": LU, "char2char": GROUP, "pinyin2char": GROUP, "contextual_homophone": PUN,
        "contextual_word2pinyin": PUN, "contextual_pinyin2word": PUN, "rhyme_1": LINE, "rhyme_2": LINE,
        "similarity": SIMILAR,
    }  # fmt: skip
    question = ask(name, items.get(name, WORD))
    task = BENCHMARK.tasks[name]
    replies: dict[str, Reply] = {
        "error": Reply.error("no server"),
        "refused": Reply(status="refused", reason="filter"),
        "truncated": Reply(status="truncated", text="…", reason="length"),
        "unparsed": ok("抱歉，我无法回答。"),
    }
    for status, reply in replies.items():
        score = task.score(question, reply)
        assert score.status == status
        assert score.parsed is None
        assert score.statistics["n"] == 1.0
        needed = {statistic for metric in task.metrics for statistic in metric.statistics}
        assert needed <= score.statistics.keys()
        assert all(v == 0.0 for k, v in score.statistics.items() if k not in ("n", "unparsed"))
    assert task.score(question, ok(task.perfect(question))).statistics[task.metrics[0].statistics[0]] == 1.0


@pytest.mark.parametrize("spelled", ["lǜ", "lv4", "lü4", "LÜ4", "lu:4", "lu\u0308\u0300", "ｌｖ４"])
def test_spellings_of_a_syllable_are_one(spelled: str, ok: Ok) -> None:
    assert stats("char2pinyin", LU, ok(f'{{"answer": "{spelled}"}}'))["correct"] == 1.0


def test_letters_and_tone_are_told_apart(ok: Ok) -> None:
    def parts(spelled: str) -> tuple[float, float, float]:
        found = stats("char2pinyin", LU, ok(f'{{"answer": "{spelled}"}}'))
        return found["correct"], found["letters"], found["tone"]

    assert parts("lǚ") == (0.0, 1.0, 0.0)
    assert parts("lù") == (0.0, 0.0, 1.0)
    assert parts("lǜ sè") == (0.0, 0.0, 0.0)


def test_a_group_of_lü_can_be_won(ok: Ok) -> None:
    """The released evaluator compares lü3 with pypinyin's lv3, so its item can only score 0."""
    found = stats("pinyin2char", GROUP, ok('{"answer": ["吕", "旅", "铝", "缕", "履"]}'))
    assert found["share"] == found["perfect"] == 1.0


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ('["吕", "旅", "铝", "缕", "履"]', 1.0),
        ('["吕", "吕", "吕", "吕", "吕"]', 0.2),
        ('["张", "旅", "铝", "缕", "履"]', 0.8),
        ('["旅行", "旅", "铝", "缕", "履"]', 0.8),
        ('["张", "王", "李", "赵", "钱", "吕"]', 0.0),
        ('["吕", "旅"]', 0.4),
    ],
)
def test_only_the_first_five_new_characters_earn(answer: str, share: float, ok: Ok) -> None:
    assert stats("pinyin2char", GROUP, ok(f'{{"answer": {answer}}}'))["share"] == pytest.approx(share)


def test_the_character_that_was_shown_earns_nothing(ok: Ok) -> None:
    question = ask("char2char", GROUP)
    shown = question.prompt.fields["query"]
    others = [char for char in GROUP.chars if char != shown]
    reply = ok(f'{{"answer": ["{shown}", "{others[0]}", "{others[1]}", "{others[2]}", "{others[3]}"]}}')
    assert BENCHMARK.tasks["char2char"].score(question, reply).statistics["share"] == pytest.approx(0.8)


def test_another_real_chengyu_counts_beside_the_strict_score(ok: Ok) -> None:
    exact, other, wrong = (
        stats("homophone_recall", WORD, ok(f'{{"answer": "{word}"}}')) for word in ("莫名其妙", "莫明其妙", "末铭骑庙")
    )
    assert (exact["correct"], exact["any"]) == (1.0, 1.0)
    assert (other["correct"], other["any"]) == (0.0, 1.0)
    assert (wrong["correct"], wrong["any"]) == (0.0, 0.0)


def test_readings_run_together_and_wrong_lengths(ok: Ok) -> None:
    def parts(answer: str) -> tuple[float, float]:
        found = stats("word2pinyin", WORD, ok(f'{{"answer": "{answer}"}}'))
        return found["correct"], found["share"]

    assert parts("mò míng qí miào") == (1.0, 1.0)
    assert parts("mòmíngqímiào") == (1.0, 1.0)
    assert parts("mo4 ming2 qi2 miao4") == (1.0, 1.0)
    assert parts("mò míng qǐ miào") == (0.0, 0.75)
    assert parts("mò míng qí") == (0.0, 0.0)


@pytest.mark.parametrize(
    ("pun", "original", "detected", "recovered"),
    [
        ("透柿眼", "透视眼", 1.0, 1.0),
        ("“透柿眼”", "透视眼。", 1.0, 1.0),
        ("柿", "视", 1.0, 1.0),
        ("透柿眼", "千里眼", 1.0, 0.0),
        ("农场主", "透视眼", 0.0, 0.0),
        ("一双透柿眼", "透视眼", 0.0, 0.0),
        ("", "", 0.0, 0.0),
        ("", "透视眼", 0.0, 0.0),
        ("透柿眼", "", 1.0, 0.0),
        ("…", "。", 0.0, 0.0),
        ("透视眼", "透视眼", 0.0, 0.0),
        ("眼", "眼", 1.0, 0.0),
        ("透柿眼", "透", 1.0, 0.0),
    ],
)
def test_cover_match_and_the_empty_prediction(
    pun: str, original: str, detected: float, recovered: float, ok: Ok
) -> None:
    found = stats("contextual_homophone", PUN, ok(f'{{"pun word": "{pun}", "alternative word": "{original}"}}'))
    assert (found["detected"], found["recovered"]) == (detected, recovered)


def test_a_spoken_pun_is_found_by_its_sound(ok: Ok, speech: Any) -> None:
    task = BENCHMARK.tasks["contextual_homophone"]
    (question,) = task.ask([PUN], Conditions(), speech)

    def detected(pun: str) -> float:
        return task.score(question, ok(f'{{"pun word": "{pun}", "alternative word": "透视眼"}}')).statistics["detected"]

    assert detected("透柿眼") == detected("透视眼") == detected("透事演") == 1.0
    assert detected("农场主") == detected("头十眼") == detected("abc") == 0.0


@pytest.mark.parametrize(
    ("reference", "line", "count", "cause", "where"),
    [
        ("院子里飘着桂花香", "他背起行囊走向远方", 1, "", ""),
        ("院子里飘着桂花香", "梦里他又回到沙场", 2, "", ""),
        ("院子里飘着桂花香", "风里有泥土的清香", 1, "plagiarised", ""),
        ("院子里飘着桂花香", "姑娘把头发梳成花样", 2, "plagiarised", ""),
        ("院子里飘着桂花香", "风里都是泥土的芬芳", 2, "misgrouped", "next-to-last"),
        ("院子里飘着桂花香", "说好了明天就回家", 1, "indexing", ""),
        ("院子里飘着桂花香", "他站在门前望着她", 1, "indexing", ""),
        ("院子里飘着桂花香", "我想在这里坐下", 1, "indexing", ""),
        ("院子里飘着桂花香", "上海", 1, "indexing", ""),
        ("院子里飘着桂花香", "请你慢慢走", 1, "misgrouped", "last"),
        ("院子里飘着桂花香", "请你慢慢走", 2, "misgrouped", "both"),
        ("院子里飘着桂花香", "他是我们的榜样家", 2, "swapped", ""),
        ("院子里飘着桂花香", "", 1, "unparsed", ""),
        ("院子里飘着桂花香", "走吧 let it go", 1, "unparsed", ""),
        ("院子里飘着桂花香", "方", 2, "unparsed", ""),
        ("院子里飘着桂花香", "他背起行囊走向远方！～…", 1, "", ""),
        ("院子里飘着桂花香", "OK，他走向远方", 1, "", ""),
    ],
)
def test_causes_of_failed_rhymes(reference: str, line: str, count: int, cause: str, where: str) -> None:
    groups = rhyme.ending(reference).groups[-2:]  # type: ignore[union-attr]
    verdict = rhyme.judge(reference, groups, line, count)
    assert (verdict.cause, verdict.where, verdict.correct) == (cause, where, not cause)


def test_the_two_rhyme_systems_are_not_mixed_up() -> None:
    """en/eng do not rhyme, though similarity has them in one class; i and ü do, and beng rhymes with eng."""
    assert rhyme.judge("灯下的人", ("a", "en"), "远处的风", 1).cause == "misgrouped"
    assert rhyme.judge("他说的话题", ("a", "i"), "窗外下着雨", 1).correct
    assert rhyme.judge("昨夜的风", ("e", "eng"), "一盏孤灯", 1).correct


def test_causes_are_counted_and_labelled(ok: Ok) -> None:
    task = BENCHMARK.tasks["rhyme_2"]
    score = task.score(ask("rhyme_2", LINE), ok("风里都是泥土的芬芳"))
    assert score.labels["cause"] == "misgrouped" and score.labels["where"] == "next-to-last"
    assert score.statistics["misgrouped"] == 1.0 and sum(score.statistics[c] for c in rhyme.CAUSES) == 1.0
    unparsed = task.score(ask("rhyme_2", LINE), ok('{"answer": "moonlight"}'))
    assert unparsed.status == "unparsed" and unparsed.labels["cause"] == "unparsed"


def test_a_stray_letter_in_the_thinking_is_no_choice(ok: Ok) -> None:
    assert stats("similarity", SIMILAR, ok("<think>D 很像</think>我说不准。"))["correct"] == 0.0
    assert stats("similarity", SIMILAR, ok("<think>A 很像</think>D"))["correct"] == 1.0
    assert stats("similarity", SIMILAR, ok("méng shēng"), form="pinyin")["correct"] == 1.0
    assert stats("similarity", SIMILAR, ok("第四个"))["correct"] == 1.0


def test_scores_do_not_look_at_the_prompt_text(ok: Ok) -> None:
    """The same reply under a user's own prompt file scores the same."""
    question = ask("similarity", SIMILAR)
    bare = Question(question.id, question.task, question.item, question.variant, Prompt("x", question.task, ()))
    task = BENCHMARK.tasks["similarity"]
    assert task.score(bare, ok("D")).statistics == task.score(question, ok("D")).statistics
