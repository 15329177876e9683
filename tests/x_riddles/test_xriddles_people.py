"""What people fill in: lists with catch trials, blind rating sheets, agreement, Tables 3, 7, 8 and 10."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import DataError, UsageError
from apun.records import read
from apun.sheets import write_sheet
from benchmarks.x_riddles.data import sample
from benchmarks.x_riddles.human import COLUMNS, Human, Trial, human_scores, read_lists, with_familiarity, write_lists
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.ratings import (
    CREATIONS,
    EXPLANATIONS,
    Rating,
    Sample,
    agreement,
    krippendorff_alpha,
    read_key,
    read_ratings,
    stratified,
    write_ratings,
)
from benchmarks.x_riddles.tables import by_type, memorisation, quality_by_length, table7, table8, table10


def fill(
    sheet: Path,
    key: dict[str, dict[str, str]],
    out: Path,
    wrong: set[str] = frozenset(),  # type: ignore[assignment]
    familiarity: str = "1",
    miss_catch: bool = False,
) -> Path:
    """A participant's sheet: right everywhere but for the items named."""
    rows = []
    for row in read(sheet):
        entry = key[row.values["row"]]
        letter = entry["right"]
        if entry["item"] in wrong or (miss_catch and entry["item"] is None):
            letter = "ABCD"[("ABCD".index(letter) + 1) % 4]
        rows.append({**row.values, "answer": letter, "familiarity": "" if entry["item"] is None else familiarity})
    write_sheet(out, COLUMNS, rows)
    return out


def test_seventeen_lists_with_two_catch_trials_hold_every_item_once(tmp_path: Path) -> None:
    many = [
        Riddle(f"i{n:04d}", f"r{n}", f"a{n}", "direct", distractors=sample()[0].distractors[:3]) for n in range(1143)
    ]
    paths = write_lists(many, tmp_path, suffix=".csv")
    key = json.loads((tmp_path / "key.json").read_text(encoding="utf-8"))
    assert len(paths) == len(key) == 17
    sizes = Counter(len(rows) for rows in key.values())
    assert set(sizes) <= {67 + 2, 68 + 2}
    assert all(sum(entry["item"] is None for entry in rows.values()) == 2 for rows in key.values())
    items = [entry["item"] for rows in key.values() for entry in rows.values() if entry["item"]]
    assert sorted(items) == [item.id for item in many]
    first = (tmp_path / "list01.csv").read_bytes()
    write_lists(many[::-1], tmp_path / "again", suffix=".csv")
    assert (tmp_path / "again" / "list01.csv").read_bytes() == first
    write_lists(many, tmp_path / "other", suffix=".csv", seed=1)
    assert (tmp_path / "other" / "list01.csv").read_bytes() != first


def test_answers_come_back_and_missed_catch_trials_exclude(tmp_path: Path) -> None:
    (list1, list2) = write_lists(sample(), tmp_path, lists=2, suffix=".xlsx")
    key = json.loads((tmp_path / "key.json").read_text(encoding="utf-8"))
    wrong = {entry["item"] for entry in list(key["list01"].values())[:10] if entry["item"]}
    sheets = [
        fill(list1, key["list01"], tmp_path / "anna.xlsx", wrong, "4"),
        fill(list1, key["list01"], tmp_path / "bao.csv", set(), "1"),
        fill(list2, key["list02"], tmp_path / "chen.csv", set(), "2"),
        fill(list2, key["list02"], tmp_path / "dora.csv", miss_catch=True),
    ]
    human = read_lists(sheets, tmp_path / "key.json")
    assert set(human.excluded) == {"dora"}
    assert {trial.participant for trial in human.trials} == {"anna", "bao", "chen"}
    assert {trial.item for trial in human.trials if not trial.correct} == wrong
    means = human.familiarity()
    in_first = [entry["item"] for entry in key["list01"].values() if entry["item"]]
    assert all(means[item] == 2.5 for item in in_first) and set(means.values()) == {2.5, 2.0}
    rated = {item.id: item for item in with_familiarity(sample(), human)}
    assert all(rated[item].split in ("high", "new") for item in in_first)
    scores = human_scores(sample(), human)
    assert len(scores) == len(human.trials) and sum(not s.statistics["correct"] for s in scores) == len(wrong)
    table = memorisation([("Human", scores)])
    new = [s for s in scores if s.labels["split"] == "new"]
    assert table.rows[0][3] == pytest.approx(100 * sum(s.statistics["correct"] for s in new) / len(new))
    assert [row[0] for row in by_type([("Human", scores)]).rows].count("Homophony") == 2


