"""The embedded sample: enough new xiehouyu, each of them sound, and files whose faults are named."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from apun.errors import DataError
from apun.records import Record
from benchmarks.x_riddles.data import known, novel, read_folder, sample, traditional
from benchmarks.x_riddles.items import Riddle, read_items, write_items
from benchmarks.x_riddles.novelty import Corpus, faults


def test_at_least_sixty_new_ones_half_on_a_seed_and_half_free() -> None:
    origins = Counter(item.origin for item in novel())
    assert origins["seeded"] + origins["free"] == len(novel()) >= 60
    assert origins["seeded"] == origins["free"]
    assert all(item.novel and item.split == "new" and item.type == "homophonic" for item in novel())
    assert all(bool(item.seed) == (item.origin == "seeded") for item in novel())
    assert len({item.riddle for item in sample()}) == len(sample())
    assert len({item.intended for item in novel()}) == len(novel())


def test_every_new_one_passes_the_checks_by_code() -> None:
    corpus = known()
    assert {item.id: list(faults(item, corpus)) for item in novel()} == {item.id: [] for item in novel()}


def test_no_new_one_is_in_the_public_lists(shared_data: Path) -> None:
    corpus = known(str(shared_data / "xiehouyu"))
    assert len(corpus.entries) > 20_000
    assert {item.id: list(faults(item, corpus)) for item in novel()} == {item.id: [] for item in novel()}


def test_faults_are_found() -> None:
    good = novel()[0].to_json()
    corpus = Corpus(((good["riddle"], "念旧的人"),))
    found = list(faults(Riddle.from_record(Record(good)), corpus))
    assert any("overlaps" in fault for fault in found) and any("riddle is known" in fault for fault in found)
    told = Riddle.from_record(
        Record({**good, "riddle": "外甥想舅", "riddle_pinyin": "", "example": "外甥想舅——____念旧"})
    )
    assert {fault.split()[0] + fault.split()[1] for fault in faults(told, Corpus(()))} == {"theriddle", "itsexample"}


def test_types_and_bands_of_the_traditional_ones() -> None:
    kinds = Counter((item.type, item.split) for item in traditional())
    assert kinds["homophonic", "high"] >= 12 and kinds["homophonic", "low"] >= 12
    for kind in ("polysemous", "direct"):
        assert kinds[kind, "high"] and kinds[kind, "low"]
    assert all(item.riddle in item.example and item.gloss["intended"] for item in traditional())


def test_files_survive_a_round_trip(tmp_path: Path) -> None:
    write_items(tmp_path / "items.jsonl", traditional())
    assert tuple(read_items(tmp_path / "items.jsonl")) == traditional()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"riddle": ""}, "riddle"),
        ({"type": "pun"}, "type"),
        ({"pairs": [{"literal": "舅"}]}, "pairs[0]"),
        ({"literal": "念究"}, "pairs"),
        ({"intended": "念久"}, "pairs"),
        ({"literal_pinyin": "nian4"}, "literal_pinyin"),
        ({"literal_pinyin": "nian4 xxx"}, "literal_pinyin"),
        ({"familiarity": 5}, "familiarity"),
        ({"familiarity": True}, "familiarity"),
        ({"novel": "yes"}, "novel"),
        ({"example": "没有空"}, "example"),
        ({"literal": None, "literal_pinyin": None}, "literal"),
        ({"colour": "red"}, "colour"),
        ({"distractors": [["a"]]}, "distractors[0]"),
        ({"gloss": {"riddle": 1}}, "gloss"),
    ],
)
def test_faults_in_a_file_are_named(tmp_path: Path, change: dict[str, object], field: str) -> None:
    good = novel()[0].to_json()
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ({**good, "id": "x"}, {**good, **change})), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_items(path)
    assert (caught.value.line, caught.value.field) == (2, field)


def test_a_wrong_match_is_refused() -> None:
    record = novel()[0].to_json()
    pairs = [{**pair, "match": "tone"} for pair in record["pairs"]]
    with pytest.raises(DataError, match=r"says 'tone', and by pinyin jiu4/jiu4 is 'same'"):
        Riddle.from_record(Record({**record, "pairs": pairs}))


@pytest.mark.parametrize("text", ["[]", "{", '{"id": 1}', "[" * 5000])
def test_lines_that_are_no_item(tmp_path: Path, text: str) -> None:
    (tmp_path / "items.jsonl").write_text(text)
    with pytest.raises(DataError):
        read_items(tmp_path / "items.jsonl")


def test_familiarity_decides_the_split() -> None:
    def split(**fields: object) -> str:
        return Riddle("a", "r", "i", "direct", **fields).split  # type: ignore[arg-type]

    assert [split(familiarity=x) for x in (2.49, 2.5, 4.0)] == ["low", "high", "high"]
    assert split(band="low", familiarity=3.0) == "high"
    assert split(band="low") == "low" and split() == "unrated"
    assert split(novel=True, familiarity=3.0) == "new"


@pytest.mark.parametrize(
    ("chars", "pinyin"),
    [
        ("切菜", "qie1 cai4"),
        ("切细", "qie1 xi4"),
        ("不炸", "bu4 zha2"),
        ("炸完麻花", "zha2 wan2 ma2 hua1"),
        ("松子", "song1 zi3"),
        ("砚台", "yan4 tai5"),
        ("嗑瓜子嗑", "ke4 gua1 zi3 ke4"),
    ],
)
def test_polyphones_in_riddles_are_read_as_they_are_said(chars: str, pinyin: str) -> None:
    """What a voice is told to say: readings that automatic pinyin gets wrong."""
    places = [(item, item.riddle.find(chars)) for item in sample() if chars in item.riddle]
    assert places
    for item, start in places:
        assert item.riddle_pinyin.split()[start : start + len(chars)] == pinyin.split()


def test_a_folder_may_hold_several_files_and_no_id_twice(tmp_path: Path) -> None:
    write_items(tmp_path / "items1.jsonl", traditional()[:3])
    printed = {
        "riddle": "孔夫子搬家",
        "answer_literal": "净是书",
        "answer_intended": "净是输",
        "homophones": ["书", "输"],
    }
    with (tmp_path / "items1.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(printed) + "\n")
    items = read_folder(tmp_path)
    assert [item.id for item in items[:3]] == [item.id for item in traditional()[:3]]
    assert items[3].match == "same" and items[3].id.startswith("printed-")
    write_items(tmp_path / "more" / "items2.jsonl", traditional()[2:5])
    with pytest.raises(DataError, match="stands twice") as caught:
        read_folder(tmp_path)
    assert caught.value.file == tmp_path / "more" / "items2.jsonl"
