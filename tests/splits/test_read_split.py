"""Reading AudioFolders: good ones whole, bad ones refused with file, line and field."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from apun import digests
from apun.errors import AudioError, DataError
from apun.splits import read_rows, read_split


def tone(path: Path, rate: int = 22_050, channels: int = 1, seconds: float = 0.5) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    time = np.arange(int(rate * seconds)) / rate
    wave = 0.3 * np.sin(2 * np.pi * 440 * time)
    soundfile.write(path, np.repeat(wave[:, None], channels, axis=1), rate)
    return path


def sheet(folder: Path, *lines: str) -> Path:
    (folder / "metadata.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def row(**fields: object) -> str:
    return json.dumps({"file_name": "a.wav", "item_id": "i1", "text": "hello", **fields})


def test_jsonl_with_parts_rates_and_channels(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav", 8_000)
    tone(tmp_path / "deep" / "b.flac", 44_100, channels=2)
    split = read_split(
        sheet(tmp_path, row(voice="v"), "", row(file_name="deep/b.flac", part="ref"), row(id="z", item_id="i2"))
    )
    assert split.parts("i1") == ("main", "ref")
    assert split.row("i1")["voice"] == "v"
    assert split.clip("i2").path == (tmp_path / "a.wav").resolve()
    assert split.clip("i1", "ref").seconds == pytest.approx(0.5, abs=0.01)
    assert split.clip("i1").samples.dtype == np.float32


def test_csv_with_bom_and_id_column(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav")
    (tmp_path / "metadata.csv").write_text(
        '\ufefffile_name,id,text,seconds\na.wav,i1,"well, well",0.5\n', encoding="utf-8"
    )
    split = read_split(tmp_path)
    assert split.row("i1")["text"] == "well, well"
    assert split.row("i1")["seconds"] == 0.5


def test_unknown_item_is_named(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav")
    split = read_split(sheet(tmp_path, row()))
    with pytest.raises(DataError, match="i9"):
        split.clip("i9")


@pytest.mark.parametrize(
    ("bad", "field", "says"),
    [
        ('{"file_name": "a.wav", "item_id": "i2"', None, "not a JSON object"),
        ('["a.wav"]', None, "is a list"),
        (row(item_id=7), "item_id", "non-empty text"),
        (row(item_id=" "), "item_id", "non-empty text"),
        ('{"file_name": "a.wav"}', "item_id", "missing"),
        (row(item_id="i2", file_name=""), "file_name", "must name"),
        (row(item_id="i2", file_name=3), "file_name", "must name"),
        (row(item_id="i2", file_name="../a.wav"), "file_name", "leaves the folder"),
        (row(item_id="i2", file_name="x/../../a.wav"), "file_name", "leaves the folder"),
        (row(item_id="i2", file_name="..\\a.wav"), "file_name", "leaves the folder"),
        (row(item_id="i2", file_name="/etc/passwd"), "file_name", "leaves the folder"),
        (row(item_id="i2", file_name="C:\\a.wav"), "file_name", "leaves the folder"),
        (row(item_id="i2", file_name="a\0.wav"), "file_name", "not a usable path"),
        (row(item_id="i2", file_name="link.wav"), "file_name", "through a link"),
        (row(item_id="i2", file_name="gone.wav"), "file_name", "missing"),
        (row(item_id="i2", file_name="empty.wav"), "file_name", "no bytes"),
        (row(item_id="i2", part=3), "part", "must be text"),
        ('{"file_name": "a.wav", "item_id": "i2", "seconds": NaN}', None, "NaN is not JSON"),
        (row(item_id="i2", seconds="long"), "seconds", "finite number"),
        (row(item_id="i2", seconds=True), "seconds", "finite number"),
        ('{"file_name": "a.wav", "item_id": "i2", "item_id": "i3"}', None, "given twice"),
        (row(), None, "already given in line 1"),
    ],
)
def test_malformed_line_17_is_named(tmp_path: Path, bad: str, field: str | None, says: str) -> None:
    folder = tmp_path / "split"
    tone(folder / "a.wav")
    outside = tone(tmp_path / "outside.wav")
    (folder / "link.wav").symlink_to(outside)
    (folder / "empty.wav").write_bytes(b"")
    good = [row(), *[row(item_id=f"g{n}") for n in range(15)]]
    with pytest.raises(DataError, match=says) as caught:
        read_split(sheet(folder, *good, bad, row(item_id="last")))
    assert caught.value.line == 17
    assert caught.value.field == field
    assert str(folder / "metadata.jsonl") in str(caught.value)


def test_csv_errors_name_the_line(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav")
    (tmp_path / "metadata.csv").write_text("file_name,id,text\na.wav,i1,x\na.wav,i2,one, two\n", encoding="utf-8")
    with pytest.raises(DataError, match="4 cells for 3 columns") as caught:
        read_split(tmp_path)
    assert caught.value.line == 3


def test_not_utf8_names_the_line(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav")
    (tmp_path / "metadata.jsonl").write_bytes(row().encode() + b'\n{"text": "caf\xe9"}\n')
    with pytest.raises(DataError, match="UTF-8") as caught:
        read_split(tmp_path)
    assert caught.value.line == 2


def test_no_sheet_two_sheets_no_rows_no_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no metadata\.jsonl"):
        read_split(tmp_path)
    (tmp_path / "metadata.jsonl").write_text("\n")
    with pytest.raises(DataError, match="no rows"):
        read_split(tmp_path)
    (tmp_path / "metadata.csv").write_text("file_name,id\n")
    with pytest.raises(DataError, match="both"):
        read_split(tmp_path)
    with pytest.raises(DataError, match="not a folder"):
        read_split(tmp_path / "none")


def test_verify_notices_a_swapped_file(tmp_path: Path) -> None:
    path = tone(tmp_path / "a.wav")
    sheet(tmp_path, row(sha256=digests.of_file(path)))
    assert read_split(tmp_path, verify=True).parts("i1") == ("main",)
    tone(path, seconds=0.7)
    assert read_split(tmp_path).parts("i1") == ("main",)
    with pytest.raises(AudioError, match="not the file that was listed"):
        read_split(tmp_path, verify=True)


def test_verify_notices_a_wrong_rate(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav", 8_000)
    sheet(tmp_path, row(), row(item_id="i2", sampling_rate=16_000))
    assert len(read_split(tmp_path).rows) == 2
    with pytest.raises(AudioError, match="sampled at 8000 Hz, the row says 16000") as caught:
        read_split(tmp_path, verify=True)
    assert (caught.value.line, caught.value.field) == (2, "sampling_rate")


@pytest.mark.parametrize(
    ("samples", "says"),
    [
        (np.array([0.1, np.nan, 0.1, 0.2] * 4_000), "NaN"),
        (np.zeros(0), "no samples"),
        (np.zeros(8_000), "digital silence"),
        (np.full(100, 0.1), "ms long"),
    ],
)
def test_verify_notices_audio_that_cannot_be_used(tmp_path: Path, samples: np.ndarray, says: str) -> None:
    soundfile.write(tmp_path / "a.wav", samples, 16_000, subtype="FLOAT")
    split = read_split(sheet(tmp_path, row()))
    with pytest.raises(AudioError, match=says):
        _ = split.clip("i1").samples
    with pytest.raises(AudioError, match=says):
        read_split(tmp_path, verify=True)


def test_audio_is_refused_on_use_when_it_is_not_audio(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"RIFF but not really")
    split = read_split(sheet(tmp_path, row()))
    with pytest.raises(AudioError, match="not readable as audio"):
        _ = split.clip("i1").samples


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x85"])
def test_only_a_newline_ends_a_row(tmp_path: Path, mark: str) -> None:
    text = f"one{mark}two"
    (tmp_path / "metadata.csv").write_text(
        f'file_name,id,text\r\na.wav,i1,{text}\r\nb.wav,i2,"x\ny"\r\n', encoding="utf-8"
    )
    assert next((line, row["text"]) for line, row in read_rows(tmp_path / "metadata.csv")) == (2, text)
    (tmp_path / "metadata.jsonl").write_text(json.dumps({"text": text}, ensure_ascii=False) + "\n", encoding="utf-8")
    assert [row["text"] for _, row in read_rows(tmp_path / "metadata.jsonl")] == [text]


@pytest.mark.parametrize(
    "words",
    [[{"word": "a", "start": 0, "end": 1}], [["a", 1.0, 0.5]], [["a", 0.0]], [["a", "0", "1"]], [[1, 0.0, 1.0]]],
)
def test_word_times_that_do_not_hold_together_are_refused_by_row(tmp_path: Path, words: object) -> None:
    tone(tmp_path / "a.wav", 16_000)
    sheet(tmp_path, row(words=words))
    with pytest.raises(DataError, match=r"metadata\.jsonl:1: field 'words'"):
        read_split(tmp_path)


def test_word_times_are_kept(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav", 16_000)
    times = [["hello", 0, 0.25], ["there", 0.25, 0.5]]
    assert read_split(sheet(tmp_path, row(words=times))).row("i1", "main")["words"] == times
