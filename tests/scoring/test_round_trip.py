"""The round trip: homophones are heard, misreadings and mumbles are not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from apun.scoring.phonetic import weighted_distance
from apun.scoring.round_trip import content_error_rate, content_words, syllables, unit_error_rate, word_heard
from apun.speech import Utterance

TEXT = "The baker had a new recipe because she needed the dough."


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


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("It cost £5 at 7:00.", "it cost five pounds at seven o'clock"),
        ("Add 1½ cups.", "add one and one half cups"),
        ("$2.5 million", "two point five million dollars"),
        ("Mr. Smith's 21st, at 10:05", "mister Smith's twenty-first at ten oh five"),
    ],
)
def test_words_said_are_compared_with_words_heard(said: str, heard: str) -> None:
    assert content_error_rate(said, heard) == 0


def test_numerals_of_mandarin_are_read_on_both_sides() -> None:
    year = Utterance("i", "一九九八年", "zh", reading={"pinyin": "yi1 jiu3 jiu3 ba1 nian2"})
    assert unit_error_rate(year, "1998年。") == 0
    assert unit_error_rate(Utterance("i", "1998年", "zh"), "一九九八年") == 0
    assert syllables(Utterance("i", "1998年", "zh")) == 5


def _tokens(alphabet: str) -> st.SearchStrategy[str]:
    return st.text(alphabet, max_size=8)


@given(_tokens("abc"), _tokens("abc"))
@settings(deadline=None, max_examples=200)
def test_weighted_distance_with_unit_costs_is_levenshteins(left: str, right: str) -> None:
    costs = [[float(a != b) for b in right] for a in left]
    assert weighted_distance(costs, len(right)) == Levenshtein.distance(left, right)
    stretches = {right[i:j] for i in range(len(right) + 1) for j in range(i, len(right) + 1)}
    assert weighted_distance(costs, len(right), anywhere=True) == min(Levenshtein.distance(left, s) for s in stretches)
