"""Where in the clip: spans, hits, overlap, position intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apun.errors import UsageError
from apun.scoring.location import Span, hit, interval_of_word, locate_in_time, overlap

TIMED = [("he", 0.0, 0.2), ("had", 0.2, 0.5), ("sweaty", 0.5, 1.1), ("songs", 1.2, 1.9)]


def test_a_word_is_found_in_time_by_its_sound() -> None:
    span, found = locate_in_time("psalms", TIMED)
    assert (span, found.word) == (Span(1.2, 1.9), "songs")
    phrase, _ = locate_in_time("sweaty psalms", TIMED)
    assert phrase == Span(0.5, 1.9)
    nowhere, why = locate_in_time("", TIMED)
    assert nowhere is None
    assert why.reason
    assert locate_in_time("psalms", [])[0] is None


def test_hit_is_half_a_second_around_the_gold_span() -> None:
    gold = Span(2.0, 3.0)
    assert hit(Span(1.5, 1.5), gold)
    assert not hit(Span(1.49, 1.49), gold)
    assert hit(Span(3.0, 4.0), gold)
    assert not hit(Span(3.0, 4.02), gold)
    assert not hit(None, gold)
    assert not hit(Span(1.9, 1.9), gold, tolerance=0.05)


def test_overlap_by_hand() -> None:
    assert overlap(Span(0, 2), Span(1, 3)) == pytest.approx(1 / 3)
    assert overlap(Span(0, 1), Span(2, 3)) == 0
    assert overlap(Span(1, 1), Span(1, 1)) == 1
    assert overlap(Span(1, 1), Span(0, 2)) == 0
    assert overlap(None, Span(0, 1)) == 0


times = st.floats(0, 100).map(lambda x: round(x, 3))
spans = st.tuples(times, times).map(lambda pair: Span(min(pair), max(pair)))


@given(spans, spans)
def test_overlap_is_symmetric_and_one_only_for_the_same(a: Span, b: Span) -> None:
    assert 0 <= overlap(a, b) <= 1
    assert overlap(a, b) == overlap(b, a)
    assert (overlap(a, b) == 1) == (a == b)


def test_position_intervals() -> None:
    assert [interval_of_word(i, 10) for i in range(10)] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert [interval_of_word(i, 3) for i in range(3)] == [0, 2, 4]
    assert interval_of_word(0, 1) == 2


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_last_word_is_late_and_order_is_kept(pair: tuple[int, int]) -> None:
    length, index = pair
    found = interval_of_word(index, length)
    assert 0 <= found <= 4
    assert found <= interval_of_word(length - 1, length)
    if length >= 3:
        assert interval_of_word(length - 1, length) == 4


def test_bad_times_are_refused() -> None:
    for start, end in ((2, 1), (-1, 1), (0, float("inf")), (float("nan"), 1)):
        with pytest.raises(UsageError, match="start"):
            Span(start, end)
    with pytest.raises(UsageError, match="not in a sentence"):
        interval_of_word(3, 3)
