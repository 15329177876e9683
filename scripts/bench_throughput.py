"""Batches and encoding ahead against one prompt at a time, on the CPU with a tiny checkpoint.

``python scripts/bench_throughput.py`` writes 256 clips (stereo, 22.05 kHz, 0.6 to 3 s) and a tiny random
checkpoint, then answers every clip twice: one by one, each clip decoded, encoded and answered before
the next; and through the runner's engine, in batches of similar length that are decoded and encoded
ahead. It prints prompts a second, their ratio, and the share of the time the network is idle between
its ``generate`` calls. The replies of both must be the same.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apun.clips import Clip
from apun.measure.probing import ask, voiced
from apun.models import Generation, LoadOptions, Model
from apun.prompts import Prompt
from apun.report.tables import Table
from apun.run import answering
from apun.tasks import Question

ROOT = Path(__file__).resolve().parents[1]
TASK = "bench"


@dataclass
class Watched:
    """A network that notes when it is busy."""

    network: Any
    spans: list[tuple[float, float]] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.network, name)

    def generate(self, **arguments: Any) -> Any:
        """The network's own ``generate``, timed."""
        started = time.perf_counter()
        out = self.network.generate(**arguments)
        self.spans.append((started, time.perf_counter()))
        return out

    def idle(self) -> float:
        """Share of the time from the first call to the end of the last that lay between calls."""
        whole = self.spans[-1][1] - self.spans[0][0]
        return 1.0 - sum(end - start for start, end in self.spans) / whole


def write_clips(folder: Path, count: int) -> list[Path]:
    """Clips of different lengths and pitches."""
    import numpy as np
    import soundfile

    paths = []
    for index in range(count):
        seconds = 0.6 + 2.4 * ((index * 37) % count) / count
        samples = voiced(seconds, 90.0 + index % 60 * 5, 22_050)
        paths.append(folder / f"{index:04d}.wav")
        soundfile.write(paths[-1], np.stack([samples, samples * 0.7], axis=1), 22_050)
    return paths


def prompts(paths: Sequence[Path]) -> list[Prompt]:
    """One prompt a clip, nothing decoded yet."""
    return [Prompt(path.stem, TASK, ask([Clip(path)]).messages) for path in paths]


def one_by_one(model: Model, asked: Sequence[Prompt], generation: Generation) -> dict[str, str]:
    """Each prompt by itself; the next one is not touched before this one is answered."""
    return {prompt.id: model.generate([prompt], generation)[0].text for prompt in asked}


def in_batches(model: Model, asked: Sequence[Prompt], generation: Generation) -> dict[str, str]:
    """Through the engine of ``apun eval``."""

    def questions() -> Iterator[Question]:
        for prompt in asked:
            yield Question(prompt.id, TASK, None, "p0", prompt)  # type: ignore[arg-type]

    answered = answering.InProcess(model, 1_000_000).run(questions(), lambda question: generation, lambda: False)
    return {one.question.id: one.reply.text for one in answered}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--clips", type=int, default=256)
    parser.add_argument("--family", default="qwen2.5-omni", help="family of the tiny checkpoint")
    parser.add_argument("--max-new-tokens", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1, help="torch threads")
    options = parser.parse_args(argv)

    import torch

    sys.path.insert(0, str(ROOT / "tests" / "support"))
    import tiny

    from audio_models.catalogue import load

    torch.set_num_threads(options.threads)
    generation = Generation(max_new_tokens=options.max_new_tokens)
    rows, texts = [], []
    with tempfile.TemporaryDirectory(prefix="apun-bench-") as place:
        folder = Path(place)
        paths = write_clips(folder, options.clips)
        checkpoint = tiny.write(options.family, folder / "checkpoint")
        model: Any = load(str(checkpoint), LoadOptions(family=options.family, device="cpu"))
        one_by_one(model, prompts(paths[:2]), generation)  # first calls initialise libraries
        network = model.network
        for name, way in (("one by one", one_by_one), ("batches, encoded ahead", in_batches)):
            model.network = watched = Watched(network)
            started = time.perf_counter()
            texts.append(way(model, prompts(paths), generation))
            took = time.perf_counter() - started
            rows.append((name, took, options.clips / took, len(watched.spans), 100.0 * watched.idle()))
        sizes = model.batch_size.summary()["used"]
        model.close()
    ratio = rows[0][1] / rows[1][1]
    table = Table(
        "throughput",
        f"{options.clips} clips, tiny {options.family}, {options.max_new_tokens} new tokens, CPU",
        ("way", "seconds", "prompts/s", "calls", "network idle %"),
        tuple(rows),
        notes=(f"ratio {ratio:.2f}; batch sizes used {sizes}",),
    )
    print(table.to_text())
    if texts[0] != texts[1]:
        different = sum(texts[0][name] != texts[1].get(name) for name in texts[0])
        print(f"{different} replies differ between the two ways", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
