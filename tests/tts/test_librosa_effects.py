"""Tempo and pitch by librosa, and the measures of a voice, against tones whose answer is known."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from apun import synth
from apun.errors import MissingDependency, UsageError
from apun.splits import read_split
from tts.core.measures import measured_voices, spoken_seconds, voiced_f0
from tts.core.perturbation import parse, perturb_split

RATE = 16_000


def tone(frequency: float, seconds: float = 2.0) -> np.ndarray:
    return (0.3 * np.sin(2 * np.pi * frequency * np.arange(int(seconds * RATE)) / RATE)).astype(np.float32)


def voice(frequency: float, seconds: float = 1.5) -> np.ndarray:
    """Harmonics that fall by 6 dB an octave, as of a voice."""
    time = np.arange(int(seconds * RATE)) / RATE
    return (0.15 * sum(np.sin(2 * np.pi * frequency * k * time) / k for k in range(1, 11))).astype(np.float32)


def peak(samples: np.ndarray) -> float:
    """Frequency in Hz of the strongest component, to 0.1 Hz."""
    padded = np.fft.rfft(samples * np.hanning(samples.size), n=10 * RATE)
    return float(np.argmax(np.abs(padded))) / 10


@pytest.mark.parametrize("factor", [0.8, 1.25, 2.0])
def test_tempo_changes_the_length_and_keeps_the_pitch(factor: float) -> None:
    changed = parse(f"tempo:{factor}").apply(tone(220), RATE, 0)
    assert changed.size == pytest.approx(2 * RATE / factor, rel=0.02)
    assert peak(changed) == pytest.approx(220, rel=0.01)
    assert np.sqrt(np.mean(changed**2)) == pytest.approx(0.3 / 2**0.5, rel=0.1)


@pytest.mark.parametrize(
    "spec, ratio", [("pitch:+12", 2), ("pitch:12", 2), ("pitch:-12", 0.5), ("pitch:3.5", 2 ** (3.5 / 12))]
)
def test_pitch_changes_the_frequency_and_keeps_the_length(spec: str, ratio: float) -> None:
    changed = parse(spec).apply(tone(220), RATE, 0)
    assert changed.size == 2 * RATE
    assert peak(changed) == pytest.approx(220 * ratio, rel=0.01)


def test_signed_values_and_joined_effects() -> None:
    assert parse("pitch:+2") == parse("pitch:2")
    assert parse("pitch:+2").name == "pitch2"
    both = parse("tempo:1.25+pitch:+12+telephone")
    assert [(step.kind, step.value) for step in both.steps] == [("tempo", "1.25"), ("pitch", "12"), ("telephone", "")]
    changed = both.apply(tone(220), RATE, 0)
    assert changed.size == pytest.approx(2 * RATE * 0.8, rel=0.02)
    assert peak(changed) == pytest.approx(440, rel=0.01)


@pytest.mark.parametrize("spec", ["tempo:0.4", "tempo:2.1", "tempo:-1", "tempo", "tempo:fast", "tempo:nan"])
def test_tempo_out_of_range(spec: str) -> None:
    with pytest.raises(UsageError, match=r"expected a number from 0\.5 to 2, not"):
        parse(spec)


@pytest.mark.parametrize("spec", ["pitch:12.5", "pitch:-13", "pitch:+13", "pitch", "pitch:up", "pitch:1+2"])
def test_pitch_out_of_range(spec: str) -> None:
    with pytest.raises(UsageError, match="expected a number from -12 to 12, not"):
        parse(spec)


def split_of(folder: Path, clips: dict[str, tuple[np.ndarray, dict[str, str]]]) -> Path:
    folder.mkdir()
    lines = []
    for name, (samples, row) in clips.items():
        soundfile.write(folder / f"{name}.wav", samples, RATE)
        lines.append(json.dumps({"file_name": f"{name}.wav", "item_id": name, **row}) + "\n")
    (folder / "metadata.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


@pytest.mark.parametrize("spec", ["tempo:1.25", "pitch:-3"])
def test_the_same_bytes_twice(spec: str, tmp_path: Path) -> None:
    source = split_of(tmp_path / "source", {"a": (voice(150), {"text": "hello"}), "b": (voice(90), {"text": "you"})})
    one, two = (perturb_split(source, tmp_path / name, parse(spec), 7) for name in ("one", "two"))
    files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert len(files) == 4
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in files)


def test_without_librosa_the_extra_is_named_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = split_of(tmp_path / "source", {"a": (voice(150), {"text": "hello"})})
    monkeypatch.setitem(sys.modules, "librosa", None)
    for command in (
        ["perturb", str(source), "tempo:1.25", "--out", str(tmp_path / "out")],
        ["stats", str(source), "--voices"],
    ):
        with pytest.raises(MissingDependency, match=r"librosa is not installed.*apun\[tts\]"):
            synth.main(command)
    assert not (tmp_path / "out").exists()
    assert synth.main(["stats", str(source)]) == 0


@pytest.mark.parametrize("frequency", [80.0, 150.0, 280.0])
def test_f0_of_a_harmonic_tone(frequency: float) -> None:
    found = voiced_f0(voice(frequency), RATE)
    assert found.size > 20
    assert float(np.median(found)) == pytest.approx(frequency, rel=0.02)


def test_noise_silence_and_scraps_have_no_f0() -> None:
    noise = np.random.default_rng(0).standard_normal(RATE).astype(np.float32) * 0.1
    assert voiced_f0(noise, RATE).size <= 2
    assert voiced_f0(np.zeros(RATE, dtype=np.float32), RATE).size == 0
    assert voiced_f0(voice(150, 0.03), RATE).size == 0
    assert spoken_seconds(np.zeros(RATE, dtype=np.float32), RATE) == 0


def test_silence_at_the_edges_is_no_speech() -> None:
    silence = np.zeros(RATE, dtype=np.float32)
    assert spoken_seconds(np.concatenate([silence, voice(150, 1.5), silence]), RATE) == pytest.approx(1.5, abs=0.1)


def test_table_of_voices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    silence = np.zeros(RATE // 2, dtype=np.float32)
    padded = np.concatenate([silence, voice(100, 2.0), silence])
    clips = {
        "a": (padded, {"voice": "low", "text": "one two three four"}),
        "b": (padded, {"voice": "low", "text": "one two three four five six"}),
        "c": (voice(240, 2.0), {"voice": "high", "text": "外甥打灯笼，照旧"}),
        "d": (np.zeros(RATE, dtype=np.float32) + 1e-4, {"voice": "none"}),
    }
    source = split_of(tmp_path / "split", clips)
    assert synth.main(["stats", str(source), "--voices", "--json"]) == 0
    rows = {row["voice"]: row for row in json.loads(capsys.readouterr().out)["voices"]}
    assert rows["low"]["median F0 (Hz)"] == pytest.approx(100, rel=0.02)
    assert rows["high"]["median F0 (Hz)"] == pytest.approx(240, rel=0.02)
    assert rows["low"]["words/s"] == pytest.approx(2.5, rel=0.06)
    assert rows["low"]["characters/s"] is None
    assert rows["high"]["characters/s"] == pytest.approx(3.5, rel=0.06)
    assert rows["none"]["words/s"] is None
    assert (rows["low"]["clips"], rows["low"]["measured"]) == (2, 2)
    assert synth.main(["stats", str(source), "--voices"]) == 0
    assert "median F0 (Hz)" in capsys.readouterr().out
    assert synth.main(["stats", str(source)]) == 0
    assert "median F0 (Hz)" not in capsys.readouterr().out


def test_few_clips_are_measured_whatever_the_order_of_the_sheet(tmp_path: Path) -> None:
    clips = {str(n): (voice(100 + 20 * n, 0.5), {"voice": "x", "text": "one"}) for n in range(5)}
    one = measured_voices(read_split(split_of(tmp_path / "one", clips)), per_voice=2)
    two = measured_voices(read_split(split_of(tmp_path / "two", dict(reversed(clips.items())))), per_voice=2)
    assert one.rows == two.rows
    assert one.rows[0][1:4:2] == (5, 2)
