"""P1, P2, P3 and r: by hand on small runs, and the paper's tables."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from apun.errors import DataError, UsageError
from apun.scores import Score
from benchmarks.phun_bench import two_step
from benchmarks.phun_bench.tables import ANALYSES, analyse, quoted
from benchmarks.phun_bench.tables import all_tables as tables

HR, CHR, CLHR = ANALYSES.values()


def scores(task: str, statistic: str, values: list[float], variant: str = "p0.zh", **labels: str) -> list[Score]:
    return [
        Score(f"{task}/{n}/{variant}", str(n), f"c{n}", task, variant, "scored", {"n": 1.0, statistic: value}, labels)
        for n, value in enumerate(values)
    ]


def hr(p1: float, p2: float, p3: float, n: int = 40) -> list[Score]:
    def share(p: float) -> list[float]:
        return [1.0] * round(p * n) + [0.0] * (n - round(p * n))

    return [
        *scores("phun.word2pinyin", "correct", share(p1)),
        *scores("phun.pinyin2word", "correct", share(p2)),
        *scores("phun.homophone_recall", "correct", share(p3)),
    ]


def test_r_is_p1_p2_over_p3() -> None:
    found = analyse(HR, hr(0.9, 0.8, 0.5))
    assert found is not None
    assert [found[key].value for key in ("P1", "P2", "P3")] == pytest.approx([0.9, 0.8, 0.5])
    assert found["r"].value == pytest.approx(0.9 * 0.8 / 0.5)
    assert found["r"].low < found["r"].value < found["r"].high
    assert found["r"].clusters == 40


def test_items_are_resampled_with_all_their_questions() -> None:
    """Where P1 and P3 are right on the same items and P2 always, r is 1 in every resample."""
    right = [1.0, 0.0] * 20
    run = [
        *scores("phun.word2pinyin", "correct", right),
        *scores("phun.pinyin2word", "correct", [1.0] * 40),
        *scores("phun.homophone_recall", "correct", right),
    ]
    found = analyse(HR, run)
    assert found is not None
    assert (found["r"].low, found["r"].value, found["r"].high) == (1.0, 1.0, 1.0)
    assert found["P1"].low < 0.5 < found["P1"].high


def test_the_contextual_task_multiplies_by_detection() -> None:
    n = 20
    joint = [
        Score(
            str(i), str(i), f"c{i}", "phun.contextual_homophone", "p0", "scored",
            {"n": 1.0, "detected": float(i < 18), "recovered": float(i < 10)},
        )
        for i in range(n)
    ]  # fmt: skip
    run = [
        *joint,
        *scores("phun.contextual_word2pinyin", "correct", [1.0] * 16 + [0.0] * 4),
        *scores("phun.contextual_pinyin2word", "correct", [1.0] * 15 + [0.0] * 5),
    ]
    found = analyse(CHR, run)
    assert found is not None
    assert found["r"].value == pytest.approx(0.9 * 0.8 * 0.75 / 0.5)


def test_nothing_right_at_once_gives_no_ratio() -> None:
    found = analyse(HR, hr(0.5, 0.5, 0.0))
    assert found is not None and math.isnan(found["r"].value)
    (table,) = [t for t in tables([("run", hr(0.5, 0.5, 0.0))]) if t.name == "table2"]
    assert table.rows[3][2] is None


def test_a_missing_step_gives_no_analysis() -> None:
    assert analyse(HR, hr(1, 1, 1)[:80]) is None
    assert tables([("run", hr(1, 1, 1)[:80])]) == []


def test_tier_3_audio_and_second_variants_do_not_count() -> None:
    run = [
        *scores("phun.char2pinyin", "correct", [1.0] * 10, tier="1"),
        *scores("phun.char2pinyin", "correct", [0.0] * 10, tier="3"),
        *scores("phun.char2pinyin", "correct", [0.0] * 10, variant="zero.zh", tier="1"),
        *scores("phun.char2pinyin", "correct", [0.0] * 10, modality="audio", tier="1"),
        *scores("phun.pinyin2char", "share", [0.8] * 10),
        *scores("phun.char2char", "share", [0.4] * 10),
    ]
    found = analyse(CLHR, run)
    assert found is not None
    assert found["P1"].value == 1.0 and found["r"].value == pytest.approx(2.0)


def test_runs_of_one_name_are_taken_together_and_the_papers_columns_are_marked() -> None:
    both = tables([("m", hr(0.9, 0.8, 0.5)[:40]), ("m", hr(0.9, 0.8, 0.5)[40:])])
    (table,) = [t for t in both if t.name == "table2"]
    assert table.columns[:4] == ("Task", "Setting", "m", "Llama3.2-3B*")
    assert len(table.columns) == 3 + 9
    assert str(table.rows[0][2]).startswith("0.900 [")
    assert [row[1] for row in table.rows[:4]] == ["P(p|w_q)", "P(w_t|p)", "P(w_t|w_q)", "r"]


def test_quoted_figures_agree_with_their_own_ratio() -> None:
    """The paper's r can be recomputed from its factors, within the rounding of figures as small as 0.007."""
    for name, parts in (("HR", ("P1", "P2")), ("CHR", ("DR", "P1", "P2")), ("CLHR", ("P1", "P2"))):
        figures = quoted()[name]
        for place, r in enumerate(figures["r"]):
            product = math.prod(figures[part][place] for part in parts)
            assert product / figures["P3"][place] == pytest.approx(r, rel=0.04), (name, place)


def test_tables_of_similarity_rhyme_and_tiers() -> None:
    run = [
        *scores("phun.similarity", "correct", [1.0, 0.0], variant="p0.zh.word", perturbation="pert1"),
        *scores("phun.similarity", "correct", [1.0], variant="p0.zh.clips", perturbation="pert4", modality="audio"),
        *scores("phun.char2pinyin", "correct", [1.0, 0.0, 0.0, 0.0], tier="2"),
    ]
    by_name = {table.name: table for table in tables([("m", run)])}
    assert by_name["figure5"].rows == (("m", 0.5, None, None, None, 0.5, 2),)
    assert by_name["similarity_clips"].rows == (("m", None, None, None, 1.0, 1.0, 1),)
    assert by_name["table5"].rows[0] == ("m", None, 25.0, None)
    assert by_name["table5"].rows[-1] == ("Humans*", 98.0, 72.0, 46.0)


def test_the_command_over_finished_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = hr(0.9, 0.8, 0.5)
    for name, own in (("a", parts[:40]), ("b", parts[40:])):
        (tmp_path / name).mkdir()
        lines = "".join(json.dumps(score.to_json()) + "\n" for score in own)
        (tmp_path / name / "scores.jsonl").write_text(lines, encoding="utf-8")
    folders = [str(tmp_path / "a"), str(tmp_path / "b")]
    assert two_step.main([*folders, "--together", "model"]) == 0
    assert "1.440 [" in capsys.readouterr().out
    assert two_step.main(folders) == 0
    assert "phun.pinyin2word" in capsys.readouterr().out
    with pytest.raises(UsageError, match="has not been scored yet"):
        two_step.main([str(tmp_path)])
    (tmp_path / "a" / "scores.jsonl").write_text("{}\n{", encoding="utf-8")
    with pytest.raises(DataError, match=r"scores\.jsonl:1"):
        two_step.main([str(tmp_path / "a")])
