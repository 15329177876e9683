"""Malformed data folders: the error names the file, the record, the field and what to do."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import DataError
from apun.records import Record
from apun.tasks import Item, Subset
from benchmarks.phun_bench.benchmark import BENCHMARK
from benchmarks.phun_bench.data import SAMPLE, load_folder
from benchmarks.phun_bench.items import PunItem, read_item

SIMILARITY: dict[str, Any] = {
    "w": "民生",
    "py2": "mín shēng",
    "w_pert": ["提升", "陌生", "新生", "萌生"],
    "py2_pert": ["tí shēng", "mò shēng", "xīn shēng", "méng shēng"],
    "answer": "D",
}
HOMOPHONE = {"w": "心花怒放", "py2": "xīn huā nù fàng", "new_w": "新哗弩放", "new_py2": "xīn huā nù fàng"}
PUN = {"s": "他说自己乐在骑中。", "pw": "乐在骑中", "aw": "乐在其中", "pinyin": "lè zài qí zhōng"}


def folder(tmp_path: Path, name: str, content: Any) -> Path:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "record", "field", "problem"),
    [
        ("char_tier_1.json", {"好": ["hǎo"]}, "values", "must hold 2 texts"),
        ("char_tier_1.json", {"好": ["hǎo", "hao4"]}, "values", "two readings"),
        ("char_tier_1.json", {"好": ["hǎo", "xyz"]}, "values", "not pinyin"),
        ("char_tier_1.json", {"hao": ["hǎo", "hao3"]}, "", "one Chinese character"),
        ("char_tier_1.json", {"好": "hǎo"}, "", "must be an object"),
        ("char_group_5_plus.json", {"1": {"py2": "áo", "chars": ["遨"] * 6}}, "chars", "none twice"),
        ("char_group_5_plus.json", {"1": {"py2": "áo", "chars": list("遨嗷璈獒螯")}}, "chars", "has 5 characters"),
        ("char_group_5_plus.json", {"1": {"py2": "áo", "chars": "遨嗷璈獒螯翱"}}, "chars", "none twice"),
        ("idioms_homo_4_perturbed.json", {"1": {**HOMOPHONE, "new_w": "新哗弩"}}, "new_w", "4 Chinese characters"),
        ("idioms_homo_4_perturbed.json", {"1": {**HOMOPHONE, "new_w": "abcd"}}, "new_w", "Chinese characters"),
        ("idioms_homo_4_perturbed.json", {"1": HOMOPHONE}, "new_w", "shares a character"),
        (
            "idioms_homo_4_perturbed.json",
            {"1": {**HOMOPHONE, "new_w": "新哗弩访", "new_py2": "xīn huá nù fàng"}},
            "new_py2",
            "one reading",
        ),
        ("idioms_homo_4_perturbed.json", {"1": {**HOMOPHONE, "py2": "xīn huā nù"}}, "py2", "3 syllables"),
        ("idioms_homo_4_perturbed.json", {"1": {**HOMOPHONE, "w": None}}, "w", "is missing"),
        ("puns_filter_homo_public.json", {"1": {**PUN, "pw": "乐在其中"}}, "pw", "not in the sentence"),
        ("puns_filter_homo_public.json", {"1": {**PUN, "aw": "乐在骑中"}}, "aw", "are the same"),
        ("puns_filter_homo_public.json", {"1": {**PUN, "pinyin": "lè zài"}}, "pinyin", "2 syllables"),
        ("puns_filter_homo_public.json", {"1": {**PUN, "s": 5}}, "s", "non-empty text"),
        ("rhyme_gen_public.json", {"1": {"s": "月光照着码头", "rg": "a"}}, "rg", "18 rhyme groups"),
        ("rhyme_gen_public.json", {"1": {"s": "月光照着码头", "rg": "a iou"}}, "rg", "18 rhyme groups"),
        ("rhyme_gen_public.json", {"1": {"rg": "a ou"}}, "s", "non-empty text"),
        ("sim_word_pert1.json", {"1": {**SIMILARITY, "answer": "E"}}, "answer", "one of A, B, C, D"),
        ("sim_word_pert1.json", {"1": {**SIMILARITY, "w_pert": ["提升"]}}, "w_pert", "must hold 4 texts"),
        (
            "sim_word_pert1.json",
            {"1": {**SIMILARITY, "w_pert": ["提升", "陌生", "民生", "萌生"]}},
            "w_pert",
            "five different words",
        ),
        ("sim_word_pert1.json", {"1": {**SIMILARITY, "py2_pert": ["tí"] * 4}}, "py2_pert", "1 syllables"),
    ],
)
def test_a_faulty_record_is_named(tmp_path: Path, name: str, record: Any, field: str, problem: str) -> None:
    with pytest.raises(DataError) as caught:
        load_folder(folder(tmp_path, name, record))
    error, message = caught.value, str(caught.value)
    key = next(iter(record))
    assert error.file == tmp_path / name
    assert (error.field or "") == field
    assert repr(key) in message and problem in message and error.fix


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "is not JSON"),
        ("[]", "must hold one JSON object"),
        ('{"1": {"s": "月光照着码头", "rg": "a ou"}, "1": {}}', "given twice"),
        ('{"1": NaN}', "NaN is not JSON"),
        ("[" * 100_000, "not usable JSON"),
        ('{"1": 3}', "must be an object"),
    ],
)
def test_a_file_that_is_no_json_object_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem) as caught:
        load_folder(folder(tmp_path, "rhyme_gen_public.json", text))
    assert "rhyme_gen_public.json" in str(caught.value)


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    (tmp_path / "rhyme_gen_public.json").write_bytes(b'{"1": "\xff"}')
    with pytest.raises(DataError, match=r"rhyme_gen_public\.json"):
        load_folder(tmp_path)


def test_a_folder_without_the_files_says_which_it_needs(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none of the Phun-Bench files .*sim_word_pert4\.json"):
        load_folder(tmp_path)


def test_one_file_is_enough_and_the_dataset_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "dataset").mkdir()
    folder(tmp_path / "dataset", "sim_word_pert2.json", {"7": copy.deepcopy(SIMILARITY)})
    (item,) = load_folder(tmp_path)
    assert (item.id, item.stratum, item.text, item.cluster) == ("pert2.7", "pert2", "民生", "word:民生")


def test_the_sample_has_every_kind_and_no_shared_id() -> None:
    items = BENCHMARK.load(Subset("sample"))
    assert all(isinstance(item, Item) for item in items)
    assert len({item.id for item in items}) == len(items)
    strata = {item.stratum for item in items}
    assert strata >= {"tier1", "tier2", "tier3", "group", "homo_4", "pun", "line", "pert1", "pert2", "pert3", "pert4"}


def rows(tmp_path: Path, *items: Any) -> Path:
    text = "".join(
        json.dumps(item if isinstance(item, dict) else item.to_json(), ensure_ascii=False) + "\n" for item in items
    )
    (tmp_path / "items.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def test_items_beside_clips_read_back_as_they_were(tmp_path: Path) -> None:
    items = load_folder(SAMPLE)
    assert load_folder(rows(tmp_path, *items)) == items


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"kind": "song"}, "must be one of char, group, homophone"),
        ({"id": ""}, "non-empty text"),
        ({"answer": "E"}, "one of A, B, C, D"),
        ({"perturbation": "pert9"}, "must be one of pert1"),
        ({"readings": ["tí"] * 4}, "1 syllables"),
        ({"candidates": ["提升"]}, "must hold 4 texts"),
        ({"text": "ms"}, "Chinese characters"),
    ],
)
def test_a_faulty_row_beside_clips_is_named(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    item = next(item for item in load_folder(SAMPLE) if item.stratum == "pert1")
    with pytest.raises(DataError, match=problem) as caught:
        load_folder(rows(tmp_path, {**item.to_json(), **change}))
    assert "items.jsonl:1:" in str(caught.value)
    assert caught.value.field == next(iter(change))
    with pytest.raises(DataError, match="stands twice"):
        load_folder(rows(tmp_path, item, item))


def test_the_sample_shares_no_item_with_the_released_data(released: Any) -> None:
    def texts(items: Any) -> set[str]:
        return {item.text for item in items if item.stratum in ("homo_4", "pun", "line")}

    assert not texts(load_folder(SAMPLE)) & texts(released)


_value = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=6)
    | st.sampled_from(["民生", "mín shēng", "D", "homo_4"]),
    lambda inner: st.lists(inner, max_size=5),
)
_SAMPLE = load_folder(SAMPLE)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(_SAMPLE), st.data())
def test_any_row_is_an_item_that_writes_itself_back_or_is_refused_by_name(item: Any, data: st.DataObject) -> None:
    """No row, however odd, gives an item of another meaning, or an error that is not a DataError."""
    row = item.to_json()
    changes = data.draw(st.dictionaries(st.sampled_from(sorted(row.keys() - {"id", "kind"})), _value, max_size=2))
    try:
        found = read_item(type(item), Record({**row, **changes}, Path("rows.jsonl"), 3), item.id)
    except DataError as error:
        assert str(error).startswith("rows.jsonl:3: field ")
    else:
        again = read_item(type(item), Record(json.loads(json.dumps(found.to_json()))), item.id)
        assert again == found
        assert not list(found.problems())
        assert found.cluster and found.stratum and found.text


def test_a_field_under_another_name_is_named_as_the_row_does() -> None:
    row = Record({"s": "他说自己乐在骑中。", "pw": "乐在其中", "aw": "x", "pinyin": "lè zài qí zhōng"})
    with pytest.raises(DataError) as caught:
        read_item(PunItem, row, "p", {"text": "s", "pun": "pw", "target": "aw", "reading": "pinyin"})
    assert caught.value.field == "aw"
