"""Speech: splits (Table 1), word error rates (Table 7), seconds (Table 8) as the commands measure them; what was heard
and what that costs; the listening test and robustness over noise, effects and voices (beyond the paper)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from apun.prompts import MAIN
from apun.report.tables import Cell, Table
from apun.scores import Score, share
from apun.tasks import Runs
from benchmarks.apun_bench.items import HEADS, HETEROGRAPHIC, HOMOGRAPHIC, HOMOPHONIC, TYPES, words
from benchmarks.apun_bench.speaking import SWAPPED
from benchmarks.apun_bench.tables import MARK, of_task, quoted, rows_of, values
from benchmarks.apun_bench.tasks import inference, listening, location, recognition

if TYPE_CHECKING:
    from apun.measure.summary import Summary
    from apun.measure.word_errors import Rate

KINDS = (HETEROGRAPHIC, HOMOGRAPHIC, HOMOPHONIC)  # in the order of the paper's Table 7
BINS = ((0.0, 0.0, "0"), (0.0, 0.1, "up to 0.1"), (0.1, 0.25, "up to 0.25"), (0.25, float("inf"), "above 0.25"))
CLEAN = "clean"  # clips whose metadata does not mention the label
RIGHT = ((recognition.NAME, "correct"), (location.NAME, "coarse"), (inference.NAME, "correct"))


def table1(name: str, lengths: Mapping[str, Sequence[tuple[float, int]]]) -> Table:
    """Counts, mean seconds of a clip and mean length of a sentence, by type and overall.

    As in the paper, the sentence length is in words for English; in characters for Mandarin and
    Japanese.

    Args:
        name: of the split.
        lengths: seconds of each clip and length of its sentence, by type.
    """
    kinds = [kind for kind in TYPES if kind in lengths] + sorted(lengths.keys() - set(TYPES))
    lists = [*(lengths[kind] for kind in kinds), [value for kind in kinds for value in lengths[kind]]]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("Clips", *(len(values) for values in lists)),
        ("- Segment Clip (s)", *(_mean([seconds for seconds, _ in values]) for values in lists)),
        ("- Sentence Length", *(_mean([length for _, length in values]) for values in lists)),
        ("- Total (min)", *(sum(seconds for seconds, _ in values) / 60 for values in lists)),
    )
    columns = ("", *(kind.capitalize() for kind in kinds), "Overall")
    return Table("table1", f"Table 1: statistics of {name}", columns, rows)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def table7(rates: Sequence[Rate]) -> Table | None:
    """A row a recogniser, a column a subset and pun type; None without English puns."""
    english = [rate for rate in rates if rate.language == "en"]
    subsets = dict.fromkeys(rate.subset for rate in english if rate.type in KINDS)
    columns = [(subset, kind) for subset in subsets for kind in KINDS]
    by_key = {(rate.recogniser, rate.subset, rate.type): rate.value for rate in english}
    names = dict.fromkeys(rate.recogniser for rate in english) if columns else ()
    return Table.of(
        "table7",
        "Word error rate by subset and pun type (layout of APUN-Bench Table 7)",
        ("ASR Model", *(f"{subset} {HEADS[kind]}" for subset, kind in columns)),
        [(name, *(by_key.get((name, *column)) for column in columns)) for name in names],
        ("Heg: heterographic, Hog: homographic, Hop: homophonic. Lower is better.",),
        decimals=3,
    )


def table8(summaries: Sequence[Summary]) -> Table:
    """Model, architecture, mean seconds of ASR, reasoning and total."""
    rows = tuple((s.model, s.architecture, s.asr.mean, s.reasoning.mean, s.total.mean) for s in summaries)
    others = [s.other.mean for s in summaries if s.asr.mean is not None and s.other.mean is not None]
    note = f"Outside the stages (in Total): at most {max(others) * 1000:.2f} ms a prompt on average." if others else ""
    return Table(
        "table8",
        "Time consumption: end-to-end models and cascades, mean seconds a prompt (layout of APUN-Bench Table 8)",
        ("Model", "Architecture", "ASR (s)", "Reasoning (s)", "Total (s)"),
        rows,
        tuple(filter(None, (note,))),
        decimals=3,
    )


def table7_of_runs(runs: Runs) -> Table | None:
    """Word error rate of each cascade's recogniser by pun type, the paper's rates beside it."""
    body: list[Sequence[Cell]] = []
    for label, heard in _heard(runs):
        cells: list[Cell] = []
        for kind in (*KINDS, None):
            own = [(errors, units) for score, errors, units in heard if kind in (None, score.labels["type"])]
            units = sum(units for _, units in own)
            cells.append(sum(errors for errors, _ in own) / units if units else None)
        body.append((label, "measured", *cells))
    theirs: list[Sequence[Cell]] = []
    for row in quoted("table7"):
        for subset in ("synthetic", "real"):
            rates = (row[f"{subset}_{kind}"] for kind in ("het", "hog", "hop"))
            theirs.append((row["recogniser"], f"{MARK}, {subset}", *rates, None))
    return Table.of(
        "table7",
        "Word error rate on puns (layout of Table 7)",
        ("Recogniser or run", "Data", *(HEADS[kind] for kind in KINDS), "All puns"),
        body,
        ("Whisper's English normaliser; errors over reference words, summed over the sentences.",),
        theirs,
        decimals=3,
    )


def wer_against_location(runs: Runs) -> Table | None:
    """Location accuracy by how well the sentence was heard, and by whether the pun word itself was."""
    body: list[Sequence[Cell]] = []
    notes = []
    for label, heard in _heard(runs):
        for low, high, name in BINS:
            own = [s for s, e, u in heard if u and (e / u == 0.0 if high == 0.0 else low < e / u <= high)]
            body.append((label, f"WER {name}", *_located(own)))
        for name, wanted in (("pun word in the transcript", True), ("pun word misheard", False)):
            body.append((label, name, *_located([s for s, _, _ in heard if _pun_heard(s) is wanted])))
        for rho, p, n in _correlation(heard):
            notes.append(f"{label}: Spearman correlation of WER with coarse location {rho:.3f} (p = {p:.3g}, n = {n}).")
    return Table.of(
        "wer_location",
        "Location by how well the clip was transcribed (percent)",
        ("Model", "Heard", "Puns", "Coa", "Fin"),
        body,
        notes,
    )


Heard = Sequence[tuple[Score, float, float]]  # a score, the errors of its transcript, the units of its text


def _heard(runs: Runs) -> Sequence[tuple[str, Heard]]:
    """The runs whose location scores have transcripts."""
    from apun.scoring.wer import count_errors

    found = []
    for label, scores in rows_of(runs, location.NAME):
        heard = []
        for score in scores:
            if isinstance(transcript := score.detail.get("transcript"), str):
                errors = count_errors(str(score.detail["spoken"]), transcript, "en")
                heard.append((score, float(errors.errors), float(errors.units)))
        if heard:
            found.append((label, heard))
    return found


def _located(scores: Sequence[Score]) -> tuple[Cell, ...]:
    return (len(scores), *(_right(scores, statistic) for statistic in ("coarse", "fine")))


def _right(scores: Sequence[Score], statistic: str) -> float | None:
    return share(scores, lambda score: score.statistics[statistic])


def _pun_heard(score: Score) -> bool:
    gold = str(score.detail["gold_word"]).casefold()
    return gold in {word.casefold() for word in words(str(score.detail["transcript"]))}


def _correlation(heard: Heard) -> list[tuple[float, float, int]]:
    """Spearman's rho, p and n; nothing where either side does not vary."""
    rates = [errors / units for _, errors, units in heard if units]
    right = [score.statistics["coarse"] for score, _, units in heard if units]
    if len(set(rates)) < 2 or len(set(right)) < 2:
        return []
    from scipy.stats import spearmanr

    found = spearmanr(rates, right)
    return [(float(found.statistic), float(found.pvalue), len(rates))]


