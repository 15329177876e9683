"""The quality gate: homophones are heard, misreadings and mumbles are not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.scoring.round_trip import content_error_rate, content_words, syllables, unit_error_rate, word_heard
from apun.speech import Utterance
from tts.core.gate import Limits, judge

TEXT = "The baker had a new recipe because she needed the dough."


def english(text: str = TEXT, *key_words: str) -> Utterance:
    return Utterance("i", text, "en", key_words=key_words)


@pytest.mark.parametrize(
    ("said", "heard", "rate"),
    [
        (TEXT, TEXT, 0),
        (TEXT, "the baker had a new recipe, because she needed the doe", 0),
        ("I paid $5 for 2 boughs.", "I paid five dollars for two bows", 0),
        ("The sail was on sale", "the sale was on sail", 0),
        (TEXT, "", 1),
        (TEXT, "completely different things were being spoken over here yesterday", 1),
        ("red bread", "red bread red bread", 1),
        ("old sailors never retire", "old tailors never retire", 0.125),
    ],
)
def test_content_error_rate(said: str, heard: str, rate: float) -> None:
    assert content_error_rate(said, heard) == pytest.approx(rate, abs=0.04)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(["baker", "dough", "sailor", "porpoise", "the", "run"]), min_size=1, max_size=8), st.text()
)
def test_rates_are_shares(words: list[str], heard: str) -> None:
    said = " ".join(words)
    assert 0 <= content_error_rate(said, heard) <= 1
    assert content_error_rate(said, said) == 0
    assert word_heard(words[0], said) == 0
    assert 0 <= word_heard(words[0], heard) <= 1


def test_function_words_do_not_count() -> None:
    assert content_words("The baker needed the dough") == ["baker", "needed", "dough"]
    assert content_words("it is for you") == ["it", "is", "for", "you"]


def test_key_word_is_heard_inside_other_words() -> None:
    assert word_heard("cotton", "it has really caught on") <= 0.4
    assert word_heard("porpoises", "educational purposes") <= 0.4
    assert word_heard("dough", "she needed the money") > 0.4
    assert word_heard("read", "I red it") == 0
    assert word_heard("dough", "") == 1


def test_verdicts() -> None:
    limits = Limits()
    seconds = syllables(english()) * 0.2
    assert judge(english(), seconds, TEXT, limits).passed
    assert judge(english(), seconds, None, limits).passed
    assert judge(english(), 0.5, TEXT, limits).reason == "duration"
    assert judge(english(), 60, TEXT, limits).reason == "duration"
    mumbled = judge(english(), seconds, "thank you for watching", limits)
    assert (mumbled.passed, mumbled.reason) == (False, "not_understood")
    assert mumbled.measures["heard"] == "thank you for watching"
    swapped = judge(english(TEXT, "dough"), seconds, TEXT.replace("dough", "bread"), limits)
    assert (swapped.passed, swapped.reason) == (False, "key_word")
    assert judge(english(TEXT, "dough"), seconds, TEXT.replace("dough", "doe"), limits).passed


def test_a_single_syllable_is_judged_by_its_length_only() -> None:
    assert judge(Utterance("i", "妈", "zh", reading={"pinyin": "ma1"}), 0.6, "Thank you.", Limits()).passed
    assert judge(Utterance("i", "妈", "zh", reading={"pinyin": "ma1"}), 4, "妈", Limits()).reason == "duration"


def test_mandarin_by_syllable_and_japanese_by_mora() -> None:
    bank = Utterance("i", "银行行长来了", "zh", reading={"pinyin": "yin2 hang2 hang2 zhang3 lai2 le5"})
    assert syllables(bank) == 6
    assert unit_error_rate(bank, "银行航掌来了") == 0
    assert unit_error_rate(bank, "银行行走来了") == pytest.approx(2 / 6)  # 行走 is xing zou
    assert unit_error_rate(bank, "hello") == 1
    ship = Utterance("i", "船上に立つ", "ja", reading={"kana": "せんじょうに たつ"})
    assert syllables(ship) == 7
    assert unit_error_rate(ship, "戦場に立つ") == 0
    assert unit_error_rate(ship, "線量に立つ") == pytest.approx(1 / 7)
