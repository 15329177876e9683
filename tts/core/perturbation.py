"""Perturbed copies of a split: the same items, every clip through one effect."""

from __future__ import annotations

import json
from pathlib import Path

from apun.audio_folder import AUDIO, METADATA, json_lines, write_clip
from apun.clips import SAMPLE_RATE
from apun.errors import UsageError
from apun.paths import write_atomic
from apun.splits import file_sha256, find_sheet, read_split
from tts.core.assignment import draw
from tts.core.effects import VERSION, Effect


def perturb_split(source: Path, out: Path, effect: Effect, seed: int) -> Path:
    """Write a copy of a split with every clip perturbed; returns its folder.

    The effect of a clip depends on seed, item and part only. The sheet is written last, so a copy
    without it is unfinished; calling again finishes it, and gives the same bytes.

    Args:
        source: an AudioFolder.
        out: folder of the copy; must not be the source, nor inside it.
        effect: what is done to each clip.
        seed: of the noise.

    Raises:
        DataError: the source is malformed.
        AudioError: a clip of the source cannot be read.
        UsageError: the copy would lie inside its source, or ``out`` holds something else.
    """
    if out.resolve() == source.resolve() or source.resolve() in out.resolve().parents:
        raise UsageError(f"the copy {out} would lie inside its source {source}. Choose another --out")
    split = read_split(source)
    marker = out / "perturbed.json"
    settings = {"effect": effect.name, "seed": seed, "version": VERSION, "source": file_sha256(find_sheet(source))}
    asked = json.dumps(settings, indent=1) + "\n"
    if out.is_dir() and any(out.iterdir()) and (not marker.is_file() or marker.read_text(encoding="utf-8") != asked):
        raise UsageError(f"{out} is not empty and is not this copy. Choose another --out")
    write_atomic(marker, asked)
    rows = []
    for number, ((item, part), row) in enumerate(split.rows.items()):
        clip = split.clip(item, part)
        clip_seed = draw(seed, "perturb", item, part)
        samples = effect.apply(clip.samples, SAMPLE_RATE, clip_seed)
        clip.release()
        file_name = f"{AUDIO}/{number:06d}.flac"
        digest = write_clip(out / file_name, samples, SAMPLE_RATE)
        copied = {
            **row,
            "file_name": file_name,
            "perturbation": effect.name,
            "perturbation_seed": clip_seed,
            "source_sha256": row.get("sha256", ""),
            "sha256": digest,
            "seconds": round(samples.size / SAMPLE_RATE, 4),
            "sampling_rate": SAMPLE_RATE,
        }
        copied.pop("loudness", None)
        if effect.snr is not None:
            copied["snr_db"] = effect.snr
        rows.append(copied)
    for extra in ("items.jsonl", "items.csv"):
        if (source / extra).is_file():
            write_atomic(out / extra, (source / extra).read_text(encoding="utf-8"))
    write_atomic(out / METADATA, json_lines(rows))
    return out
