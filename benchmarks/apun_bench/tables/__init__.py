"""The paper's tables and analyses, from the scores of finished runs; and the layouts of what commands measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apun.tasks import Runs

if TYPE_CHECKING:
    from apun.report.tables import Table


def all_tables(runs: Runs) -> list[Table]:
    """Every table the runs have scores for: the main results first, then in the paper's order."""
    from benchmarks.apun_bench.tables import errors, results, speech

    made = (
        *(results.table2, results.table5, results.bias),
        *(errors.positions, errors.hint_effect, errors.located_seconds),
        *(errors.word_errors, errors.meaning_errors, errors.table6),
        *(speech.table7_of_runs, speech.wer_against_location),
        *(results.table9, results.table10, results.mcnemar),
        *(speech.listening_test, results.chained),
        *(speech.by_noise, speech.by_effect, speech.by_voice),
    )
    return [table for make in made if (table := make(runs)) is not None]
