"""Work done ahead of its use: clips are decoded and hashed in threads while the model is busy."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
WINDOW = 64  # values begun before the first of them is wanted
THREADS = 2


def ahead(function: Callable[[T], R], values: Iterable[T], heavy: Callable[[T], bool]) -> Iterator[tuple[T, R]]:
    """Pairs of value and result, in order; heavy values are worked on ahead, light ones when wanted.

    Args:
        function: may be called in a thread.
        values: consumed lazily, ``WINDOW`` ahead.
        heavy: whether a value is worth a thread.
    """
    source = iter(values)
    with ThreadPoolExecutor(THREADS, thread_name_prefix="ahead") as pool:
        begun: deque[tuple[T, Future[R] | None]] = deque()
        for value in source:
            begun.append((value, pool.submit(function, value) if heavy(value) else None))
            if len(begun) >= WINDOW:
                yield _finished(function, *begun.popleft())
        while begun:
            yield _finished(function, *begun.popleft())


def _finished(function: Callable[[T], R], value: T, future: Future[R] | None) -> tuple[T, R]:
    return value, function(value) if future is None else future.result()
