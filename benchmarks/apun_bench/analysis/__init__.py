"""The paper's tables and analyses, from the scores of finished runs.

One module a subject; ``all_tables`` gathers whatever the runs have scores for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apun.scores import Score

if TYPE_CHECKING:
    from apun.report.tables import Table


def all_tables(runs: Sequence[tuple[str, Sequence[Score]]]) -> list[Table]:
    """Every table the runs have scores for: the main results first, then in the paper's order."""
    from benchmarks.apun_bench.analysis import (
        beyond,
        errors,
        hearing,
        human,
        main_results,
        modalities,
        parts_of_speech,
        positions,
        significance,
    )

    found = [
        *main_results.tables(runs),
        *positions.tables(runs),
        *errors.error_types(runs),
        *parts_of_speech.tables(runs),
        *hearing.tables(runs),
        modalities.table9(runs),
        human.table10(runs),
        significance.table(runs),
        *beyond.tables(runs),
    ]
    return [table for table in found if table is not None]
