"""APUN-Bench for the harness: tasks, data, speech and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apun.tasks import Benchmark, Runs
from benchmarks.apun_bench.data import load
from benchmarks.apun_bench.speaking import FORM, utterances
from benchmarks.apun_bench.tables import speech
from benchmarks.apun_bench.tasks import chain, inference, listening, location, recognition

if TYPE_CHECKING:
    from apun.report.tables import Table


def tables(runs: Runs) -> Sequence[Table]:
    """Every table and analysis the runs' scores allow, in the paper's layout."""
    from benchmarks.apun_bench.tables import all_tables

    return all_tables(runs)


_TASKS = (recognition.TASK, location.TASK, inference.TASK, chain.TASK, listening.TASK)

BENCHMARK = Benchmark(
    name="apun",
    title="APUN-Bench: spoken English puns - recognise, locate, infer",
    version=1,
    paper="Su et al., Words at Play: Benchmarking Audio Pun Understanding in Large Audio-Language Models",
    tasks={task.name.partition(".")[2]: task for task in _TASKS},
    subsets={
        "sample": "written for apun and embedded; rendered to speech on first use",
        "synthetic": "a rendered split in a folder of yours (made by 'apun synth')",
        "real": "recordings in a folder of yours (made by 'apun ingest')",
    },
    load=load,
    utterances=utterances,
    tables=tables,
    options=(FORM, recognition.POLARITY, inference.FOUND, inference.TAU, inference.SIMILARITY),
    layouts={"synth": speech.table1, "wer": speech.table7, "latency": speech.table8},
)
