"""A real run to look at: apun's tasks over recorded tones, answered by a scripted model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from apun.models import LoadOptions
from apun.run.data import Selection
from apun.run.evaluate import Request, evaluate

HOSTILE = "<img src=x onerror=\"document.title='pwned'\"></script><script>alert(1)</script>\nAnswer: plane"
ROWS = [
    ("a", "The pilot told a plain joke.", "heterographic", "plain", ["plane"]),
    ("b", "The baker had plenty of dough.", "homographic", "dough", None),
    ("c", "The sailor bought a new sale.", "homophonic", "sale", ["sail"]),
]


@pytest.fixture(scope="session")
def page_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scored run folder with a report in it."""
    from apun.report.page import write_page

    base = tmp_path_factory.mktemp("report")
    data = base / "data" / "apun" / "real"
    data.mkdir(parents=True)
    time = np.arange(24_000) / 16_000
    lines = []
    for number, (name, text, kind, word, alternatives) in enumerate(ROWS):
        soundfile.write(data / f"{name}.wav", 0.2 * np.sin(2 * np.pi * (300 + 50 * number) * time), 16_000)
        row = {
            "file_name": f"{name}.wav",
            "item_id": name,
            "text": text,
            "type": kind,
            "pun_word": word,
            "voice": "tone",
        }
        row |= {"alternatives": alternatives} if alternatives else {"meanings": ["bread mixture", "money"]}
        lines.append(json.dumps(row))
    (data / "metadata.jsonl").write_text("\n".join(lines) + "\n")
    script = base / "script.jsonl"
    questions = [f"apun.{task}/{row[0]}/p0" for task in ("location", "inference") for row in ROWS]
    script.write_text("".join(json.dumps({"question": q, "text": HOSTILE}) + "\n" for q in questions))
    selection = Selection("apun", ("location", "inference"), "real", base / "data")
    outcome = evaluate(Request(selection, f"mock:script={script}", LoadOptions(), out=base / "run"))
    write_page([outcome.folder], outcome.folder / "report.html")
    return outcome.folder
