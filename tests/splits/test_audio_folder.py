"""Writing an AudioFolder: names that are safe and unique, clips that are whole."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from apun import digests
from apun.audio_folder import AUDIO, METADATA, file_names, json_lines, write_clip
from apun.errors import UsageError
from apun.speech import Utterance
from apun.splits import read_split


@given(st.lists(st.tuples(st.text(max_size=12), st.sampled_from(["main", "a", "ß/.."])), max_size=8, unique=True))
@settings(deadline=None, max_examples=200)
def test_names_are_unique_plain_and_short(items: list[tuple[str, str]]) -> None:
    names = file_names([Utterance(item, "text", "en", part) for item, part in items])
    assert len({name.lower() for name in names}) == len(items)
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,130}", name) and not name.startswith(".") for name in names)


def test_plain_ids_stay_and_repeated_parts_are_refused() -> None:
    assert file_names([Utterance("s1", "x", "en"), Utterance("s1", "y", "en", "alt")]) == ["s1", "s1--alt"]
    with pytest.raises(UsageError, match="same part twice"):
        file_names([Utterance("s1", "x", "en"), Utterance("s1", "y", "en")])


def test_a_clip_is_written_whole_and_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = (np.sin(np.arange(8_000) / 10) * 20_000).astype(np.int16)
    digest = write_clip(tmp_path / AUDIO / "a.flac", samples, 16_000)
    assert digest == digests.of_file(tmp_path / AUDIO / "a.flac")
    row = {"file_name": f"{AUDIO}/a.flac", "item_id": "é", "sha256": digest}
    (tmp_path / METADATA).write_text(json_lines([row]), encoding="utf-8")
    clip = read_split(tmp_path, verify=True).clip("é")
    assert np.array_equal((clip.samples * 32_768).round().astype(np.int16), samples)

    def half(path: Path, *args: object, **options: object) -> None:
        path.write_bytes(b"fLaC")
        raise KeyboardInterrupt

    monkeypatch.setattr(soundfile, "write", half)
    with pytest.raises(KeyboardInterrupt):
        write_clip(tmp_path / AUDIO / "b.flac", samples, 16_000)
    assert [path.name for path in (tmp_path / AUDIO).iterdir()] == ["a.flac"]
