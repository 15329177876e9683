"""Beyond the paper: the listening test, robustness over noise and voices, and the chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from apun.report.tables import Cell, Table
from apun.scores import Score
from apun.tasks import Task
from benchmarks.apun_bench import chain, inference, listening, location, recognition
from benchmarks.apun_bench.analysis.rates import Runs, rows_of, values

CLEAN = "clean"  # clips whose metadata does not mention the label
RIGHT: tuple[tuple[str, str], ...] = (
    (recognition.NAME, "correct"),
    (location.NAME, "coarse"),
    (inference.NAME, "correct"),
)


def listening_test(runs: Runs) -> Table | None:
    """Each pun heard both ways: does the answer move with the sound, or stay with the sentence?"""
    body: list[tuple[Cell, ...]] = []
    for label, scores in rows_of(runs, listening.NAME):
        pairs: dict[str, dict[str, Score]] = {}
        for score in scores:
            pairs.setdefault(score.item, {})[score.labels["part"]] = score
        both = [(p["main"].parsed, p["swapped"].parsed) for p in pairs.values() if len(p) == 2]
        if not both:
            continue
        counts = Counter(both)
        kinds = (("pun", "alternative"), ("pun", "pun"), ("alternative", "alternative"), ("alternative", "pun"))
        shares = [100 * counts[kind] / len(both) for kind in kinds]
        moves = values(listening.TASK, scores, ("moves", "accuracy"))
        body.append((label, len(both), *moves, *shares, 100 - sum(shares)))
    if not body:
        return None
    return Table(
        "listening",
        "Listening test: the pun word spoken, then its alternative in its place (percent of pairs)",
        (
            "Model",
            "Pairs",
            "Moves",
            "Heard",
            "Follows the sound",
            "Always the pun word",
            "Always the alternative",
            "The wrong way round",
            "Unread",
        ),
        tuple(body),
        ("Moves: share answering the pun word when it is spoken, minus when it is not; 100 hears, 0 does not.",),
    )


def robustness(runs: Runs) -> Sequence[Table]:
    """The three stages by what the clip's metadata says of it: signal-to-noise ratio, and voice."""
    return [
        table
        for table in (
            _by_label(runs, "snr_db", "robustness_snr", "Accuracy by signal-to-noise ratio in dB", _descending),
            _by_label(runs, "perturbation", "robustness_effect", "Accuracy by what was done to the clips", _plain),
            _by_label(runs, "voice", "robustness_voice", "Accuracy by voice", _plain),
        )
        if table is not None
    ]


def _descending(label: str) -> tuple[float, str]:
    try:
        return -float(label), label
    except ValueError:
        return float("-inf"), label  # clean clips come first


def _plain(label: str) -> tuple[float, str]:
    return 0.0, label


def _by_label(runs: Runs, name: str, table: str, title: str, order: Callable[[str], tuple[float, str]]) -> Table | None:
    body: list[tuple[Cell, ...]] = []
    if not any(name in s.labels for _, scores in runs for s in scores):
        return None
    for run, scores in runs:
        for label in sorted({s.labels.get(name, CLEAN) for s in scores}, key=order):
            own = [s for s in scores if s.labels.get(name, CLEAN) == label]
            cells: list[Cell] = []
            for task, statistic in RIGHT:
                of_task = [s for s in own if s.task == task]
                right = sum(s.statistics[statistic] for s in of_task)
                cells += [len(of_task), 100 * right / len(of_task) if of_task else None]
            body.append((run, label, *cells))
    if not body:
        return None
    heads = tuple(
        head for stage in ("Recognition", "Location", "Inference") for head in (f"{stage} n", f"{stage} right")
    )
    return Table(table, f"{title} (percent)", ("Model", name, *heads), tuple(body))


def chained(runs: Runs) -> Table | None:
    """How far each model gets on its own findings, beside the stages with gold given."""
    body: list[tuple[Cell, ...]] = []
    for label, scores in rows_of(runs, chain.NAME):
        name = label.partition(" [")[0]
        given = {task.name: values(task, own, (metric,)) for task, own, metric in _gold_given(runs, name)}
        cells = values(chain.TASK, scores, ("recognised", "located", "inferred", "end_to_end"))
        broken = Counter(s.labels["broken_at"] for s in scores)
        body.append(
            (
                label,
                *cells,
                *(given.get(n, [None])[0] for n in (recognition.NAME, location.NAME, inference.NAME)),
                *(100 * broken[stage] / len(scores) for stage in ("recognition", "location", "inference")),
            )
        )
    if not body:
        return None
    return Table(
        "chain",
        "All stages in one answer, beside each stage with the gold given (percent)",
        (
            "Model",
            "Recognised",
            "…located",
            "…inferred",
            "End to end",
            "Recognition alone",
            "Location alone",
            "Inference alone",
            "Broken at recognition",
            "…at location",
            "…at inference",
        ),
        tuple(body),
        ("Located and inferred: share of puns for which every link so far holds. End to end includes negatives.",),
    )


def _gold_given(runs: Runs, name: str) -> list[tuple[Task, list[Score], str]]:
    scores = next((scores for run, scores in runs if run == name), ())
    stages = ((recognition.TASK, "accuracy"), (location.TASK, "coarse"), (inference.TASK, "accuracy"))
    return [
        (task, [s for s in scores if s.task == task.name and ".chained" not in s.variant], metric)
        for task, metric in stages
    ]


def tables(runs: Runs) -> Sequence[Table]:
    """The tables of this module that the runs have scores for."""
    return [t for t in (listening_test(runs), chained(runs), *robustness(runs)) if t is not None]