@pytest.mark.parametrize(
    ("column", "value", "field"),
    [
        ("answer", "E", "answer"),
        ("answer", "A or B", "answer"),
        ("familiarity", "5", "familiarity"),
        ("familiarity", "very", "familiarity"),
        ("row", "list01-999", "row"),
        ("row", "list02-001", "row"),
    ],
)
def test_faults_in_a_filled_list_are_named(tmp_path: Path, column: str, value: str, field: str) -> None:
    path = write_lists(sample(), tmp_path, lists=2, suffix=".csv")[0]
    rows = [dict(row.values) for row in read(path)]
    rows[3][column] = value
    write_sheet(tmp_path / "p.csv", COLUMNS, rows)
    with pytest.raises(DataError) as caught:
        read_lists([tmp_path / "p.csv"], tmp_path / "key.json")
    assert (caught.value.field, caught.value.line) == (field, 5)


def test_a_list_that_lost_rows_and_empty_answers(tmp_path: Path) -> None:
    path = write_lists(sample(), tmp_path, lists=2, suffix=".csv")[0]
    rows = [dict(row.values) for row in read(path)]
    write_sheet(tmp_path / "p.csv", COLUMNS, rows[:-1])
    with pytest.raises(DataError, match="lacks the row"):
        read_lists([tmp_path / "p.csv"], tmp_path / "key.json")
    key = json.loads((tmp_path / "key.json").read_text(encoding="utf-8"))["list01"]
    catch = {row: entry["right"] for row, entry in key.items() if entry["item"] is None}
    write_sheet(tmp_path / "q.csv", COLUMNS, [{**row, "answer": catch.get(row["row"], "")} for row in rows])
    human = read_lists([tmp_path / "q.csv"], tmp_path / "key.json")
    assert not human.excluded and not any(trial.correct for trial in human.trials)
    assert human.familiarity() == {}


def test_too_few_items_for_the_lists(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="17 lists"):
        write_lists(sample()[:5], tmp_path)


def made(run: str, number: int, kind: str = "homophonic", split: str = "new", length: int = 10) -> Sample:
    shown = {"riddle": f"r{number}", "answer": "a", "explanation": "=1+1 谐音", "literal": "l", "intended": "i"}
    return Sample(run, f"q/{number}", f"item{number}", kind, split, length, 0.25, shown)


def rate(path: Path, out: Path, values: dict[str, dict[str, str]], fields: tuple[str, ...]) -> Path:
    rows = [dict(row.values) for row in read(path)]
    for row in rows:
        row.update(values.get(row["row"], {}))
    write_sheet(out, tuple(rows[0]), rows)
    return out


def test_sheets_are_blind_and_come_back(tmp_path: Path) -> None:
    samples = [made(run, n) for run in ("secret-model-a", "secret-model-b") for n in range(5)]
    path = tmp_path / "sheet.csv"
    key_path = write_ratings(path, samples, EXPLANATIONS, seed=1)
    text = path.read_text(encoding="utf-8-sig")
    assert "secret" not in text and "item0" not in text
    key = read_key(key_path)
    assert sorted(sample.run + sample.item for sample in key.values()) == sorted(s.run + s.item for s in samples)
    order = [key[row.values["row"]].run for row in read(path)]
    assert order != sorted(order)
    one = rate(
        path,
        tmp_path / "anna.csv",
        {row: {"homophone_named": "y", "understood": "U", "quality": "4"} for row in key},
        tuple(EXPLANATIONS.fields),
    )
    ratings = read_ratings([one], key, EXPLANATIONS)
    assert len(ratings) == 10 and {rating.rater for rating in ratings} == {"anna"}
    assert ratings[0].values == {"homophone_named": "Y", "understood": "U", "quality": "4"}


