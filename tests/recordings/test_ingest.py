"""Recordings to a real split: rates, channels, cuts, refusals by name, all or nothing."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from apun import ingest
from apun.errors import AudioError, DataError, UsageError
from apun.recordings.split import prepare_recording
from apun.recordings.takes import read_takes, seconds
from apun.records import Record
from apun.splits import read_split

SHEET = "item_id,text\none,First text.\ntwo,Second text.\n"


def speech(length: float, rate: int = 44_100, level: float = 0.2, silence: float = 0.5) -> Any:
    """A voiced buzz between two silences, shape ``(n,)``."""
    time = np.arange(int(length * rate)) / rate
    voiced = level * np.sign(np.sin(2 * np.pi * 140 * time)) * (0.6 + 0.4 * np.sin(2 * np.pi * 3 * time)) * 0.7
    pause = np.zeros(int(silence * rate))
    return np.concatenate([pause, voiced, pause])


def folder_of(tmp_path: Path, **files: tuple[Any, int]) -> Path:
    folder = tmp_path / "recordings"
    folder.mkdir()
    for name, (samples, rate) in files.items():
        soundfile.write(str(folder / f"{name}.wav"), samples, rate)
    return folder


def sheet(tmp_path: Path, text: str = SHEET, name: str = "texts.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def run(recordings: Path, tmp_path: Path, *options: str, text: str = SHEET) -> list[dict[str, Any]]:
    out = tmp_path / "real"
    arguments = [str(recordings), "--sheet", str(sheet(tmp_path, text)), "--out", str(out), *options]
    assert ingest.main(arguments) == 0
    return [json.loads(line) for line in (out / "metadata.jsonl").read_text("utf-8").splitlines()]


def nothing_left(tmp_path: Path) -> bool:
    return not (tmp_path / "real").exists() and not list(tmp_path.glob(".real*"))


def test_a_folder_of_any_rate_and_channels(tmp_path: Path) -> None:
    stereo = np.stack([speech(1.2, 48_000), np.zeros(int(2.2 * 48_000))], axis=1)
    folder = folder_of(tmp_path, one=(stereo, 48_000), two=(speech(0.8, 22_050), 22_050))
    text = "id,text,language,speaker,type\none,First text.,en,anna,pun\ntwo,二,zh,,\n"
    rows = run(folder, tmp_path, "--speaker", "ben", text=text)
    assert [(row["item_id"], row["language"], row["voice"]) for row in rows] == [
        ("one", "en", "anna"),
        ("two", "zh", "ben"),
    ]
    assert rows[0]["type"] == "pun" and "type" not in rows[1]
    assert [(row["source_rate"], row["source_channels"]) for row in rows] == [(48_000, 2), (22_050, 1)]
    split = read_split(tmp_path / "real", verify=True)
    for row, length in zip(rows, (1.2, 0.8), strict=True):
        info = soundfile.info(str(tmp_path / "real" / row["file_name"]))
        assert info.samplerate == 16_000 and info.channels == 1 and info.subtype == "PCM_16"
        assert row["seconds"] == pytest.approx(length + 0.2, abs=0.03)  # 0.1 s of silence is kept at each end
        assert split.clip(row["item_id"]).seconds == pytest.approx(row["seconds"], abs=1e-3)


def test_loudness_is_kept_unless_asked_for(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, one=(speech(1, level=0.05), 44_100), two=(speech(1, level=0.2), 44_100))
    kept = run(folder, tmp_path)
    assert kept[1]["loudness"] - kept[0]["loudness"] == pytest.approx(12.04, abs=0.1)
    (tmp_path / "again").mkdir()
    out = tmp_path / "levelled"
    assert ingest.main([str(folder), "--sheet", str(tmp_path / "texts.csv"), "--out", str(out), "--level"]) == 0
    levels = [json.loads(line)["loudness"] for line in (out / "metadata.jsonl").read_text("utf-8").splitlines()]
    assert levels == pytest.approx([-23, -23], abs=0.1)


@pytest.mark.parametrize("name", ["cuts.csv", "labels.txt"])
def test_one_long_file_with_a_cut_list(tmp_path: Path, name: str) -> None:
    rate = 32_000
    long = np.concatenate([speech(1.0, rate), speech(0.6, rate)])  # 0-2 s and 2-3.6 s
    path = tmp_path / "session.flac"
    soundfile.write(str(path), long, rate)
    cuts = tmp_path / name
    table = "item_id,start,end\ntwo,2.0,0:03.6\none,0,2\n"
    cuts.write_text(table if name == "cuts.csv" else "2.0\t3.6\ttwo\n0.0\t2.0\tone\n", "utf-8")
    rows = run(path, tmp_path, "--cuts", str(cuts))
    assert [row["item_id"] for row in rows] == ["one", "two"]
    assert [row["seconds"] for row in rows] == pytest.approx([1.2, 0.8], abs=0.03)
    assert rows[1]["source_start"] == 2.0 and rows[1]["source_file"] == "session.flac"


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, one=(speech(1), 44_100), two=(speech(1), 44_100))
    first = run(folder, tmp_path)
    (tmp_path / "real").rename(tmp_path / "before")
    assert run(folder, tmp_path) == first


BAD: Mapping[str, tuple[Any, str]] = {
    "nan": (np.full(32_000, np.nan, dtype=np.float32), "NaN"),
    "silent": (np.zeros(32_000), "silence"),
    "quiet": (speech(1, 16_000, level=0.0005), "too quiet"),
    "short": (speech(0.04, 16_000), "only 0."),
    "clipped": (np.clip(speech(1, 16_000, level=9.0), -1, 1), "clipped"),
}


@pytest.mark.parametrize("name", BAD)
def test_unusable_recordings_are_named_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    samples, message = BAD[name]
    folder = folder_of(tmp_path, one=(speech(1), 44_100))
    subtype = "FLOAT" if name == "nan" else "PCM_16"
    soundfile.write(str(folder / "two.wav"), samples, 16_000, subtype=subtype)
    with pytest.raises(DataError, match=r"two: .*two\.wav.*" + message):
        run(folder, tmp_path)
    assert nothing_left(tmp_path)


@pytest.mark.parametrize("content", [b"", b"RIFF", b"not audio at all" * 100, b"RIFF\xff\xff\xff\x7fWAVEfmt "])
def test_files_that_are_no_audio(tmp_path: Path, content: bytes) -> None:
    folder = folder_of(tmp_path, one=(speech(1), 44_100))
    (folder / "two.wav").write_bytes(content)
    with pytest.raises(DataError, match="two: "):
        run(folder, tmp_path)
    assert nothing_left(tmp_path)


def test_every_problem_is_named_at_once_and_can_be_left_out(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, one=(speech(1), 44_100), three=(np.zeros(9_000), 16_000))
    text = SHEET + "three,Third.\n"
    with pytest.raises(DataError, match="2 recordings cannot be used") as error:
        run(folder, tmp_path, text=text)
    assert "no audio file is named 'two'" in str(error.value) and "silence" in str(error.value)
    rows = run(folder, tmp_path, "--skip-bad", text=text)
    assert [row["item_id"] for row in rows] == ["one"]
    rejected = [json.loads(line) for line in (tmp_path / "real/rejected.jsonl").read_text("utf-8").splitlines()]
    assert [row["item_id"] for row in rejected] == ["two", "three"] and all(row["reason"] for row in rejected)


def test_none_usable_is_an_error_even_when_bad_ones_are_left_out(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    with pytest.raises(UsageError, match="none of the 2 recordings"):
        run(folder, tmp_path, "--skip-bad")
    assert nothing_left(tmp_path)


@pytest.mark.parametrize("name", ["../secret.wav", "/etc/passwd", "a/../../secret.wav", "C:\\x.wav", "link.wav"])
def test_file_names_stay_inside_the_folder(tmp_path: Path, name: str) -> None:
    folder = folder_of(tmp_path, one=(speech(1), 44_100))
    soundfile.write(str(tmp_path / "secret.wav"), speech(1), 44_100)
    (folder / "link.wav").symlink_to(tmp_path / "secret.wav")
    with pytest.raises(DataError, match=r"texts\.csv:3.*(leaves|leads out)"):
        run(folder, tmp_path, text=f"item_id,text,file_name\none,First.,one.wav\ntwo,Second.,{name}\n")
    assert nothing_left(tmp_path)


def test_a_link_out_of_the_folder_is_not_found_by_its_name_either(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, one=(speech(1), 44_100))
    soundfile.write(str(tmp_path / "secret.wav"), speech(1), 44_100)
    (folder / "two.wav").symlink_to(tmp_path / "secret.wav")
    with pytest.raises(DataError, match="no audio file is named 'two'"):
        run(folder, tmp_path)


def test_item_ids_never_become_paths(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, x=(speech(1), 44_100))
    rows = run(folder, tmp_path, text="item_id,text,file_name\n../../evil,First.,x.wav\n")
    path = (tmp_path / "real" / rows[0]["file_name"]).resolve()
    assert path.is_relative_to((tmp_path / "real").resolve()) and path.is_file()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item_id\none\n", "field 'text'"),
        ("item_id,text\none,\n", "line|:2: field 'text'"),
        ("item_id,text\n,First\n", "field 'item_id'"),
        ("item_id,text\none,a\none,b\n", "already given in line 2"),
        ("item_id,text,language\none,a,fr\n", "en, zh, ja"),
        ("item_id,text,start\none,a,1\n", "both start and end"),
        ("item_id,text,start,end\none,a,3,2\n", "before it starts"),
        ("item_id,text,start,end\none,a,now,2\n", "no time: 'now'"),
        ("item_id,text,start,end\none,a,-1,2\n", "no time"),
        ("", "holds no rows"),
    ],
)
def test_malformed_sheets(tmp_path: Path, text: str, message: str) -> None:
    folder = folder_of(tmp_path, one=(speech(1), 44_100))
    with pytest.raises(DataError, match=message):
        run(folder, tmp_path, text=text)
    assert nothing_left(tmp_path)


@pytest.mark.parametrize(
    ("cuts", "message"),
    [
        ("item_id,start,end\none,0,1\n", "no cut for item 'two'"),
        ("item_id,start,end\none,0,1\ntwo,1,2\nthree,2,3\n", "no item 'three'"),
        ("item_id,start,end\none,0,1\none,1,2\ntwo,1,2\n", "cut twice"),
        ("item_id,start,end\none,0,\ntwo,1,2\n", "both start and end"),
        ("item_id,start,end\none,0,1\ntwo,1,99\n", "ends at 99 s, the recording after"),
    ],
)
def test_malformed_cut_lists(tmp_path: Path, cuts: str, message: str) -> None:
    path = tmp_path / "session.wav"
    soundfile.write(str(path), np.concatenate([speech(1), speech(1)]), 44_100)
    (tmp_path / "cuts.csv").write_text(cuts, "utf-8")
    with pytest.raises(DataError, match=message):
        run(path, tmp_path, "--cuts", str(tmp_path / "cuts.csv"))
    assert nothing_left(tmp_path)


def test_a_long_file_needs_times(tmp_path: Path) -> None:
    path = tmp_path / "session.wav"
    soundfile.write(str(path), speech(1), 44_100)
    with pytest.raises(UsageError, match="2 of 2 texts have no times"):
        run(path, tmp_path)


def test_an_existing_split_is_never_overwritten(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, one=(speech(1), 44_100), two=(speech(1), 44_100))
    (tmp_path / "real").mkdir()
    (tmp_path / "real/keep.txt").write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        run(folder, tmp_path)
    assert [path.name for path in (tmp_path / "real").iterdir()] == ["keep.txt"]


def test_an_interruption_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from apun.recordings import split

    folder = folder_of(tmp_path, one=(speech(1), 44_100), two=(speech(1), 44_100))
    real, calls = split.prepare_recording, []

    def interrupted(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(split, "prepare_recording", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(folder, tmp_path)
    assert len(calls) == 2 and nothing_left(tmp_path)


def packed(tmp_path: Path, entries: Sequence[tuple[str | zipfile.ZipInfo, bytes]]) -> Path:
    path = tmp_path / "kit.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def wav_bytes() -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, speech(1), 48_000, format="WAV")
    return buffer.getvalue()


def test_a_zip_brings_its_own_sheet(tmp_path: Path) -> None:
    row = {
        "file_name": "audio/x.wav",
        "item_id": "x",
        "text": "ほん",
        "language": "ja",
        "kana": "ほん",
        "speaker": "a1",
    }
    path = packed(tmp_path, [("metadata.jsonl", json.dumps(row).encode()), ("audio/x.wav", wav_bytes())])
    assert ingest.main([str(path), "--out", str(tmp_path / "real")]) == 0
    made = json.loads((tmp_path / "real/metadata.jsonl").read_text("utf-8"))
    assert (made["voice"], made["reading"], made["source_rate"]) == ("a1", "kana:ほん", 48_000)


def test_zips_that_lead_out_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("audio/x.wav")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    for entry in ("../x.wav", "/x.wav", "a/../../x.wav", "..\\x.wav", link):
        path = packed(tmp_path, [("metadata.jsonl", b"{}"), (entry, b"/etc/passwd")])
        with pytest.raises(DataError, match="leads out of it"):
            ingest.main([str(path), "--out", str(tmp_path / "real")])
        assert nothing_left(tmp_path) and not (tmp_path / "x.wav").exists()


@pytest.mark.parametrize("content", [b"", b"PK", b"PK\x03\x04" + b"\0" * 60, b"text"])
def test_broken_zips(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "kit.zip"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"kit\.zip"):
        ingest.main([str(path), "--out", str(tmp_path / "real")])


def test_a_truncated_zip(tmp_path: Path) -> None:
    path = packed(tmp_path, [("metadata.jsonl", b"{}"), ("audio/x.wav", wav_bytes())])
    data = bytearray(path.read_bytes())
    data[70_000:70_200] = b"\0" * 200
    path.write_bytes(bytes(data))
    with pytest.raises(DataError, match="cannot be unpacked"):
        ingest.main([str(path), "--out", str(tmp_path / "real")])
    assert nothing_left(tmp_path)


@pytest.mark.parametrize(
    ("value", "expected"), [("12.5", 12.5), ("1:02,5", 62.5), ("1:00:02", 3602.0), (3, 3.0), ("", None), (None, None)]
)
def test_times(value: Any, expected: float | None) -> None:
    assert seconds(Record({"start": value}, Path("x"), 1), "start") == expected


def test_a_recording_that_begins_in_a_word_is_worth_listening_to(tmp_path: Path) -> None:
    path = tmp_path / "cut.wav"
    soundfile.write(str(path), speech(1, 16_000)[8_000:], 16_000)
    assert prepare_recording(path, None, None).warnings == ("starts_at_once",)
    with pytest.raises(AudioError, match="the cut ends at 9 s"):
        prepare_recording(path, 0.0, 9.0)


def test_human_recordings_are_ingested_and_heard(shared_data: Path, tmp_path: Path) -> None:
    """The six recordings of the reference data (16, 22 and 44.1 kHz, stereo, 24-bit), whatever their format."""
    folder = shared_data / "speech"
    rows = [json.loads(line) for line in (folder / "metadata.jsonl").read_text("utf-8").splitlines()]
    texts = tmp_path / "texts.jsonl"
    with texts.open("w", encoding="utf-8") as out:
        for number, row in enumerate(rows):
            name = row.get("file_name") or row.get("file")
            text = row.get("text") or row.get("transcript")
            language = "zh" if any(char >= "\u4e00" for char in text) else "en"
            out.write(json.dumps({"id": f"r{number}", "file_name": name, "text": text, "language": language}) + "\n")
    assert len(read_takes(texts)) == 6
    assert ingest.main([str(folder), "--sheet", str(texts), "--out", str(tmp_path / "real")]) == 0
    made = [json.loads(line) for line in (tmp_path / "real/metadata.jsonl").read_text("utf-8").splitlines()]
    assert len(made) == 6 and {row["source_rate"] for row in made} == {16_000, 22_050, 44_100}
    assert {row["source_channels"] for row in made} == {1, 2}


def test_verification_says_what_was_heard(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    from apun.models import Transcript

    class Fixed:
        def transcribe(self, clips: Any, language: str) -> list[Transcript]:
            assert clips[0].seconds == pytest.approx(1.2, abs=0.05) and language == "en"
            return [Transcript("first text")]

        def close(self) -> None:
            self.closed = True

    fixed = Fixed()
    monkeypatch.setattr(ingest, "_recogniser", lambda name: fixed)
    folder = folder_of(tmp_path, one=(speech(1), 44_100), two=(speech(1), 44_100))
    rows = run(folder, tmp_path, "--verify", "any")
    assert [row["heard"] for row in rows] == ["first text"] * 2
    assert rows[0]["error_rate"] == 0.0 and rows[1]["error_rate"] >= 0.5 and fixed.closed
    assert "heard 'first text' for 'Second text.'" in capsys.readouterr().out
