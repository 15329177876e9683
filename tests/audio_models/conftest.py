"""Tiny checkpoints of every native class, built once a session, and clips to put to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apun.clips import Clip
from apun.models import LoadOptions, Model


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folder of a family's tiny checkpoint; written on first use, never committed."""
    import tiny

    root = tmp_path_factory.mktemp("checkpoints")
    written: dict[str, Path] = {}

    def find(family: str) -> Path:
        if family == "voxtral":
            pytest.importorskip("mistral_common")
        if family == "gemma-3n":
            pytest.importorskip("timm")
        if family not in written:
            written[family] = tiny.write(family, root / family)
        return written[family]

    return find


@pytest.fixture(scope="session")
def model(checkpoint: Callable[[str], Path]) -> Iterator[Callable[[str], Model]]:
    """A family's model, loaded through ``audio_models.catalogue`` as a user's folder is; shared by the session."""
    from audio_models.catalogue import load

    loaded: dict[str, Model] = {}

    def get(family: str) -> Model:
        if family not in loaded:
            loaded[family] = load(str(checkpoint(family)), LoadOptions(family=family, args={"adapter": "none"}))
        return loaded[family]

    yield get
    for one in loaded.values():
        one.close()


@pytest.fixture(scope="session")
def voices(shared_data: Path) -> list[Clip]:
    """Human speech: 2.0 s, 2.9 s (8 and 16 kHz mono), 4.3 s, 7.7 s at 22 kHz, 11 s of stereo at 44.1 kHz."""
    names = (
        *("harvard-spk2-snt1.wav", "harvard-spk1-snt1.wav", "aishell-BAC009S0724W0121.wav"),
        *("LJ050-0131.wav", "jfk.flac"),
    )
    return [Clip(shared_data / "speech" / name) for name in names]
