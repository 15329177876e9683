"""The quality gate: which clips may stand for their item."""

from __future__ import annotations

from apun.scoring.round_trip import syllables
from apun.speech import Utterance
from tts.core.gate import Limits, judge

TEXT = "The baker had a new recipe because she needed the dough."


def english(text: str = TEXT, *key_words: str) -> Utterance:
    return Utterance("i", text, "en", key_words=key_words)


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
