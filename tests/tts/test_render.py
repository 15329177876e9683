"""Rendering: atomic, cached by content, refused when the audio is bad, the same for any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import soundfile

from apun.errors import AudioError, PhoneticError, UsageError
from apun.models import Rendering, Voice
from apun.speech import Utterance
from tts.core.engine import assign, require_forcing
from tts.core.rendering import ensure

RATE = 22_050


@dataclass
class Beeper:
    """An engine that beeps; what it does wrong is a matter of voice."""

    name: str = "beeper"
    version: str = "1"
    deterministic: bool = True
    spoken: list[tuple[str, str]] = field(default_factory=list)
    names: tuple[str, ...] = ("v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7")
    broken: tuple[str, ...] = ()

    def voices(self) -> Sequence[Voice]:
        return [Voice(name, self.name, ("en",)) for name in self.names]

    def forces(self, language: str) -> tuple[str, ...]:
        return ("ipa",) if language == "en" else ()

    def speak(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        self.spoken.append((utterance.item, voice))
        if voice in self.broken:
            return Rendering(np.zeros(0, dtype=np.float32), RATE, utterance.text)
        time = np.arange(int(0.4 * RATE)) / RATE
        tone = 0.2 * np.sin(2 * np.pi * (200 + 50 * self.names.index(voice)) * time)
        quiet = np.zeros(RATE // 2)
        return Rendering(np.concatenate([quiet, tone, quiet]).astype(np.float32), RATE, utterance.text)

    def close(self) -> None: ...


def texts(count: int, **fields: object) -> list[Utterance]:
    return [Utterance(f"i{n}", f"text {n}", "en", **fields) for n in range(count)]  # type: ignore[arg-type]


def test_second_call_renders_nothing_and_gives_the_same_clips(tmp_path: Path) -> None:
    engine = Beeper()
    seen: list[tuple[int, int]] = []
    first = ensure(texts(6), engine, "all", 0, tmp_path, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (6, 6)
    again = Beeper()
    second = ensure(texts(6), again, "all", 0, tmp_path)
    assert len(engine.spoken) == 6
    assert again.spoken == []
    assert [first.clip(f"i{n}").sha256 for n in range(6)] == [second.clip(f"i{n}").sha256 for n in range(6)]
    assert first.rows == second.rows


def test_a_damaged_or_half_written_clip_is_rendered_again(tmp_path: Path) -> None:
    split = ensure(texts(3), Beeper(), "all", 0, tmp_path)
    before = split.clip("i0").sha256
    paths = [split.clip(f"i{n}").path for n in range(3)]
    assert all(path is not None for path in paths)
    paths[0].write_bytes(paths[0].read_bytes()[:-7])  # type: ignore[union-attr]
    paths[1].with_suffix(".json").unlink()  # type: ignore[union-attr]
    engine = Beeper()
    again = ensure(texts(3), engine, "all", 0, tmp_path)
    assert sorted(item for item, _ in engine.spoken) == ["i0", "i1"]
    assert again.clip("i0").sha256 == before


def test_voice_depends_on_seed_and_item_not_on_order(tmp_path: Path) -> None:
    forward = ensure(texts(40), Beeper(), "all", 0, tmp_path)
    backward = ensure(texts(40)[::-1], Beeper(), "all", 0, tmp_path)
    voices = {f"i{n}": forward.row(f"i{n}")["voice"] for n in range(40)}
    assert voices == {f"i{n}": backward.row(f"i{n}")["voice"] for n in range(40)}
    assert len(set(voices.values())) >= 6
    other = [assign(u, Beeper(), Beeper().names, 1).voice for u in texts(40)]
    assert other != list(voices.values())


def test_parts_of_an_item_share_the_voice(tmp_path: Path) -> None:
    pair = [Utterance("i", "pane", "en", part="a"), Utterance("i", "pain", "en", part="b")]
    split = ensure(pair, Beeper(), "all", 3, tmp_path)
    assert split.row("i", "a")["voice"] == split.row("i", "b")["voice"]
    assert split.parts("i") == ("a", "b")


def test_clip_is_trimmed_levelled_and_16_bit(tmp_path: Path) -> None:
    split = ensure(texts(1), Beeper(), "v0", 0, tmp_path)
    path = split.clip("i0").path
    assert path is not None
    info = soundfile.info(path)
    assert (info.format, info.subtype, info.samplerate, info.channels) == ("FLAC", "PCM_16", RATE, 1)
    assert split.clip("i0").seconds == pytest.approx(0.6, abs=0.03)
    assert split.row("i0")["loudness"] == pytest.approx(-23, abs=0.01)


def test_a_bad_voice_is_retried_with_another_and_a_bad_engine_is_named(tmp_path: Path) -> None:
    engine = Beeper(broken=("v0", "v1"))
    split = ensure(texts(30), engine, "all", 0, tmp_path)
    retried = [row for row in split.rows.values() if row["take"]]
    assert retried
    assert not {row["voice"] for row in split.rows.values()} & {"v0", "v1"}
    with pytest.raises(AudioError, match=r"'i0'.*empty"):
        ensure(texts(1), Beeper(broken=Beeper().names), "all", 0, tmp_path / "other")


def test_engine_version_text_and_reading_are_part_of_the_key(tmp_path: Path) -> None:
    ensure(texts(1), Beeper(), "v0", 0, tmp_path)
    for engine, utterance in (
        (Beeper(version="2"), texts(1)[0]),
        (Beeper(), Utterance("i0", "text 0!", "en")),
        (Beeper(), Utterance("i0", "text 0", "en", reading={"ipa": "tɛkst"})),
    ):
        ensure([utterance], engine, "v0", 0, tmp_path)
        assert engine.spoken == [("i0", "v0")]


def test_readings_that_cannot_be_forced_are_refused_unless_insisted(tmp_path: Path) -> None:
    item = Utterance("i1", "bow", "en", reading={"respelling": "bough"}, must_force=True)
    with pytest.raises(UsageError, match="i1"):
        ensure([item], Beeper(), "all", 0, tmp_path)
    assert ensure([item], Beeper(), "all", 0, tmp_path, insist=True).parts("i1") == ("main",)
    require_forcing([Utterance("i2", "bow", "en", reading={"ipa": "baʊ"}, must_force=True)], Beeper())


def test_unknown_voice_and_language_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="v9"):
        ensure(texts(1), Beeper(), ["v9"], 0, tmp_path)
    with pytest.raises(UsageError, match="zh"):
        ensure([Utterance("i", "好", "zh")], Beeper(), "all", 0, tmp_path)


def test_an_unspeakable_text_names_its_item(tmp_path: Path) -> None:
    class Mute(Beeper):
        def speak(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
            raise PhoneticError(f"no sound for {utterance.text!r}")

    with pytest.raises(AudioError, match=r"'i0'.*no sound for 'text 0'"):
        ensure(texts(1), Mute(), "all", 0, tmp_path)
