"""The front door: what it imports, what it understands, and what it says to bad input."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from apun import __main__, cli
from apun.eval import main
from apun.list import main as list_main

HEAVY = ("torch", "transformers", "numpy", "scipy", "panphon", "librosa", "soundfile", "pandas")


@pytest.mark.parametrize(
    "call",
    [
        "from apun.eval import main; main(['--help'])",
        "from apun.list import main; main(['models'])",
        "from apun.list import main; main(['recognisers'])",
        "from apun.list import main; main(['voices'])",
        "from apun.__main__ import main; main([])",
    ],
)
def test_help_and_lists_import_nothing_heavy(call: str) -> None:
    body = f"import sys\ntry:\n    {call}\nexcept SystemExit:\n    pass\nprint('|' + ' '.join(sys.modules))"
    out = subprocess.run([sys.executable, "-c", body], capture_output=True, text=True, check=True).stdout
    loaded = set(out.rpartition("|")[2].split())
    assert loaded.isdisjoint(HEAVY), loaded & set(HEAVY)


@pytest.mark.parametrize("what", ["models", "tasks", "voices", "recognisers", "subsets", "benchmarks"])
def test_lists_print_and_give_json(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert list_main([what]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 4
    assert list_main([what, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) >= 1


def test_listing_tasks_and_subsets_imports_no_torch() -> None:
    body = (
        "import sys\nfrom apun.list import main\nmain(['tasks']); main(['subsets'])\nsys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", body], capture_output=True).returncode == 0


def test_every_command_has_a_module_with_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in __main__.COMMANDS:
        with pytest.raises(SystemExit) as stopped:
            __main__.main([command, "--help"])
        assert stopped.value.code == 0 and command in capsys.readouterr().out
    assert __main__.main(["evil"]) == cli.USAGE
    assert "Did you mean eval" in capsys.readouterr().err


def row(number: int, **changes: object) -> dict[str, object]:
    base = {"file_name": f"c{number}.wav", "item_id": f"i{number}", "text": "The pilot told a plain joke."}
    return {**base, "type": "heterographic", "pun_word": "plain", "alternatives": ["plane"], **changes}


def folder(tmp_path: Path, count: int = 3, rate: int = 16_000, channels: int = 1) -> Path:
    tone = 0.2 * np.sin(np.arange(rate) / 15)
    for number in range(count):
        soundfile.write(tmp_path / f"c{number}.wav", np.stack([tone] * channels, axis=1), rate)
    write(tmp_path, [row(number) for number in range(count)])
    return tmp_path


def write(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    (tmp_path / "metadata.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))


def run(data: Path, *extra: str, model: str = "mock:perfect") -> int:
    options = ["--subset", "real", "--data-dir", str(data), "--tasks", "location", "--no-report"]
    return cli.run(main, ["--model", model, *options, "--out", str(data / "run"), *extra])


def reasons(data: Path) -> list[str]:
    lines = (data / "run" / "replies.jsonl").read_text().splitlines()
    return [str(json.loads(line).get("reason")) for line in lines if json.loads(line)["status"] == "error"]


def test_stereo_48_khz_is_heard_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder(tmp_path, rate=48_000, channels=2), "--json") == 0
    task = json.loads(capsys.readouterr().out)["mock:perfect"]["tasks"]["apun.location"]
    assert task["counts"] == {"scored": 3} and task["metrics"]["coarse"]["value"] == 1.0
    record = json.loads((tmp_path / "run" / "replies.jsonl").read_text().splitlines()[0])
    assert record["consumed"] == {"clips": 1, "seconds": 1.0, "audio_tokens": None}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda p: (p / "c1.wav").write_text("not audio at all"), "c1.wav: not readable as audio"),
        (lambda p: soundfile.write(p / "c1.wav", np.zeros(0), 16_000), "c1.wav: holds no samples"),
        (lambda p: soundfile.write(p / "c1.wav", np.zeros(16_000), 16_000), "c1.wav: is digital silence"),
    ],
)
def test_a_bad_clip_is_that_items_error_and_counts_as_wrong(
    tmp_path: Path, spoil: Callable[[Path], object], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(folder(tmp_path))
    assert run(tmp_path, "--json") == 0
    task = json.loads(capsys.readouterr().out)["mock:perfect"]["tasks"]["apun.location"]
    assert task["counts"] == {"error": 1, "scored": 2} and task["metrics"]["coarse"]["value"] == pytest.approx(2 / 3)
    assert [said in reason for reason in reasons(tmp_path)] == [True]
    assert run(tmp_path, "--max-failures", "0.2") == cli.FAILED


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row(0), row(1, file_name="gone.wav")], "metadata.jsonl:2: field 'file_name'"),
        ([row(0), row(1, file_name="../../secret.wav")], "metadata.jsonl:2: field 'file_name'"),
        ([row(0), row(1, file_name="/etc/passwd")], "metadata.jsonl:2: field 'file_name'"),
        ([row(0), row(1, item_id="i0")], "i0"),
        ([row(0), row(1, type="funny")], "metadata.jsonl:2: field 'type'"),
        ([row(0), row(1, pun_word="absent")], "metadata.jsonl:2: field 'pun_word'"),
    ],
)
def test_a_bad_sheet_is_refused_before_anything_runs(
    tmp_path: Path, rows: list[dict[str, object]], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder(tmp_path)
    write(tmp_path, rows)
    assert run(tmp_path) == cli.USAGE
    error = capsys.readouterr().err
    assert said in error and not (tmp_path / "run").exists()


def test_malformed_line_17_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder(tmp_path, count=20)
    lines = (tmp_path / "metadata.jsonl").read_text().splitlines()
    lines[16] = lines[16][:-9]
    (tmp_path / "metadata.jsonl").write_text("\n".join(lines))
    assert run(tmp_path) == cli.USAGE
    assert "metadata.jsonl:17:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "qwen2.5-omn"], "Did you mean qwen2.5-omni"),
        (["--tasks", "locate"], "Did you mean location"),
        (["--benchmark", "apum"], "Did you mean apun"),
        (["--subset", "reel"], "Did you mean real"),
        (["--subset", "real"], "--data-dir"),
        (["--subset", "real", "--data-dir", "/nowhere/at/all"], "does not exist"),
        (["--prompt-variant", "p99"], "no prompt variant 'p99'"),
        (["--ids", "nobody"], "no item called 'nobody'"),
    ],
)
def test_names_that_do_not_exist_are_answered_with_what_does(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("APUN_DATA", raising=False)
    base = [] if "--model" in arguments else ["--model", "mock:perfect"]
    options = [*base, "--modality", "text", "--limit", "3", "--out", str(tmp_path / "run"), "--no-report"]
    assert cli.run(main, [*options, *arguments]) == cli.USAGE
    assert said in capsys.readouterr().err


def test_a_model_without_weights_says_in_one_sentence_what_was_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder(tmp_path), model="qwen2.5-omni") == cli.USAGE
    error = capsys.readouterr().err.strip()
    assert "Qwen/Qwen2.5-Omni-7B" in error and "--weights" in error and "\n" not in error


def test_a_dry_run_prints_prompts_and_calls_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder(tmp_path), "--dry-run", model="qwen2.5-omni") == 0
    out = capsys.readouterr().out
    assert out.count("== apun.location/") == 3 and "[clip main " in out and not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--resume", "--fresh"],
        ["--limit", "0"],
        ["--set", "x"],
        ["--batch-size", "-2"],
        ["--seed", "-1"],
        ["--temperature", "-1"],
        ["--temperature", "nan"],
        ["--max-failures", "7"],
        ["--model", ""],
    ],
)
def test_arguments_that_cannot_be_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--model", "mock:perfect", *arguments])
    assert stopped.value.code == 2


def test_human_recordings_go_through_the_real_recogniser(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The recordings are ordinary sentences: annotated as non-puns, heard by the embedded recogniser."""
    from apun.wer import main as wer_main

    source = shared_data / "speech"
    recordings = [json.loads(line) for line in (source / "metadata.jsonl").read_text().splitlines() if line.strip()]
    rows = []
    for number, recording in enumerate(recordings):
        name = recording["file_name"]
        shutil.copy(source / name, tmp_path / Path(name).name)
        text = recording["transcript"]
        if str(recording.get("language", "en"))[:2] == "en":
            rows.append({"file_name": Path(name).name, "item_id": f"h{number}", "text": text, "type": "negative"})
    write(tmp_path, rows)
    assert len(rows) == 5
    options = ["--subset", "real", "--data-dir", str(tmp_path)]
    assert (
        main(["--model", "whisper-base+solver", *options, "--tasks", "recognition", "--out", str(tmp_path / "run")])
        == 0
    )
    out = capsys.readouterr().out
    assert "whisper-base+solver" in out and (tmp_path / "run" / "report.html").stat().st_size > 100_000
    records = [json.loads(line) for line in (tmp_path / "run" / "replies.jsonl").read_text().splitlines()]
    assert len(records) == 10 and all(record["status"] == "ok" and record["transcripts"][0] for record in records)
    assert all(record["consumed"]["seconds"] > 1 for record in records)
    assert wer_main(["--recogniser", "whisper-base", *options, "--json"]) == 0
    rate = json.loads(capsys.readouterr().out)["rates"][0]
    print(f"WER of whisper-base on the human recordings: {rate['value']:.3f} ({rate['n']} recordings)")
    assert rate["n"] == 5 and rate["failed"] == 0 and rate["value"] < 0.1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "polarty=pun"], "Did you mean polarity"),
        (["--benchmark", "yomi", "--set", "shot=2"], "Did you mean shots"),
        (["--benchmark", "phun", "--set", "languag=zh"], "Did you mean language"),
        (["--benchmark", "xriddles", "--set", "shot=1"], "Did you mean shots"),
        (["--ids", "s00fbcb"], "--ids and --limit exclude each other"),
        (["--model-arg", "delay=soon"], "not a number"),
    ],
)
def test_a_mistyped_option_is_never_passed_over(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--model", "mock:perfect", "--modality", "text", "--limit", "3", "--out", str(tmp_path / "run")]
    assert cli.run(main, [*options, *arguments]) == cli.USAGE
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_an_out_that_cannot_be_a_folder_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    options = ["--model", "mock:perfect", "--modality", "text", "--limit", "1", "--tasks", "recognition", "--no-report"]
    for out, said in (("file", "is a file"), ("file/run", "Not a directory")):
        for more in ([], ["--fresh"]):
            assert cli.run(main, [*options, "--out", str(tmp_path / out), *more]) == cli.USAGE
            error = capsys.readouterr().err
            assert said in error and "Traceback" not in error
    assert (tmp_path / "file").read_text() == "mine" and [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_data_folder_that_is_a_file_is_told_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sheet.csv").write_text("")
    assert (
        cli.run(main, ["--model", "mock:perfect", "--subset", "real", "--data-dir", str(tmp_path / "sheet.csv")]) == 2
    )
    assert "is a file" in capsys.readouterr().err


def test_a_message_does_not_list_thousands_of_names() -> None:
    from apun.registry import unknown

    assert len(str(unknown("item", "zzz", [f"{number:06}" for number in range(5000)]))) < 1000


def test_a_scripted_model_is_not_probed(capsys: pytest.CaptureFixture[str]) -> None:
    from apun.probe import main as probe_main

    assert cli.run(probe_main, ["mock:perfect"]) == cli.USAGE
    assert "hears nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        ("eval --model", "qwen2.5-omn", "Did you mean qwen2.5-omni"),
        ("eval --model mock:perfect --model", "whisper-bas+solver", "no recogniser called 'whisper-bas'"),
        ("eval --model", "whisper-base+solvr", "Did you mean solver"),
        ("latency --models", "whisper-base+solvr", "Did you mean solver"),
        ("wer --recogniser", "whisper-bas", "no recogniser called 'whisper-bas'"),
    ],
)
def test_a_mistyped_name_is_refused_before_speech_is_rendered(
    command: str, name: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "apun.registry.render_speech", lambda *_: pytest.fail("speech was rendered for a mistyped name")
    )
    assert __main__.main([*command.split(), name]) == cli.USAGE
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "model", [["mock:script=nosuch"], ["sheet:nosuch.csv"], ["mock:perfect", "--model-arg", "tpyo=1"]]
)
def test_a_model_that_cannot_be_loaded_leaves_no_folder(
    model: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--modality", "text", "--limit", "1", "--tasks", "recognition", "--no-report", "--out"]
    assert cli.run(main, ["--model", *model, *options, str(tmp_path / "run")]) == cli.USAGE
    assert ("no such" in (said := capsys.readouterr().err) or "no --model-arg called 'tpyo'" in said) and said.count(
        "\n"
    ) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["api_key", "llm.api_key", "token", "asr.key"])
def test_a_secret_is_no_model_argument(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(main, ["--model", "openai:x", "--model-arg", f"{name}=hunter2"]) == cli.USAGE
    error = capsys.readouterr().err
    assert "in the environment" in error and "hunter2" not in error


def test_names_of_every_form_are_let_through(tmp_path: Path) -> None:
    from apun.models import LoadOptions
    from asr.catalogue import RECOGNISERS
    from audio_models.catalogue import MODELS, check_name

    forms = ["mock:always=a+b", "hf:ORG/NAME", "openai:x", "gemini:x", "whisper-base+hf:O/N", "gold+solver"]
    forms += [str(tmp_path), "whisper-base+openai:x", "openai-asr:y+mock:perfect", f"whisper-base+{tmp_path}"]
    for name in (*forms, *MODELS, *(f"{first}+solver" for first in RECOGNISERS)):
        check_name(name, LoadOptions())
