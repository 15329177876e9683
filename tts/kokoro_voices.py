"""Kokoro's voices: the five style vectors of the package, and voices made from them.

A derived voice mixes two style vectors and scales the vocal tract: the model speaks at
``speed / tract`` and the samples are then taken to be ``tract`` times faster, so formants and
pitch move together (a longer tract, a deeper voice: ``tract`` < 1) and the tempo stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
