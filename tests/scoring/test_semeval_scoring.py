"""The scorer on SemEval-2017 Task 7, through the script that prints the figures."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from apun.scoring.inference import SIMILAR

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "measure_semeval.py"


@pytest.fixture(scope="module")
def measure() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measure_semeval", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def puns(measure: ModuleType, shared_data: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = measure.read(shared_data / "semeval2017-task7")
    assert len(found) == 2878
    return found


def test_the_gold_word_is_always_found(measure: ModuleType, puns: list[dict[str, object]]) -> None:
    assert measure.gold_rates(puns) == (1.0, 1.0)


def test_the_alternative_finds_the_pun_word_in_nineteen_of_twenty(
    measure: ModuleType, puns: list[dict[str, object]]
) -> None:
    items = measure.by_sound(puns)
    assert len(items) == 1098
    rate, causes, lines = measure.alternative_misses(items)
    assert 0.95 <= rate < 1
    assert sum(causes.values()) == len(lines) == round((1 - rate) * 1098)
    # most misses are pairs that hardly sound alike, which is no fault of the location
    assert causes["pun word and alternative sound little alike"] > len(lines) / 2


def test_types_by_sound_are_near_the_papers(measure: ModuleType, puns: list[dict[str, object]]) -> None:
    found = measure.typed(measure.by_sound(puns))
    assert abs(found["homophonic, word as written"] - measure.PAPER_HOMOPHONIC) <= 10
    assert found["homophonic, first reading only"] <= found["homophonic, word as written"]
    assert found["homophonic, either"] >= found["homophonic, lemma against lemma"]


def test_the_threshold_of_similar_words_is_where_its_docstring_says(
    measure: ModuleType, puns: list[dict[str, object]]
) -> None:
    gold, unrelated = measure.closeness_percentiles(measure.by_sound(puns))
    assert np.mean(np.asarray(unrelated) >= SIMILAR) == pytest.approx(0.1, abs=0.02)
    assert np.mean(np.asarray(gold) >= SIMILAR) == pytest.approx(0.8, abs=0.04)
