"""The paper's tables over finished runs: own runs first, the paper's figures beside them, marked as quoted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from apun.report.tables import Cell, Table
from apun.scores import Score
from benchmarks.phun_bench.items import PERTURBATIONS
from benchmarks.phun_bench.load import TIERS
from benchmarks.phun_bench.rhyme import CAUSES
from benchmarks.phun_bench.two_step import ANALYSES, Analysis, analyse

Runs = Sequence[tuple[str, Sequence[Score]]]
RHYMES = ("phun.rhyme_1", "phun.rhyme_2")
_FORMS = {
    "word": ("figure5", "Similarity Comparison, words (paper Figure 5)"),
    "pinyin": ("figure8", "Similarity Comparison, pinyin (paper Figure 8)"),
    "whole": ("figure11", "Similarity Comparison, the whole question spoken (paper Figure 11)"),
    "clips": ("similarity_clips", "Similarity Comparison, question as text, words as clips"),
    "clips_only": ("similarity_clips_only", "Similarity Comparison, clips alone"),
}


@lru_cache(maxsize=1)
def quoted() -> dict[str, Any]:
    """The paper's figures, as data."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("paper_results.json").read_text(encoding="utf-8"))
    return found


def tables(runs: Runs) -> list[Table]:
    """Every table that the runs have scores for. Runs of one name are taken together."""
    merged: dict[str, list[Score]] = {}
    for name, scores in runs:
        merged.setdefault(name, []).extend(scores)
    together = list(merged.items())
    found = [*two_step_tables(together), _rhyme(together), _causes(together), _tiers(together)]
    found += [_similarity(together, form) for form in _FORMS]
    return [table for table in found if table is not None]


def two_step_tables(runs: Runs) -> list[Table]:
    """Table 2 (HR and CHR) and Table 7 (CLHR)."""
    merged: dict[str, list[Score]] = {}
    for name, scores in runs:
        merged.setdefault(name, []).extend(scores)
    together = list(merged.items())
    hr, chr_, clhr = ANALYSES
    found = [
        _two_step(
            together, "table2", "Two steps over the sound layer (paper Table 2): r >= 1 where they are easier", hr, chr_
        ),
        _two_step(together, "table7", "The same for single characters (paper Table 7)", clhr),
    ]
    return [table for table in found if table is not None]


def _two_step(runs: Runs, name: str, title: str, *analyses: Analysis) -> Table | None:
    rows: list[tuple[Cell, ...]] = []
    done = {(run, a.name): analyse(a, scores) for run, scores in runs for a in analyses}
    names = [run for run, _ in runs if any(done[run, a.name] is not None for a in analyses)]
    if not names:
        return None
    for analysis in analyses:
        for key, symbol in [*((part.name, part.symbol) for part in analysis.parts), ("r", "r")]:
            cells: list[Cell] = []
            for run in names:
                found = done[run, analysis.name]
                cells.append(None if found is None else _with_interval(found[key]))
            rows.append((analysis.name, symbol, *cells, *quoted()[analysis.name][key]))
    columns = ("Task", "Setting", *names, *(f"{model}*" for model in quoted()["models"]))
    return Table(name, title, columns, tuple(rows), (_NOTE, "value [95 % bootstrap interval, items resampled]"), 3)


_NOTE = "* quoted from the paper"


def _with_interval(interval: Any) -> Cell:
    if interval.value != interval.value:
        return None
    return f"{interval.value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _mean(scores: Sequence[Score], statistic: str) -> float | None:
    return sum(score.statistics[statistic] for score in scores) / len(scores) if scores else None


def _label(name: str, scores: Sequence[Score]) -> str:
    """A run's name; by ear is said."""
    by_ear = bool(scores) and all(score.labels.get("modality") == "audio" for score in scores)
    return f"{name} (audio)" if by_ear else name


def _rhyme(runs: Runs) -> Table | None:
    names, columns = [], []
    for name, scores in runs:
        own = [[score for score in scores if score.task == task] for task in RHYMES]
        if any(own):
            names.append(_label(name, [score for part in own for score in part]))
            columns.append([_mean(part, "correct") for part in own])
    if not names:
        return None
    rows = tuple(
        (f"{place + 1}-Rhyme", *(column[place] for column in columns), *quoted()[f"rhyme_{place + 1}"])
        for place in (0, 1)
    )
    heads = ("Setting", *names, *(f"{model}*" for model in quoted()["models"]))
    return Table("table3", "Rhyming Sentence Generation (paper Table 3)", heads, rows, (_NOTE,), 3)


def _causes(runs: Runs) -> Table | None:
    rows: list[tuple[Cell, ...]] = []
    for name, scores in runs:
        for task in RHYMES:
            own = [score for score in scores if score.task == task]
            if own:
                shares = [_mean(own, cause) for cause in CAUSES]
                misgrouped = [score.labels.get("where") for score in own]
                where = [misgrouped.count(place) / len(own) for place in ("last", "next-to-last", "both")]
                rows.append((_label(name, own), task[5:], len(own), _mean(own, "correct"), *shares, *where))
    if not rows:
        return None
    heads = ("Run", "Task", "n", "correct", *CAUSES, "at last", "at next-to-last", "at both")
    note = "shares of all items; the last three columns divide misgrouped by where the wrong group stands"
    return Table("rhyme_causes", "Why lines do not rhyme (paper §5.3.2)", heads, tuple(rows), (note,), 3)


def _percent(scores: Sequence[Score]) -> float | None:
    share = _mean(scores, "correct")
    return None if share is None else 100 * share


def _tiers(runs: Runs) -> Table | None:
    rows: list[tuple[Cell, ...]] = []
    for name, scores in runs:
        own = [score for score in scores if score.task == "phun.char2pinyin"]
        if own:
            cells = [_percent([score for score in own if score.labels["tier"] == tier]) for tier in TIERS]
            rows.append((_label(name, own), *cells))
    if not rows:
        return None
    rows += [(f"{model}*", *shares) for model, shares in quoted()["tiers"].items()]
    heads = ("Model", *(f"Tier-{tier}" for tier in TIERS))
    return Table("table5", "Accuracy (%) of char2pinyin (paper Table 5)", heads, tuple(rows), (_NOTE,))


def _similarity(runs: Runs, form: str) -> Table | None:
    rows: list[tuple[Cell, ...]] = []
    for name, scores in runs:
        own = [s for s in scores if s.task == "phun.similarity" and s.variant.rpartition(".")[2] == form]
        if own:
            by_type = [[s for s in own if s.labels["perturbation"] == kind] for kind in PERTURBATIONS]
            rows.append((name, *(_mean(part, "correct") for part in by_type), _mean(own, "correct"), len(own)))
    if not rows:
        return None
    file, title = _FORMS[form]
    return Table(file, title, ("Model", *PERTURBATIONS, "all", "n"), tuple(rows), (), 3)
