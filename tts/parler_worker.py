"""Parler-TTS inside its own environment; driven by ``tts.parler`` through the worker protocol.

Read by path in an environment that has no apun: standard library, numpy and what
``apun/environments/pins/parler.txt`` installs.
"""

from __future__ import annotations

import importlib.machinery
import sys
import types
from typing import Any


def load(options: dict[str, Any]) -> ParlerSpeaker:
    """Load a checkpoint: ``model`` (hub id or folder), ``revision``, ``device``, ``dtype``, ``threads``."""
    return ParlerSpeaker(**options)


class ParlerSpeaker:
    """A loaded Parler-TTS model."""

    def __init__(
        self, model: str, revision: str | None = None, device: str = "auto", dtype: str = "auto", threads: int = 0
    ) -> None:
        _without_torchaudio()
        import torch
        from parler_tts import ParlerTTSForConditionalGeneration  # type: ignore[import-not-found,unused-ignore]
        from transformers import AutoTokenizer

        if threads:
            torch.set_num_threads(threads)
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        if dtype == "auto":
            dtype = "bfloat16" if device.startswith("cuda") else "float32"
        self.model = ParlerTTSForConditionalGeneration.from_pretrained(
            model, revision=revision, torch_dtype=getattr(torch, dtype), attn_implementation="eager"
        )
        self.model = self.model.to(device).eval()
        self.device, self.dtype = device, dtype
        self.tokenizer = AutoTokenizer.from_pretrained(model, revision=revision)
        described_by = getattr(self.model.config.text_encoder, "_name_or_path", "") or model
        try:
            self.description_tokenizer = AutoTokenizer.from_pretrained(described_by)
        except (OSError, ValueError):  # the encoder's own repository is not here: mini and large share the tokenizer
            self.description_tokenizer = self.tokenizer
        self.rate = int(self.model.audio_encoder.config.sampling_rate)

    def info(self) -> dict[str, Any]:
        """What was loaded."""
        import parler_tts
        import torch
        import transformers

        return {
            "rate": self.rate,
            "device": self.device,
            "dtype": self.dtype,
            "commit": getattr(self.model.config, "_commit_hash", None),
            "parler_tts": getattr(parler_tts, "__version__", ""),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
        }

    def speak(self, text: str, description: str, seed: int) -> dict[str, Any]:
        """Speak a text in the voice that is described; float32 samples of shape ``(n,)``."""
        import numpy as np
        import torch

        described = self.description_tokenizer(description, return_tensors="pt").to(self.device)
        prompt = self.tokenizer(text, return_tensors="pt").to(self.device)
        torch.manual_seed(seed)
        with torch.inference_mode():
            audio = self.model.generate(
                input_ids=described.input_ids,
                attention_mask=described.attention_mask,
                prompt_input_ids=prompt.input_ids,
                prompt_attention_mask=prompt.attention_mask,
            )
        return {"samples": np.atleast_1d(audio.float().cpu().numpy().squeeze()).astype(np.float32), "rate": self.rate}


def _without_torchaudio() -> None:
    """Let descript-audiotools import without torchaudio, whose wheels need CUDA's libraries.

    Nothing that generation uses calls it; a call would fail loudly, the stand-in is empty.
    """
    try:
        import torchaudio  # noqa: F401
    except (ImportError, OSError):
        stand_in = types.ModuleType("torchaudio")
        stand_in.__spec__ = importlib.machinery.ModuleSpec("torchaudio", None)
        sys.modules["torchaudio"] = stand_in
