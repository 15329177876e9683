"""Kana: normalisation, morae, vowel sequences, IPA, readings of text."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import PhoneticError
from apun.phonetics.japanese import (
    VOWEL_OF,
    is_kana,
    kana_of,
    morae,
    normalise,
    same_reading,
    to_ipa,
    vowel_sequence,
)

FULL = sorted(kana for kana in VOWEL_OF if kana not in "ゃゅょぁぃぅぇぉゎ")
WORDS = st.lists(
    st.sampled_from([*FULL, *(a + b for a in "きしちにひみりぎじび" for b in "ゃゅょ"), "ん", "っ"]),
    min_size=1,
    max_size=8,
).map("".join)


@pytest.mark.parametrize(
    ("text", "kana"),
    [
        ("カクセイ", "かくせい"),
        ("ｶｸｾｲ", "かくせい"),
        ("ｶﾞｸｾｲ", "がくせい"),
        ("か\u3099く", "がく"),
        ("か゛く", "がく"),
        ("いすゞ", "いすず"),
        ("こゝろ", "こころ"),
        ("バナヽ", "ばなな"),
        ("ら〜めん", "らーめん"),
        ("ラ―メン", "らーめん"),
        (" ヴァイオリン ", "ゔぁいおりん"),
        ("三ヶ月", "三け月"),
        ("漢字と kana", "漢字と kana"),
    ],
)
def test_normalise(text: str, kana: str) -> None:
    assert normalise(text) == kana


@pytest.mark.parametrize(
    ("word", "expected", "vowels"),
    [
        ("キョウト", ("きょ", "う", "と"), "ouo"),
        ("がっこう", ("が", "っ", "こ", "う"), "aqou"),
        ("こおり", ("こ", "お", "り"), "ooi"),
        ("ラーメン", ("ら", "ー", "め", "ん"), "aaen"),
        ("ファイル", ("ふぁ", "い", "る"), "aiu"),
        ("ティー", ("てぃ", "ー"), "ii"),
        ("くゎ", ("くゎ",), "a"),
        ("を", ("を",), "o"),
        ("じゅんなん", ("じゅ", "ん", "な", "ん"), "unan"),
    ],
)
def test_morae_and_vowels(word: str, expected: tuple[str, ...], vowels: str) -> None:
    assert morae(word) == expected
    assert vowel_sequence(word) == vowels


@pytest.mark.parametrize("word", ["", "漢字", "ゃま", "んー", "っー", "ーか", "kana", "きゃゃ", "んゃ", "か く"])
def test_what_has_no_morae_is_refused_by_name(word: str) -> None:
    with pytest.raises(PhoneticError, match=repr(word)):
        morae(word)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("カクセー", "かくせい", True),
        ("こー", "こう", True),
        ("こー", "こお", True),
        ("こう", "こお", False),
        ("おーおー", "おおおう", True),
        ("こ", "こう", False),
        ("かー", "かう", False),
        ("漢字", "漢字", False),
        ("がく", "かく", False),
    ],
)
def test_same_reading(first: str, second: str, same: bool) -> None:
    assert same_reading(first, second) is same
    assert same_reading(second, first) is same


@pytest.mark.parametrize(
    ("word", "segments"),
    [
        ("がっこう", "ɡ a kː oː"),
        ("せんせい", "s e ɰ̃ s eː"),  # ん before a fricative is no closure
        ("しんぶん", "ɕ i m b ɯ ɴ"),
        ("ちゅうごく", "t͡ɕ ɯː ɡ o k ɯ"),
        ("ひゃくにん", "ç a k ɯ ɲ i ɴ"),
        ("りょこう", "ɾʲ o k oː"),
        ("あんい", "a ɰ̃ i"),
        ("マッチ", "m a t͡ɕː i"),
        ("あっ", "a ʔ"),
        ("おおう", "oː ɯ"),
        ("うぃすきー", "w i s ɯ k iː"),
        ("つづり", "t͡s ɯ z ɯ ɾ i"),
    ],
)
def test_ipa(word: str, segments: str) -> None:
    assert to_ipa(word) == tuple(segments.split())


@lru_cache(maxsize=1)
def _features() -> Any:
    import panphon

    return panphon.FeatureTable()


@settings(deadline=None, max_examples=60)
@given(WORDS)
def test_every_segment_is_known_to_panphon_and_none_vanishes(word: str) -> None:
    segments = to_ipa(word)
    plain = unicodedata.normalize("NFD", "".join(segments))
    assert all(_features().seg_known(segment) for segment in segments)
    assert "".join(_features().ipa_segs(plain)) == plain


@settings(deadline=None)
@given(WORDS)
def test_one_symbol_a_mora_in_either_script(word: str) -> None:
    katakana = "".join(chr(ord(char) + 0x60) if "ぁ" <= char <= "ゖ" else char for char in word)
    assert len(vowel_sequence(word)) == len(morae(word))
    assert vowel_sequence(katakana) == vowel_sequence(word)
    assert "".join(morae(word)) == normalise(katakana) == word
    assert is_kana(word)
    assert same_reading(word, katakana)


@settings(deadline=None)
@given(st.text(max_size=12))
def test_no_text_breaks_normalise_or_is_half_read(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    try:
        symbols = vowel_sequence(text)
    except PhoneticError:
        return
    assert len(symbols) == len(morae(text)) and set(symbols) <= set("aiueonq")


def test_kana_of_text() -> None:
    pytest.importorskip("sudachipy", reason="the extra ja is not installed")
    assert kana_of("昨日は東京で寿司を食べた。") == "きのうはとうきょうですしをたべた"
    assert kana_of("一人") == "ひとり"
    assert kana_of("カタカナと ひらがな") == "かたかなとひらがな"
    assert kana_of("。、") == ""
