"""APUN-Bench for the harness: items, tasks, speech and tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from apun.errors import DataError, UsageError
from apun.scores import Score
from apun.speech import Utterance
from apun.tasks import Benchmark, Option, Subset
from benchmarks.apun_bench import chain, inference, listening, location, recognition
from benchmarks.apun_bench.items import PunItem, load_items

if TYPE_CHECKING:
    from apun.report.tables import Table

SAMPLE = Path(__file__).parent / "data" / "sample.jsonl"
FORMS = ("default", "swapped", "all")


def load(subset: Subset) -> Sequence[PunItem]:
    """Items of a subset; ``sample`` is embedded, the others are read from the user's folder."""
    if subset.folder is not None:
        from benchmarks.apun_bench.folders import read_folder

        return read_folder(subset.folder)
    if subset.name == "sample":
        return load_items(SAMPLE)
    raise UsageError(
        f"subset {subset.name!r} needs a folder: give --data-dir DIR (or set APUN_DATA), where DIR/{subset.name}/ or "
        "DIR holds metadata.jsonl with one row a clip (file_name, item_id) and either the items' columns "
        "(id, text, type, pun_word, alternatives or meanings) or an items.jsonl, items.csv or items.xlsx beside it"
    )


def utterances(item: PunItem, form: str) -> Sequence[Utterance]:
    """What must be spoken: ``default`` the sentence; ``swapped`` the listening test's other clip; ``all`` both.

    The pun word's reading is not forced: a listener meets the word as it is spelled. It is named as a
    key word, so that a quality gate checks it.
    """
    if form not in FORMS:
        raise UsageError(f"APUN-Bench has no spoken form {form!r}; it has {', '.join(FORMS)}")
    spoken = []
    if form in ("default", "all"):
        spoken.append(Utterance(item.id, item.text, item.language, key_words=(item.pun_word,) if item.pun_word else ()))
    if form in ("swapped", "all") and listening.concerns(item):
        spoken.append(
            Utterance(item.id, item.swapped_text, item.language, part=listening.SWAPPED, key_words=(item.swap_word,))
        )
    return spoken


def tables(runs: Sequence[tuple[str, Sequence[Score]]]) -> Sequence[Table]:
    """Every table and analysis the runs' scores allow, in the paper's layout."""
    from benchmarks.apun_bench.analysis import all_tables

    return all_tables(runs)


BENCHMARK = Benchmark(
    name="apun",
    title="APUN-Bench: spoken English puns - recognise, locate, infer",
    version=1,
    paper="Su et al., Words at Play: Benchmarking Audio Pun Understanding in Large Audio-Language Models",
    tasks={
        "recognition": recognition.TASK,
        "location": location.TASK,
        "inference": inference.TASK,
        "chain": chain.TASK,
        "listening": listening.TASK,
    },
    subsets={
        "sample": "written for apun and embedded; rendered to speech on first use",
        "synthetic": "a rendered split in a folder of yours (made by 'apun synth')",
        "real": "recordings in a folder of yours (made by 'apun ingest')",
    },
    load=load,
    utterances=utterances,
    tables=tables,
    options=tuple(Option(name, "") for name in ("form", "found", "polarity", "similarity", "tau")),
)

__all__ = ["BENCHMARK", "DataError", "load", "tables", "utterances"]
