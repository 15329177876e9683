"""Models beside people, on the questions the people answered (Table 10)."""

from __future__ import annotations

from apun.report.tables import Cell, Table
from apun.scores import Score
from benchmarks.apun_bench import inference, location, recognition
from benchmarks.apun_bench.analysis import quoted
from benchmarks.apun_bench.analysis.main_results import INFERENCE, LOCATION
from benchmarks.apun_bench.analysis.rates import Runs, of_task, values

PEOPLE = ("sheet:", "human")
STAGES = (
    (recognition.TASK, ("accuracy", "pun_share")),
    (location.TASK, LOCATION),
    (inference.TASK, INFERENCE),
)


def is_people(run: str) -> bool:
    """Whether a run's answers came from a filled-in sheet."""
    return run.casefold().startswith(PEOPLE)


def _merged(runs: Runs) -> list[tuple[str, list[Score]]]:
    """Models first; the stages of one sheet, scored by a command each, as one row."""
    found: dict[str, list[Score]] = {}
    for name, scores in sorted(runs, key=lambda run: is_people(run[0])):
        found.setdefault(name.partition(" (")[0] if is_people(name) else name, []).extend(scores)
    return list(found.items())


def table10(runs: Runs) -> Table | None:
    """Table 10; only where a run of people's answers is among the runs.

    Every run is scored on the questions that some person answered or left blank, and on no other.
    """
    asked = {
        (s.task, s.item, s.variant)
        for name, scores in runs
        if is_people(name)
        for s in scores
        if s.status != "error" or "left blank" in str(s.detail.get("reason", ""))
    }
    if not asked:
        return None
    body: list[tuple[Cell, ...]] = []
    for name, scores in _merged(runs):
        own = [s for s in scores if (s.task, s.item, s.variant) in asked]
        cells = [cell for task, names in STAGES for cell in values(task, of_task(own, task.name), names)]
        body.append((name, "people" if is_people(name) else "measured", len(own), *cells))
    columns = ("accuracy", "pun_share", *LOCATION, *INFERENCE)
    body += [(row["model"], quoted.MARK, None, *(row[c] for c in columns)) for row in quoted.rows("table10")]
    return Table(
        "table10",
        "People and models on the same questions (layout of Table 10; percent)",
        ("Model", "Data", "Questions", "Acc", "Pun%", "Coa", "Fin", "Heg", "Hog", "Hop"),
        tuple(body),
        ("The quoted figures are of the paper's own 60 items a stage and three volunteers.",),
    )
