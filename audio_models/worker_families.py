"""The families that run in environments of their own: program, code, parts, thinking."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apun.errors import ModelUnavailable
from apun.models import LoadOptions
from apun.readers import thinking
from audio_models import weights
from audio_models.entries import Entry

_END = 1 << 20


@dataclass(frozen=True, slots=True)
class Family:
    """How a family is run.

    Attributes:
        program: its file in ``audio_models/workers``.
        runs_code: whether Python code of the checkpoint is run, so that the user must allow it.
        repository: what to clone, for families whose code is a repository; empty otherwise.
        mark: a file that tells a clone of that repository.
        parts: option name to file or folder expected in the folder of weights, for models that
            are put together from several; empty for an ordinary checkpoint.
        split: text to thinking and answer.
        fixed: further options of the program.
    """

    program: str
    runs_code: bool = False
    repository: str = ""
    mark: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    split: thinking.Splitter = thinking.OPTIONAL
    fixed: Mapping[str, Any] = field(default_factory=dict)


FAMILIES: Mapping[str, Family] = {
    "transformers-chat": Family("transformers_chat.py", split=thinking.OPTIONAL),
    "salmonn": Family(
        "salmonn.py",
        repository="github.com/bytedance/SALMONN (branch salmonn)",
        mark="models/salmonn.py",
        parts={
            "vicuna": "vicuna-13b-v1.1",
            "whisper": "whisper-large-v2",
            "beats": "BEATs_iter3_plus_AS2M_finetuned_on_AS2M_cpt2.pt",
            "checkpoint": "salmonn_v1.pth",
            "bert": "bert-base-uncased",
        },
    ),
    "minicpm-o-2.6": Family("minicpm_o.py", runs_code=True, fixed={"release": "2.6"}),
    "minicpm-o-4.5": Family("minicpm_o.py", runs_code=True, split=thinking.OPTIONAL, fixed={"release": "4.5"}),
    "meralion-2": Family("meralion_2.py", runs_code=True),
    "kimi-audio": Family(
        "kimi_audio.py",
        runs_code=True,
        repository="github.com/MoonshotAI/Kimi-Audio (with its submodules)",
        mark="kimia_infer/api/kimia.py",
    ),
    "step-audio-2": Family(
        "step_audio_2.py",
        runs_code=True,
        repository="github.com/stepfun-ai/Step-Audio2",
        mark="stepaudio2.py",
        split=thinking.OPTIONAL,
    ),
}


def repository_of(entry: Entry, family: Family, options: LoadOptions) -> str | None:
    """The clone that holds a family's code; None for families that need none.

    Raises:
        ModelUnavailable: it was not given or is something else; says what to clone and how to name it.
    """
    if not family.repository:
        return None
    given = options.args.get("repository")
    how = f"clone {family.repository} and give its folder with --model-arg repository=FOLDER"
    if not given:
        raise ModelUnavailable(f"{entry.family} needs its authors' code, which no package index carries: {how}")
    folder = Path(given).expanduser().resolve()
    if not (folder / family.mark).is_file():
        raise ModelUnavailable(f"{folder} is not {entry.family}'s code (there is no {family.mark} in it): {how}")
    return str(folder)


def parts_of(entry: Entry, family: Family, options: LoadOptions) -> tuple[str, dict[str, str]]:
    """The folder of weights of a model put together from parts, and each part's path.

    Raises:
        ModelUnavailable: no folder, or parts are missing; names every one.
    """
    wanted = ", ".join(family.parts.values())
    if not options.weights:
        raise ModelUnavailable(
            f"{entry.family} is put together from several downloads: put {wanted} into one folder and give it "
            "with --weights FOLDER"
        )
    folder = Path(options.weights).expanduser().resolve()
    parts = {name: Path(options.args.get(name, folder / file)).expanduser() for name, file in family.parts.items()}
    missing = [f"{name} ({path})" for name, path in parts.items() if not path.exists()]
    if missing:
        raise ModelUnavailable(
            f"{entry.family} lacks {', '.join(missing)}: put {wanted} into {folder}, or name a part's place with "
            "--model-arg NAME=PATH"
        )
    return str(folder), {name: str(path.resolve()) for name, path in parts.items()}


def content_of(paths: Sequence[str]) -> str:
    """Digest of files and folders, wherever they lie: replies are kept under it, so other weights or code differ.

    Large files count by size, head and tail, as in ``weights.digest``.
    """
    total = hashlib.sha256()
    for path in map(Path, paths):
        if path.is_dir():
            total.update(weights.digest(path).encode())
            continue
        size = path.stat().st_size
        total.update(f"{path.name}\0{size}\0".encode())
        with path.open("rb") as handle:
            total.update(handle.read(_END))
            if size > _END:
                handle.seek(max(_END, size - _END))
                total.update(handle.read(_END))
    return f"sha256:{total.hexdigest()[:16]}"
