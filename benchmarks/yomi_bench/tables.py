"""Tables of finished runs: the paper's, and what stands behind its numbers."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from apun.report.tables import Cell, Table
from apun.scores import Score, ScoreStatus, mean, of_tasks
from apun.tasks import Runs
from benchmarks.yomi_bench.data import slips
from benchmarks.yomi_bench.tasks import VARIANTS
from benchmarks.yomi_bench.tasks.generation import CAUSES

COLUMNS: Mapping[str, str] = {
    "yomi.qa_single": "QA single",
    "yomi.qa_multiple": "QA multiple",
    "yomi.reading_single": "Reading single",
    "yomi.reading_multiple": "Reading multiple",
    "yomi.rhyme_selection_kanji": "Rhyme sel. kanji",
    "yomi.rhyme_selection_kana": "Rhyme sel. kana",
    "yomi.rhyme_generation": "Rhyme gen.",
    "yomi.heard_reading": "Heard reading",  # beyond the paper
}
# The only figure of a model that the paper's text prints (section 4.2); its table is not in the text.
QUOTED: Mapping[str, Mapping[str, float]] = {"Ministral-8B-Instruct-2410": {"yomi.reading_single": 0.4679}}
_READING_CAUSES = (
    *("right", "okurigana", "whole_word", "base", "voicing", "small_tsu", "long_vowel", "other_reading", "wrong"),
    *("several", "no_answer", "refusal", "empty"),
)


def all_tables(runs: Runs) -> list[Table]:
    """Every table the runs' scores allow."""
    runs = of_tasks(runs, *COLUMNS)
    if not runs:
        return []
    made = [main_table(runs), prompts_table(runs), failures_table(runs)]
    made += [reading_causes(runs), generation_causes(runs)]
    return [table for table in made if table.rows]


def _by_modality(runs: Runs) -> list[tuple[str, str, list[Score]]]:
    """Runs split by how their questions were asked, text first."""
    found = []
    for name, scores in runs:
        for modality in ("text", "audio"):
            own = [score for score in scores if score.labels.get("modality") == modality]
            if own:
                found.append((name, modality, own))
    return found


def _by_task(runs: Runs) -> Iterator[tuple[str, str, str, list[Score]]]:
    """Model, how it was asked, the task's title, and the scores."""
    for name, modality, scores in _by_modality(runs):
        for task, title in COLUMNS.items():
            if own := [score for score in scores if score.task == task]:
                yield name, modality, title, own


def main_table(runs: Runs) -> Table:
    """Accuracy of every task, mean over five prompts, in the paper's order; quoted rows are marked."""
    rows: list[tuple[Cell, ...]] = []
    for name, modality, scores in _by_modality(runs):
        cells = [mean(s for s in scores if s.task == task) for task in COLUMNS]
        rows.append((name, modality, *cells))
    for name, values in QUOTED.items():
        rows.append((f"{name} (quoted)", "text", *(values.get(task) for task in COLUMNS)))
    notes = [
        "mean over prompts p1-p5; readings of one kanji are averaged before kanji are",
        "quoted: printed in the paper's section 4.2, measured there on the released data",
        *_slip_notes(runs),
    ]
    return Table(
        "yomi_main",
        "YOMI-Bench: accuracy by task",
        ("Model", "Asked by", *COLUMNS.values()),
        tuple(rows),
        tuple(notes),
        decimals=4,
    )


def _slip_notes(runs: Runs) -> list[str]:
    """Doubtful gold readings: those counted in these runs, or, of a corrected run, those left out."""
    readings = [s for _, scores in runs for s in scores if s.task.startswith("yomi.reading")]
    counted = sorted({f"{s.detail['word']}: {s.detail['gold']}" for s in readings if s.labels.get("slip")})
    if counted:
        return [f"doubtful gold readings counted here: {', '.join(counted)}; --set corrected=yes leaves them out"]
    if not any(score.labels.get("corrected") == "yes" for score in readings):
        return []
    left = [f"{word}: {gold} ({why})" for (_, word, gold), why in slips().items()]
    return [f"corrected: these gold readings are left out where the data hold them: {'; '.join(left)}"]


def prompts_table(runs: Runs) -> Table:
    """Accuracy of each prompt, and how far the five lie apart."""
    rows: list[tuple[Cell, ...]] = []
    for *labels, own in _by_task(runs):
        values = [mean(own, f"correct_{variant}", f"n_{variant}") for variant in VARIANTS]
        used = [value for value in values if value is not None]
        rows.append((*labels, *values, mean(own), statistics.pstdev(used) if len(used) > 1 else None))
    heads = ("Model", "Asked by", "Task", *VARIANTS, "Mean", "SD")
    return Table("yomi_prompts", "YOMI-Bench: accuracy by prompt", heads, tuple(rows), decimals=4)


def failures_table(runs: Runs) -> Table:
    """Replies that could not be scored, by task and status."""
    rows: list[tuple[Cell, ...]] = []
    statuses: tuple[ScoreStatus, ...] = get_args(ScoreStatus)
    for *labels, own in _by_task(runs):
        counts = Counter(score.status for score in own)
        rows.append((*labels, *(counts[status] for status in statuses)))
    heads = ("Model", "Asked by", "Task", *statuses)
    return Table("yomi_failures", "YOMI-Bench: replies by status", heads, tuple(rows))


def _causes(runs: Runs, name: str, title: str, tasks: Sequence[str], causes: Sequence[str], notes: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run, modality, scores in _by_modality(runs):
        counts = Counter(score.labels["cause"] for score in scores if score.task in tasks)
        if counts:
            other = sum(count for cause, count in counts.items() if cause not in causes)
            rows.append((run, modality, *(counts[cause] for cause in causes), other))
    return Table(name, title, ("Model", "Asked by", *causes, "other"), tuple(rows), (notes,))


def reading_causes(runs: Runs) -> Table:
    """How readings miss the gold."""
    return _causes(
        runs,
        "yomi_reading_causes",
        "YOMI-Bench: how predicted readings differ from the gold",
        ("yomi.reading_single", "yomi.reading_multiple"),
        _READING_CAUSES,
        "okurigana, whole_word and base count as right in the lenient accuracy only",
    )


def generation_causes(runs: Runs) -> Table:
    """How generated rhymes fail."""
    return _causes(
        runs,
        "yomi_generation_causes",
        "YOMI-Bench: what generated rhymes are",
        ("yomi.rhyme_generation",),
        CAUSES,
        "right, repeat and no_word match the query's vowels and score in the paper's sense",
    )
