"""Mandarin syllables: parsing, the two rhyme systems, similarity, near sounds and IPA."""

from __future__ import annotations

import csv
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import PhoneticError
from apun.phonetics.mandarin import (
    Syllable,
    all_readings,
    final_class,
    inventory,
    is_han,
    match,
    parse,
    readings,
    rhyme_group,
    similarity_type,
    to_ipa,
)

SYLLABLES = st.builds(
    lambda letters, tone: Syllable(*inventory()[letters], tone), st.sampled_from(sorted(inventory())), st.integers(1, 5)
)
VOWELLED = SYLLABLES.filter(lambda syllable: syllable.final not in ("m", "n", "ng"))


def one(text: str) -> Syllable:
    (syllable,) = parse(text)
    return syllable


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("zhāng", "zhang1"),
        ("zha\u0304ng", "zhang1"),
        ("ZHĀNG", "zhang1"),
        ("ｚｈａｎｇ１", "zhang1"),
        ("zhang¹", "zhang1"),
        ("zhɑng1", "zhang1"),
        ("lǜ", "lü4"),
        ("lu\u0300\u0308", "lü4"),
        ("lu:4", "lü4"),
        ("lv4", "lü4"),
        ("Lü4", "lü4"),
        ("lüè", "lüe4"),
        ("lue4", "lüe4"),
        ("nve4", "nüe4"),
        ("jü2", "ju2"),
        ("yv3", "yu3"),
        ("xuě", "xue3"),
        ("xuĕ", "xue3"),
        ("de", "de5"),
        ("de0", "de5"),
        ("de5", "de5"),
        ("gùi", "gui4"),
        ("ê̄", "ê1"),
        ("ńg", "ng2"),
        ("yō", "yo1"),
        ("wú yǔ lún bǐ", "wu2 yu3 lun2 bi3"),
        ("wúyǔlúnbǐ", "wu2 yu3 lun2 bi3"),
        ("wu2yu3lun2bi3", "wu2 yu3 lun2 bi3"),
        ("Wú-yǔ-lún-bǐ", "wu2 yu3 lun2 bi3"),
        ("xī'ān", "xi1 an1"),
        ("xi’an", "xi5 an5"),
        ("xian", "xian5"),
        ("xīān", "xi1 an1"),
        ("fangan", "fan5 gan5"),
        ("fang'an", "fang5 an5"),
        ("huār", "hua1 er5"),
        ("  nǐ\u3000hǎo ", "ni3 hao3"),
    ],
)
def test_spellings_are_read(text: str, numbered: str) -> None:
    assert " ".join(syllable.numbered for syllable in parse(text)) == numbered


@pytest.mark.parametrize(
    "text", ["", "  ", "hello", "zh", "你好", "ma6", "mā2", "mā1x", "1ma", "zhāng!", "nǎ\u0301", "café9"]
)
def test_what_is_not_pinyin_is_named(text: str) -> None:
    with pytest.raises(PhoneticError, match="is not pinyin") as caught:
        parse(text)
    assert repr(text) in str(caught.value)


@given(st.lists(SYLLABLES, min_size=1, max_size=6))
@settings(deadline=None)
def test_every_spelling_reads_back(syllables: list[Syllable]) -> None:
    for text in (
        " ".join(s.pinyin for s in syllables),
        unicodedata.normalize("NFD", "'".join(s.pinyin.upper() for s in syllables)),
        "".join(s.numbered for s in syllables),
        " ".join(s.numbered.replace("ü", "v") for s in syllables),
    ):
        assert parse(text) == tuple(syllables), text


@given(st.text(max_size=12))
@settings(deadline=None)
def test_parse_reads_or_refuses_and_nothing_else(text: str) -> None:
    try:
        found = parse(text)
    except PhoneticError:
        return
    assert found and all(s.letters in inventory() and 1 <= s.tone <= 5 for s in found)


def test_syllables_agree_with_pypinyin() -> None:
    """Initial and strict final are pypinyin's, but for yo and yai, which pypinyin cannot tell from o and ai."""
    from pypinyin.contrib.tone_convert import to_finals, to_initials, to_tone

    for letters, (initial, final) in inventory().items():
        if letters in ("yo", "yai") or final in ("m", "n", "ng"):
            continue
        assert (to_initials(letters), to_finals(letters, v_to_u=True)) == (initial, final), letters
        for tone in range(1, 5):
            assert Syllable(initial, final, tone).pinyin == to_tone(f"{letters}{tone}"), letters


def test_every_character_pypinyin_reads_has_a_syllable() -> None:
    from pypinyin.constants import PINYIN_DICT

    spelled = {reading for values in PINYIN_DICT.values() for reading in values.split(",")}
    unread = set()
    for reading in spelled:
        try:
            parse(reading)
        except PhoneticError:
            unread.add(reading)
    assert {unicodedata.normalize("NFD", reading).replace("\u0300", "") for reading in unread} <= {"wong"}


