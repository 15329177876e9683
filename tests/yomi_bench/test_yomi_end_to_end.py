"""Every task through the runner, text and audio; and a sheet that a person filled in."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from apun import eval as evaluate
from apun import people, sheet
from apun.errors import UsageError
from apun.records import read
from apun.sheets import write_sheet
from apun.tasks import Subset
from benchmarks.yomi_bench.benchmark import BENCHMARK

IDS = "single_0,multi_0_0,multi_0_1,rhyme_0,heard_0"
COUNTS = {
    "yomi.qa_single": 2,
    "yomi.qa_multiple": 4,
    "yomi.reading_single": 1,
    "yomi.reading_multiple": 2,
    "yomi.rhyme_selection_kanji": 1,
    "yomi.rhyme_selection_kana": 1,
    "yomi.rhyme_generation": 1,
    "yomi.heard_reading": 1,
}


def run(out: Path, *options: str) -> dict[str, Any]:
    arguments = ["--benchmark", "yomi", "--ids", IDS, "--prompt-variant", "p1", "--out", str(out), "--no-report"]
    assert evaluate.main([*arguments, *options]) == 0
    summary: dict[str, Any] = json.loads((out / "summary.json").read_text("utf-8"))
    return summary["tasks"]  # type: ignore[no-any-return]


def accuracies(tasks: dict[str, Any]) -> dict[str, float]:
    return {name: task["metrics"]["accuracy"]["value"] for name, task in tasks.items()}


@pytest.mark.parametrize("modality", ["text", "audio"])
def test_gold_through_the_runner(tmp_path: Path, modality: str) -> None:
    tasks = run(tmp_path / "run", "--model", "mock:perfect", "--modality", modality)
    assert {name: task["n"] for name, task in tasks.items()} == COUNTS
    assert all(task["counts"] == {"scored": task["n"]} for task in tasks.values())
    assert set(accuracies(tasks).values()) == {1.0}
    replies = [json.loads(line) for line in (tmp_path / "run/replies.jsonl").read_text("utf-8").splitlines()]
    assert all(reply["consumed"]["clips"] == 1 for reply in replies) == (modality == "audio")


def test_by_ear_true_and_false_readings_are_two_clips_and_the_question_is_the_same(tmp_path: Path) -> None:
    run(tmp_path / "run", "--model", "mock:perfect", "--tasks", "qa_single")
    sent = [json.loads(line)["sent"] for line in (tmp_path / "run/replies.jsonl").read_text("utf-8").splitlines()]
    (yes,), (no,) = sent
    assert yes["content"][0]["audio"] != no["content"][0]["audio"]
    assert yes["content"][1:] == no["content"][1:]


def test_the_reasoner_on_gold_text(tmp_path: Path) -> None:
    tasks = run(tmp_path / "run", "--model", "solver", "--modality", "text")
    assert set(accuracies(tasks).values()) == {1.0}


@pytest.mark.slow
@pytest.mark.parametrize("modality", ["text", "audio"])
def test_the_default_offline_model(tmp_path: Path, modality: str) -> None:
    """Every task with the model that is used when none is named; what it scores is not our concern here.

    A clip of one kana makes Whisper loop, which is flagged and an error by default: here what it wrote is passed on.
    """
    options = ("--modality", modality, "--max-new-tokens", "12", "--model-arg", "flagged=pass")
    tasks = run(tmp_path / "run", *options)
    assert {name: task["n"] for name, task in tasks.items()} == COUNTS
    assert all(task["missing"] == 0 and "error" not in task["counts"] for task in tasks.values())


@pytest.mark.slow
def test_a_recogniser_hears_japanese(tmp_path: Path) -> None:
    tasks = run(tmp_path / "run", "--model", "whisper-base+solver")
    assert accuracies(tasks)["yomi.reading_single"] == 1.0
    scores = [json.loads(line) for line in (tmp_path / "run/scores.jsonl").read_text("utf-8").splitlines()]
    assert all(any(char >= "ぁ" for char in score["detail"]["transcript"]) for score in scores)


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_a_sheet_goes_out_and_comes_back_as_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    path = tmp_path / f"people.{suffix}"
    write_sheet_of("reading_single,rhyme_selection_kana", path, items=2)
    commands = [shlex.split(line) for line in capsys.readouterr().out.splitlines() if "apun.eval" in line]
    answers = {"yomi.reading_single": "ぬ", "yomi.rhyme_selection_kana": "(A)"}
    filled = [{**row.values, "answer": answers[row.text("question").split("/")[0]]} for row in read(path)]
    write_sheet(path, people.COLUMNS, filled)
    scores = []
    for number, command in enumerate(commands):
        out = tmp_path / f"run{number}"
        arguments = [*command[command.index("apun.eval") + 1 :], "--out", str(out), "--no-report"]
        assert evaluate.main(arguments) == 0
        scores += [json.loads(line) for line in (out / "scores.jsonl").read_text("utf-8").splitlines()]
    assert len(scores) == 4 and {score["status"] for score in scores} == {"scored"}
    assert {score["parsed"] for score in scores} == {"ぬ", "A"}


def test_a_spoken_sheet_brings_its_clips(tmp_path: Path) -> None:
    import soundfile

    path = tmp_path / "people.csv"
    write_sheet_of("heard_reading", path, items=1, modality="audio")
    (row,) = read(path)
    clip = soundfile.info(str(tmp_path / row.text("audio")))
    assert clip.samplerate == 16_000 and clip.duration > 0.2
    assert "{audio}" not in row.text("asked") and "(A)" in row.text("asked") and not row.has("answer")


def write_sheet_of(tasks: str, path: Path, items: int, modality: str = "text") -> None:
    asked = ["--benchmark", "yomi", "--tasks", tasks, "--modality", modality, "--prompt-variant", "p1"]
    assert sheet.main([*asked, "--items", str(items), "--out", str(path)]) == 0


def test_a_folder_of_clips_asks_the_samples_items(tmp_path: Path) -> None:
    import numpy as np
    import soundfile

    folder = tmp_path / "yomi" / "real"
    folder.mkdir(parents=True)
    tone = 0.3 * np.sin(np.arange(8_000) / 10)
    with (folder / "metadata.jsonl").open("w") as out:
        for item in ("single_0", "heard_3"):
            soundfile.write(str(folder / f"{item}.wav"), tone, 16_000)
            out.write(json.dumps({"file_name": f"{item}.wav", "item_id": item}) + "\n")
    arguments = ["--benchmark", "yomi", "--subset", "real", "--data-dir", str(tmp_path), "--model", "mock:perfect"]
    out_dir = tmp_path / "run"
    assert evaluate.main([*arguments, "--prompt-variant", "p1", "--out", str(out_dir), "--no-report"]) == 0
    tasks = json.loads((out_dir / "summary.json").read_text("utf-8"))["tasks"]
    counts = {name: task["n"] for name, task in tasks.items() if task["n"]}
    # no false reading was recorded: the yes/no question is not asked
    assert counts == {"yomi.reading_single": 1, "yomi.heard_reading": 1}


def test_unknown_spoken_form_is_refused() -> None:
    item = BENCHMARK.load(Subset("sample"))[0]
    with pytest.raises(UsageError, match="no spoken form 'loud'"):
        BENCHMARK.utterances(item, "loud")
