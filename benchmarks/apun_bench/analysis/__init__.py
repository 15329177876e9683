"""The paper's tables and analyses, from the scores of finished runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apun.scores import Score

if TYPE_CHECKING:
    from apun.report.tables import Table

Runs = Sequence[tuple[str, Sequence[Score]]]


def all_tables(runs: Runs) -> list[Table]:
    """Every table the runs have scores for, in the paper's order."""
    from benchmarks.apun_bench.analysis import main_results

    return [*main_results.tables(runs)]
