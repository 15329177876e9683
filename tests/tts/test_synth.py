"""``apun.synth`` end to end with a third party's engine: resumed, checked, byte for byte the same."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import types
from pathlib import Path
from typing import Any

import pytest

from apun import synth
from apun.errors import DataError, UsageError
from apun.speech import Utterance
from apun.splits import read_split
from tts.core.rendering import ensure

ENGINE = '''
"""A third party's engine: tones whose pitch is the voice's; deterministic."""
import os
import time
import numpy as np
from apun.errors import PhoneticError
from apun.models import Rendering, Voice

class Toy:
    name, version, deterministic = "toy", "1", True

    def voices(self):
        return [Voice(f"tone{n}", "toy", ("en", "zh")) for n in range(9)]

    def forces(self, language):
        return ("ipa",) if language == "en" else ()

    def speak(self, utterance, voice, seed):
        time.sleep(float(os.environ.get("TOY_SECONDS", "0")))
        if "loud" in utterance.text:
            samples = np.ones(8000)
        elif "broken" in utterance.text:
            samples = np.full(8000, np.nan)
        elif "odd" in utterance.text:
            raise PhoneticError("no such sound")
        elif "picky" in utterance.text and voice in ("tone0", "tone1", "tone2", "tone3"):
            samples = np.zeros(0)
        else:
            count = len(utterance.text.split())
            clock = np.arange(int(16000 * (0.25 * count))) / 16000
            samples = 0.2 * np.sin(2 * np.pi * (200 + 40 * int(voice[-1])) * clock) * (1 + 0.1 * np.sin(seed + clock))
        return Rendering(samples.astype(np.float32), 16000, utterance.text, self.extra)

    def close(self):
        pass

def load(device="", **options):
    toy = Toy()
    toy.extra = {"device": device} if device else {}
    return toy
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds an installed distribution with the engine, registered by entry point."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "toy_voice.py").write_text(ENGINE)
    info = folder / "toy_voice-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-voice\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[apun.voices]\ntoy = toy_voice:load\n")
    return folder


@pytest.fixture
def toy(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("APUN_CACHE", str(tmp_path / "no-cache"))
    return site


def texts(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "texts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def sentences(count: int) -> list[dict[str, Any]]:
    return [{"id": f"s{n}", "text": f"this is sentence number {n} of some"} for n in range(count)]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def run(sheet: Path, out: Path, *more: str) -> int:
    return synth.main(
        ["--engine", "toy", "--gate", "none", "--texts", str(sheet), "--out", str(out), "--workers", "1", *more]
    )


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_split_is_complete_and_readable(toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = texts(tmp_path, [*sentences(20), {"id": "s0", "part": "b", "text": "another part of the first"}])
    out = tmp_path / "split"
    assert run(sheet, out) == 0
    split = read_split(out, verify=True)
    assert list(split.rows)[:2] == [("s0", "main"), ("s0", "b")]
    assert len(split.rows) == 21
    row = split.row("s3")
    assert row["text"] == row["text_sent"] == "this is sentence number 3 of some"
    assert row["engine"] == "toy"
    assert row["seconds"] == pytest.approx(split.clip("s3").seconds, abs=0.01)
    assert row["loudness"] == -23
    assert split.row("s0")["voice"] == split.row("s0", "b")["voice"]
    assert len({row["voice"] for row in split.rows.values()}) >= 5
    assert not (out / ".work").exists()
    printed = capsys.readouterr().out
    assert "clips a minute" in printed
    assert "Table 1" in printed


def test_workers_and_repetition_give_the_same_bytes(toy: Path, site: Path, tmp_path: Path) -> None:
    sheet = texts(tmp_path, sentences(6))
    one, two = tmp_path / "one", tmp_path / "two"
    assert run(sheet, one) == 0
    before = {path: path.stat().st_mtime_ns for path in one.rglob("*.flac")}
    assert run(sheet, one) == 0
    assert {path: path.stat().st_mtime_ns for path in one.rglob("*.flac")} == before
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-m", "apun.synth", "--engine", "toy", "--gate", "none", "--texts", str(sheet)]
    subprocess.run([*command, "--out", str(two), "--workers", "2"], check=True, env=environment, capture_output=True)
    assert contents(one) == contents(two)


def test_sigkill_at_ten_random_moments(site: Path, tmp_path: Path) -> None:
    """Must show 2: killed and restarted, the folder is the one an undisturbed run makes."""
    sheet = texts(tmp_path, [*sentences(30), {"id": "p", "text": "one picky text"}, {"id": "x", "text": "a loud one"}])
    environment = {**os.environ, "PYTHONPATH": str(site), "TOY_SECONDS": "0.15", "OMP_NUM_THREADS": "1"}
    environment["APUN_CACHE"] = str(tmp_path / "cache")
    command = [sys.executable, "-m", "apun.synth", "--engine", "toy", "--gate", "none", "--texts", str(sheet)]
    command += ["--workers", "2", "--out"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert subprocess.run([*command, str(whole)], env=environment, capture_output=True).returncode == 1
    started = time.monotonic()
    subprocess.run([*command, str(whole)], env=environment, capture_output=True)
    usual = time.monotonic() - started  # with nothing left to render
    moments = random.Random(6)
    caught = 0
    for _ in range(30):
        process = subprocess.Popen(
            [*command, str(killed)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(timeout=moments.uniform(0.6, 2.2) * usual)
            assert contents(killed) == contents(whole)
            shutil.rmtree(killed)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            caught += 1
        if caught == 10:
            break
    assert caught == 10
    assert subprocess.run([*command, str(killed)], env=environment, capture_output=True).returncode == 1
    assert contents(killed) == contents(whole)
    assert len(rows(whole / "metadata.jsonl")) == 31


def test_stopped_at_every_rename(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file appears by a rename; a run that ends at any of them goes on to the same folder."""

    class Stopped(BaseException):
        pass

    sheet = texts(tmp_path, [*sentences(2), {"id": "w", "text": "incomprehensibility"}])
    whole = tmp_path / "whole"
    run(sheet, whole, "--retry", "0")
    replace = Path.replace
    for stop in range(1, 40):
        left = [stop]

        def counted(self: Path, target: Path, left: list[int] = left) -> Path:
            left[0] -= 1
            if left[0] == 0:
                raise Stopped
            return replace(self, target)

        out = tmp_path / f"stopped{stop}"
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", counted)
            try:
                run(sheet, out, "--retry", "0")
                break
            except Stopped:
                pass
        run(sheet, out, "--retry", "0")
        assert contents(out) == contents(whole)
    assert 12 <= stop < 39


