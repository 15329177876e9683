"""Models and voices that pin other libraries: environments of their own, made from pinned requirements.

``protocol`` frames messages, ``server`` runs inside the other environment (by path, with the standard library alone)
and ``client`` drives it from apun's; here environments are made and found again by name.

Requirements lie in ``apun/environments/pins/NAME.txt``; a first line ``# python: 3.11`` names the
interpreter they were resolved for. An environment counts as made when its marker names the
digest of the requirements it was made from, so a changed pin or an interrupted install is
noticed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from apun import digests
from apun.errors import ApunError, ModelUnavailable
from apun.registry import unknown

LOCKS = Path(__file__).with_name("pins")
MARKER = "apun-env.json"
_PYTHON = re.compile(r"#\s*python:\s*(\d+\.\d+)")


class EnvironmentFailed(ApunError):
    """An environment could not be made; says which step failed and what it wrote."""


@dataclass(frozen=True, slots=True)
class Status:
    """An environment as ``apun env list`` shows it: ``state`` is ready, absent, stale or incomplete."""

    name: str
    state: str
    folder: Path
    python: str


def names() -> list[str]:
    """Environments that can be made."""
    return sorted(path.stem for path in LOCKS.glob("*.txt"))


def root() -> Path:
    """Where environments are kept: ``$APUN_ENVS``, a checkout's ``.venvs``, or the user's data folder."""
    if chosen := os.environ.get("APUN_ENVS"):
        return Path(chosen)
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file():
        return checkout / ".venvs"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "apun" / "envs"


def lock_of(name: str) -> Path:
    """The requirements of an environment.

    Raises:
        UsageError: there is no environment of that name.
    """
    if name not in names():
        raise unknown("environment", name, names(), "List them with 'apun env list'.")
    return LOCKS / f"{name}.txt"


def status(name: str) -> Status:
    """Whether an environment is ready."""
    lock, folder = lock_of(name), root() / name
    wanted = _PYTHON.search(lock.read_text(encoding="utf-8"))
    version = wanted.group(1) if wanted else f"{sys.version_info.major}.{sys.version_info.minor}"
    if not folder.is_dir():
        state = "absent"
    else:
        try:
            made = json.loads((folder / MARKER).read_text(encoding="utf-8"))
            state = "ready" if made["lock"] == digests.of_file(lock) else "stale"
        except (OSError, ValueError, KeyError, TypeError):
            state = "incomplete"
    return Status(name, state, folder, version)


def python_of(name: str) -> Path:
    """The interpreter of a ready environment.

    Raises:
        ModelUnavailable: it has not been made, or was made from other pins; says the command.
    """
    found = status(name)
    if found.state != "ready":
        raise ModelUnavailable(
            f"the environment {name!r} is {found.state} ({found.folder}). "
            f"Make it with: python -m apun.env create {name}"
        )
    return _interpreter(found.folder)


def create(name: str, *, again: bool = False, say: Callable[[str], None] = print) -> Path:
    """Make an environment from its pins with ``venv`` and ``pip``; returns its interpreter.

    Args:
        name: a name of ``names()``.
        again: make it anew even when it is ready.
        say: told what is being done.

    Raises:
        UsageError: there is no environment of that name.
        EnvironmentFailed: no fitting interpreter, or pip failed.
    """
    before = status(name)
    if before.state == "ready" and not again:
        return _interpreter(before.folder)
    base = _base_python(before.python)
    if before.folder.exists():
        shutil.rmtree(before.folder)
    before.folder.parent.mkdir(parents=True, exist_ok=True)
    lock = lock_of(name)
    say(f"making {before.folder} with Python {before.python}")
    _run([base, "-m", "venv", str(before.folder)], "venv")
    python = _interpreter(before.folder)
    say(f"installing {lock.name}")
    _run([str(python), "-m", "pip", "install", "--disable-pip-version-check", "-q", "-r", str(lock)], "pip")
    marker = {"name": name, "lock": digests.of_file(lock), "python": before.python}
    (before.folder / MARKER).write_text(json.dumps(marker) + "\n", encoding="utf-8")
    return python


def _interpreter(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _base_python(version: str) -> str:
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return getattr(sys, "_base_executable", None) or sys.executable
    found = shutil.which(f"python{version}")
    if found is None:
        raise EnvironmentFailed(f"Python {version} is needed and python{version} is not on the PATH. Install it first")
    return found


def _run(command: list[str], step: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join((done.stderr or done.stdout).strip().splitlines()[-15:])
        raise EnvironmentFailed(f"{step} failed with exit status {done.returncode}:\n{tail}")
