"""Intervals and tests: against formulas, SciPy and statsmodels, and by their laws."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import UsageError
from apun.scoring.statistics import bootstrap, cohen_kappa, holm, mcnemar, paired_bootstrap, permutation

Floats = np.ndarray


def mean(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


def table(values: Floats) -> Floats:
    return np.stack([np.asarray(values, dtype=float), np.ones(len(values))], axis=1)


def names(n: int, size: int = 1) -> list[str]:
    return [f"c{i // size}" for i in range(n)]


def test_interval_of_a_proportion_is_near_the_normal_one() -> None:
    hits = np.arange(2000) % 10 < 7
    found = bootstrap(table(hits), names(2000), mean, seed=1, samples=4000)
    error = 1.96 * np.sqrt(0.7 * 0.3 / 2000)
    assert found.value == pytest.approx(0.7)
    assert (found.n, found.clusters) == (2000, 2000)
    assert found.low == pytest.approx(0.7 - error, abs=0.003)
    assert found.high == pytest.approx(0.7 + error, abs=0.003)


def test_against_resampling_item_by_item() -> None:
    rng = np.random.default_rng(3)
    values = rng.gamma(2.0, size=300)
    means = [values[rng.integers(0, 300, 300)].mean() for _ in range(4000)]
    low, high = np.quantile(means, [0.05, 0.95])
    found = bootstrap(table(values), names(300), mean, seed=0, samples=4000, level=0.9)
    assert found.low == pytest.approx(low, abs=0.03)
    assert found.high == pytest.approx(high, abs=0.03)


def test_clusters_widen_the_interval_by_their_design_effect() -> None:
    hits = np.repeat(np.arange(400) % 2 == 0, 5)  # five copies of each item
    alone = bootstrap(table(hits), names(2000), mean, seed=1)
    together = bootstrap(table(hits), names(2000, 5), mean, seed=1)
    assert together.clusters == 400
    ratio = (together.high - together.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(np.sqrt(5), rel=0.1)


def test_the_seed_decides_and_the_order_does_not() -> None:
    rng = np.random.default_rng(0)
    values, clusters = rng.random(500).round(2), names(500, 3)
    order = rng.permutation(500)
    first = bootstrap(table(values), clusters, mean, seed=5)
    shuffled = bootstrap(table(values[order]), [clusters[i] for i in order], mean, seed=5)
    assert first == bootstrap(table(values), clusters, mean, seed=5)
    assert shuffled == first
    assert bootstrap(table(values), clusters, mean, seed=6) != first


def test_nothing_and_undefined_are_not_zero() -> None:
    none = bootstrap(np.zeros((0, 2)), [], mean, seed=0)
    assert np.isnan(none.value)
    assert np.isnan(none.low)
    assert (none.n, none.clusters) == (0, 0)
    empty = bootstrap(np.zeros((5, 2)), names(5), mean, seed=0)
    assert np.isnan([empty.value, empty.low, empty.high]).all()
    assert empty.n == 5


def test_memory_does_not_grow_with_the_items() -> None:
    peaks = []
    for n in (20_000, 200_000):
        values = table(np.random.default_rng(0).random(n))
        clusters = names(n)
        tracemalloc.start()
        bootstrap(values, clusters, mean, seed=0, samples=40)
        peaks.append(tracemalloc.get_traced_memory()[1] - values.nbytes)
        tracemalloc.stop()
    assert peaks[1] < 200_000 * 40 * 8, "all resamples were held at once"
    assert peaks[1] < 120e6


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
@settings(deadline=None, max_examples=100)
def test_mcnemar_against_the_binomial(answers: list[tuple[bool, bool]]) -> None:
    from scipy import stats

    first, second = (np.array(side) for side in zip(*answers, strict=True))
    found = mcnemar(first, second)
    assert found.both + found.first + found.second + found.neither == len(answers)
    assert found.first == int((first & ~second).sum())
    discordant = found.first + found.second
    expected = stats.binomtest(found.first, discordant, 0.5).pvalue if discordant else 1.0
    assert found.p == pytest.approx(expected)
    assert mcnemar(second, first).p == pytest.approx(found.p)


def test_mcnemar_against_statsmodels() -> None:
    from statsmodels.stats.contingency_tables import mcnemar as theirs

    first = np.repeat([True, True, False, False], [30, 12, 4, 10])
    second = np.repeat([True, False, True, False], [30, 12, 4, 10])
    assert mcnemar(first, second).p == pytest.approx(theirs([[30, 12], [4, 10]], exact=True).pvalue)


def test_permutation_against_every_swap() -> None:
    first = table(np.array([1, 1, 1, 0, 1, 1, 0, 1, 1, 1]))
    second = table(np.array([0, 1, 0, 0, 1, 0, 1, 0, 1, 0]))
    difference = first[:, 0] - second[:, 0]
    every = [abs(np.dot(signs, difference)) for signs in itertools.product((1, -1), repeat=10)]
    exact = np.mean(np.array(every) >= abs(difference.sum()) - 1e-12)
    found = permutation(first, second, names(10), mean, seed=2, samples=40_000)
    assert found == pytest.approx(exact, abs=0.01)
    assert permutation(first, first, names(10), mean, seed=2) == 1.0
    all_right, none_right = table(np.ones(64)), table(np.zeros(64))
    assert permutation(all_right, none_right, names(64), mean, seed=2, samples=99) == 1 / 100  # never 0


def test_permutation_swaps_whole_clusters() -> None:
    first, second = table(np.tile([1, 1, 1, 1], 4)), table(np.tile([0, 0, 0, 0], 4))
    alone = permutation(first, second, names(16), mean, seed=0, samples=20_000)
    together = permutation(first, second, names(16, 4), mean, seed=0, samples=20_000)
    assert alone < 0.001
    assert together == pytest.approx(2 / 16, abs=0.01)  # two of the sixteen ways to swap four clusters


def test_paired_bootstrap_uses_the_pairing() -> None:
    rng = np.random.default_rng(1)
    base = rng.random(300) * 10
    first, second = table(base + 0.1), table(base)
    found = paired_bootstrap(first, second, names(300), mean, seed=0)
    assert found.interval.value == pytest.approx(0.1)
    assert found.interval.high - found.interval.low < 0.01
    assert found.p == pytest.approx(2 / 1001)
    assert paired_bootstrap(second, first, names(300), mean, seed=0).interval.value == pytest.approx(-0.1)
    same = paired_bootstrap(first, first, names(300), mean, seed=0)
    assert (same.interval.value, same.p) == (0.0, 1.0)


def test_holm_by_hand_and_with_undefined_ones() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == {"a": 0.03, "b": 0.06, "c": 0.06}
    found = holm({"a": 0.01, "b": float("nan"), "c": 0.5})
    assert list(found) == ["a", "b", "c"]
    assert found["a"] == 0.02
    assert np.isnan(found["b"])
    assert holm({}) == {}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=40))
@settings(deadline=None, max_examples=100)
def test_kappa_against_scikit_learn(labels: list[tuple[str, str]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = (list(side) for side in zip(*labels, strict=True))
    found = cohen_kappa(first, second)
    if len({*first, *second}) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(metrics.cohen_kappa_score(first, second), nan_ok=True)


def test_shapes_that_disagree_are_refused() -> None:
    values = table(np.ones(4))
    with pytest.raises(UsageError, match="one cluster an item"):
        bootstrap(values, ["a"], mean, seed=0)
    with pytest.raises(UsageError, match="same items"):
        paired_bootstrap(values, values[:, :1], names(4), mean, seed=0)
    with pytest.raises(UsageError, match="same items"):
        mcnemar([True], [True, False])
    with pytest.raises(UsageError, match="same items"):
        cohen_kappa(["a"], [])
    for wrong in ({"samples": 0}, {"level": 1.0}):
        with pytest.raises(UsageError, match="samples must be positive"):
            bootstrap(values, names(4), mean, seed=0, **wrong)  # type: ignore[arg-type]