def test_bad_clips_are_listed_and_retried(toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picky = [{"id": f"p{n}", "text": f"picky text number {n}"} for n in range(12)]
    bad = [{"id": "l", "text": "loud one"}, {"id": "n", "text": "broken one"}, {"id": "o", "text": "odd one"}]
    out = tmp_path / "split"
    assert run(texts(tmp_path, [*picky, *bad]), out, "--retry", "8") == 1
    listed = rows(out / "rejected.jsonl")
    reasons = {row["item_id"]: row["reason"] for row in listed}
    assert (reasons["l"], reasons["n"], reasons["o"]) == ("clipped", "not_finite", "unspeakable")
    assert sum(row["item_id"] == "l" for row in listed) == 9
    assert len({row["voice"] for row in listed if row["item_id"] == "l"}) == 9
    kept = rows(out / "metadata.jsonl")
    assert [row["item_id"] for row in kept] == [row["id"] for row in picky]
    assert not {row["voice"] for row in kept} & {"tone0", "tone1", "tone2", "tone3"}
    assert any(row["take"] for row in kept)
    assert "items without a clip: l, n, o" in capsys.readouterr().out


def test_gate_rejects_by_duration_and_keeps_the_clip_for_listening(toy: Path, tmp_path: Path) -> None:
    long_words = {"id": "w", "text": "internationalisation responsibilities incomprehensibility"}
    out = tmp_path / "split"
    assert run(texts(tmp_path, [long_words, *sentences(2)]), out, "--retry", "1") == 1
    listed = rows(out / "rejected.jsonl")
    assert [row["reason"] for row in listed] == ["duration", "duration"]
    assert all((out / row["file_name"]).is_file() for row in listed)


def test_a_damaged_split_is_mended(toy: Path, tmp_path: Path) -> None:
    sheet, out = texts(tmp_path, sentences(6)), tmp_path / "split"
    run(sheet, out)
    before = contents(out)
    (out / "audio" / "s1.flac").write_bytes(b"gone bad")
    (out / "audio" / "s4.flac").unlink()
    assert run(sheet, out) == 0
    assert contents(out) == before


def test_other_settings_or_a_strange_folder_are_refused(toy: Path, tmp_path: Path) -> None:
    sheet, out = texts(tmp_path, sentences(3)), tmp_path / "split"
    run(sheet, out)
    before = contents(out)
    for more in (["--seed", "1"], ["--voices", "tone1"], ["--limit", "2"], ["--retry", "5"]):
        with pytest.raises(UsageError, match="other settings"):
            run(sheet, out, *more)
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "thesis.txt").write_text("precious")
    with pytest.raises(UsageError, match="not empty"):
        run(sheet, strange)
    assert contents(out) == before
    assert contents(strange) == {"thesis.txt": b"precious"}


