"""Stage 1, pun recognition: is this clip a pun? Asked in both polarities (paper §3.2, §4).

Accuracy, precision, recall, F1 and the share of "pun" answers are functions of five additive counts, so they can be
resampled. An answer that could not be read is no "pun" and no "non-pun": it counts as wrong in the accuracy and, for a
pun, as a miss in the recall; it stays in every denominator that counts items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from apun.asking import Case, Plan, condition_of, item_of
from apun.readers.verdict import Verdict, verdict
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Metric, Option, Question
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.items import PunItem
from benchmarks.apun_bench.tasks import PROMPTS, case

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "apun.recognition"
FILE = "recognition.en.toml"
CLAIMS: dict[str, Verdict] = {"pun": "pun", "nonpun": "non-pun"}
STATISTICS = ("n", "tp", "fp", "fn", "tn")
# Each metric's column head, and how often each of STATISTICS counts above and below the line.
FORMULAS = {
    "accuracy": ("Acc", (0, 1, 0, 0, 1), (1, 0, 0, 0, 0)),
    "precision": ("Pre", (0, 1, 0, 0, 0), (0, 1, 1, 0, 0)),
    "recall": ("Rec", (0, 1, 0, 0, 0), (0, 1, 0, 1, 0)),
    "f1": ("F1", (0, 2, 0, 0, 0), (0, 2, 1, 1, 0)),
    "pun_share": ("Pun%", (0, 1, 1, 0, 0), (1, 0, 0, 0, 0)),
}
POLARITY = Option(
    "polarity", "recognition: ask whether it is a pun, whether it is a non-pun, or both", ("both", *CLAIMS)
)


def cases(items: Sequence[PunItem], conditions: Conditions, variant: str) -> Iterator[Case]:
    """Each item once per polarity."""
    wanted = POLARITY.of(conditions)
    for polarity, claim in CLAIMS.items():
        if wanted in ("both", polarity):
            for item in items:
                yield case(item, FILE, f".{polarity}", claim=f"a {claim}")


def gold_verdict(item: PunItem) -> Verdict:
    """The right answer."""
    return "pun" if item.is_pun else "non-pun"


def score(question: Question, reply: Reply) -> Score:
    """Confusion counts of one answer.

    A reply without a readable verdict is wrong: it is a miss of a pun (``fn``), it is no false alarm,
    and it is not counted among the "pun" answers.
    """
    item = item_of(question, PunItem)
    polarity, gold = condition_of(question), gold_verdict(item)
    said = reply.read(lambda text: verdict(text, CLAIMS[polarity]).value)
    counts = confusion(item.is_pun, None if said is None else said == "pun")
    labels = {"type": item.type, "polarity": polarity, "gold": gold}
    return Score.of(question, reply, said, {**counts, "correct": float(said == gold)}, labels, spoken=item.text)


def confusion(gold: bool, predicted: bool | None) -> Mapping[str, float]:
    """Counts of one item, names as in ``STATISTICS``.

    Args:
        gold: whether it is a pun.
        predicted: whether the answer says so; None when it could not be read.
    """
    return {
        "n": 1.0,
        "tp": float(gold and predicted is True),
        "fp": float(not gold and predicted is True),
        "fn": float(gold and predicted is not True),
        "tn": float(not gold and predicted is False),
    }


def compute(name: str, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """A metric of ``FORMULAS``, in [0, 1], of sums of shape (..., 5); NaN where nothing is below the line.

    Precision has nothing there where nothing was called a pun, recall where there is no pun, F1 where neither is.
    """
    from apun.scoring.statistics import share

    _, top, bottom = FORMULAS[name]
    return share(sums @ top, sums @ bottom)


def _metric(name: str, label: str, compute_as: str, **kwargs: Any) -> Metric:
    better = None if compute_as == "pun_share" else True
    return Metric(name, label, STATISTICS, partial(compute, compute_as), higher_is_better=better, **kwargs)


METRICS = (
    *(_metric(name, label, name) for name, (label, _, _) in FORMULAS.items()),
    *(
        _metric(f"{name}_{polarity}", f"{FORMULAS[name][0]} ({claim}?)", name, where={"polarity": polarity})
        for polarity, claim in CLAIMS.items()
        for name in ("accuracy", "pun_share")
    ),
)

TASK = Plan(NAME, PROMPTS, cases).as_task(
    "Is this clip a pun? (asked both ways)",
    score,
    METRICS,
    solver.recognise,
    lambda question: gold_verdict(item_of(question, PunItem)),
)
