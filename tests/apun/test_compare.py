"""Comparison: figures equal statsmodels' and SciPy's; what does not match is refused by field."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import toy_benchmark

from apun import registry
from apun.compare import main
from apun.errors import UsageError
from apun.models import Generation, LoadOptions, ModelInfo
from apun.prompts import Prompt
from apun.replies import Reply
from apun.report.comparison import compare, difference_table, disagreements, shown_p
from apun.report.runs import Run, open_runs
from apun.run.data import Selection
from apun.run.evaluate import Request, evaluate
from apun.tasks import Conditions

WRONG = {"a": {1, 2, 3, 4, 5, 6, 7, 8}, "b": {8, 9}, "c": set(range(0, 20, 2))}


class Partly:
    """Right except on chosen numbers."""

    def __init__(self, name: str, options: LoadOptions) -> None:
        self.info = ModelInfo(name, "partly", "1", True, max_batch=8)

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        replies = []
        for prompt in prompts:
            value = int(prompt.id.split("/")[1][1:])
            right = value not in WRONG[self.info.name]
            text = ("even", "odd")[(value % 2) == right]
            replies.append(Reply(status="ok", text=text, answer=text))
        return replies

    def close(self) -> None:
        pass


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    monkeypatch.setitem(registry.BENCHMARKS, "toy", "toy_benchmark:BENCHMARK")
    monkeypatch.setattr(toy_benchmark.Number, "cluster", property(lambda item: item.id))
    return open_runs([make(tmp_path, name) for name in WRONG])


def make(tmp_path: Path, name: str, seed: int = 0) -> Path:
    request = Request(Selection("toy", conditions=Conditions("text", seed=seed)), name, out=tmp_path / f"{name}{seed}")
    return evaluate(request, load=Partly).folder


def test_mcnemar_and_holm_equal_statsmodels(runs: list[Run]) -> None:
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests

    pairs = {(p.first, p.second): p for p in compare(runs) if p.metric == "accuracy"}
    expected = {}
    for a, b in pairs:
        right = [[i not in WRONG[name] for i in range(20)] for name in (a, b)]
        table = [
            [sum(x == u and y == v for x, y in zip(*right, strict=True)) for v in (True, False)] for u in (True, False)
        ]
        expected[a, b] = float(mcnemar(table, exact=True).pvalue)
        assert pairs[a, b].p == pytest.approx(expected[a, b]) and pairs[a, b].test == "McNemar"
        assert pairs[a, b].difference == pytest.approx((sum(right[0]) - sum(right[1])) / 20)
        assert pairs[a, b].low <= pairs[a, b].difference <= pairs[a, b].high and pairs[a, b].n == 20
    corrected = multipletests(list(expected.values()), method="holm")[1]
    assert [pair.holm for pair in pairs.values()] == pytest.approx(list(corrected))


def test_questions_that_belong_together_are_not_taken_as_independent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from itertools import product

    monkeypatch.setitem(registry.BENCHMARKS, "toy", "toy_benchmark:BENCHMARK")  # its items come in twos
    a, b = open_runs([make(tmp_path, name) for name in ("a", "b")])
    pair = next(p for p in compare([a, b]) if p.metric == "accuracy")
    moves = [sum((i in WRONG["b"]) - (i in WRONG["a"]) for i in (2 * c, 2 * c + 1)) for c in range(10)]
    sums = [abs(sum(s * m for s, m in zip(signs, moves, strict=True))) for signs in product((1, -1), repeat=10)]
    exact = sum(value >= abs(sum(moves)) for value in sums) / len(sums)
    assert pair.test == "permutation" and pair.p == pytest.approx(exact, abs=0.02)


def test_runs_spoken_by_other_voices_are_compared_only_when_told(runs: list[Run]) -> None:
    asked = runs[1].record["asked"]
    other = {**asked, "selection": {**asked["selection"], "voices": "kokoro:alto"}}
    second = replace(runs[1], record={**runs[1].record, "asked": other})
    with pytest.raises(UsageError, match="differ in voices"):
        compare([runs[0], second])
    assert compare([runs[0], second], free=["voices"])


def test_across_names_a_field_there_is(runs: list[Run]) -> None:
    with pytest.raises(UsageError, match="Did you mean modality"):
        compare(runs, free=["modalty"])


def test_scoped_metrics_pair_only_their_items(runs: list[Run]) -> None:
    odd = next(p for p in compare(runs[:2]) if p.metric == "odd")
    assert odd.n == 10 and odd.difference == pytest.approx(6 / 10 - 9 / 10)


def test_what_does_not_match_is_refused_by_field(runs: list[Run], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="at least two"):
        compare(runs[:1])
    other = open_runs([make(tmp_path, "a", seed=3)])[0]
    with pytest.raises(UsageError, match=r"differ in seed: 0 and 3"):
        compare([runs[0], other])
    record = json.loads(json.dumps(runs[1].record))
    record["asked"]["data"] = "other"
    with pytest.raises(UsageError, match="different items"):
        compare([runs[0], replace(runs[1], record=record)])
    summary = json.loads(json.dumps(runs[1].summary).replace("|v:1|", "|v:2|"))
    with pytest.raises(UsageError, match=r"versions v:1 and v:2 of toy\.parity"):
        compare([runs[0], replace(runs[1], summary=summary)])


def test_disagreements_list_the_questions_to_listen_to(runs: list[Run]) -> None:
    table = disagreements(runs[0], runs[1], "toy.parity")
    wanted = {f"toy.parity/n{i:05d}/p0" for i in WRONG["a"] ^ WRONG["b"]}
    assert {row[0] for row in table.rows} == wanted


def test_the_command_prints_writes_and_refuses(
    runs: list[Run], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [str(run.folder) for run in runs]
    assert main([*folders[:2], "--csv", str(tmp_path / "d.csv"), "--latex", str(tmp_path / "d.tex")]) == 0
    out = capsys.readouterr().out
    assert "-30.0 [" in out and "McNemar" in out
    assert (tmp_path / "d.csv").read_text().startswith("task,metric,first,second,difference")
    assert "\\toprule" in (tmp_path / "d.tex").read_text()
    assert main([*folders, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 6
    with pytest.raises(UsageError, match="not a run folder"):
        main([folders[0], str(tmp_path)])


def test_twins_are_told_apart(runs: list[Run]) -> None:
    twins = open_runs([runs[0].folder, runs[0].folder])
    assert [run.name for run in twins] == ["a (sample, text, 1)", "a (sample, text, 2)"]


def test_p_values_are_shown_as_papers_do() -> None:
    assert [shown_p(p) for p in (0.0001, 0.0312, float("nan"))] == ["<0.001", "0.031", "-"]
    assert difference_table([]).rows == ()
