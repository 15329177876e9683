"""The schema refuses by file, line and field; the embedded sample keeps what it promises."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import DataError
from apun.records import Record
from benchmarks.apun_bench.data import write_items
from benchmarks.apun_bench.items import (
    HETEROGRAPHIC,
    HOMOPHONIC,
    PunItem,
    ipa_of,
    item_from,
    load_items,
    type_of,
    words,
)
from benchmarks.apun_bench.tasks.location import interval

GOOD: dict[str, Any] = {
    "id": "x1",
    "text": "The bees want only honey.",
    "is_pun": True,
    "type": "heterographic",
    "pun_word": "honey",
    "pun_index": 4,
    "alternatives": ["money"],
    "pun_ipa": "hʌni",
    "alternative_ipa": "mʌni",
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": ""}, "field 'id': must be a non-empty text, is ''"),
        ({"id": "../x"}, "field 'id': '../x' is not a usable id"),
        ({"text": 7}, "field 'text': must be a non-empty text, is 7"),
        ({"text": "x" * 2001}, "field 'text': is longer than 2000 characters"),
        (
            {"type": "homograph"},
            "field 'type': must be one of heterographic, homophonic, homographic, untyped, negative, is 'homograph'",
        ),
        ({"language": "zh"}, "field 'language': is 'zh'; APUN-Bench is English"),
        ({"is_pun": False}, "field 'is_pun': contradicts type 'heterographic'"),
        ({"is_pun": "perhaps"}, "field 'is_pun': 'perhaps' is neither true nor false"),
        ({"pun_word": ""}, "field 'pun_word': must be a non-empty text, is ''"),
        ({"pun_word": "money", "pun_index": -1}, "field 'pun_index': must be a whole number from 0"),
        (
            {"pun_word": "money"},
            "field 'pun_index': word 4 of the text is not 'money'. Count words from 0; it stands at no",
        ),
        ({"pun_index": 3}, "field 'pun_index': word 3 of the text is not 'honey'. Count words from 0; it stands at 4"),
        ({"pun_index": True}, "field 'pun_index': must be a whole number from 0"),
        (
            {"text": "Honey or honey?", "pun_index": None},
            "field 'pun_word': 'honey' occurs 2 times in the text. Say which",
        ),
        ({"alternatives": []}, "field 'alternatives': a heterographic pun needs at least one alternative word"),
        ({"alternatives": ["Honey"]}, "field 'alternatives': the pun word itself is no alternative"),
        ({"alternatives": [1]}, "field 'alternatives': must be a list of texts"),
        ({"type": "homophonic"}, "field 'type': is homophonic, but /hʌni/ and /mʌni/ differ"),
        ({"alternative_ipa": "hʌni"}, "field 'type': is heterographic, but /hʌni/ and /hʌni/ sound the same"),
        ({"type": "homographic", "meanings": ["one"]}, "field 'meanings': has 1 meanings; a homographic pun has two"),
        ({"type": "homographic", "meanings": ["one", "one"]}, "field 'meanings': the two meanings are the same"),
        ({"type": "negative", "is_pun": False}, "field 'pun_word': a negative item has no pun word"),
    ],
)
def test_bad_items_are_refused_by_file_line_and_field(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(GOOD | {"id": "x0"}) + "\n\n" + json.dumps(GOOD | change) + "\n")
    with pytest.raises(DataError, match=re.escape(f"items.jsonl:3: {message}")):
        load_items(path)


_value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3),
)


@settings(deadline=None, max_examples=300)
@given(st.dictionaries(st.sampled_from([*sorted(GOOD), "meanings", "swap_word", "licence", "other"]), _value))
def test_any_row_is_an_item_or_refused_by_name(changes: dict[str, Any]) -> None:
    """No row, however odd, gives an item that breaks the schema, or an error that is not a DataError."""
    for row in (changes, GOOD | changes):
        try:
            item = item_from(Record(row, Path("rows.jsonl"), 3))
        except DataError as error:
            assert str(error).startswith("rows.jsonl:3: field ")
        else:
            assert item.is_pun == (item.type != "negative")
            assert not item.is_pun or item.pun_word.casefold() in words(item.text)[item.pun_index].casefold()


def test_the_same_id_twice(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(2 * (json.dumps(GOOD) + "\n"))
    with pytest.raises(DataError, match="the id 'x1' stands twice"):
        load_items(path)


def test_malformed_line_17(tmp_path: Path) -> None:
    lines = [json.dumps(GOOD | {"id": f"x{i}"}) for i in range(20)]
    lines[16] = '{"id": "x16", '
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(DataError, match=r"items\.jsonl:17: is not a JSON object"):
        load_items(path)


@pytest.mark.parametrize("name", ["items.csv", "items.tsv", "items.xlsx", "items.jsonl"])
def test_items_survive_every_format(tmp_path: Path, sample: list[PunItem], name: str) -> None:
    write_items(tmp_path / name, sample)
    assert load_items(tmp_path / name) == sample


def test_the_pun_word_may_be_part_of_a_compound_or_have_a_clitic() -> None:
    item = item_from(Record(GOOD | {"text": "A honey-dew is honey’s end.", "pun_index": 3}))
    assert words(item.text)[item.pun_index] == "honey’s"
    swapped = item_from(Record(GOOD | {"text": "I like honey-dew.", "pun_index": 2, "swap_word": "money"}))
    assert swapped.swapped_text == "I like money-dew."


@pytest.mark.parametrize(
    ("licence", "commercial"),
    [("CC BY 4.0", True), ("Apache-2.0", True), ("CC BY-NC 4.0", False), ("cc-by-nc-sa-4.0", False), ("", False)],
)
def test_which_licences_are_free_for_commercial_use(licence: str, commercial: bool) -> None:
    assert item_from(Record(GOOD | {"licence": licence})).commercial is commercial


def test_the_sample_is_large_enough_and_balanced(sample: list[PunItem]) -> None:
    counts = Counter(item.type for item in sample)
    assert len(sample) >= 150
    assert counts["heterographic"] >= 40
    assert counts["homophonic"] >= 30
    assert counts["homographic"] >= 40
    assert counts["negative"] >= 40
    assert {(item.source, item.licence) for item in sample} == {("apun", "Apache-2.0")}


def test_negatives_are_as_long_as_puns(sample: list[PunItem]) -> None:
    lengths = {is_pun: [len(words(item.text)) for item in sample if item.is_pun is is_pun] for is_pun in (True, False)}
    means = {is_pun: sum(found) / len(found) for is_pun, found in lengths.items()}
    assert abs(means[True] - means[False]) < 1
    assert min(lengths[False]) >= 8


def test_every_gold_ipa_is_a_reading_of_its_word_and_decides_the_type(sample: list[PunItem]) -> None:
    for item in sample:
        if not item.is_pun:
            continue
        assert item.pun_ipa in ipa_of(item.pun_word), item
        if item.alternatives:
            assert item.alternative_ipa in ipa_of(item.swap_word), item
            assert type_of((item.pun_word,), (item.swap_word,)) == item.type, item
            assert (item.pun_ipa == item.alternative_ipa) is (item.type == HOMOPHONIC)
        else:
            assert len(item.meanings) == 2


def test_heterographic_pairs_sound_alike(sample: list[PunItem]) -> None:
    """More alike than nine of ten unrelated words (the threshold of the error taxonomy), or one segment apart."""
    from rapidfuzz.distance import Levenshtein

    from apun.phonetics import sounds
    from apun.scoring.inference import SIMILAR
    from apun.scoring.phonetic import closeness

    for item in sample:
        if item.type == HETEROGRAPHIC:
            pair = sounds(item.pun_word), sounds(item.swap_word)
            apart = min(Levenshtein.distance(a.segments, b.segments) for a in pair[0] for b in pair[1])
            assert apart == 1 or closeness(*pair) >= SIMILAR, item


def test_pun_words_stand_where_the_paper_finds_them(sample: list[PunItem]) -> None:
    """Figure 3: the vast majority in the last 40 %, fewer than 10 % in the first 60 %."""
    puns = [item for item in sample if item.is_pun]
    places = Counter(interval(item.pun_index, len(words(item.text))) for item in puns)
    early = places["0.0-0.2"] + places["0.2-0.4"] + places["0.4-0.6"]
    assert early / len(puns) < 0.10
    assert early > 0, "a benchmark whose pun is always late cannot tell hearing from guessing"
    assert places["0.8-1.0"] > places["0.6-0.8"] > places["0.4-0.6"]


def test_ids_and_texts_are_unique_and_ids_tell_nothing(sample: list[PunItem]) -> None:
    assert len({item.id for item in sample}) == len(sample)
    assert len({item.text.casefold() for item in sample}) == len(sample)
    assert all(re.fullmatch(r"s[0-9a-f]{6}", item.id) for item in sample)
    assert [item.id for item in sample] == sorted(item.id for item in sample)


def _normalised(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.casefold()))


def test_no_sample_text_is_in_semeval(sample: list[PunItem], shared_data: Path) -> None:
    from benchmarks.apun_bench.semeval import read_schema

    published = {
        _normalised(item.text) for item in read_schema(shared_data / "semeval2017-task7" / "semeval_apun_schema.jsonl")
    }
    ours = {_normalised(item.text) for item in sample}
    assert len(published) > 4000
    assert not ours & published


def test_no_sample_text_shares_most_of_its_words_with_a_semeval_text(sample: list[PunItem], shared_data: Path) -> None:
    """A reworded copy would share nearly all of its words with its model."""
    from benchmarks.apun_bench.semeval import read_schema

    published = [
        frozenset(_normalised(item.text).split())
        for item in read_schema(shared_data / "semeval2017-task7" / "semeval_apun_schema.jsonl")
    ]
    for item in sample:
        own = frozenset(_normalised(item.text).split())
        nearest = max(len(own & other) / len(own | other) for other in published)
        assert nearest < 0.6, (item.text, nearest)
