"""Uncertainty and comparison of runs, from additive statistics alone.

Nothing here sees text: a metric is a function of summed per-item statistics, so resampling never
rescores. Items of one cluster (variants of one pun) are kept together, because they are not
independent. Every result depends on the seed and on the multiset of clusters, not on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from apun.errors import UsageError

Floats = NDArray[np.float64]
Compute = Callable[[Floats], Floats]

_CELLS = 1 << 20  # numbers held at once while resampling: 8 MiB whatever the number of items


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its confidence interval.

    Attributes:
        value: the metric on all items; NaN where it is undefined.
        low: lower percentile; NaN where every resample is undefined.
        high: upper percentile.
        n: number of items.
        clusters: number of clusters that were resampled.
    """

    value: float
    low: float
    high: float
    n: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A paired difference ``first - second`` of one metric.

    Attributes:
        interval: bootstrap interval of the difference.
        p: two-sided p-value; at least ``1 / (samples + 1)``, NaN where undefined.
    """

    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class McNemar:
    """Exact McNemar test of two runs on the same items.

    Attributes:
        both: items both have right.
        first: items only the first has right.
        second: items only the second has right.
        neither: items neither has right.
        p: two-sided exact (binomial) p-value; 1.0 where the runs never disagree.
    """

    both: int
    first: int
    second: int
    neither: int
    p: float


def share(top: Floats, bottom: Floats) -> Floats:
    """``top / bottom``; NaN where the bottom is not above 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(np.asarray(bottom) > 0, top / bottom, np.nan), dtype=np.float64)


def first_over_second(sums: Floats) -> Floats:
    """The first of summed statistics over the second, as a ``Compute``."""
    return share(sums[..., 0], sums[..., 1])


def bootstrap(
    statistics: ArrayLike,
    clusters: Sequence[str],
    compute: Compute,
    *,
    seed: int,
    samples: int = 1000,
    level: float = 0.95,
) -> Interval:
    """Percentile bootstrap of a metric, resampling clusters with replacement.

    Args:
        statistics: per-item sufficient statistics, shape (n, k).
        clusters: cluster of each item, length n.
        compute: maps sums of shape (..., k) to values of shape (...).
        seed: seed of the resampling.
        samples: number of resamples.
        level: coverage, in (0, 1).

    Raises:
        UsageError: shapes disagree, or ``samples`` or ``level`` is out of range.
    """
    table = _table(statistics, clusters, samples, level)
    sums, count = _per_cluster(table, clusters)
    value = _scalar(compute, sums.sum(axis=0))
    if count == 0:
        return Interval(value, float("nan"), float("nan"), 0, 0)
    resampled = np.concatenate([compute(s) for s in _resamples(sums, count, samples, seed)])
    low, high = _percentiles(resampled, level)
    return Interval(value, low, high, len(table), count)


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Sequence[str],
    compute: Compute,
    *,
    seed: int,
    samples: int = 1000,
    level: float = 0.95,
) -> Difference:
    """Bootstrap of the difference of two runs on the same items, the same clusters drawn for both.

    The p-value is twice the smaller share of resampled differences on either side of zero, with one
    added to counts and samples so that it is never 0; ties at zero count for both sides.

    Args:
        first: statistics of the first run, shape (n, k).
        second: statistics of the second run on the same items in the same order, shape (n, k).
        clusters: cluster of each item, length n.
        compute: maps sums of shape (..., k) to values of shape (...).
        seed: seed of the resampling.
        samples: number of resamples.
        level: coverage of the interval, in (0, 1).

    Raises:
        UsageError: as ``bootstrap``, or the two runs have different shapes.
    """
    both, difference = _paired(first, second, clusters, compute, samples, level)
    sums, count = _per_cluster(both, clusters)
    value = _scalar(difference, sums.sum(axis=0))
    if count == 0:
        return Difference(Interval(value, float("nan"), float("nan"), 0, 0), float("nan"))
    resampled = np.concatenate([difference(s) for s in _resamples(sums, count, samples, seed)])
    low, high = _percentiles(resampled, level)
    defined = resampled[~np.isnan(resampled)]
    tail = min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0))
    p = float(min(1.0, 2 * (tail + 1) / (len(defined) + 1))) if len(defined) else float("nan")
    return Difference(Interval(value, low, high, len(both), count), p)


def permutation(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Sequence[str],
    compute: Compute,
    *,
    seed: int,
    samples: int = 10_000,
) -> float:
    """Two-sided paired permutation (approximate randomisation) test.

    Under the null hypothesis the two runs' answers to a cluster can be exchanged; each permutation
    swaps every cluster with probability one half and counts how often the difference is at least as
    large as the observed one.

    Returns:
        ``(extreme + 1) / (samples + 1)``; NaN where the metric is undefined.

    Raises:
        UsageError: as ``paired_bootstrap``.
    """
    both, difference = _paired(first, second, clusters, compute, samples, 0.95)
    sums, _ = _per_cluster(both, clusters)
    total = sums.sum(axis=0)
    observed = abs(_scalar(difference, total))
    if np.isnan(observed):
        return float("nan")
    half = sums.shape[1] // 2
    moves, copies = np.unique(sums[:, half:] - sums[:, :half], axis=0, return_counts=True)
    rng = np.random.default_rng(seed)
    extreme = 0
    for size in _chunks(samples, len(moves)):
        # Clusters with the same difference are interchangeable: only how many of them swap matters.
        shift = rng.binomial(copies, 0.5, size=(size, len(copies))) @ moves
        permuted = np.abs(difference(total + np.hstack([shift, -shift])))
        extreme += int(np.count_nonzero(permuted >= observed - 1e-12))
    return (extreme + 1) / (samples + 1)


