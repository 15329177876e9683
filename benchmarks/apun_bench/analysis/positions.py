"""Where in the sentence models look for the pun: Figure 3, and the effect of the position hint (§5.2)."""

from __future__ import annotations

from collections.abc import Sequence

from apun.report.tables import Cell, Table
from benchmarks.apun_bench import location
from benchmarks.apun_bench.analysis import quoted
from benchmarks.apun_bench.analysis.rates import Runs, base_variant, of_task, rows_of, value
from benchmarks.apun_bench.places import INTERVALS

HINT, BASE = "hint", "p0"


def distribution(runs: Runs) -> Table | None:
    """Share of located words by fifth of the sentence, the gold words' first (Figure 3)."""
    body: list[tuple[Cell, ...]] = []
    gold: dict[str, str] = {}
    for label, scores in rows_of(runs, location.NAME):
        gold |= {s.item: s.labels["position_gold"] for s in scores}
        body.append((label, *_shares([s.labels["position_predicted"] for s in scores])))
    if not body:
        return None
    return Table(
        "figure3",
        "Position of the located word in the sentence (Figure 3; percent of puns)",
        ("Model", *INTERVALS, "None", "In the first 60%"),
        (("gold", *_shares(list(gold.values()))), *body),
        ("A word lies where its middle lies. None: no word was named, or nothing in the sentence sounds like it.",),
    )


def _shares(found: Sequence[str]) -> list[Cell]:
    counted = [100 * sum(x == name for x in found) / len(found) for name in (*INTERVALS, "none")]
    return [*counted, sum(counted[:3])]


def hint_effect(runs: Runs) -> Table | None:
    """Location with and without the position hint, item by item, beside the paper's figures."""
    from apun.scoring.statistics import mcnemar

    body: list[tuple[Cell, ...]] = []
    for name, scores in runs:
        by_variant = {
            kind: {s.item: s for s in of_task(scores, location.NAME) if base_variant(s) == kind}
            for kind in (BASE, HINT)
        }
        shared = sorted(by_variant[BASE].keys() & by_variant[HINT].keys())
        if not shared:
            continue
        cells: list[Cell] = []
        for metric in location.METRICS[:2]:
            pair = [[by_variant[kind][item] for item in shared] for kind in (BASE, HINT)]
            base, hint = (value(metric, found) for found in pair)
            right = [[bool(s.statistics[metric.name]) for s in found] for found in pair]
            assert base is not None and hint is not None
            cells += [base, hint, hint - base, mcnemar(right[1], right[0]).p]
        body.append((name, "measured", *cells))
    if not body:
        return None
    for row in quoted.rows("hint"):
        differences = [(row[f"{m}_base"], row[f"{m}_hint"]) for m in ("coarse", "fine")]
        cells = [cell for a, b in differences for cell in (a, b, b - a, None)]
        body.append((row["model"], f"{quoted.MARK}, synthetic", *cells))
    return Table(
        "hint",
        "Effect of the position hint (§5.2; percent, exact McNemar p)",
        ("Model", "Data", "Coa", "Coa hint", "Δ Coa", "p", "Fin", "Fin hint", "Δ Fin", "p (fine)"),
        tuple(body),
    )


def timing(runs: Runs) -> Table | None:
    """Where in seconds the model's word sits: within half a second of the pun word, and overlap of the spans."""
    names = {metric.name: metric for metric in location.METRICS}
    body = []
    for label, scores in rows_of(runs, location.NAME):
        timed = [s for s in scores if s.statistics.get("timed")]
        if timed:
            cells = [value(names[name], timed) for name in ("within_half_second", "overlap", "coarse")]
            body.append((label, len(timed), *cells))
    if not body:
        return None
    return Table(
        "located_seconds",
        "Where in the clip the located word sits (percent of clips with word times)",
        ("Model", "Clips", "Within 0.5 s", "Overlap", "Coa"),
        tuple(body),
        ("Word times are those of the split's metadata, else the recogniser's, aligned to the text.",),
    )


def tables(runs: Runs) -> Sequence[Table]:
    """The tables of this module that the runs have scores for."""
    return [table for table in (distribution(runs), hint_effect(runs), timing(runs)) if table is not None]
