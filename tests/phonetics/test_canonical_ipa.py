"""The canonicaliser and the feature table, against panphon itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import PhoneticError
from apun.phonetics import ipa


@pytest.mark.parametrize(
    ("written", "segments"),
    [
        ("gæs", "ɡ æ s"),
        ("ʧɝʧ", "t͡ʃ ə ɹ t͡ʃ"),
        ("t͜ʃɜːtʃ", "t͡ʃ ɜː t͡ʃ"),
        ("ʤʌdʒ", "d͡ʒ ʌ d͡ʒ"),
        ("kat.ʃip", "k a t ʃ i p"),
        ("fi:t", "f iː t"),
        ("ˈwɔː.tɚ", "w ɔː t ə ɹ"),
        ("bʌtn̩", "b ʌ t n̩"),
        ("lɑ̃ʒəʁi", "l ɑ̃ ʒ ə ʁ i"),
        ("ʈʂʰʅ", "ʈ͡ʂʰ ɻ̩"),
        ("kɯᵝ", "k ɯ̟"),
        ("ɹᵻˈmuːv", "ɹ ɪ m uː v"),
        ("[ŋ̍]", "ŋ̩"),
        ("", ""),
    ],
)
def test_spellings_of_one_sound_become_one(written: str, segments: str) -> None:
    assert ipa.parse(written).segments == tuple(segments.split())


@pytest.mark.parametrize(
    ("written", "tones"),
    [("ma55", ["55"]), ("ɲi˨˩˦xɑʊ̯˨˩˦", ["˨˩˦", "˨˩˦"]), ("mä˥˩", ["˥˩"]), ("ma¹ma", ["¹"]), ("ma", [])],
)
def test_tone_lies_on_a_tier_of_its_own(written: str, tones: list[str]) -> None:
    found = ipa.parse(written)
    assert list(found.tones) == tones
    assert not any(char in "".join(found.segments) for char in "12345˥˦˧˨˩¹")


@pytest.mark.parametrize(("text", "symbol"), [("ka!", "!"), ("q字", "字"), ("ka\u20dd", "\u20dd"), ("B", "B")])
def test_an_unknown_symbol_is_named_with_its_word(text: str, symbol: str) -> None:
    with pytest.raises(PhoneticError) as caught:
        ipa.parse(text)
    assert repr(symbol) in str(caught.value)
    assert repr(text) in str(caught.value)


def test_unknown_segments_raise_in_the_table_too() -> None:
    with pytest.raises(PhoneticError, match="'g'"):
        ipa.feature_rows(("g",))


def test_the_table_is_panphons() -> None:
    import panphon

    theirs = panphon.FeatureTable()
    table = ipa.feature_table()
    assert list(table.names) == theirs.names
    for segment in list(table.index)[::37]:
        vector = theirs.word_to_vector_list(segment, numeric=True)
        assert vector == [table.values[table.index[segment]].tolist()], segment


def test_composed_and_decomposed_letters_are_one_segment() -> None:
    assert ipa.encode(("\u00e7",)) == ipa.encode(("c\u0327",))
    assert ipa.parse("\u00e7").segments == ipa.parse("c\u0327").segments


def test_encoding_gives_one_character_a_segment() -> None:
    segments = ("t͡ʃ", "ɑː", "t͡ʃ")
    code = ipa.encode(segments)
    assert len(code) == 3
    assert code[0] == code[2] != code[1]
    assert ipa.features(segments).shape == (3, 24)
    assert ipa.features(segments).dtype == np.int8


SYMBOLS = [*"abdefhijklmnopstuvwxzæðŋɑɔəɛɡɪɹʃʊʌʒθgɚɝʧʤ:ː.ˈˌ˞tʃdʒɕ̩̃̍͜͡ʰ15˥˩ᵝɿ ʱ'", "t͡ʃ", "tʃ"]


@given(st.lists(st.sampled_from(SYMBOLS), max_size=12).map("".join))
@settings(deadline=None, max_examples=500)
def test_canonicalisation_is_idempotent_and_drops_no_sound(text: str) -> None:
    try:
        once = ipa.canonical(text)
    except PhoneticError:
        return
    assert ipa.canonical(once) == once
    assert ipa.parse(once).segments == ipa.parse(text).segments
    assert all(segment in ipa.feature_table().index for segment in ipa.parse(once).segments)


@given(st.text(max_size=12))
@settings(deadline=None, max_examples=300)
def test_any_text_is_parsed_or_refused_by_name(text: str) -> None:
    try:
        found = ipa.parse(text)
    except PhoneticError as error:
        assert repr(text) in str(error)
        return
    assert all(segment in ipa.feature_table().index for segment in found.segments)