@pytest.mark.parametrize(("field", "value"), [("quality", "6"), ("understood", "maybe"), ("row", "r000")])
def test_faults_in_a_rating_sheet_are_named(tmp_path: Path, field: str, value: str) -> None:
    path = tmp_path / "sheet.csv"
    key = read_key(write_ratings(path, [made("a", n) for n in range(3)], EXPLANATIONS, 0))
    rows = [dict(row.values) for row in read(path)]
    rows[1][field] = value
    write_sheet(tmp_path / "p.csv", tuple(rows[0]), rows)
    with pytest.raises(DataError) as caught:
        read_ratings([tmp_path / "p.csv"], key, EXPLANATIONS)
    assert (caught.value.field, caught.value.line) == (field, 3)


def test_samples_by_the_numbers_of_table_6() -> None:
    kinds = [("homophonic", "high"), ("homophonic", "low"), ("homophonic", "new"), ("polysemous", "low")]
    samples = [
        made(run, 100 * k + n, kind, split)
        for run in ("a", "b")
        for k, (kind, split) in enumerate(kinds)
        for n in range(50)
    ]
    kept = stratified(samples, seed=0)
    counts = Counter((sample.run, sample.type, sample.split) for sample in kept)
    assert counts["a", "homophonic", "high"] == counts["b", "homophonic", "low"] == 12
    assert counts["a", "homophonic", "new"] == 40 and counts["b", "polysemous", "low"] == 20
    assert {s.item for s in kept if s.run == "a"} == {s.item for s in kept if s.run == "b"}


def ratings_of(rows: dict[str, dict[str, tuple[str, ...]]], fields: tuple[str, ...]) -> list[Rating]:
    return [
        Rating(rater, row, dict(zip(fields, values, strict=True)))
        for rater, given in rows.items()
        for row, values in given.items()
    ]


def test_tables_of_ratings_by_hand() -> None:
    key = {
        "r1": made("m", 1, "homophonic", "new", 100),
        "r2": made("m", 2, "homophonic", "low", 200),
        "r3": made("m", 3, "direct", "high", 300),
    }
    fields = tuple(EXPLANATIONS.fields)
    ratings = ratings_of(
        {
            "x": {"r1": ("Y", "Y", "5"), "r2": ("N", "U", "2"), "r3": ("NA", "Y", "3")},
            "y": {"r1": ("Y", "N", "4"), "r2": ("Y", "Y", "1"), "r3": ("NA", "Y", "3")},
        },
        fields,
    )
    row = table7(ratings, key).rows[0]
    assert row[0] == "m" and row[1] == pytest.approx((4.5 + 1.5 + 3) / 3)
    assert row[2] == pytest.approx(np.std([4.5, 1.5, 3], ddof=1))
    assert row[3:] == pytest.approx((0.75, (0.5 + 0.5 + 1) / 3, 200.0, 3))
    new, low, high = table8(ratings, key).rows[0][1:]
    assert (new, low) == (100.0, 50.0) and high != high
    fit = quality_by_length(ratings, key)
    slope, intercept = np.polyfit([100, 200, 300], [4.5, 1.5, 3.0], 1)
    assert (fit.slope, fit.intercept, fit.n) == (pytest.approx(slope), pytest.approx(intercept), 3)
    assert 0 <= fit.p <= 1
    with pytest.raises(UsageError):
        quality_by_length(ratings[:2], key)


