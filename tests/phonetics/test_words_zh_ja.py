"""The shared interface in Mandarin and Japanese."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import PhoneticError
from apun.phonetics import ipa, sounds, words

pytest.importorskip("pypinyin")
pytest.importorskip("sudachipy")


def test_mandarin_characters_are_read_in_context_with_tones_apart() -> None:
    found = words("他在银行。", "zh")
    assert [word.text for word in found] == ["他", "在", "银", "行"]
    assert found[3].readings[0].tones == (2,)
    assert "".join(found[3].readings[0].segments) == "xɑŋ"
    other = words("不行", "zh")[1].readings[0]
    assert "".join(other.segments) != "xɑŋ"


def test_a_single_character_has_every_reading() -> None:
    assert len(sounds("行", "zh")) >= 2
    assert len(sounds("银行", "zh")) == 1
    assert sounds("有余", "zh")[0].tones == (3, 2)


def test_homophones_share_a_sound_and_tones_part_others() -> None:
    assert sounds("余", "zh")[0].segments == sounds("鱼", "zh")[0].segments
    assert sounds("雨", "zh")[0].tones != sounds("鱼", "zh")[0].tones


def test_latin_and_digits_inside_mandarin() -> None:
    found = words("AA制 5 个", "zh")
    assert [word.text for word in found] == ["AA", "制", "5", "个"]
    assert found[2].readings[0].segments == sounds("五", "zh")[0].segments


def test_a_character_without_a_reading_is_named_and_its_neighbours_are_read() -> None:
    found = words("年㇀有", "zh")  # a stroke: Unicode calls it CJK, nobody pronounces it
    assert [bool(word.readings) for word in found] == [True, False, True]
    for text in ("㇀", "年㇀"):
        with pytest.raises(PhoneticError, match="㇀"):
            sounds(text, "zh")


def test_japanese_words_with_particles_as_said() -> None:
    found = words("今日は東京へ行く。", "ja")
    assert [word.text for word in found][:4] == ["今日", "は", "東京", "へ"]
    assert found[1].readings[0].segments == ("w", "a")
    assert found[3].readings[0].segments == ("e",)
    assert sounds("はし", "ja")[0].segments == sounds("箸", "ja")[0].segments == sounds("ハシ", "ja")[0].segments


@pytest.mark.parametrize("language", ["zh", "ja"])
def test_what_cannot_be_read_is_kept_and_raises_alone(language: str) -> None:
    text = "雨 🎉"
    found = words(text, language)
    assert [word.text for word in found] == ["雨", "🎉"]
    assert found[1].problem
    with pytest.raises(PhoneticError):
        sounds("🎉", language)
    with pytest.raises(PhoneticError):
        sounds("。", language)


@pytest.mark.parametrize("language", ["zh", "ja"])
@given(
    text=st.text(alphabet=st.characters(codec="utf-8"), max_size=20)
    | st.text("年有鱼余行abはがーシ今日、。1🎉 ", max_size=12)
)
@settings(deadline=None, max_examples=150)
def test_no_text_crashes_or_loses_a_letter(language: str, text: str) -> None:
    found = words(text, language)
    known = ipa.feature_table().index
    for word in found:
        assert text[word.start : word.end] == word.text
        assert bool(word.readings) != bool(word.problem)
        assert all(segment in known for sound in word.readings for segment in sound.segments)
    covered = {i for word in found for i in range(word.start, word.end)}
    lost = [char for i, char in enumerate(text) if i not in covered and unicodedata.category(char)[0] in "LN"]
    assert not lost
