"""Phun-Bench for the harness: tasks, data, speech and tables."""

from __future__ import annotations

from apun.tasks import Benchmark
from benchmarks.phun_bench.data import load
from benchmarks.phun_bench.speaking import utterances
from benchmarks.phun_bench.tables import all_tables
from benchmarks.phun_bench.tasks import FORM, LANGUAGE, PERTURBATION, characters, contextual, homophones, rhyming
from benchmarks.phun_bench.tasks.similarity import SIMILARITY

_TASKS = (
    characters.CHAR2PINYIN,
    homophones.RECALL,
    homophones.WORD2PINYIN,
    homophones.PINYIN2WORD,
    contextual.AT_ONCE,
    contextual.WORD2PINYIN,
    contextual.PINYIN2WORD,
    rhyming.RHYME_1,
    rhyming.RHYME_2,
    SIMILARITY,
    characters.CHAR2CHAR,
    characters.PINYIN2CHAR,
    homophones.DICTATION,
)

BENCHMARK = Benchmark(
    name="phun",
    title="Phun-Bench: phonological understanding of Mandarin",
    version=1,
    paper="Yue, Shen and Lu, Phun-Bench: Evaluating LLMs on Phonological Understanding in Chinese, arXiv 2606.07300",
    tasks={task.name.partition(".")[2]: task for task in _TASKS},
    subsets={
        "sample": "embedded items, made by the builder from public word lists; lines and puns written here",
        "released": "the released data set (--data-dir: the folder that holds its dataset/ folder)",
        "built": "items that python -m benchmarks.phun_bench.build wrote (--data-dir: its --out folder)",
        "synthetic": "a split that apun synth rendered: clips, metadata.jsonl and items.jsonl",
        "real": "recordings that apun ingest made into a split, with items.jsonl beside them",
    },
    load=load,
    utterances=utterances,
    tables=all_tables,
    options=(LANGUAGE, FORM, PERTURBATION),
)
