"""What kind of mistakes are made in inference: Figure 4, with the error types of Table 3."""

from __future__ import annotations

from collections.abc import Sequence

from apun.report.tables import Cell, Table
from benchmarks.apun_bench import inference
from benchmarks.apun_bench.analysis.rates import Runs, rows_of
from benchmarks.apun_bench.items import HOMOGRAPHIC, PUN_TYPES
from benchmarks.apun_bench.judging import FAILED, RIGHT

NO_ERRORS = (RIGHT, FAILED)


def error_types(runs: Runs) -> Sequence[Table]:
    """Two tables: wrong answers by error type, for puns on two words, and for puns on one word."""
    from apun.scoring.inference import MEANING_ERRORS, WORD_ERRORS

    return [
        table
        for table in (
            _table(runs, "figure4_words", "heterographic and homophonic puns", WORD_ERRORS, meanings=False),
            _table(runs, "figure4_meanings", "homographic puns", MEANING_ERRORS, meanings=True),
        )
        if table is not None
    ]


def _table(runs: Runs, name: str, title: str, kinds: Sequence[str], *, meanings: bool) -> Table | None:
    body: list[tuple[Cell, ...]] = []
    for label, scores in rows_of(runs, inference.NAME):
        for pun_type in PUN_TYPES:
            own = [s for s in scores if s.labels["type"] == pun_type]
            if (pun_type == HOMOGRAPHIC) != meanings or not own:
                continue
            found = [s.labels["error_type"] for s in own]
            wrong = [kind for kind in found if kind not in NO_ERRORS]
            shares: list[Cell] = [100 * wrong.count(kind) / len(wrong) if wrong else None for kind in kinds]
            body.append((label, pun_type, len(own), found.count(RIGHT), found.count(FAILED), *shares))
    if not body:
        return None
    return Table(
        name,
        f"Error types of inference, {title} (Figure 4; percent of wrong answers)",
        ("Model", "Type", "Puns", "Right", "No reply", *kinds),
        tuple(body),
        ("Types and their rules: apun/scoring/taxonomy.py (Table 3). Replies that failed have no type.",),
    )
