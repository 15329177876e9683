"""Draws depend on seed and key, never on order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from apun import draws


@dataclass(frozen=True)
class Thing:
    id: str
    kind: str = ""


things = st.lists(st.builds(Thing, st.text(min_size=1), st.sampled_from("ab")), unique_by=lambda thing: thing.id)


@given(things, st.integers(0, 9), st.integers(0, 5))
def test_a_sample_does_not_depend_on_order_and_grows(items: list[Thing], seed: int, limit: int) -> None:
    found = {thing.id for thing in draws.sample(items, limit, seed)}
    assert found == {thing.id for thing in draws.sample(items[::-1], limit, seed)}
    assert found <= {thing.id for thing in draws.sample(items, limit + 1, seed)}
    assert len(found) == min(limit, len(items))


@given(things, st.integers(0, 9), st.integers(0, 5))
def test_strata_are_drawn_apart_and_order_is_kept(items: list[Thing], seed: int, limit: int) -> None:
    found = draws.sample(items, limit, seed, lambda thing: thing.kind)
    counts = Counter(thing.kind for thing in items)
    assert Counter(thing.kind for thing in found) == {k: min(limit, n) for k, n in counts.items() if limit}
    places = [items.index(thing) for thing in found]
    assert places == sorted(places)


def test_values_are_fixed_for_ever() -> None:
    assert draws.number(0, "voice", "a") == 8341712052581461194
    assert draws.number(7, "noise", "b", "main", 2) == 8549219027447285077
    assert draws.rank(0, "a").hex()[:8] == "9df3c5fa"
    assert "".join(draws.shuffled("abcdef", 1)) == "dafebc"
    assert draws.generator(0, "rhymes").random() == 0.8707010943498482
    assert [draws.coin(0, key) for key in "abcdef"] == [draws.rank(0, key)[0] % 2 == 1 for key in "abcdef"]
    assert draws.generator(0, "rhymes").random() == draws.generator("0/rhymes").random()
    assert draws.shuffled("abcdef", 1) != draws.shuffled("abcdef", 2)
    assert sorted(draws.shuffled("abcdef", 1)) == list("abcdef")
    assert 430 < sum(draws.coin(3, str(n)) for n in range(1000)) < 570
