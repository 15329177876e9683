"""Text against audio: the same questions on the transcript and on the clip (Table 9)."""

from __future__ import annotations

from collections.abc import Sequence

from apun.report.tables import Cell, Table
from apun.scores import Score
from benchmarks.apun_bench import inference, location, recognition
from benchmarks.apun_bench.analysis import quoted
from benchmarks.apun_bench.analysis.main_results import INFERENCE, RECOGNITION
from benchmarks.apun_bench.analysis.rates import Runs, of_task, values

STAGES = ((recognition.TASK, RECOGNITION), (location.TASK, ("fine",)), (inference.TASK, INFERENCE))
MODALITIES = ("audio", "text")


def table9(runs: Runs) -> Table | None:
    """Table 9; only where both modalities were run."""
    body: list[tuple[Cell, ...]] = []
    for modality in MODALITIES:
        for name, scores in runs:
            own = [s for s in scores if s.labels.get("modality") == modality]
            cells = [cell for task, names in STAGES for cell in _values(task, own, names)]
            if any(cell is not None for cell in cells):
                body.append((modality, name, None, "measured", *cells))
    if {row[0] for row in body} != set(MODALITIES):
        return None
    columns = (*RECOGNITION, "fine", *INFERENCE)
    body += [
        (row["modality"], row["model"], row["size"], f"{quoted.MARK}, real", *(row[name] for name in columns))
        for row in quoted.rows("table9")
    ]
    return Table(
        "table9",
        "Text against audio (layout of Table 9; percent)",
        ("Input", "Model", "Size", "Data", "Acc", "Pre", "Rec", "F1", "Pun%", "Fin", "Heg", "Hog", "Hop"),
        tuple(body),
        ("The paper prints one location column; its figures are those of fine location.",),
    )


def _values(task: object, scores: Sequence[Score], names: Sequence[str]) -> list[float | None]:
    from apun.tasks import Task

    assert isinstance(task, Task)
    return values(task, of_task(scores, task.name), names)
