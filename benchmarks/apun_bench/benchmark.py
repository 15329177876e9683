"""APUN-Bench for the harness: tasks, data, speech and tables."""

from __future__ import annotations

from collections.abc import Sequence

from apun.report.tables import Table
from apun.tasks import Benchmark, Runs
from benchmarks.apun_bench.data import load
from benchmarks.apun_bench.speaking import FORM, utterances
from benchmarks.apun_bench.tables import errors, results, speech
from benchmarks.apun_bench.tasks import chain, inference, listening, location, recognition


def tables(runs: Runs) -> Sequence[Table]:
    """Every table and analysis the runs' scores allow: the main results first, then in the paper's order."""
    made = (
        *(results.table2, results.table5, results.bias),
        *(errors.positions, errors.hint_effect, errors.located_seconds),
        *(errors.word_errors, errors.meaning_errors, errors.table6),
        *(speech.table7_of_runs, speech.wer_against_location),
        *(results.table9, results.table10, results.mcnemar),
        *(speech.listening_test, results.chained),
        *(speech.by_noise, speech.by_effect, speech.by_voice),
    )
    return [table for make in made if (table := make(runs)) is not None]


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
