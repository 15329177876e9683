"""A Label Studio project out, annotations in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from apun.errors import DataError
from apun.splits import read_split
from benchmarks.apun_bench.annotation import label_studio, reviewing
from benchmarks.apun_bench.annotation.gold import agree
from benchmarks.apun_bench.annotation.reviewing import Draft

DRAFTS = (
    Draft("c1", "The baker gives them everything they knead", True, "knead", ("need",), (), "", "ears", "m"),
    Draft("c2", "The dog adores the bark", True, "bark", (), ("sound of a dog", "skin of a tree"), "", "ears", "m"),
    Draft("c3", "It rained on Monday", False, recogniser="ears", model="m"),
    Draft("c4", "Broken", None, problem="model: out of order", recogniser="ears", model="m"),
)


@pytest.fixture
def drafts() -> dict[str, Draft]:
    return {draft.id: draft for draft in DRAFTS}


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    folder = tmp_path / "clips"
    folder.mkdir()
    rows = []
    for number, draft in enumerate(DRAFTS):
        noise = np.random.default_rng(number).normal(0, 0.1, 22_050)
        soundfile.write(folder / f"{draft.id}.wav", noise, 44_100)
        rows.append({"file_name": f"{draft.id}.wav", "item_id": draft.id})
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def annotation(who: object, **cells: str) -> dict[str, Any]:
    parts = []
    for name, text in cells.items():
        kind = "choices" if name in label_studio.CHOICES else "textarea"
        parts.append(label_studio._part(name, kind, {"choices": [text]} if kind == "choices" else {"text": [text]}))
    return {"completed_by": who, "was_cancelled": False, "result": parts}


def test_label_studio_out_and_in(tmp_path: Path, clips: Path, drafts: dict[str, Draft]) -> None:
    import defusedxml.ElementTree

    project = label_studio.write_project(tmp_path, list(drafts.values()), read_split(clips))
    tasks = json.loads((project / "tasks.json").read_text())
    assert [task["data"]["id"] for task in tasks] == [draft.id for draft in DRAFTS]
    assert soundfile.info(project / "audio" / "00001.flac").samplerate == 16_000
    assert tasks[0]["data"]["audio"].endswith("?d=audio/00001.flac")
    config = defusedxml.ElementTree.parse(project / "config.xml").getroot()
    named = {node.get("name") for node in config.iter() if node.get("toName")}
    drafted = {part["from_name"] for task in tasks for part in task["predictions"][0]["result"]}
    assert drafted <= named == {*label_studio.TEXTS, *label_studio.CHOICES}

    for task in tasks:
        draft = drafts[task["data"]["id"]]
        cells = {k: v for k, v in reviewing.row_of(draft, "").items() if v and k not in ("id", "audio")}
        if draft.is_pun is None:
            cells |= {"is_pun": "no"}
        task["annotations"] = [annotation(1, **cells), annotation({"email": "b@x"}, **cells)]
        task["annotations"].append({"was_cancelled": True, "completed_by": 3, "result": []})
    export = tmp_path / "export.json"
    export.write_text(json.dumps(tasks))
    found = label_studio.read_annotations(export, drafts)
    assert sorted(found) == ["b@x", "reviewer 1"]
    assert len(agree(drafts, found).agreed) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON .*Export from Label Studio as JSON"),
        ("{}", "is no list of tasks"),
        ('[{"data": {}}]', r"task 1 is not one of this project's \(KeyError: 'id'\)"),
        ('[{"data": {"id": "zz"}, "annotations": []}]', "task 1: 'zz' was not drafted"),
        ('[{"data": {"id": "c1"}, "annotations": [{"result": [3]}]}]', "task 1 is not one of this project's"),
    ],
)
def test_bad_exports_are_refused(tmp_path: Path, drafts: dict[str, Draft], text: str, message: str) -> None:
    path = tmp_path / "export.json"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        label_studio.read_annotations(path, drafts)
