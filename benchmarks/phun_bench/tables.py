"""The paper's tables over finished runs: own runs first, the paper's figures beside them, marked as quoted.

The two-step tables ask whether the way over the sound is easier (§5.2.2). A model that goes from a homophone to its
word over the sound layer must get the pinyin right (P1) and then the word right (P2), so r = P1 · P2 / P3 is at least
1, where P3 is how often it gets the word at once. In the contextual task it must first find the pun word, so r is
multiplied by the detection rate DR.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.records import read_json
from apun.report.tables import Cell, Table
from apun.scores import Score, mean, of_tasks
from apun.tasks import Runs
from benchmarks.phun_bench.items import PERTURBATIONS, TIERS
from benchmarks.phun_bench.rhyme import CAUSES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from apun.scoring.statistics import Compute, Interval

SEED = 42  # of the intervals
RHYMES = ("phun.rhyme_1", "phun.rhyme_2")
_NOTE = "* quoted from the paper"
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
    found: dict[str, Any] = read_json(Path(__file__).parent / "data" / "quoted.json")
    return found


def all_tables(runs: Runs) -> list[Table]:
    """Every table that the runs have scores for. Runs of one name are taken together."""
    runs = _together(runs)
    found = [*two_step(runs), _rhyme(runs), _causes(runs), _tiers(runs)]
    found += [_similarity(runs, form) for form in _FORMS]
    return [table for table in found if table is not None]


def _together(runs: Runs) -> Runs:
    merged: dict[str, list[Score]] = {}
    for name, scores in runs:
        merged.setdefault(name, []).extend(scores)
    return list(merged.items())


@dataclass(frozen=True, slots=True)
class Part:
    """One factor: the share of a statistic in the items of a task.

    Attributes:
        name: ``P1``, ``P2``, ``P3`` or ``DR``.
        symbol: as the paper writes it.
        task: full task name.
        statistic: what is summed over ``n``.
    """

    name: str
    symbol: str
    task: str
    statistic: str


# The row groups of Tables 2 and 7; the last part is the divisor of r.
ANALYSES: Mapping[str, tuple[Part, ...]] = {
    "HR": (
        Part("P1", "P(p|w_q)", "phun.word2pinyin", "correct"),
        Part("P2", "P(w_t|p)", "phun.pinyin2word", "correct"),
        Part("P3", "P(w_t|w_q)", "phun.homophone_recall", "correct"),
    ),
    "CHR": (
        Part("DR", "P(w_q|s)", "phun.contextual_homophone", "detected"),
        Part("P1", "P(p|w_q)", "phun.contextual_word2pinyin", "correct"),
        Part("P2", "P(w_t|p)", "phun.contextual_pinyin2word", "correct"),
        Part("P3", "P(w_t|s)", "phun.contextual_homophone", "recovered"),
    ),
    "CLHR": (
        Part("P1", "P(p|c_q)", "phun.char2pinyin", "correct"),
        Part("P2", "P(c_t|p)", "phun.pinyin2char", "share"),
        Part("P3", "P(c_t|c_q)", "phun.char2char", "share"),
    ),
}


def tasks_of(parts: Sequence[Part]) -> list[str]:
    """The tasks that an analysis needs."""
    return list(dict.fromkeys(part.task for part in parts))


def analyse(parts: Sequence[Part], scores: Sequence[Score], seed: int = SEED) -> Mapping[str, Interval] | None:
    """The factors and r with 95 % bootstrap intervals; None unless every task of the analysis was run.

    Items are resampled together with all their questions: a chengyu that is drawn twice counts twice in P1, P2
    and P3 alike. Only text questions count, in the first prompt variant that each task has; characters of tier 3
    are left out of char2pinyin, as the paper leaves them out of Phun-Bench.
    """
    import numpy as np

    from apun.scoring.statistics import bootstrap

    by_task = {task: list(_first_variant(task, scores)) for task in tasks_of(parts)}
    if not all(by_task.values()):
        return None
    rows: list[list[float]] = []
    clusters: list[str] = []
    for task, own in by_task.items():
        for score in own:
            cells = [
                (score.statistics[p.statistic], score.statistics["n"]) if p.task == task else (0, 0) for p in parts
            ]
            rows.append([cell for pair in cells for cell in pair])
            clusters.append(score.cluster)
    table = np.array(rows)
    wanted = {part.name: _share(place) for place, part in enumerate(parts)} | {"r": _ratio(len(parts))}
    return {name: bootstrap(table, clusters, compute, seed=seed) for name, compute in wanted.items()}


def _first_variant(task: str, scores: Sequence[Score]) -> Iterator[Score]:
    variant = None
    for score in scores:
        if score.task != task or score.labels.get("modality") == "audio" or score.labels.get("tier") == "3":
            continue
        variant = variant or score.variant
        if score.variant == variant:
            yield score


def _share(place: int) -> Compute:
    """The share of one part."""

    def compute(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        from apun.scoring.statistics import share

        return share(sums[..., 2 * place], sums[..., 2 * place + 1])

    return compute


def _ratio(size: int) -> Compute:
    """The product of all shares but the last, over the last; NaN where that is 0."""

    def compute(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        from apun.scoring.statistics import share

        shares = [_share(place)(sums) for place in range(size)]
        return share(np.prod(np.stack(shares[:-1]), axis=0), shares[-1])

    return compute


def two_step(runs: Runs) -> list[Table]:
    """Table 2 (HR and CHR) and Table 7 (CLHR)."""
    runs = _together(runs)
    layouts = (
        ("table2", "Two steps over the sound layer (paper Table 2): r >= 1 where they are easier", ("HR", "CHR")),
        ("table7", "The same for single characters (paper Table 7)", ("CLHR",)),
    )
    return [table for layout in layouts if (table := _two_step(runs, *layout)) is not None]


def _two_step(runs: Runs, name: str, title: str, groups: Sequence[str]) -> Table | None:
    done = {(run, group): analyse(ANALYSES[group], scores) for run, scores in runs for group in groups}
    names = [run for run, _ in runs if any(done[run, group] is not None for group in groups)]
    if not names:
        return None
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        for key, symbol in [*((part.name, part.symbol) for part in ANALYSES[group]), ("r", "r")]:
            cells = [_with_interval(found[key]) if (found := done[run, group]) else None for run in names]
            rows.append((group, symbol, *cells, *quoted()[group][key]))
    notes = (_NOTE, "value [95 % bootstrap interval, items resampled]")
    return Table(name, title, ("Task", "Setting", *names, *_models()), tuple(rows), notes, 3)


def _models() -> list[str]:
    return [f"{model}*" for model in quoted()["models"]]


def _with_interval(found: Interval) -> Cell:
    return None if found.value != found.value else f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _of(runs: Runs, *tasks: str) -> list[tuple[str, list[Score]]]:
    """The runs that have scores of tasks, and these; a run that is by ear alone says so in its name."""
    return [(_label(name, own), own) for name, own in of_tasks(runs, *tasks)]


def _label(name: str, scores: Sequence[Score]) -> str:
    return f"{name} (audio)" if all(score.labels.get("modality") == "audio" for score in scores) else name


def _rhyme(runs: Runs) -> Table | None:
    found = _of(runs, *RHYMES)
    if not found:
        return None
    rows = []
    for count, task in enumerate(RHYMES, 1):
        means = [mean([score for score in own if score.task == task]) for _, own in found]
        rows.append((f"{count}-Rhyme", *means, *quoted()[f"rhyme_{count}"]))
    heads = ("Setting", *(name for name, _ in found), *_models())
    return Table("table3", "Rhyming Sentence Generation (paper Table 3)", heads, tuple(rows), (_NOTE,), 3)


def _causes(runs: Runs) -> Table | None:
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        for task in RHYMES:
            for name, own in _of([run], task):
                shares = [mean(own, statistic) for statistic in ("correct", *CAUSES)]
                misgrouped = [score.labels.get("where") for score in own]
                where = [misgrouped.count(place) / len(own) for place in ("last", "next-to-last", "both")]
                rows.append((name, task.partition(".")[2], len(own), *shares, *where))
    heads = ("Run", "Task", "n", "correct", *CAUSES, "at last", "at next-to-last", "at both")
    note = "shares of all items; the last three columns divide misgrouped by where the wrong group stands"
    return Table.of("rhyme_causes", "Why lines do not rhyme (paper §5.3.2)", heads, rows, (note,), decimals=3)


def _tiers(runs: Runs) -> Table | None:
    rows: list[tuple[Cell, ...]] = []
    for name, own in _of(runs, "phun.char2pinyin"):
        means = [mean([score for score in own if score.labels["tier"] == tier]) for tier in TIERS]
        rows.append((name, *(None if mean is None else 100 * mean for mean in means)))
    theirs = [(f"{model}*", *shares) for model, shares in quoted()["tiers"].items()]
    heads = ("Model", *(f"Tier-{tier}" for tier in TIERS))
    return Table.of("table5", "Accuracy (%) of char2pinyin (paper Table 5)", heads, rows, (_NOTE,), theirs)


def _similarity(runs: Runs, form: str) -> Table | None:
    rows: list[tuple[Cell, ...]] = []
    for name, scores in runs:
        own = [s for s in scores if s.task == "phun.similarity" and s.variant.rpartition(".")[2] == form]
        if own:
            by_type = [mean([s for s in own if s.labels["perturbation"] == kind]) for kind in PERTURBATIONS]
            rows.append((name, *by_type, mean(own), len(own)))
    file, title = _FORMS[form]
    return Table.of(file, title, ("Model", *PERTURBATIONS, "all", "n"), rows, decimals=3)