def mcnemar(first: ArrayLike, second: ArrayLike) -> McNemar:
    """Exact McNemar test on the right/wrong answers of two runs.

    Args:
        first: whether each item was right in the first run, shape (n,).
        second: the same for the second run, same items in the same order.

    Raises:
        UsageError: the two differ in length.
    """
    from statsmodels.stats.contingency_tables import mcnemar as exact

    a, b = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if a.shape != b.shape or a.ndim != 1:
        raise UsageError(f"McNemar's test needs the same items in both runs; got {a.shape} and {b.shape}")
    both, only_a, only_b = (int(np.count_nonzero(x)) for x in (a & b, a & ~b, ~a & b))
    neither = len(a) - both - only_a - only_b
    p = float(exact([[both, only_a], [only_b, neither]], exact=True).pvalue) if only_a + only_b else 1.0
    return McNemar(both, only_a, only_b, neither, min(1.0, p))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's step-down correction: adjusted p-values under the same keys; NaN stays NaN and is not counted."""
    from statsmodels.stats.multitest import multipletests

    known = {name: p for name, p in p_values.items() if not np.isnan(p)}
    if not known:
        return dict(p_values)
    adjusted = multipletests(list(known.values()), method="holm")[1]
    return dict(p_values) | {name: float(p) for name, p in zip(known, adjusted, strict=True)}


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float:
    """Cohen's κ of two annotators over the same items; NaN without items or where both use one same label only.

    Raises:
        UsageError: the two differ in length.
    """
    from statsmodels.stats.inter_rater import cohens_kappa

    if len(first) != len(second):
        raise UsageError(f"two annotators must label the same items; got {len(first)} and {len(second)} labels")
    labels = sorted({*first, *second})
    if len(labels) < 2:
        return float("nan")
    place = {label: i for i, label in enumerate(labels)}
    table = np.zeros((len(labels), len(labels)))
    np.add.at(table, ([place[x] for x in first], [place[x] for x in second]), 1)
    return float(cohens_kappa(table, return_results=False))


def _table(statistics: ArrayLike, clusters: Sequence[str], samples: int, level: float) -> Floats:
    table = np.asarray(statistics, dtype=np.float64)
    if table.ndim != 2 or len(table) != len(clusters):
        raise UsageError(
            f"statistics must be (items, statistics) with one cluster an item; got shape {table.shape} "
            f"and {len(clusters)} clusters"
        )
    if samples < 1 or not 0 < level < 1:
        raise UsageError(f"samples must be positive and level between 0 and 1; got {samples} and {level}")
    return table


def _paired(
    first: ArrayLike, second: ArrayLike, clusters: Sequence[str], compute: Compute, samples: int, level: float
) -> tuple[Floats, Compute]:
    """Both runs side by side, shape (n, 2k), and the metric's difference on such sums."""
    a, b = (_table(x, clusters, samples, level) for x in (first, second))
    if a.shape != b.shape:
        raise UsageError(f"two runs can only be compared on the same items; got shapes {a.shape} and {b.shape}")
    k = a.shape[1]

    def difference(sums: Floats) -> Floats:
        return np.asarray(compute(sums[..., :k]) - compute(sums[..., k:]))

    return np.hstack([a, b]), difference


def _per_cluster(table: Floats, clusters: Sequence[str]) -> tuple[Floats, int]:
    """Statistics summed by cluster, shape (clusters, k); the same to the last bit whatever the items' order."""
    if not len(table):
        return table, 0
    names, place = np.unique(np.asarray(clusters, dtype=object), return_inverse=True)
    order = np.lexsort((*table.T, place))
    starts = np.searchsorted(place[order], np.arange(len(names)))
    return np.add.reduceat(table[order], starts, axis=0), len(names)


def _resamples(sums: Floats, count: int, samples: int, seed: int) -> Iterator[Floats]:
    """Summed statistics of resampled data, shape (chunk, k) each, ``samples`` rows in all.

    Clusters with equal sums are interchangeable, so the multinomial runs over distinct rows: exact,
    and for 0/1 statistics its cost does not depend on the number of items.
    """
    rows, copies = np.unique(sums, axis=0, return_counts=True)
    rng = np.random.default_rng(seed)
    for size in _chunks(samples, len(rows)):
        yield rng.multinomial(count, copies / count, size=size) @ rows


def _chunks(samples: int, width: int) -> Iterator[int]:
    step = max(1, _CELLS // max(1, width))
    for start in range(0, samples, step):
        yield min(step, samples - start)


def _percentiles(values: Floats, level: float) -> tuple[float, float]:
    defined = values[~np.isnan(values)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _scalar(compute: Compute, sums: Floats) -> float:
    return float(np.asarray(compute(sums[np.newaxis, :]))[0])