def test_readings_that_cannot_be_forced_are_refused(toy: Path, tmp_path: Path) -> None:
    sheet = texts(tmp_path, [{"id": "z", "text": "银行", "language": "zh", "pinyin": "yin2 hang2"}])
    with pytest.raises(UsageError, match=r"cannot force the reading.*'z'.*--insist"):
        run(sheet, tmp_path / "split")
    assert not (tmp_path / "split").exists()
    assert run(sheet, tmp_path / "split", "--insist", "--gate", "none") in (0, 1)


@pytest.mark.parametrize(
    ("bad", "field", "says"),
    [
        ('{"id": "x"}', "text", "missing or empty"),
        ('{"text": "hello"}', "id", "missing"),
        ('{"id": "x", "text": 5}', "text", "must be text"),
        ('{"id": "x", "text": "hello", "language": "fr"}', "language", "'fr'"),
        ('{"id": "x", "text": "hello"', None, "not a JSON object"),
        ('{"id": "s0", "text": "hello"}', None, "given twice"),
        ('{"id": "x", "text": NaN}', None, "NaN"),
    ],
)
def test_malformed_texts_are_named_and_nothing_is_written(
    toy: Path, tmp_path: Path, bad: str, field: str | None, says: str
) -> None:
    sheet = texts(tmp_path, sentences(16))
    with sheet.open("a") as handle:
        handle.write(bad + "\n")
    with pytest.raises(DataError, match=says) as caught:
        run(sheet, tmp_path / "split")
    assert (caught.value.line, caught.value.field) == (17, field)
    assert not (tmp_path / "split").exists()


def test_hostile_ids_stay_inside_the_folder(toy: Path, tmp_path: Path) -> None:
    names = ["../../evil", "/etc/x", "a/b", "CON", "con", "..", ".hidden", "with space", "声", "x" * 300, "a.take0"]
    sheet = texts(tmp_path, [{"id": name, "text": "some words to say"} for name in names])
    out = tmp_path / "deep" / "split"
    assert run(sheet, out) == 0
    split = read_split(out, verify=True)
    assert {item for item, _ in split.rows} == set(names)
    files = [row["file_name"] for row in split.rows.values()]
    assert len({name.lower() for name in files}) == len(names)
    assert {path.name for path in tmp_path.iterdir()} - {"no-cache"} == {"texts.jsonl", "deep"}


