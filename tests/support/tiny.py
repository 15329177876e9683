"""Tiny checkpoints with random weights in the released formats, to try an adapter without a download.

``python tests/support/tiny.py FAMILY FOLDER`` writes one (a few hundred kilobytes); then
``apun eval --model FOLDER --family FAMILY …`` loads it the way a released one is loaded. The
answers are noise; the paths, shapes, limits and checks are the real ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from apun.errors import UsageError
from apun.registry import load_path
from audio_models.core.checkpoint import quiet

FAMILIES: Mapping[str, str] = {
    "text-llm": "tiny_qwen:text_llm",
    "qwen2-audio": "tiny_qwen:qwen2_audio",
    "audio-reasoner": "tiny_qwen:qwen2_audio",
    "qwen2.5-omni": "tiny_qwen:omni",
    "omni-r1": "tiny_qwen:omni",
    "qwen3-omni": "tiny_qwen:omni3",
    "qwen3-omni-thinking": "tiny_qwen:omni3",
    "audio-flamingo-3": "tiny_qwen:flamingo",
    "voxtral": "tiny_others:voxtral",
    "granite-speech": "tiny_others:granite_speech",
    "gemma-3n": "tiny_others:gemma3n",
    "gemma-4": "tiny_others:gemma4",
    "phi-4-multimodal": "tiny_others:phi4",
}


def write(family: str, folder: Path, *, seed: int = 0) -> Path:
    """Write a tiny checkpoint.

    Args:
        family: one of ``FAMILIES``.
        folder: made if need be.
        seed: seeds the random weights.

    Returns:
        The folder.

    Raises:
        UsageError: there is no tiny checkpoint of that family.
    """
    import torch

    if family not in FAMILIES:
        raise UsageError(f"there is no tiny checkpoint of {family!r}; there are {', '.join(sorted(FAMILIES))}")
    folder.mkdir(parents=True, exist_ok=True)
    quiet()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        load_path(FAMILIES[family])(folder)
    return folder


def main(argv: Sequence[str] | None = None) -> int:
    """Write a tiny checkpoint and say how to run it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("family", choices=sorted(FAMILIES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    folder = write(options.family, options.folder, seed=options.seed)
    print(json.dumps({"folder": str(folder), "family": options.family}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
