"""Table 2 (all stages), Table 5 (location by type), and the polarity bias of recognition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apun.report.tables import Cell, Table
from apun.scores import Score
from benchmarks.apun_bench import inference, location, recognition
from benchmarks.apun_bench.analysis import quoted
from benchmarks.apun_bench.analysis.rates import Runs, failures, rows_of, share, values
from benchmarks.apun_bench.items import HEADS, PUN_TYPES, SHORT

RECOGNITION = ("accuracy", "precision", "recall", "f1", "pun_share")
LOCATION = ("coarse", "fine")
INFERENCE = ("het", "hog", "hop")
BY_TYPE = tuple(f"{name}_{SHORT[kind]}" for kind in PUN_TYPES for name in LOCATION)


def table2(runs: Runs) -> Table | None:
    """Every stage in the paper's columns, this run's rows first, the published rows marked as quoted."""
    stages = (
        (recognition.TASK, RECOGNITION),
        (location.TASK, LOCATION),
        (inference.TASK, INFERENCE),
    )
    kept: dict[str, list[Cell]] = {}
    unread: dict[str, list[Score]] = {}
    for position, (task, names) in enumerate(stages):
        for label, scores in rows_of(runs, task.name):
            row = kept.setdefault(label, [None] * sum(len(n) for _, n in stages))
            start = sum(len(n) for _, n in stages[:position])
            row[start : start + len(names)] = values(task, scores, names)
            unread.setdefault(label, []).extend(scores)
    if not kept:
        return None
    body = [(label, None, "measured", *cells, failures(unread[label])) for label, cells in kept.items()]
    body += [
        (
            row["model"],
            row["size"],
            f"{quoted.MARK}, {row['subset']}",
            *(row[n] for n in (*RECOGNITION, *LOCATION, *INFERENCE)),
            None,
        )
        for row in quoted.rows("table2")
    ]
    return Table(
        "table2",
        "APUN-Bench, all stages (layout of Table 2; percent)",
        ("Model", "Size", "Data", "Acc", "Pre", "Rec", "F1", "Pun%", "Coa", "Fin", "Heg", "Hog", "Hop", "Failed%"),
        tuple(body),
        (
            "Rows marked quoted are figures published by Su et al., on their data; they were not measured here.",
            "Failed%: replies that were errors, truncated, refused or unreadable; they count as wrong.",
        ),
    )


def table5(runs: Runs) -> Table | None:
    """Coarse and fine location by pun type."""
    body: list[tuple[Cell, ...]] = [
        (label, "measured", *values(location.TASK, scores, BY_TYPE)) for label, scores in rows_of(runs, location.NAME)
    ]
    if not body:
        return None
    body += [
        (row["model"], f"{quoted.MARK}, synthetic", *(row[name] for name in BY_TYPE)) for row in quoted.rows("table5")
    ]
    heads = tuple(f"{HEADS[kind]} {head}" for kind in PUN_TYPES for head in ("Coa", "Fin"))
    return Table("table5", "Location by pun type (layout of Table 5; percent)", ("Model", "Data", *heads), tuple(body))


def bias(runs: Runs) -> Table | None:
    """The same clip asked both ways: how the wording of the question moves the verdict."""
    body = []
    for label, scores in rows_of(runs, recognition.NAME):
        pairs = _pairs(scores)
        if not pairs:
            continue
        cells = values(
            recognition.TASK,
            scores,
            ("pun_share_pun", "pun_share_nonpun", "accuracy_pun", "accuracy_nonpun"),
        )
        same = [a.parsed == b.parsed and a.parsed is not None for a, b in pairs]
        both = [bool(a.statistics["correct"] and b.statistics["correct"]) for a, b in pairs]
        gold = share(scores, lambda s: s.labels["gold"] == "pun")
        body.append((label, gold, *cells, 100 * sum(same) / len(same), 100 * sum(both) / len(both)))
    if not body:
        return None
    return Table(
        "recognition_bias",
        "Recognition by question polarity (percent)",
        (
            "Model",
            "Puns in data",
            "Pun% asked 'pun?'",
            "Pun% asked 'non-pun?'",
            "Acc 'pun?'",
            "Acc 'non-pun?'",
            "Same verdict",
            "Both right",
        ),
        tuple(body),
    )


def _pairs(scores: Iterable[Score]) -> list[tuple[Score, Score]]:
    by_item: dict[str, dict[str, Score]] = {}
    for score in scores:
        by_item.setdefault(score.item, {})[score.labels["polarity"]] = score
    return [(found["pun"], found["nonpun"]) for found in by_item.values() if len(found) == 2]


def tables(runs: Runs) -> Sequence[Table]:
    """The tables of this module that the runs have scores for."""
    return [table for table in (table2(runs), table5(runs), bias(runs)) if table is not None]
