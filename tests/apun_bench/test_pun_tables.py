"""Tables and analyses, against figures worked out by hand on five items."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from apun.replies import Reply
from apun.report.tables import Table
from apun.scores import Score
from apun.tasks import Conditions
from benchmarks.apun_bench.benchmark import BENCHMARK, tables
from benchmarks.apun_bench.items import PunItem, words
from benchmarks.apun_bench.tables import errors, quoted, results, speech
from benchmarks.apun_bench.tasks import chain, inference, listening, location, recognition

Ask = Callable[..., list[Score]]
LOCATED = {"a": "honey", "b": "today", "c": "bark"}


def cells(table: Table | None, row: str) -> dict[str, object]:
    assert table is not None
    return next(dict(zip(table.columns, found, strict=True)) for found in table.rows if found[0] == row)


@pytest.fixture
def mine(ask: Ask, five: list[PunItem]) -> list[Score]:
    """A run: calls all puns but b; locates a and c; infers a only."""
    return [
        *ask(recognition.TASK, five, lambda q: "non-pun" if q.item.id == "b" else "pun"),
        *ask(location.TASK, five, lambda q: LOCATED[q.item.id]),
        *ask(inference.TASK, five, lambda q: {"a": "money", "b": "oar", "c": None}[q.item.id]),
    ]


def test_table_2_by_hand(mine: list[Score]) -> None:
    row = cells(results.table2([("mine", mine)]), "mine")
    # each polarity: tp 2 (a, c), fn 1 (b), fp 2 (d, e)
    assert row["Acc"] == pytest.approx(40.0)
    assert row["Pre"] == pytest.approx(50.0)
    assert row["Rec"] == pytest.approx(200 / 3)
    assert row["F1"] == pytest.approx(100 * 2 * 2 / (2 * 2 + 2 + 1))
    assert row["Pun%"] == pytest.approx(80.0)
    assert (row["Coa"], row["Fin"]) == (pytest.approx(200 / 3), pytest.approx(200 / 3))
    assert (row["Heg"], row["Hog"], row["Hop"]) == (100.0, 0.0, 0.0)
    assert row["Failed%"] == pytest.approx(100 / 16)


def test_quoted_rows_are_marked_and_are_the_papers(mine: list[Score], shared_data: Path) -> None:
    table = results.table2([("mine", mine)])
    assert table is not None
    marks = [row[2] for row in table.rows]
    assert marks[0] == "measured"
    assert marks.count("quoted, synthetic") == marks.count("quoted, real") == 14
    assert "not measured here" in table.notes[0]
    paper = (shared_data.parent / "papers" / "apun-bench.txt").read_text(encoding="utf-8")
    printed = {tuple(line.replace(" ✯", "").split("\t")[:1] + line.split("\t")[2:]) for line in paper.splitlines()}
    for row in quoted("table2"):
        figures = [row[name] for name in (*results.RECOGNITION, *results.LOCATION, "het", "hog", "hop")]
        assert (row["model"], *(f"{figure:.2f}" for figure in figures)) in printed


def test_table_5_by_hand(mine: list[Score]) -> None:
    row = cells(results.table5([("mine", mine)]), "mine")
    assert [row[name] for name in ("Heg Coa", "Heg Fin", "Hop Coa", "Hop Fin", "Hog Coa", "Hog Fin")] == [
        100.0,
        100.0,
        0.0,
        0.0,
        100.0,
        100.0,
    ]


def test_polarity_bias_by_hand(ask: Ask, five: list[PunItem]) -> None:
    scores = ask(recognition.TASK, five, lambda q: "pun" if q.item.id == "a" else "yes")
    row = cells(results.bias([("yes", scores)]), "yes")
    assert row["Puns in data"] == pytest.approx(60.0)
    assert row["Pun% asked 'pun?'"] == pytest.approx(100.0)
    assert row["Pun% asked 'non-pun?'"] == pytest.approx(20.0)
    assert row["Same verdict"] == pytest.approx(20.0)  # only a
    assert row["Both right"] == pytest.approx(20.0)


def test_positions_by_hand(mine: list[Score]) -> None:
    table = errors.positions([("mine", mine)])
    gold, row = cells(table, "gold"), cells(table, "mine")
    assert gold["0.8-1.0"] == pytest.approx(100 / 3)
    assert gold["0.4-0.6"] == gold["In the first 60%"] == pytest.approx(200 / 3)
    assert row["0.8-1.0"] == pytest.approx(200 / 3)  # honey and today
    assert row["0.4-0.6"] == pytest.approx(100 / 3)
    assert row["None"] == 0.0


def test_the_hints_effect_by_hand(ask: Ask, five: list[PunItem]) -> None:
    base = ask(location.TASK, five, lambda q: LOCATED[q.item.id])
    conditions = Conditions(modality="text", variants=("hint",))
    hint = [
        location.TASK.score(q, Reply("ok", text="x", answer=words(q.item.text)[-1]))
        for q in location.TASK.ask(five, conditions, None)
    ]
    row = cells(errors.hint_effect([("mine", [*base, *hint])]), "mine")
    assert (row["Coa"], row["Coa hint"]) == (pytest.approx(200 / 3), pytest.approx(100 / 3))
    assert row["Δ Coa"] == pytest.approx(-100 / 3)
    assert row["p"] == 1.0  # one pair differs
    paper = cells(errors.hint_effect([("mine", [*base, *hint])]), "Qwen-2.5-omni")
    assert paper["Δ Coa"] == pytest.approx(2.51)


def test_error_types_by_hand(ask: Ask, five: list[PunItem]) -> None:
    said = {"a": "honey", "b": "swim", "c": "sound a dog makes AND a red balloon"}
    scores = ask(inference.TASK, five, lambda q: said[q.item.id], tau="0.9")
    on_words, on_meanings = errors.word_errors([("mine", scores)]), errors.meaning_errors([("mine", scores)])
    assert on_words is not None
    rows = {row[1]: dict(zip(on_words.columns, row, strict=True)) for row in on_words.rows}
    assert (rows["heterographic"]["PWR"], rows["heterographic"]["PE"]) == (100.0, 0.0)
    assert (rows["homophonic"]["PWR"], rows["homophonic"]["PE"]) == (0.0, 100.0)
    assert cells(on_meanings, "mine")["RD"] == 100.0


def test_text_against_audio_needs_both(mine: list[Score]) -> None:
    from dataclasses import replace

    assert results.table9([("mine", mine)]) is None
    heard = [replace(score, labels={**score.labels, "modality": "audio"}) for score in mine]
    table = results.table9([("mine", mine), ("by ear", heard)])
    assert table is not None
    assert [row[:2] for row in table.rows[:2]] == [("audio", "by ear"), ("text", "mine")]
    assert table.rows[2][3] == "quoted, real"


def test_mcnemar_by_hand(ask: Ask, five: list[PunItem]) -> None:
    right = ask(recognition.TASK, five, recognition.TASK.perfect)
    wrong = ask(recognition.TASK, five, lambda q: "non-pun" if q.item.is_pun else "pun")
    table = results.mcnemar([("right", right), ("wrong", wrong)])
    assert table is not None
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["Questions"], row["only A right"], row["only B right"]) == (10, 10, 0)
    assert row["p"] == f"{2 / 2**10:.3g}"


def timed(item_id: str, transcript: str) -> Callable[[object], Reply]:
    return lambda answer: Reply("ok", text=str(answer), answer=str(answer), transcripts=(transcript,))


def test_word_error_rate_against_location_by_hand(five: list[PunItem]) -> None:
    transcripts = {
        "a": "the bees want only honey",  # 0 of 5
        "b": "they sink or swim today",  # 1 of 5, the pun word
        "c": "the dog adores the bark of one old oak",  # 1 of 10 dropped
    }
    scores = [
        location.TASK.score(q, timed(q.item.id, transcripts[q.item.id])(LOCATED[q.item.id]))
        for q in location.TASK.ask(five, Conditions(modality="text"), None)
    ]
    row = cells(speech.table7_of_runs([("mine", scores)]), "mine")
    assert (row["Heg"], row["Hop"], row["Hog"]) == (0.0, pytest.approx(0.2), pytest.approx(0.1))
    assert row["All puns"] == pytest.approx(2 / 20)
    table = speech.wer_against_location([("mine", scores)])
    assert table is not None
    found = {row[1]: row[2:] for row in table.rows}
    assert found["WER 0"] == (1, 100.0, 100.0)
    assert found["WER up to 0.1"] == (1, 100.0, 100.0)
    assert found["WER up to 0.25"] == (1, 0.0, 0.0)
    assert found["WER above 0.25"] == (0, None, None)
    assert found["pun word misheard"] == (1, 0.0, 0.0)
    assert "Spearman correlation of WER with coarse location -0.866" in table.notes[0]


@pytest.mark.parametrize(
    ("text", "index", "tag"),
    [
        ("He painted the bark of the tree", 3, "NOUN"),
        ("Dogs like to bark at night", 3, "VERB"),
        ("Her answer was rather tart", 4, "ADJ"),
        ("He moved to Turkey for good", 3, "PROPN"),
        ("She left quickly", 2, "ADV"),
    ],
)
def test_parts_of_speech_by_rule(text: str, index: int, tag: str) -> None:
    assert errors.tags([(text, index)], "rules") == [tag]


def test_table_6_counts_every_pun_once(mine: list[Score]) -> None:
    table = errors.table6([("mine", mine), ("again", mine)])
    assert table is not None
    row = table.rows[0]
    assert sum(cell for cell in row[2:] if isinstance(cell, int)) == 3
    assert cells(table, "Synthetic Dataset")["NOUN"] == 954


def test_people_and_models_meet_on_the_peoples_questions(ask: Ask, five: list[PunItem]) -> None:
    people = ask(location.TASK, five, lambda q: "honey" if q.item.id == "a" else None)
    model = ask(location.TASK, five, lambda q: LOCATED[q.item.id])
    table = results.table10([("model", model), ("sheet:answers.csv", people)])
    assert cells(table, "model")["Questions"] == 1
    assert cells(table, "model")["Coa"] == 100.0
    assert cells(table, "Human")["Hop"] == 90.0
    assert results.table10([("model", model)]) is None
    verdicts = ask(recognition.TASK, five, recognition.TASK.perfect, polarity="pun")
    both = results.table10([("sheet:a.csv (sample, text, 1)", people), ("sheet:a.csv (sample, text, 2)", verdicts)])
    assert (cells(both, "sheet:a.csv")["Acc"], cells(both, "sheet:a.csv")["Coa"]) == (100.0, 100.0)


def test_the_listening_table_by_hand(ask: Ask, five: list[PunItem]) -> None:
    deaf = ask(listening.TASK, five, lambda q: "money")
    row = cells(speech.listening_test([("deaf", deaf)]), "deaf")
    assert (row["Moves"], row["Heard"], row["Always the alternative"], row["Follows the sound"]) == (
        0.0,
        50.0,
        100.0,
        0,
    )
    hears = ask(listening.TASK, five, listening.TASK.perfect)
    assert cells(speech.listening_test([("hears", hears)]), "hears")["Follows the sound"] == 100.0


def test_robustness_over_noise(mine: list[Score]) -> None:
    from dataclasses import replace

    noisy = [replace(score, labels={**score.labels, "snr_db": "5.0"}) for score in mine]
    table = speech.by_noise([("noisy", noisy), ("clean", mine)])
    assert table is not None
    assert [row[:2] for row in table.rows] == [("noisy", "5.0"), ("clean", "clean")]
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["Location n"], row["Location right"]) == (3, pytest.approx(200 / 3))
    assert not any(made([("clean", mine)]) for made in (speech.by_noise, speech.by_effect, speech.by_voice))


def test_the_chain_beside_the_stages(ask: Ask, mine: list[Score], five: list[PunItem]) -> None:
    linked = ask(chain.TASK, five, chain.TASK.perfect)
    row = cells(results.chained([("mine", [*mine, *linked])]), "mine")
    assert (row["End to end"], row["Recognition alone"], row["Location alone"]) == (
        100.0,
        pytest.approx(40.0),
        pytest.approx(200 / 3),
    )


def test_all_tables_print_in_every_format(ask: Ask, mine: list[Score], five: list[PunItem]) -> None:
    more = [*mine, *ask(chain.TASK, five, chain.TASK.perfect), *ask(listening.TASK, five, listening.TASK.perfect)]
    found = tables([("mine", more), ("again", [Score.from_json(json.loads(json.dumps(s.to_json()))) for s in more])])
    names = [table.name for table in found]
    assert names[0] == "table2"
    assert len(names) == len(set(names)) == 10
    for table in found:
        assert table.to_text() and table.to_csv() and table.to_latex()


def test_no_scores_no_tables() -> None:
    assert not tables([("empty", [])])
    assert not tables([])


def test_run_names_are_hostile(mine: list[Score]) -> None:
    table = results.table2([("=cmd()&_%", mine)])
    assert table is not None
    assert "'=cmd()" in table.to_csv()
    assert r"\&\_\%" in table.to_latex()


def test_the_benchmark_is_complete() -> None:
    assert list(BENCHMARK.subsets) == ["sample", "synthetic", "real"]
    for name, task in BENCHMARK.tasks.items():
        assert task.name == f"apun.{name}"
        assert task.title
        assert len({metric.name for metric in task.metrics}) == len(task.metrics)


def test_where_in_seconds_by_hand(five: list[PunItem]) -> None:
    times = {
        "a": (("the", 0.0, 0.2), ("bees", 0.2, 0.5), ("want", 0.5, 0.7), ("only", 0.7, 0.9), ("honey", 0.9, 1.3)),
        "b": (("they", 0.0, 0.2), ("sink", 0.2, 0.5), ("or", 0.5, 0.7), ("swim", 0.7, 0.9), ("today", 1.5, 1.9)),
        "c": (),
    }
    scores = [
        location.TASK.score(q, Reply("ok", text="x", answer=LOCATED[q.item.id], words=(times[q.item.id],)))
        for q in location.TASK.ask(five, Conditions(modality="text"), None)
    ]
    # a is where it should be; b's "today" is more than half a second from "oar", which was heard as "or"
    row = cells(errors.located_seconds([("mine", scores)]), "mine")
    assert (row["Clips"], row["Within 0.5 s"], row["Overlap"], row["Coa"]) == (2, 50.0, 50.0, 50.0)
    assert errors.located_seconds([("mine", scores[2:])]) is None
