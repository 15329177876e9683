"""Loaders on hostile bytes: every input that once broke one, and random ones, end in a named error or a reading."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from loader_targets import TARGETS, seeds

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
FOUND = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_broke_a_loader(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_the_seeds_are_read_or_refused(target: str) -> None:
    for data in seeds()[target]:
        TARGETS[target](data)


@pytest.mark.parametrize("target", sorted(TARGETS))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=400))
def test_random_bytes(target: str, data: bytes) -> None:
    TARGETS[target](data)


@pytest.mark.parametrize("target", ["manifest", "items", "replies", "scores"])
@settings(max_examples=25, deadline=None)
@given(value=JSON)
def test_random_json(target: str, value: object) -> None:
    record = {"question": "q", "key": "k", "item_id": value, "text": value, "status": value, "consumed": value}
    TARGETS[target](json.dumps(record).encode() + b"\n")