def test_tables_agree_with_the_reference(shared_data: Path) -> None:
    with (shared_data / "mandarin" / "pinyin_syllable_groups.tsv").open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t"))
    assert len(rows) == 425
    for row in rows:
        initial, final = inventory()[row["syllable"]]
        assert initial == row["initial"]
        assert final == {"yo": "io", "yai": "iai"}.get(row["syllable"], row["final"])
        assert rhyme_group(final) == row["rhyme18"], row
        assert final_class(final, initial) == row["bgs19"], row


def test_groups_are_the_papers_18_and_classes_the_releases_19(shared_data: Path) -> None:
    groups = json.loads((shared_data / "mandarin" / "phun_rhyme_groups_18.json").read_text(encoding="utf-8"))
    ours = {final: rhyme_group(final) for _, final in inventory().values() if final not in ("ê", "m", "n", "ng")}
    assert len(set(ours.values())) == 18 == len(groups)
    for group in groups:
        finals = {final.split(" ")[0] for final in group["finals"]}
        assert {final for final, label in ours.items() if label == group["label"]} - {"io", "iai"} == finals
    classes = json.loads((shared_data / "phun-bench" / "bgs.json").read_text(encoding="utf-8"))
    for label, syllables in classes.items():
        for letters in syllables:
            initial, final = inventory()[letters]
            assert final_class(final, initial) == label, letters
    found = {final_class(f, i) for i, f in inventory().values() if f not in ("m", "n", "ng")}
    assert found == set(classes) and len(found) == len(classes)


def test_unknown_finals_are_refused() -> None:
    for call in (rhyme_group, final_class):
        with pytest.raises(PhoneticError, match="'iu'"):
            call("iu")


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        ("niu2", "T0"),
        ("gou3", "T1"),
        ("xiao3", "T2"),
        ("shu1", "T3"),
        ("gao4", "T4"),
        ("ge1", "T5"),
        ("mao1", "T6"),
        ("gao1", "T7"),
    ],
)
def test_the_papers_examples_of_similarity(other: str, kind: str) -> None:
    """Figure 1b: 高 gao1 against one character of each type."""
    assert similarity_type(one("gao1"), one(other)) == kind


@given(SYLLABLES, SYLLABLES)
@settings(deadline=None, max_examples=300)
def test_similarity_is_symmetric_and_t7_is_identity(a: Syllable, b: Syllable) -> None:
    assert similarity_type(a, b) == similarity_type(b, a)
    assert (similarity_type(a, b) == "T7") == (a == b)
    assert similarity_type(a, a) == "T7"


def test_a_class_apart_from_the_syllable_is_t6_not_t7() -> None:
    assert similarity_type(one("lan2"), one("luan2")) == "T6"
    assert similarity_type(one("beng4"), one("bong4")) == "T6"


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("shi1", "shi1", "same"),
        ("shi1", "shi4", "tone"),
        ("si1", "shi4", "near"),
        ("zi3", "zhi3", "near"),
        ("can2", "chan2", "near"),
        ("nan2", "lan2", "near"),
        ("ran2", "lan4", "near"),
        ("pin2", "ping2", "near"),
        ("huang1", "fang1", "near"),
        ("hui1", "fei1", "near"),
        ("hu1", "fu1", "near"),
        ("lian2", "niang2", "near"),
        ("zen3", "zheng3", "near"),
        ("san1", "shan1", "near"),
        ("ran2", "nan2", "different"),
        ("si1", "zi1", "different"),
        ("dong1", "dun1", "different"),
        ("hao1", "fou1", "different"),
        ("gu1", "ku1", "different"),
        ("hua1", "ha1", "different"),
        ("an1", "ang1", "near"),
    ],
)
def test_near_sounds(a: str, b: str, kind: str) -> None:
    assert match(one(a), one(b)) == match(one(b), one(a)) == kind


def test_readings_follow_the_word() -> None:
    assert " ".join(s.pinyin for s in readings("银行行长，一行白鹭！")) == "yín háng háng zhǎng yī xíng bái lù"
    assert readings("，。") == ()
    with pytest.raises(PhoneticError, match="'o'"):
        readings("卡拉ok和a")


def test_all_readings_of_a_polyphone() -> None:
    assert {s.numbered for s in all_readings("行")} >= {"xing2", "hang2"}
    assert all_readings("，") == all_readings("ab") == ()
    assert [s.numbered for s in all_readings("吕")] == ["lü3"]


def test_han_characters() -> None:
    assert all(map(is_han, "汉〇𠙶㐀")) and not any(map(is_han, "a，1あ。"))


@given(VOWELLED)
@settings(deadline=None)
def test_ipa_is_known_to_panphon_and_one_to_one(syllable: Syllable) -> None:
    table = _features()
    segments = to_ipa(syllable)
    assert segments and all(table.seg_known(segment) for segment in segments)
    assert table.ipa_segs("".join(segments)) == list(segments)


def test_ipa_tells_syllables_apart() -> None:
    seen: dict[tuple[str, ...], str] = {}
    for letters, (initial, final) in inventory().items():
        segments = to_ipa(Syllable(initial, final, 1))
        assert segments not in seen, (letters, seen[segments])
        seen[segments] = letters


_TABLE: list[object] = []


def _features():  # type: ignore[no-untyped-def]
    if not _TABLE:
        import panphon

        _TABLE.append(panphon.FeatureTable())
    return _TABLE[0]
