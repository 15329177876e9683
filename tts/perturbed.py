"""Perturbed copies of a split: the same items, every clip through one effect."""

from __future__ import annotations

import json
import os
from pathlib import Path

from apun.errors import UsageError
from apun.paths import write_atomic
from apun.splits import file_sha256, read_split
from tts.jobs import draw
from tts.perturb import VERSION, Effect


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
    import soundfile

    if out.resolve() == source.resolve() or source.resolve() in out.resolve().parents:
        raise UsageError(f"the copy {out} would lie inside its source {source}. Choose another --out")
    split = read_split(source)
    marker = out / "perturbed.json"
    settings = {"effect": effect.name, "seed": seed, "version": VERSION, "source": _identity(source)}
    asked = json.dumps(settings, indent=1) + "\n"
    if out.is_dir() and any(out.iterdir()) and (not marker.is_file() or marker.read_text(encoding="utf-8") != asked):
        raise UsageError(f"{out} is not empty and is not this copy. Choose another --out")
    (out / "audio").mkdir(parents=True, exist_ok=True)
    write_atomic(marker, asked)
    lines = []
    for number, ((item, part), row) in enumerate(split.rows.items()):
        clip = split.clip(item, part)
        clip_seed = draw(seed, "perturb", item, part)
        rate = 16_000
        samples = effect.apply(clip.samples, rate, clip_seed)
        clip.release()
        target = out / "audio" / f"{number:06d}.flac"
        temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            soundfile.write(temporary, samples, rate, format="FLAC", subtype="PCM_16")
            digest = file_sha256(temporary)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
        copied = {
            **row,
            "file_name": f"audio/{target.name}",
            "perturbation": effect.name,
            "perturbation_seed": clip_seed,
            "source_sha256": row.get("sha256", ""),
            "sha256": digest,
            "seconds": round(samples.size / rate, 4),
            "sampling_rate": rate,
        }
        copied.pop("loudness", None)
        if effect.snr is not None:
            copied["snr_db"] = effect.snr
        lines.append(json.dumps(copied, ensure_ascii=False) + "\n")
    for extra in ("items.jsonl", "items.csv"):
        if (source / extra).is_file():
            write_atomic(out / extra, (source / extra).read_text(encoding="utf-8"))
    write_atomic(out / "metadata.jsonl", "".join(lines))
    return out


def _identity(source: Path) -> str:
    from apun.splits import find_sheet

    return file_sha256(find_sheet(source))
