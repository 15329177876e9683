"""Every table of every benchmark, as CSV and LaTeX, against golden files.

The runs are two scripted models over a seeded sample, in the text modality. After an intended change:
``APUN_WRITE_GOLDEN=1 pytest tests/report/test_golden_tables.py``, and read the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from apun.report.page import tables
from apun.report.runs import open_runs
from apun.run.data import Selection
from apun.run.evaluate import Request, evaluate
from apun.tasks import Conditions

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = {
    "apun": (16, {"similarity": "wordllama"}),
    "phun": (3, {}),
    "xriddles": (8, {}),
    "yomi": (20, {}),
}


@pytest.mark.parametrize("benchmark", sorted(SAMPLES))
def test_tables_are_as_before(benchmark: str, tmp_path: Path) -> None:
    limit, options = SAMPLES[benchmark]
    selection = Selection(benchmark, limit=limit, conditions=Conditions("text", options=options))
    models = ("mock:perfect", "mock:always=A")
    folders = [evaluate(Request(selection, model, out=tmp_path / str(i))).folder for i, model in enumerate(models)]
    shown = [table for table in tables(open_runs(folders)) if table.name != "seconds"]
    assert len({table.name for table in shown}) == len(shown) >= 2
    text = "\n".join(f"== {table.name}\n{_rounded(table.to_csv())}\n{table.to_latex()}" for table in shown)
    path = GOLDEN / f"{benchmark}.txt"
    if os.environ.get("APUN_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def _rounded(csv: str) -> str:
    """Floats to six places: the last digits belong to the processor."""
    return re.sub(r"\d+\.\d{7,}(?:e-?\d+)?", lambda match: f"{float(match.group()):.6f}", csv)
