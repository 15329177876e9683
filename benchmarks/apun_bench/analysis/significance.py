"""McNemar's exact test between any two runs on the same items (§5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from apun.report.tables import Cell, Table
from apun.scores import Score
from benchmarks.apun_bench import inference, location, recognition
from benchmarks.apun_bench.analysis.rates import Runs, rows_of

OUTCOMES = (
    (recognition.NAME, "correct", "recognition"),
    (location.NAME, "coarse", "location, coarse"),
    (location.NAME, "fine", "location, fine"),
    (inference.NAME, "correct", "inference"),
)


def table(runs: Runs) -> Table | None:
    """Every pair of runs and stage: who is right where the other is not, and p, corrected by Holm."""
    from apun.scoring.statistics import holm, mcnemar

    found: dict[str, tuple[Cell, ...]] = {}
    p: dict[str, float] = {}
    for task, statistic, title in OUTCOMES:
        for (first, a), (second, b) in combinations(rows_of(runs, task), 2):
            pairs = _paired(a, b)
            if not pairs:
                continue
            result = mcnemar(*([bool(pair[i].statistics[statistic]) for pair in pairs] for i in (0, 1)))
            key = f"{title}\t{first}\t{second}"
            right = [100 * sum(pair[i].statistics[statistic] for pair in pairs) / len(pairs) for i in (0, 1)]
            found[key] = (title, first, second, len(pairs), *right, result.first, result.second)
            p[key] = result.p
    if not found:
        return None
    adjusted = holm(p)
    return Table(
        "mcnemar",
        "McNemar's exact test between runs",
        ("Stage", "A", "B", "Questions", "A%", "B%", "only A right", "only B right", "p", "p (Holm)"),
        tuple((*found[key], _shown(p[key]), _shown(adjusted[key])) for key in found),
        ("Two-sided. Questions that both runs were asked, by item and condition.",),
    )


def _shown(p: float) -> str:
    return f"{p:.3g}"


def _paired(a: Sequence[Score], b: Sequence[Score]) -> list[tuple[Score, Score]]:
    """Scores of the same item under the same condition (the part of the variant after the prompt's name)."""
    by_key = {(s.item, s.variant.partition(".")[2]): s for s in b}
    keys = [(s, (s.item, s.variant.partition(".")[2])) for s in a]
    return [(s, by_key[key]) for s, key in keys if key in by_key]
