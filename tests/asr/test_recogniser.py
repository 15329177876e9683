"""The body every recogniser shares: order, languages, batches, times, errors, suspicions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apun.clips import Clip
from apun.errors import UsageError
from apun.models import LoadOptions, ModelInfo, Recogniser, Word
from asr.catalogue import RECOGNISERS, check_arguments, load
from asr.core.recogniser import BaseRecogniser, Hypothesis, whisper_hypothesis


class Toy(BaseRecogniser):
    """Writes a clip's tenths of a second; fails on 13 of them, and on batches that hold a clip of 7."""

    def __init__(self, size: int = 1) -> None:
        super().__init__(ModelInfo("toy", "toy", "1", True, max_batch=size), object(), ("en", "zh"))
        self.batches: list[int] = []

    def hear(self, clip: Clip, language: str | None) -> Hypothesis:
        if tenths(clip) == 13:
            raise RuntimeError("unlucky")
        return Hypothesis(f" {tenths(clip)} ", (Word("x", 0.0, 0.1),))

    def hear_batch(self, clips: Sequence[Clip], language: str | None) -> list[Hypothesis]:
        self.batches.append(len(clips))
        if len(clips) > 1 and any(tenths(clip) == 7 for clip in clips):
            raise MemoryError
        return super().hear_batch(clips, language)


def clip(tenths: int) -> Clip:
    return Clip(samples=np.full(1600 * tenths, 0.1, np.float32))


def tenths(clip: Clip) -> int:
    return clip.samples.size // 1600


@given(lengths=st.lists(st.integers(1, 20), max_size=12), size=st.integers(1, 5))
def test_one_transcript_a_clip_in_order_whatever_fails(lengths: list[int], size: int) -> None:
    toy = Toy(size)
    assert isinstance(toy, Recogniser)
    found = toy.transcribe([clip(length) for length in lengths], "en")
    assert [one.text for one in found] == ["" if length == 13 else str(length) for length in lengths]
    assert [one.error for one in found] == ["RuntimeError: unlucky" if n == 13 else None for n in lengths]
    assert all(one.seconds > 0 and one.words for one in found if one.error is None)
    assert all(one.seconds_heard == n / 10 for one, n in zip(found, lengths, strict=True) if one.error is None)
    assert max(toy.batches, default=0) <= size


def test_a_language_it_does_not_know_costs_nothing() -> None:
    toy = Toy()
    found = toy.transcribe([clip(5), clip(6)], "ja")
    assert [one.error for one in found] == ["toy hears en, zh, not ja"] * 2 and not toy.batches
    assert toy.transcribe([clip(5)], None)[0].text == "5"


def test_a_batch_shares_its_time_and_an_unreadable_clip_costs_only_itself(tmp_path: Path) -> None:
    bad = tmp_path / "bad.wav"
    bad.write_bytes(b"RIFF nonsense")
    toy = Toy(4)
    first, second = toy.transcribe([clip(5), clip(6)], "en")
    assert first.seconds == second.seconds > 0 and toy.batches == [2]
    broken, whole = toy.transcribe([Clip(bad), clip(6)], "en")
    assert "bad.wav" in str(broken.error) and whole.text == "6" and toy.batches == [2, 1]


def test_what_the_engine_says_becomes_suspicions() -> None:
    said = Hypothesis("ha " * 40, seconds=0.5, no_speech=0.9, logprob=-2.0).transcript(clip(10), 1.5)
    assert said.flags == ("loop", "no_speech", "low_confidence")
    assert (said.seconds_heard, said.seconds, said.text[-2:]) == (0.5, 1.5, "ha")
    assert Hypothesis("words", nothing_said=True).transcript(clip(1), 0.0).flags == ("no_speech",)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_whispers_segments_are_weighted_by_their_tokens(count: int) -> None:
    rows = [
        {
            "text": f" part {n}",
            "seek": 3000 * (n // 2),
            "tokens": [1] * (n + 1),
            "avg_logprob": -float(n),
            "no_speech_prob": 0.5 - n / 10,
            "words": [{"word": f" w{n}", "start": n, "end": n + 0.5}] if n else None,
        }
        for n in range(count)
    ]
    found = whisper_hypothesis("text", rows, dict.get)
    assert found.logprob == (None, 0.0, None, pytest.approx(-(2 + 6) / 6))[count]
    assert found.no_speech == (None, 0.5, None, pytest.approx(0.3))[count]
    assert list(found.windows) == ([], [" part 0"], [], [" part 0 part 1", " part 2"])[count]
    assert [word.text for word in found.words] == [f"w{n}" for n in range(1, count)]


def test_arguments_and_random_weights_go_by_the_entry() -> None:
    for name, entry in RECOGNISERS.items():
        with pytest.raises(UsageError, match="takes no argument 'beams'"):
            load(name, LoadOptions(args={"beams": "2"}))
        check_arguments(LoadOptions(args=dict.fromkeys((*entry.arguments, "download"), "1")), entry.arguments)
        if not entry.random:
            with pytest.raises(UsageError, match=rf"{name} cannot be built with random weights"):
                load(name, LoadOptions(weights="random"))
