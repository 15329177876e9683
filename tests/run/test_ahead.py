"""Work ahead keeps the order, is bounded, and really runs in other threads."""

from __future__ import annotations

import threading

import pytest

from apun.run.answering import AHEAD, ahead


def test_order_and_results() -> None:
    pairs = list(ahead(lambda value: value * 2, range(500), lambda value: value % 3 == 0))
    assert pairs == [(value, value * 2) for value in range(500)]


def test_heavy_work_is_done_elsewhere_and_no_further_ahead_than_the_window() -> None:
    taken: list[int] = []

    def source() -> object:
        for value in range(1000):
            taken.append(value)
            yield value

    names = set()
    stream = ahead(lambda value: names.add(threading.current_thread().name), source(), lambda value: True)
    next(stream)
    assert len(taken) == AHEAD and all(name.startswith("ahead") for name in names)
    stream.close()


def test_an_exception_comes_out_where_its_value_would() -> None:
    stream = ahead(lambda value: 1 // (value - 3), range(10), lambda value: True)
    assert [value for value, _ in (next(stream) for _ in range(3))] == [0, 1, 2]
    with pytest.raises(ZeroDivisionError):
        next(stream)
