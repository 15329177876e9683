"""The main results: all stages (Table 2), location by type (5), text against audio (9), people (10), polarity bias,
McNemar's test between runs (§5.1), and the stages chained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from apun.report.tables import Cell, Table
from apun.scores import Score, failure_rate, share
from apun.tasks import Runs
from benchmarks.apun_bench.items import HEADS, PUN_TYPES, SHORT
from benchmarks.apun_bench.tables import MARK, quoted, rows_of, values
from benchmarks.apun_bench.tasks import chain, inference, location, recognition

RECOGNITION = ("accuracy", "precision", "recall", "f1", "pun_share")
LOCATION = ("coarse", "fine")
INFERENCE = ("het", "hog", "hop")
BY_TYPE = tuple(f"{name}_{SHORT[kind]}" for kind in PUN_TYPES for name in LOCATION)
STAGES = ((recognition.TASK, RECOGNITION), (location.TASK, LOCATION), (inference.TASK, INFERENCE))
OUTCOMES = (
    (recognition.NAME, "correct", "recognition"),
    (location.NAME, "coarse", "location, coarse"),
    (location.NAME, "fine", "location, fine"),
    (inference.NAME, "correct", "inference"),
)
MODALITIES = ("audio", "text")
PEOPLE = ("sheet:", "human")


def table2(runs: Runs) -> Table | None:
    """Every stage in the paper's columns, this run's rows first, the published rows marked as quoted."""
    found: dict[str, list[Score]] = {}
    for task, _ in STAGES:
        for label, scores in rows_of(runs, task.name):
            found.setdefault(label, []).extend(scores)
    measured = [
        (
            label,
            None,
            "measured",
            *(cell for task, names in STAGES for cell in values(task, scores, names)),
            failure_rate(scores),
        )
        for label, scores in found.items()
    ]
    columns = [name for _, names in STAGES for name in names]
    return Table.of(
        "table2",
        "APUN-Bench, all stages (layout of Table 2; percent)",
        ("Model", "Size", "Data", "Acc", "Pre", "Rec", "F1", "Pun%", "Coa", "Fin", "Heg", "Hog", "Hop", "Failed%"),
        measured,
        (
            "Rows marked quoted are figures published by Su et al., on their data; they were not measured here.",
            "Failed%: replies that were errors, truncated, refused or unreadable; they count as wrong.",
        ),
        [
            (row["model"], row["size"], f"{MARK}, {row['subset']}", *(row[name] for name in columns), None)
            for row in quoted("table2")
        ],
    )


def table5(runs: Runs) -> Table | None:
    """Coarse and fine location by pun type."""
    return Table.of(
        "table5",
        "Location by pun type (layout of Table 5; percent)",
        ("Model", "Data", *(f"{HEADS[kind]} {head}" for kind in PUN_TYPES for head in ("Coa", "Fin"))),
        [(name, "measured", *values(location.TASK, scores, BY_TYPE)) for name, scores in rows_of(runs, location.NAME)],
        quoted=[(row["model"], f"{MARK}, synthetic", *(row[name] for name in BY_TYPE)) for row in quoted("table5")],
    )


def bias(runs: Runs) -> Table | None:
    """The same clip asked both ways: how the wording of the question moves the verdict."""
    body: list[Sequence[Cell]] = []
    metrics = ("pun_share_pun", "pun_share_nonpun", "accuracy_pun", "accuracy_nonpun")
    for label, scores in rows_of(runs, recognition.NAME):
        by_item: dict[str, dict[str, Score]] = {}
        for score in scores:
            by_item.setdefault(score.item, {})[score.labels["polarity"]] = score
        pairs = [(found["pun"], found["nonpun"]) for found in by_item.values() if len(found) == 2]
        if pairs:
            gold = share(scores, lambda score: score.labels["gold"] == "pun")
            same = sum(a.parsed == b.parsed and a.parsed is not None for a, b in pairs)
            both = sum(bool(a.statistics["correct"] and b.statistics["correct"]) for a, b in pairs)
            shares = (100 * same / len(pairs), 100 * both / len(pairs))
            body.append((label, gold, *values(recognition.TASK, scores, metrics), *shares))
    heads = ("Puns in data", "Pun% asked 'pun?'", "Pun% asked 'non-pun?'", "Acc 'pun?'", "Acc 'non-pun?'")
    return Table.of(
        "recognition_bias",
        "Recognition by question polarity (percent)",
        ("Model", *heads, "Same verdict", "Both right"),
        body,
    )


def table9(runs: Runs) -> Table | None:
    """Text against audio, on the same questions; only where both modalities were run."""
    stages = ((recognition.TASK, RECOGNITION), (location.TASK, ("fine",)), (inference.TASK, INFERENCE))
    body: list[Sequence[Cell]] = []
    for modality in MODALITIES:
        for name, scores in runs:
            own = [score for score in scores if score.labels.get("modality") == modality]
            cells = [cell for task, names in stages for cell in values(task, own, names)]
            if any(cell is not None for cell in cells):
                body.append((modality, name, None, "measured", *cells))
    if {row[0] for row in body} != set(MODALITIES):
        return None
    columns = [name for _, names in stages for name in names]
    return Table.of(
        "table9",
        "Text against audio (layout of Table 9; percent)",
        ("Input", "Model", "Size", "Data", "Acc", "Pre", "Rec", "F1", "Pun%", "Fin", "Heg", "Hog", "Hop"),
        body,
        ("The paper prints one location column; its figures are those of fine location.",),
        [
            (row["modality"], row["model"], row["size"], f"{MARK}, real", *(row[name] for name in columns))
            for row in quoted("table9")
        ],
    )


def is_people(run: str) -> bool:
    """Whether a run's answers came from a filled-in sheet."""
    return run.casefold().startswith(PEOPLE)


