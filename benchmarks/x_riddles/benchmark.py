"""X-Riddles on the command line: ``--benchmark xriddles``."""

from __future__ import annotations

from apun.tasks import Benchmark
from benchmarks.x_riddles.data import load
from benchmarks.x_riddles.speaking import utterances
from benchmarks.x_riddles.tables import all_tables
from benchmarks.x_riddles.tasks import OPTIONS, both_readings, creating, explaining, matching

BENCHMARK = Benchmark(
    name="xriddles",
    title="X-Riddles: xiehouyu matched, explained, created - read and heard",
    version=1,
    paper="Hu et al., Reasoning or Memorization: Can LLMs Understand and Generate Chinese Xiehouyu Riddles?",
    tasks={
        "matching": matching.TASK,
        "both_readings": both_readings.TASK,
        "explaining": explaining.TASK,
        "creating": creating.TASK,
    },
    subsets={
        "sample": "embedded: 76 new homophonic xiehouyu written for this project and 48 traditional ones",
        "dictionary": "a folder of yours with public lists (xiehouyu.json, vocabs.txt), split by the importer",
        "items": "a folder of yours with item files (items*.jsonl)",
        "real": "a folder of yours with item files and recordings (metadata.jsonl)",
    },
    load=load,
    utterances=utterances,
    tables=all_tables,
    options=OPTIONS,
)
