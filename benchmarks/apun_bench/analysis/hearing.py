"""What was heard, and what it costs: WER by type (Table 7), WER against location, and pun words misheard."""

from __future__ import annotations

from collections.abc import Sequence

from apun.report.tables import Cell, Table
from apun.scores import Score
from benchmarks.apun_bench import location
from benchmarks.apun_bench.analysis import quoted
from benchmarks.apun_bench.analysis.rates import Runs, rows_of, share
from benchmarks.apun_bench.items import HETEROGRAPHIC, HOMOGRAPHIC, HOMOPHONIC, words

TYPES = (HETEROGRAPHIC, HOMOGRAPHIC, HOMOPHONIC)  # the paper's order
BINS = ((0.0, 0.0, "0"), (0.0, 0.1, "up to 0.1"), (0.1, 0.25, "up to 0.25"), (0.25, float("inf"), "above 0.25"))


def _heard(scores: Sequence[Score]) -> list[tuple[Score, float, float]]:
    """Scores with a transcript, with its errors and the units of the text."""
    from apun.scoring.wer import count_errors

    found = []
    for score in scores:
        if isinstance(transcript := score.detail.get("transcript"), str):
            errors = count_errors(str(score.detail["spoken"]), transcript, "en")
            found.append((score, float(errors.errors), float(errors.units)))
    return found


def table7(runs: Runs) -> Table | None:
    """Word error rate of the cascade's recogniser by pun type, the paper's rates beside it."""
    body: list[tuple[Cell, ...]] = []
    for label, scores in rows_of(runs, location.NAME):
        heard = _heard(scores)
        if heard:
            cells: list[Cell] = []
            for kind in (*TYPES, None):
                own = [(e, u) for s, e, u in heard if kind is None or s.labels["type"] == kind]
                units = sum(u for _, u in own)
                cells.append(sum(e for e, _ in own) / units if units else None)
            body.append((label, "measured", *cells))
    if not body:
        return None
    for row in quoted.rows("table7"):
        for subset in ("synthetic", "real"):
            rates = (row[f"{subset}_{kind}"] for kind in ("het", "hog", "hop"))
            body.append((row["recogniser"], f"{quoted.MARK}, {subset}", *rates, None))
    return Table(
        "table7",
        "Word error rate on puns (layout of Table 7)",
        ("Recogniser or run", "Data", "Heg", "Hog", "Hop", "All puns"),
        tuple(body),
        ("Whisper's English normaliser; errors over reference words, summed over the sentences.",),
        decimals=3,
    )


def wer_against_location(runs: Runs) -> Table | None:
    """Location accuracy by how well the sentence was heard, and by whether the pun word itself was."""
    body: list[tuple[Cell, ...]] = []
    for label, scores in rows_of(runs, location.NAME):
        heard = _heard(scores)
        if not heard:
            continue
        for low, high, name in BINS:
            own = [s for s, e, u in heard if u and (e / u == 0.0 if high == 0.0 else low < e / u <= high)]
            body.append((label, f"WER {name}", *_located(own)))
        for name, wanted in (("pun word in the transcript", True), ("pun word misheard", False)):
            body.append((label, name, *_located([s for s, _, _ in heard if _pun_heard(s) is wanted])))
    if not body:
        return None
    notes = tuple(
        f"{label}: Spearman correlation of WER with coarse location {rho:.3f} (p = {p:.3g}, n = {n})."
        for label, scores in rows_of(runs, location.NAME)
        for rho, p, n in _correlation(_heard(scores))
    )
    return Table(
        "wer_location",
        "Location by how well the clip was transcribed (percent)",
        ("Model", "Heard", "Puns", "Coa", "Fin"),
        tuple(body),
        notes,
    )


def _located(scores: Sequence[Score]) -> tuple[Cell, ...]:
    return (
        len(scores),
        share(scores, lambda s: bool(s.statistics["coarse"])),
        share(scores, lambda s: bool(s.statistics["fine"])),
    )


def _pun_heard(score: Score) -> bool:
    gold = str(score.detail["gold_word"]).casefold()
    return gold in {word.casefold() for word in words(str(score.detail["transcript"]))}


def _correlation(heard: Sequence[tuple[Score, float, float]]) -> list[tuple[float, float, int]]:
    """Spearman's rho, p and n; nothing where either side does not vary."""
    rates = [e / u for _, e, u in heard if u]
    right = [s.statistics["coarse"] for s, _, u in heard if u]
    if len(set(rates)) < 2 or len(set(right)) < 2:
        return []
    from scipy.stats import spearmanr

    found = spearmanr(rates, right)
    return [(float(found.statistic), float(found.pvalue), len(rates))]


def tables(runs: Runs) -> Sequence[Table]:
    """The tables of this module that the runs have scores for."""
    return [table for table in (table7(runs), wer_against_location(runs)) if table is not None]