def listening_test(runs: Runs) -> Table | None:
    """Each pun heard both ways: does the answer move with the sound, or stay with the sentence?"""
    kinds = (("pun", "alternative"), ("pun", "pun"), ("alternative", "alternative"), ("alternative", "pun"))
    body: list[Sequence[Cell]] = []
    for label, scores in rows_of(runs, listening.NAME):
        pairs: dict[str, dict[str, Score]] = {}
        for score in scores:
            pairs.setdefault(score.item, {})[score.labels["part"]] = score
        both = [(p[MAIN].parsed, p[SWAPPED].parsed) for p in pairs.values() if len(p) == 2]
        if both:
            counts = Counter(both)
            shares = [100 * counts[kind] / len(both) for kind in kinds]
            moves = values(listening.TASK, scores, ("moves", "accuracy"))
            body.append((label, len(both), *moves, *shares, 100 - sum(shares)))
    answers = ("Follows the sound", "Always the pun word", "Always the alternative", "The wrong way round", "Unread")
    return Table.of(
        "listening",
        "Listening test: the pun word spoken, then its alternative in its place (percent of pairs)",
        ("Model", "Pairs", "Moves", "Heard", *answers),
        body,
        ("Moves: share answering the pun word when it is spoken, minus when it is not; 100 hears, 0 does not.",),
    )


def by_noise(runs: Runs) -> Table | None:
    """The three stages by signal-to-noise ratio; clean clips come first."""

    def order(label: str) -> tuple[float, str]:
        try:
            return -float(label), label
        except ValueError:
            return float("-inf"), label

    return _by_label(runs, "snr_db", "robustness_snr", "Accuracy by signal-to-noise ratio in dB", order)


def by_effect(runs: Runs) -> Table | None:
    """The three stages by what was done to the clips."""
    return _by_label(runs, "perturbation", "robustness_effect", "Accuracy by what was done to the clips")


def by_voice(runs: Runs) -> Table | None:
    """The three stages by voice."""
    return _by_label(runs, "voice", "robustness_voice", "Accuracy by voice")


def _by_label(
    runs: Runs, name: str, table: str, title: str, order: Callable[[str], tuple[float, str]] = lambda label: (0, label)
) -> Table | None:
    if not any(name in score.labels for _, scores in runs for score in scores):
        return None
    body: list[Sequence[Cell]] = []
    for run, scores in runs:
        for label in sorted({score.labels.get(name, CLEAN) for score in scores}, key=order):
            own = [score for score in scores if score.labels.get(name, CLEAN) == label]
            cells: list[Cell] = []
            for task, statistic in RIGHT:
                asked = of_task(own, task)
                cells += [len(asked), _right(asked, statistic)]
            body.append((run, label, *cells))
    heads = [f"{stage} {head}" for stage in ("Recognition", "Location", "Inference") for head in ("n", "right")]
    return Table.of(table, f"{title} (percent)", ("Model", name, *heads), body)
