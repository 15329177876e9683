"""Romaji to kana, with pyopenjtalk's kana and a table of spellings as outside oracles."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.phonetics.japanese import from_romaji, is_kana

SPELLINGS = {
    "かくせい": ["kakusei", "KAKUSEI", "kaku-sei", "kakusē", "kakusê"],
    "しんぶん": ["shinbun", "shimbun", "sinbun"],
    "ちゃわん": ["chawan", "tyawan"],
    "ふじさん": ["fujisan", "huzisan", "Fujisan"],
    "がっこう": ["gakkou", "gakkō", "gakkô", "gakkoo"],
    "まっちゃ": ["matcha", "maccha", "mattya"],
    "きんゆう": ["kin'yuu", "kin'yū", "kin’yû"],
    "きにゅう": ["kinyuu", "kinyū"],
    "つづく": ["tsuduku", "tuduku", "tsudzuku", "tsuzuku"],
    "はなぢ": ["hanadi", "hanaji", "hanazi"],
    "とうきょう": ["Tōkyō", "toukyou", "Tôkyô"],
    "おおかみ": ["ōkami", "ookami"],
    "おんな": ["onna"],
    "こんにちわ": ["konnichiwa"],
    "ひっ": ["hixtsu", "hiltu"],
    "じゅんなん": ["junnan", "zyunnan"],
    "ほん": ["hon", "honn"],
    "えいご": ["eigo", "ēgo"],
    "ざっし": ["zasshi", "zassi"],
}


@pytest.mark.parametrize(("kana", "spelling"), [(kana, s) for kana, all_ in SPELLINGS.items() for s in all_])
def test_spellings(kana: str, spelling: str) -> None:
    assert kana in from_romaji(spelling)


@pytest.mark.parametrize(
    "text", ["", "xyz", "hello", "覚", "かく", "k", "ka1", "kaku!", "th", "the answer", "-", "'", "aq"]
)
def test_what_is_no_romaji_gives_nothing(text: str) -> None:
    assert from_romaji(text) == ()


def test_a_short_vowel_is_never_read_as_long() -> None:
    assert from_romaji("ko") == ("こ",)
    assert "こう" not in from_romaji("ko") and "こう" in from_romaji("kō") and "こう" in from_romaji("koo")


def test_candidates_are_bounded() -> None:
    assert len(from_romaji("ō" * 20)) <= 64


def test_released_romaji_is_understood(shared_data) -> None:  # type: ignore[no-untyped-def]
    """The release prints every gold reading in (wapuro) romaji: all 476 agree."""
    import json

    rows = [json.loads(line) for line in (shared_data / "yomi-bench/readings.jsonl").read_text("utf-8").splitlines()]
    differing = [
        (r["reading"], r["reading_romaji"]) for r in rows if r["reading"] not in from_romaji(r["reading_romaji"])
    ]
    assert len(rows) == 476
    assert differing == []


@settings(deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzāō' -", max_size=14))
def test_candidates_are_kana(text: str) -> None:
    assert all(is_kana(kana) for kana in from_romaji(text))
