"""Flags: loops and words over silence, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asr.core.quality import by_window, flags, repeats
from asr.sensevoice import clean, pieces


@pytest.mark.parametrize(
    "text",
    [
        "Thank you. " * 12,
        "I don't know what to do. " * 9,
        "谢谢观看" * 9,
        "ご視聴ありがとうございました。" * 9,
        "a" + " the cat" * 9,
    ],
)
def test_loops_are_flagged(text: str) -> None:
    assert "loop" in flags(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ha ha ha ha, very funny.",
        "No, no, no, no, no! I said no.",
        "Buffalo buffalo Buffalo buffalo buffalo buffalo Buffalo buffalo.",
        "And so my fellow Americans ask not what your country can do for you, ask what you can do for your country.",
        "红鲤鱼与绿鲤鱼与驴",
    ],
)
def test_real_sentences_are_not(text: str) -> None:
    assert flags(text) == ()


def test_no_speech_needs_both_signs() -> None:
    assert "no_speech" in flags("Thanks for watching!", no_speech=0.9, logprob=-1.4)
    assert "no_speech" not in flags("Thanks for watching!", no_speech=0.9, logprob=-0.2)
    assert flags("Thanks for watching!", no_speech=0.1, logprob=-1.4) == ("low_confidence",)
    assert flags("", no_speech=0.99, logprob=-3.0) == ("low_confidence",), "saying nothing over silence is right"
    assert flags("you", nothing_said=True) == ("no_speech",)


def test_repeats_counts_phrases() -> None:
    assert repeats("") == 0
    assert repeats("one") == 1
    assert repeats("a b a b a b c") == 3
    assert repeats("x a a a a y") == 4


@given(phrase=st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True), times=st.integers(2, 12))
@settings(deadline=None, max_examples=60)
def test_repeats_finds_any_phrase(phrase: list[str], times: int) -> None:
    assert repeats(" ".join(phrase * times)) == times


@given(seconds=st.floats(0.1, 100.0), longest=st.floats(6.0, 30.0), seed=st.integers(0, 9))
@settings(deadline=None, max_examples=25)
def test_pieces_lose_nothing_and_fit(seconds: float, longest: float, seed: int) -> None:
    import numpy as np

    samples = np.random.default_rng(seed).normal(size=max(1, int(seconds * 16_000))).astype(np.float32)
    cut = pieces(samples, longest)
    assert np.array_equal(np.concatenate(cut), samples)
    assert all(piece.size <= longest * 16_000 for piece in cut)
    assert all(piece.size >= (longest - 5.1) * 16_000 for piece in cut[:-1]), "pieces are not crumbs"


def test_pieces_cut_where_it_is_quiet() -> None:
    import numpy as np

    samples = np.ones(16_000 * 12, dtype=np.float32)
    samples[16_000 * 8 : 16_000 * 8 + 1600] = 0.0
    first, second = pieces(samples, 10.0)
    assert 8.0 <= first.size / 16_000 <= 8.1
    assert first.size + second.size == samples.size


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<|en|><|NEUTRAL|><|Speech|><|withitn|>The seal has lips.", "The seal has lips."),
        ("<|zh|><|HAPPY|><|BGM|><|woitn|>🎼开饭时间😊", "开饭时间"),
        ("<|nospeech|><|Event_UNK|>", ""),
        ("It's 20°, costs $5 & that's 50%.", "It's 20°, costs $5 & that's 50%."),
        ("<|ja|>👨‍👩‍👧かぞく ❤️です", "かぞく です"),
    ],
)
def test_sensevoice_tags_and_emoji_are_stripped(raw: str, text: str) -> None:
    assert clean(raw) == text


def test_a_sentence_said_twice_in_a_long_clip_is_no_loop() -> None:
    once = "And so my fellow Americans ask not what your country can do for you, ask what you can do for your country. "
    assert "loop" in flags(once * 2), "in one window it is one"
    assert flags(once * 2, windows=[once, once]) == ()
    assert "loop" in flags("yes. " * 40, windows=["yes. " * 40, ""])
    assert by_window([(0, "a "), (0, "b"), (3000, "c")]) == ["a b", "c"]
