"""X-Riddles on the command line: ``--benchmark xriddles``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apun.scores import Score
from apun.speech import Utterance
from apun.tasks import Benchmark, Subset
from benchmarks.x_riddles import creating, explaining, heard, matching
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.utterances import riddle_utterance, whole_utterance

if TYPE_CHECKING:
    from apun.report.tables import Table


def _load(subset: Subset) -> Sequence[Riddle]:
    from benchmarks.x_riddles.load import load

    return load(subset)


def _tables(runs: Sequence[tuple[str, Sequence[Score]]]) -> Sequence[Table]:
    from benchmarks.x_riddles.tables import tables

    return tables(runs)


def utterances(item: Riddle, form: str) -> Sequence[Utterance]:
    """The riddle (``default``), or the riddle with its answer (``spoken``).

    The clip with four spoken options depends on the conditions; ``matching.TASK.speech`` has it.
    """
    return [whole_utterance(item)] if form == "spoken" else [riddle_utterance(item)]


BENCHMARK = Benchmark(
    name="xriddles",
    title="X-Riddles: xiehouyu matched, explained, created - read and heard",
    version=1,
    paper="Hu et al., Reasoning or Memorization: Can LLMs Understand and Generate Chinese Xiehouyu Riddles?",
    tasks={
        "matching": matching.TASK,
        "both_readings": heard.TASK,
        "explaining": explaining.TASK,
        "creating": creating.TASK,
    },
    subsets={
        "sample": "embedded: 76 new homophonic xiehouyu written for this project and 48 traditional ones",
        "dictionary": "a folder of yours with public lists (xiehouyu.json, vocabs.txt), split by the importer",
        "items": "a folder of yours with item files (items*.jsonl)",
        "real": "a folder of yours with item files and recordings (metadata.jsonl)",
    },
    load=_load,
    utterances=utterances,
    tables=_tables,
)