def test_table_10_by_hand() -> None:
    key = {"r1": made("human", 1), "r2": made("human", 2), "r3": made("model", 3)}
    fields = tuple(CREATIONS.fields)
    ratings = ratings_of(
        {
            "x": {"r1": ("1", "3", "4"), "r2": ("0", "1", "1"), "r3": ("0", "1", "2")},
            "y": {"r1": ("1", "2", "3"), "r2": ("1", "1", "2"), "r3": ("0", "1", "1")},
        },
        fields,
    )
    human, model = table10(ratings, key).rows
    assert human[:5] == ("human", 2, 0.75, pytest.approx(np.std([1, 0.5], ddof=1)), pytest.approx(1.75))
    assert human[5] == pytest.approx(2.5) and human[7] == 0.25
    assert model[2] == 0.0 and model[3] != model[3] and model[5] == 1.5
    assert set(CREATIONS.shown) >= {"riddle", "literal", "intended"}


@given(
    st.lists(st.lists(st.sampled_from([None, 1, 2, 3, 4, 5]), min_size=3, max_size=3), min_size=2, max_size=12),
    st.sampled_from(["nominal", "ordinal"]),
)
@settings(deadline=None, max_examples=60)
def test_alpha_is_that_of_the_krippendorff_package(units: list[list[int | None]], scale: str) -> None:
    oracle = pytest.importorskip("krippendorff")
    values = [[str(value) for value in unit if value is not None] for unit in units]
    distinct = {value for unit in values if len(unit) > 1 for value in unit}
    ours = krippendorff_alpha(values, scale)  # type: ignore[arg-type]
    if len(distinct) < 2:
        assert ours != ours
        return
    table = np.array(
        [[np.nan if v is None else float(v) for v in unit] for unit in units if sum(x is not None for x in unit) > 1]
    ).T
    assert ours == pytest.approx(oracle.alpha(reliability_data=table, level_of_measurement=scale), abs=1e-9)


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815)])
def test_alpha_of_the_published_example(scale: str, alpha: float) -> None:
    """Four observers, twelve units, some left out: the worked example of Krippendorff (2011)."""
    observers = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    units = [[value for value in unit if value != "."] for unit in zip(*observers, strict=True)]
    assert krippendorff_alpha(units, scale) == pytest.approx(alpha, abs=5e-4)  # type: ignore[arg-type]


def test_agreement_of_two_and_of_three_raters() -> None:
    two = ratings_of({"x": {"r1": ("5",), "r2": ("1",)}, "y": {"r1": ("5",), "r2": ("2",)}}, ("quality",))
    found = agreement(two, "quality")
    assert (found.raters, found.rows) == (2, 2) and found.kappa is not None and 0 < found.alpha < 1
    three = [*two, Rating("z", "r1", {"quality": "5"})]
    assert agreement(three, "quality").kappa is None
    same = ratings_of({"x": {"r1": ("Y",), "r2": ("N",)}, "y": {"r1": ("Y",), "r2": ("N",)}}, ("understood",))
    assert agreement(same, "understood").alpha == 1.0 and agreement(same, "understood").kappa == 1.0
    assert agreement([], "quality").alpha != agreement([], "quality").alpha


@pytest.mark.parametrize("content", ["[", "[]", '{"list01": 3}', '{"list01": {"a": {"item": "x", "right": "AB"}}}'])
def test_what_is_no_key_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "key.json").write_text(content)
    with pytest.raises(DataError):
        read_lists([], tmp_path / "key.json")
    if content != "[]":
        with pytest.raises(DataError):
            read_key(tmp_path / "key.json")


def test_a_key_that_lacks_is_named(tmp_path: Path) -> None:
    for read_it in (lambda path: read_lists([], path), read_key):
        with pytest.raises(DataError, match=r"none\.json"):
            read_it(tmp_path / "none.json")


def test_an_empty_answer_of_a_person_is_wrong_and_no_failure(tmp_path: Path) -> None:
    human = Human((Trial("anna", sample()[0].id, "", False, None), Trial("bao", sample()[0].id, "A", True, 4)), {})
    scores = human_scores(sample(), human)
    assert [score.status for score in scores] == ["scored", "scored"]
    assert [score.statistics["correct"] for score in scores] == [0.0, 1.0]
    assert all(score.variant == "human" and score.cluster == sample()[0].cluster for score in scores)
    with pytest.raises(DataError, match="not among the items"):
        human_scores(sample(), Human((Trial("anna", "nothing", "A", True, None),), {}))
