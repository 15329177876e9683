"""The importer on the public lists, against the split reference files, and on hand-made entries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apun.errors import DataError
from apun.records import Record
from apun.tasks import Subset
from benchmarks.x_riddles.build import Import, import_entries
from benchmarks.x_riddles.data import load
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.lists import Entry, read_entries, split_alternatives, take_apart

LISTS = {
    "chinese-xinhua": ("chinese-xinhua/data/xiehouyu.json", "homophonic_chinese-xinhua.jsonl", 14_032, 1_000),
    "signalw": ("signalw/vocabs.txt", "homophonic_signalw.jsonl", 7_431, 640),
}
# Printed literal first by sense, though the reference file has them the other way round: a leech bites (叮)
# before it stares (盯); the ladle is no gun (没枪) before there is no manner (没腔); a hoof is a foot (脚).
ALSO_LITERAL_FIRST = {"没枪（腔）", "叮（盯）住不放（比喻集中视力看。）", "就显你脚（角）大"}


@pytest.fixture(scope="module", params=sorted(LISTS))
def imported(request: pytest.FixtureRequest, shared_data: Path) -> tuple[str, Import, list[dict[str, object]]]:
    file, reference, _, _ = LISTS[request.param]
    folder = shared_data / "xiehouyu"
    rows = [json.loads(line) for line in (folder / reference).read_text(encoding="utf-8").splitlines()]
    return request.param, import_entries(read_entries(folder / file)), rows


def test_enough_entries_are_split_and_all_are_accounted_for(imported: tuple[str, Import, list[object]]) -> None:
    name, done, rows = imported
    assert done.entries == LISTS[name][2]
    assert LISTS[name][3] <= len(done.items) <= len(rows)
    assert len(done.items) + sum(done.skipped.values()) == done.answers
    assert "skipped" in done.report() and str(len(done.items)) in done.report()


def test_each_split_is_the_reference_s(imported: tuple[str, Import, list[dict[str, object]]]) -> None:
    """No explanation is taken for a homophone: every item is one that the reference has."""
    _, done, rows = imported
    theirs = {(row["index"], frozenset((row["answer_literal"], row["answer_intended"]))) for row in rows}
    ours = {(int(item.id.split("-")[-2]), frozenset((item.literal, item.intended))) for item in done.items}
    assert ours <= theirs
    assert len(ours) / len(theirs) > 0.99


def test_the_order_is_the_reference_s(imported: tuple[str, Import, list[dict[str, object]]]) -> None:
    name, done, rows = imported
    ours = {(int(item.id.split("-")[-2]), item.literal, item.intended) for item in done.items}
    literal_first = [row for row in rows if row["paren_order"] == "literal(intended)"]
    assert len(literal_first) == (19 if name == "chinese-xinhua" else 0)
    missed = [
        r["answer_raw"] for r in literal_first if (r["index"], r["answer_literal"], r["answer_intended"]) not in ours
    ]
    assert missed == []
    turned = {r["answer_raw"] for r in rows if (r["index"], r["answer_intended"], r["answer_literal"]) in ours}
    symmetric = {r["answer_raw"] for r in rows if r["answer_intended"] == r["answer_literal"]}
    assert turned - symmetric <= ALSO_LITERAL_FIRST


def test_every_item_passes_the_checks_of_an_item_file(imported: tuple[str, Import, list[object]]) -> None:
    for item in imported[1].items:
        assert Riddle.from_record(Record(json.loads(json.dumps(item.to_json())))) == item


def test_a_folder_with_a_list_is_a_subset(shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / "xiehouyu" / "signalw" / "vocabs.txt"
    (tmp_path / "vocabs.txt").write_text("".join(source.open(encoding="utf-8").readlines()[:1500]), encoding="utf-8")
    items = load(Subset("dictionary", tmp_path))
    assert len(items) > 50 and all(len(item.distractors) == 12 for item in items)


@pytest.mark.parametrize(
    ("answer", "printed", "swapped", "pairs", "notes"),
    [
        ("净输（书）", "净输", "净书", [("输", "书", "same")], []),
        ("亲（青）上加亲（青）", "亲上加亲", "青上加青", [("亲", "青", "tone"), ("亲", "青", "tone")], []),
        ("规矩（龟举）不小", "规矩不小", "龟举不小", [("规矩", "龟举", "same")], []),
        ("没事（寺）", "没事", "没寺", [("事", "寺", "near")], []),
        ("啃（肯）定了（比喻确定无疑。）", "啃定了", "肯定了", [("啃", "肯", "same")], ["比喻确定无疑。"]),
        ("巴不得（迫切盼望）", "巴不得", "巴不得", [], ["迫切盼望"]),
        ("谁也甭（beng不用）想", "谁也甭想", "谁也甭想", [], ["beng不用"]),
        ("满在乎（壶）", "满在乎", "满在壶", [("乎", "壶", "tone")], []),
        ("安（淹）心", "安心", "安心", [], ["淹"]),
        ("（书）输", "输", "输", [], ["书"]),
        ("装相(象)", "装相", "装象", [("相", "象", "same")], []),
    ],
)
def test_parentheses(
    answer: str, printed: str, swapped: str, pairs: list[tuple[str, str, str]], notes: list[str]
) -> None:
    read = take_apart(answer)
    assert (read.printed, read.swapped) == (printed, swapped)
    assert [(swap.printed, swap.inside, swap.level) for swap in read.swaps] == pairs
    assert list(read.notes) == notes


def test_alternatives_are_cut_outside_parentheses_only() -> None:
    assert split_alternatives("走神；神气（起；了）来了;走了神；") == ("走神", "神气（起；了）来了", "走了神")


def test_a_small_list_by_its_own_evidence() -> None:
    entries = [
        Entry("t", 0, "孔夫子的箱子", "净输（书）"),
        Entry("t", 1, "孔夫子搬家", "净是书（输）"),
        Entry("t", 2, "半空中放爆竹", "想（响）得高；响（想）不起来"),
        Entry("t", 3, "a", "漂流半辈子才成（盛"),
        Entry("t", 4, "b", "拜把子（朋友结为兄弟）"),
        Entry("t", 5, "c", "两头尖"),
    ]
    done = import_entries(entries)
    assert [(item.literal, item.intended) for item in done.items] == [
        ("净书", "净输"),
        ("净是书", "净是输"),
        ("响得高", "想得高"),
        ("响不起来", "想不起来"),
    ]
    assert sum(done.skipped.values()) == 3 and done.notes == 1
    assert [item.id for item in done.items] == ["t-00000-0", "t-00001-0", "t-00002-0", "t-00002-1"]
    assert done.items[2].cluster == done.items[3].cluster != done.items[0].cluster


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("xiehouyu.json", "{}", "array"),
        ("xiehouyu.json", '[{"riddle": "a"}]', "answer"),
        ("xiehouyu.json", "[1]", "entry 0"),
        ("xiehouyu.json", "[", "JSON"),
        ("vocabs.txt", "甲　——　乙\n没有破折号\n", ":2"),
        ("vocabs.txt", "", "no xiehouyu"),
    ],
)
def test_faulty_lists_are_refused_by_name(tmp_path: Path, name: str, text: str, where: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=where):
        read_entries(tmp_path / name)


def test_an_empty_folder_says_what_belongs_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"items\*\.jsonl.*xiehouyu\.json or vocabs\.txt"):
        load(Subset("dictionary", tmp_path))
