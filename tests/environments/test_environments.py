"""Environments: made once, found again, noticed when stale or half made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from apun import env, environments
from apun.environments import EnvironmentFailed
from apun.errors import ModelUnavailable, UsageError


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    locks = tmp_path / "locks"
    locks.mkdir()
    (locks / "toy.txt").write_text(f"# python: {sys.version_info.major}.{sys.version_info.minor}\n")
    monkeypatch.setattr(environments, "LOCKS", locks)
    monkeypatch.setenv("APUN_ENVS", str(tmp_path / "envs"))
    return locks / "toy.txt"


def test_made_found_stale_and_incomplete(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert environments.status("toy").state == "absent"
    with pytest.raises(ModelUnavailable, match=r"absent.*apun\.env create toy"):
        environments.python_of("toy")
    assert env.main(["create", "toy"]) == 0
    python = environments.python_of("toy")
    prefix = subprocess.run([python, "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True, check=True)
    assert Path(prefix.stdout.strip()) == environments.status("toy").folder
    assert environments.create("toy", say=lambda _: pytest.fail("made a second time")) == python
    toy.write_text(toy.read_text() + "# another pin\n")
    assert environments.status("toy").state == "stale"
    (environments.status("toy").folder / environments.MARKER).unlink()
    assert environments.status("toy").state == "incomplete"
    env.main(["list"])
    assert "incomplete" in capsys.readouterr().out


def test_failures_are_named(toy: Path) -> None:
    with pytest.raises(UsageError, match="toy"):
        environments.create("tay")
    toy.write_text("# python: 2.4\n")
    with pytest.raises(EnvironmentFailed, match=r"Python 2\.4 is needed"):
        environments.create("toy")
    toy.write_text("--no-index\nno-such-package-of-apun==1\n")
    with pytest.raises(EnvironmentFailed, match="no-such-package-of-apun"):
        environments.create("toy", say=lambda _: None)
    assert environments.status("toy").state == "incomplete"


def test_every_shipped_lock_pins_every_requirement() -> None:
    for name in environments.names():
        for line in environments.lock_of(name).read_text(encoding="utf-8").splitlines():
            entry = line.split("#")[0].strip()
            assert not entry or entry.startswith("-") or "==" in entry, f"{name}: {entry} is not pinned"
