"""How fast ``apun synth`` renders: real-time factor and clips a minute, with one process and with more.

    python scripts/bench_synth.py [--clips 24] [--workers 2] [--engine kokoro] [--gate whisper-base]

Start-up of the processes is counted, as a user waits for it too; it is also shown on its own.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from apun import registry
from apun.report.tables import Table
from apun.tasks import Subset
from tts.core.gate import Limits
from tts.core.synthesis import Request, synthesise


def main() -> None:
    """Render the same items with one process and with several, into folders that are thrown away."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--clips", type=int, default=24)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--engine", default="kokoro")
    options.add_argument("--gate", default="none", help="recogniser, or none")
    args = options.parse_args()
    benchmark = registry.benchmark("apun")
    items = benchmark.load(Subset("sample"))[:: max(1, 210 // args.clips)][: args.clips]
    spoken = [utterance for item in items for utterance in benchmark.utterances(item, "default")]
    rows = []
    seconds_of_one = 0.0
    for workers in (1, args.workers):
        with tempfile.TemporaryDirectory() as folder:
            first: list[float] = []

            def note(done: int, total: int, spent: float, first: list[float] = first) -> None:
                first.append(spent)

            started = time.monotonic()
            report = synthesise(
                Request(
                    spoken,
                    Path(folder) / "split",
                    args.engine,
                    workers=workers,
                    recogniser=None if args.gate == "none" else args.gate,
                    limits=Limits(),
                ),
                note,
            )
            wall = time.monotonic() - started
            audio = sum(float(row["seconds"]) for row in report.rows)
            seconds_of_one = seconds_of_one or wall
            factor = wall / audio
            steady = (len(report.rows) - 1) * 60 / max(wall - first[0], 1e-9)
            rate = len(report.rows) * 60 / wall
            rows.append((workers, len(report.rows), audio, wall, first[0], factor, rate, steady, seconds_of_one / wall))
    columns = (
        *("processes", "clips", "audio s", "wall s", "first clip s", "RTF", "clips/min", "clips/min once started"),
        "speed-up",
    )
    title = f"apun synth: {args.engine}, gate {args.gate}"
    print(Table("bench_synth", title, columns, tuple(rows)).to_text())


if __name__ == "__main__":
    main()
