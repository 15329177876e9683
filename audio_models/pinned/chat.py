"""The handler of every audio model's worker: clips and messages in, an answer and what was heard out.

Runs in the model's environment, on Python 3.9 or later, with numpy and what that environment holds.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

RATE = 16_000


def load(options: dict[str, Any]) -> Chat:
    """Load a family's model.

    Args:
        options: ``program`` (the family's file), ``device``, ``dtype``, ``threads``, ``weights`` and
            whatever else the family takes.
    """
    program = Path(options["program"])
    name = "apun_family_" + program.stem
    spec = importlib.util.spec_from_file_location(name, program)
    if spec is None or spec.loader is None:
        raise ImportError(f"{program} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    threads = int(options.get("threads") or 0)
    if threads:
        import torch

        torch.set_num_threads(threads)
    return Chat(module.load(placed(options)))


def placed(options: dict[str, Any]) -> dict[str, Any]:
    """The options with ``auto`` device and numeric type decided: bfloat16 on an accelerator, else float32."""
    device, dtype = options.get("device") or "auto", options.get("dtype") or "auto"
    if device == "auto":
        import torch

        device = "cuda" if torch.cuda.is_available() else "cpu"
    if dtype == "auto":
        dtype = "bfloat16" if device.startswith("cuda") else "float32"
    return {**options, "device": device, "dtype": dtype}


class Chat:
    """A loaded model that answers one conversation at a time."""

    def __init__(self, model: Any) -> None:
        self._model = model
        known = set(model.controls)
        tokenizer = getattr(model, "tokenizer", None)
        if tokenizer is not None:
            known.update(tokenizer.all_special_tokens)
            known.update(token.content for token in tokenizer.added_tokens_decoder.values())
        words = sorted({word for word in known if word and not word.isspace()}, key=len, reverse=True)
        self._controls = re.compile("|".join(map(re.escape, words)) or r"(?!)")

    def info(self) -> dict[str, Any]:
        """What was loaded: class, numeric type and device, the family's own facts, and the versions it runs on."""
        versions = {"python": platform.python_version()}
        for name in ("torch", "transformers", "peft", "numpy"):
            if name in sys.modules:
                versions[name] = str(getattr(sys.modules[name], "__version__", ""))
        own = {"class": type(getattr(self._model, "model", self._model)).__name__}
        own.update(
            {name: str(getattr(self._model, name)) for name in ("dtype", "device") if hasattr(self._model, name)}
        )
        if hasattr(self._model, "info"):
            own.update(self._model.info())
        return {**own, "versions": versions}

    def answer(self, messages: list[Any], clips: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
        """Answer a conversation.

        Args:
            messages: see the package's docstring.
            clips: float32 mono samples at 16 kHz, each of shape ``(n,)``.
            settings: ``max_new_tokens``, ``temperature``, ``seed``.

        Returns:
            The family's answer; ``heard`` (sha256 of the samples of each clip that was passed on),
            ``seconds_taken`` and ``neutralised`` (control tokens typed in the texts) are added.

        Raises:
            ValueError: the clips are not what was agreed on, or the settings cannot be followed.
        """
        for clip in clips:
            if str(clip.dtype) != "float32" or clip.ndim != 1 or not clip.size:
                raise ValueError(f"a clip must be float32 of shape (n,), not {clip.dtype} of {clip.shape}")
        if settings.get("temperature") and not getattr(self._model, "samples", False):
            raise ValueError("this family is only run greedily (temperature 0)")
        count = 0

        def plain(text: str) -> str:
            nonlocal count
            text, found = self._controls.subn(lambda match: match.group()[0] + " " + match.group()[1:], text)
            count += found
            return text

        cleaned = [
            {
                "role": message["role"],
                "content": [{"text": plain(p["text"])} if "text" in p else p for p in message["content"]],
            }
            for message in messages
        ]
        settings = {**settings, "arguments": generation(settings)}
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="apun-clips-") as folder:
            if hasattr(self._model, "ask"):
                answer = dict(self._model.ask(self._question(cleaned, clips), clips[0], settings))
            else:
                given = as_files(clips, Path(folder)) if getattr(self._model, "wants_files", False) else clips
                answer = dict(self._model.generate(cleaned, given, settings))
        answer["seconds_taken"] = time.perf_counter() - started
        answer["heard"] = [hashlib.sha256(clip.astype("<f4").tobytes()).hexdigest() for clip in clips]
        answer["neutralised"] = count
        return answer

    def _question(self, messages: list[Any], clips: list[Any]) -> str:
        """A conversation as the one question about one clip that some models are asked; there is no system role."""
        title, longest = self._model.title, self._model.longest
        if len(clips) != 1:
            raise ValueError(f"{title} takes one clip in a prompt, not {len(clips)}")
        if clips[0].size > longest * RATE:
            raise ValueError(f"{title} hears {longest} s of a clip; the rest would be dropped")
        if any(message["role"] == "assistant" for message in messages):
            raise ValueError(f"{title} is asked one question at a time; the conversation has earlier turns")
        texts = ["".join(part.get("text", "") for part in message["content"]).strip() for message in messages]
        return "\n\n".join(texts).strip()


def generation(settings: dict[str, Any]) -> dict[str, Any]:
    """Arguments of transformers' ``generate``: temperature 0 sets every sampling and penalty field."""
    chosen: dict[str, Any] = {
        "max_new_tokens": settings["max_new_tokens"],
        "do_sample": False,
        "num_beams": 1,
        "repetition_penalty": 1.0,
        "temperature": None,
        "top_p": None,
        "top_k": None,
    }
    if settings.get("temperature"):
        chosen.update(do_sample=True, temperature=float(settings["temperature"]), top_p=1.0, top_k=0)
    return chosen


def as_files(clips: list[Any], folder: Path) -> list[str]:
    """Write clips as 32-bit float WAV files, which hold the very samples; returns their paths."""
    import soundfile

    paths = []
    for index, clip in enumerate(clips):
        path = os.fspath(folder / f"{index}.wav")
        soundfile.write(path, clip, RATE, subtype="FLOAT")
        paths.append(path)
    return paths