def table10(runs: Runs) -> Table | None:
    """Models beside people; only where a run of people's answers is among the runs.

    Every run is scored on the questions that some person answered or left blank, and on no other. Models come first;
    the stages of one sheet, scored by a command each, are one row.
    """
    asked = {
        (score.task, score.item, score.variant)
        for name, scores in runs
        if is_people(name)
        for score in scores
        if score.status != "error" or "left blank" in str(score.detail.get("reason", ""))
    }
    if not asked:
        return None
    merged: dict[str, list[Score]] = {}
    for name, scores in sorted(runs, key=lambda run: is_people(run[0])):
        merged.setdefault(name.partition(" (")[0] if is_people(name) else name, []).extend(scores)
    stages = ((recognition.TASK, ("accuracy", "pun_share")), (location.TASK, LOCATION), (inference.TASK, INFERENCE))
    columns = [name for _, names in stages for name in names]
    body: list[Sequence[Cell]] = []
    for name, scores in merged.items():
        own = [score for score in scores if (score.task, score.item, score.variant) in asked]
        cells = [cell for task, names in stages for cell in values(task, own, names)]
        body.append((name, "people" if is_people(name) else "measured", len(own), *cells))
    return Table.of(
        "table10",
        "People and models on the same questions (layout of Table 10; percent)",
        ("Model", "Data", "Questions", "Acc", "Pun%", "Coa", "Fin", "Heg", "Hog", "Hop"),
        body,
        ("The quoted figures are of the paper's own 60 items a stage and three volunteers.",),
        [(row["model"], MARK, None, *(row[name] for name in columns)) for row in quoted("table10")],
    )


def mcnemar(runs: Runs) -> Table | None:
    """Every pair of runs and stage: who is right where the other is not, and p, corrected by Holm.

    Runs are compared on the questions that both were asked: of one item under one condition.
    """
    from apun.scoring import statistics

    found: dict[str, tuple[Cell, ...]] = {}
    p: dict[str, float] = {}
    for task, statistic, title in OUTCOMES:
        for (first, a), (second, b) in combinations(rows_of(runs, task), 2):
            theirs = {_condition(score): score for score in b}
            pairs = [(score, theirs[_condition(score)]) for score in a if _condition(score) in theirs]
            if pairs:
                right = [[score.statistics[statistic] for score in side] for side in zip(*pairs, strict=True)]
                result = statistics.mcnemar(*([bool(one) for one in side] for side in right))
                key = f"{title}\t{first}\t{second}"
                shares = (100 * sum(side) / len(pairs) for side in right)
                found[key] = (title, first, second, len(pairs), *shares, result.first, result.second)
                p[key] = result.p
    adjusted = statistics.holm(p) if p else {}
    return Table.of(
        "mcnemar",
        "McNemar's exact test between runs",
        ("Stage", "A", "B", "Questions", "A%", "B%", "only A right", "only B right", "p", "p (Holm)"),
        [(*cells, f"{p[key]:.3g}", f"{adjusted[key]:.3g}") for key, cells in found.items()],
        ("Two-sided. Questions that both runs were asked, by item and condition.",),
    )


def _condition(score: Score) -> tuple[str, str]:
    return score.item, score.variant.partition(".")[2]


def chained(runs: Runs) -> Table | None:
    """How far each model gets on its own findings, beside the stages with gold given (beyond the paper)."""
    body: list[Sequence[Cell]] = []
    for label, scores in rows_of(runs, chain.NAME):
        run = next((own for name, own in runs if name == label.partition(" [")[0]), ())
        gold_given = [score for score in run if ".chained" not in score.variant]
        alone = ((recognition.TASK, "accuracy"), (location.TASK, "coarse"), (inference.TASK, "accuracy"))
        broken = Counter(score.labels["broken_at"] for score in scores)
        body.append(
            (
                label,
                *values(chain.TASK, scores, ("recognised", "located", "inferred", "end_to_end")),
                *(values(task, gold_given, (metric,))[0] for task, metric in alone),
                *(100 * broken[stage] / len(scores) for stage in ("recognition", "location", "inference")),
            )
        )
    linked = ("Recognised", "…located", "…inferred", "End to end")
    given = ("Recognition alone", "Location alone", "Inference alone")
    return Table.of(
        "chain",
        "All stages in one answer, beside each stage with the gold given (percent)",
        ("Model", *linked, *given, "Broken at recognition", "…at location", "…at inference"),
        body,
        ("Located and inferred: share of puns for which every link so far holds. End to end includes negatives.",),
    )