def test_datasets_opens_the_split(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Must show 3. Audio is left undecoded: decoding needs torchcodec and FFmpeg."""
    datasets = pytest.importorskip("datasets")
    if importlib.util.find_spec("torchcodec") is None:  # datasets 4 and later import it even to note a path
        stand_in = types.ModuleType("torchcodec.encoders")
        stand_in.AudioEncoder = None  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "torchcodec", types.ModuleType("torchcodec"))
        monkeypatch.setitem(sys.modules, "torchcodec.encoders", stand_in)
    out = tmp_path / "split"
    run(
        texts(tmp_path, [*sentences(5), {"id": "l", "text": "loud words"}, {"id": "d", "text": "incomprehensibility"}]),
        out,
    )
    assert (out / ".rejected").is_dir()
    loaded = datasets.load_dataset("audiofolder", data_dir=str(out), cache_dir=str(tmp_path / "cache"))["train"]
    loaded = loaded.cast_column("audio", datasets.Audio(decode=False))
    assert loaded["item_id"] == [f"s{n}" for n in range(5)]
    assert loaded[2]["text"] == "this is sentence number 2 of some"
    assert Path(loaded[2]["audio"]["path"]).name == "s2.flac"


def test_perturbed_copies_are_splits(toy: Path, tmp_path: Path) -> None:
    out = tmp_path / "split"
    run(texts(tmp_path, sentences(3)), out, "--perturb", "noise:10")
    copy = read_split(tmp_path / "split-noise10", verify=True)
    assert copy.row("s1")["snr_db"] == 10
    assert copy.row("s1")["source_sha256"] == read_split(out).row("s1")["sha256"]
    assert copy.clip("s1").sha256 != read_split(out).clip("s1").sha256
    before = contents(tmp_path / "split-noise10")
    shutil.rmtree(tmp_path / "split-noise10" / "audio")
    assert synth.main(["perturb", str(out), "noise:10", "--out", str(tmp_path / "copies")]) == 0
    assert contents(tmp_path / "copies" / "noise10") == before


def test_a_damaged_sheet_is_written_anew(toy: Path, tmp_path: Path) -> None:
    sheet, out = texts(tmp_path, sentences(3)), tmp_path / "split"
    run(sheet, out)
    before = contents(out)
    for name in ("metadata.jsonl", "rejected.jsonl"):
        (out / name).write_text('{"file_name": ')
        assert run(sheet, out) == 0
        assert contents(out) == before
    (out / "synth.json").write_text("[1")
    with pytest.raises(UsageError, match="not written by apun synth"):
        run(sheet, out)


def test_voices_command(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert synth.main(["voices", "toy"]) == 0
    assert "tone8" in capsys.readouterr().out


def test_a_worker_that_is_killed_is_an_error_not_a_hang(toy: Path, site: Path, tmp_path: Path) -> None:
    deadly = ENGINE.replace('if "loud" in', 'if "3" in utterance.text:\n            os._exit(9)\n        if "loud" in')
    (tmp_path / "deadly_voice.py").write_text(deadly)
    info = tmp_path / "deadly-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: deadly\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[apun.voices]\ntoy = deadly_voice:load\n")
    sheet = texts(tmp_path, sentences(6))
    command = [sys.executable, "-m", "apun.synth", "--engine", "toy", "--gate", "none", "--texts", str(sheet)]
    command += ["--workers", "2", "--out", str(tmp_path / "split")]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    died = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert died.returncode == 2
    assert "ended from outside" in died.stderr
    environment["PYTHONPATH"] = str(site)
    assert subprocess.run(command, env=environment, capture_output=True).returncode == 0
    assert len(rows(tmp_path / "split" / "metadata.jsonl")) == 6


def test_clips_of_the_speech_cache_are_reused_with_the_same_bytes(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = texts(tmp_path, sentences(5))
    assert run(sheet, tmp_path / "fresh", "--fresh") == 0
    assert "5 clips made" in capsys.readouterr().out
    monkeypatch.setenv("APUN_CACHE", str(tmp_path / "cache"))
    spoken = [Utterance(row["id"], row["text"], "en") for row in sentences(4)]
    ensure(spoken, "toy", "all", 0)
    assert run(sheet, tmp_path / "reused") == 0
    assert "1 clips made" in capsys.readouterr().out
    assert contents(tmp_path / "reused") == contents(tmp_path / "fresh")


def test_devices_are_dealt_out_to_the_processes(site: Path, tmp_path: Path) -> None:
    sheet = texts(tmp_path, sentences(12))
    command = [sys.executable, "-m", "apun.synth", "--engine", "toy", "--gate", "none", "--texts", str(sheet)]
    command += ["--workers", "2", "--devices", "left,right", "--out", str(tmp_path / "split")]
    environment = {**os.environ, "PYTHONPATH": str(site), "TOY_SECONDS": "0.3", "APUN_CACHE": str(tmp_path / "cache")}
    subprocess.run(command, check=True, env=environment, capture_output=True)
    assert {row["sent_device"] for row in rows(tmp_path / "split" / "metadata.jsonl")} == {"left", "right"}


def test_stats_command(toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "split"
    run(texts(tmp_path, sentences(4)), out)
    capsys.readouterr()
    assert synth.main(["stats", str(out), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)["table1"]
    assert table[0] == {"": "Clips", "Untyped": 4, "Overall": 4}
    assert table[2]["Overall"] == 7


def test_help_names_the_engines_and_shows_examples() -> None:
    text = synth.parser().format_help()
    assert textwrap.shorten(text, 10_000)
    assert "apun.env create parler" in text
