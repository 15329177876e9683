"""Is the way over the sound easier? P1, P2, P3 and r of a finished run (paper §5.2.2, Tables 2 and 7).

A model that goes from a homophone to its word over the sound layer must get the pinyin right (P1) and then the
word right (P2), so r = P1 · P2 / P3 is at least 1, where P3 is how often it gets the word at once. In the
contextual task it must first find the pun word, so r is multiplied by the detection rate DR.

``python -m benchmarks.phun_bench.two_step RUN …`` prints the tables of finished run folders.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from apun import cli
from apun.errors import DataError
from apun.scores import Score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from apun.scoring.statistics import Compute, Interval

SEED = 42


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


@dataclass(frozen=True, slots=True)
class Analysis:
    """One row group of Table 2 or 7; the last part is the divisor of r."""

    name: str
    parts: tuple[Part, ...]


ANALYSES = (
    Analysis(
        "HR",
        (
            Part("P1", "P(p|w_q)", "phun.word2pinyin", "correct"),
            Part("P2", "P(w_t|p)", "phun.pinyin2word", "correct"),
            Part("P3", "P(w_t|w_q)", "phun.homophone_recall", "correct"),
        ),
    ),
    Analysis(
        "CHR",
        (
            Part("DR", "P(w_q|s)", "phun.contextual_homophone", "detected"),
            Part("P1", "P(p|w_q)", "phun.contextual_word2pinyin", "correct"),
            Part("P2", "P(w_t|p)", "phun.contextual_pinyin2word", "correct"),
            Part("P3", "P(w_t|s)", "phun.contextual_homophone", "recovered"),
        ),
    ),
    Analysis(
        "CLHR",
        (
            Part("P1", "P(p|c_q)", "phun.char2pinyin", "correct"),
            Part("P2", "P(c_t|p)", "phun.pinyin2char", "share"),
            Part("P3", "P(c_t|c_q)", "phun.char2char", "share"),
        ),
    ),
)


def analyse(analysis: Analysis, scores: Sequence[Score], seed: int = SEED) -> Mapping[str, Interval] | None:
    """The factors and r with 95 % bootstrap intervals; None unless every task of the analysis was run.

    Items are resampled together with all their questions: a chengyu that is drawn twice counts twice in P1, P2
    and P3 alike. Only text questions count, in the first prompt variant that each task has; characters of tier 3
    are left out of char2pinyin, as the paper leaves them out of Phun-Bench.
    """
    import numpy as np

    from apun.scoring.statistics import bootstrap

    size = len(analysis.parts)
    rows: list[list[float]] = []
    clusters: list[str] = []
    seen: set[str] = set()
    for task in dict.fromkeys(part.task for part in analysis.parts):
        for score in _first_variant(task, scores):
            row = [0.0] * (2 * size)
            for place, part in enumerate(analysis.parts):
                if part.task == task:
                    row[2 * place : 2 * place + 2] = [score.statistics[part.statistic], score.statistics["n"]]
            rows.append(row)
            clusters.append(score.cluster)
            seen.add(task)
    if len(seen) < len({part.task for part in analysis.parts}):
        return None
    table = np.array(rows)
    found = {
        part.name: bootstrap(table, clusters, _factor(place), seed=seed) for place, part in enumerate(analysis.parts)
    }
    return {**found, "r": bootstrap(table, clusters, _ratio(size), seed=seed)}


def _first_variant(task: str, scores: Sequence[Score]) -> Iterator[Score]:
    variant = None
    for score in scores:
        if score.task != task or score.labels.get("modality") == "audio" or score.labels.get("tier") == "3":
            continue
        variant = variant or score.variant
        if score.variant == variant:
            yield score


def _factor(place: int) -> Compute:
    """The share of one part."""

    def compute(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums[..., 2 * place] / sums[..., 2 * place + 1])

    return compute


def _ratio(size: int) -> Compute:
    """The product of all shares but the last, over the last; NaN where that is 0."""

    def compute(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        shares = [_factor(place)(sums) for place in range(size)]
        product = np.prod(np.stack(shares[:-1]), axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(shares[-1] > 0, product / shares[-1], np.nan))

    return compute


def read_scores(folder: Path) -> list[Score]:
    """The scores of a finished run folder.

    Raises:
        DataError: there are none, or a line is malformed.
    """
    file = folder / "scores.jsonl"
    if not file.is_file():
        raise DataError("the run has no scores", file=file, fix="Finish it, or run: python -m apun.score RUN")
    found = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            found.append(Score.from_json(json.loads(line)))
        except (ValueError, TypeError) as error:
            raise DataError(f"not a score ({error})", file=file, line=number, fix="Run apun.score again.") from error
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Print the two-step tables of finished runs; runs of one model may lie in several folders."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.phun_bench.two_step",
        description="P1, P2, P3 and r of finished runs, with bootstrap intervals (paper Tables 2 and 7).",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="finished run folder")
    parser.add_argument("--together", metavar="NAME", help="take all folders as one model of this name")
    args = parser.parse_args(argv)
    from benchmarks.phun_bench.tables import two_step_tables

    runs = [(args.together or folder.name, read_scores(folder)) for folder in args.runs]
    found = two_step_tables(runs)
    for table in found:
        print(table.to_text(), end="\n\n")
    if not found:
        print("No run holds all tasks of an analysis; each of these needs its own:")
        for analysis in ANALYSES:
            print(f"  {analysis.name}: {', '.join(dict.fromkeys(part.task for part in analysis.parts))}")
    return cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
