"""YOMI-Bench for the harness: items, tasks, speech and tables."""

from __future__ import annotations

from apun.tasks import Benchmark
from benchmarks.yomi_bench.data import load
from benchmarks.yomi_bench.speaking import utterances
from benchmarks.yomi_bench.tables import all_tables
from benchmarks.yomi_bench.tasks import OPTIONS, choice, generation, qa, reading

BENCHMARK = Benchmark(
    name="yomi",
    title="YOMI-Bench: readings of Japanese kanji and rhymes, read and heard",
    version=1,
    paper="YOMI-Bench: evaluating Japanese kanji reading and phonological understanding of LLMs",
    tasks={
        "qa_single": qa.SINGLE,
        "qa_multiple": qa.MULTIPLE,
        "reading_single": reading.SINGLE,
        "reading_multiple": reading.MULTIPLE,
        "rhyme_selection_kanji": choice.KANJI,
        "rhyme_selection_kana": choice.KANA,
        "rhyme_generation": generation.TASK,
        "heard_reading": choice.HEARD,
    },
    subsets={
        "sample": "built from the official jōyō table and embedded; rendered to speech on first use",
        "released": "the release's readings.jsonl and rhyme_items.jsonl in a folder of yours",
        "built": "a folder that 'python -m benchmarks.yomi_bench.build' wrote",
        "synthetic": "a rendered split in a folder of yours (made by 'apun synth')",
        "real": "recordings in a folder of yours (made by 'apun ingest')",
    },
    load=load,
    utterances=utterances,
    tables=all_tables,
    options=OPTIONS,
)
