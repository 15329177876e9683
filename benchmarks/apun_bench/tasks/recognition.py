"""Stage 1, pun recognition: is this clip a pun? Asked in both polarities (paper §3.2, §4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from apun.asking import Case, Plan, condition_of, item_of
from apun.readers.verdict import Verdict, verdict
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Metric, Option, Question, Task
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.items import PunItem
from benchmarks.apun_bench.tasks import PROMPTS, case

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "apun.recognition"
FILE = "recognition.en.toml"
CLAIMS: dict[str, Verdict] = {"pun": "pun", "nonpun": "non-pun"}
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
    from apun.scoring.recognition import confusion

    item = item_of(question, PunItem)
    polarity, gold = condition_of(question), gold_verdict(item)
    said = reply.read(lambda text: verdict(text, CLAIMS[polarity]).value)
    counts = confusion(item.is_pun, None if said is None else said == "pun")
    labels = {"type": item.type, "polarity": polarity, "gold": gold}
    return Score.of(question, reply, said, {**counts, "correct": float(said == gold)}, labels, spoken=item.text)


def _metric(name: str, label: str, compute: str, **kwargs: Any) -> Metric:
    """A metric that ``apun.scoring.recognition`` computes; imported when it is."""

    def computed(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        from apun.scoring import recognition

        function: Callable[[NDArray[np.float64]], NDArray[np.float64]] = getattr(recognition, compute)
        return function(sums)

    if compute == "pun_share":
        kwargs["higher_is_better"] = None
    return Metric(name, label, ("n", "tp", "fp", "fn", "tn"), computed, **kwargs)


METRICS = (
    _metric("accuracy", "Acc", "accuracy"),
    _metric("precision", "Pre", "precision"),
    _metric("recall", "Rec", "recall"),
    _metric("f1", "F1", "f1"),
    _metric("pun_share", "Pun%", "pun_share"),
    *(
        _metric(f"{name}_{polarity}", f"{label} ({claim}?)", name, where={"polarity": polarity})
        for polarity, claim in CLAIMS.items()
        for name, label in (("accuracy", "Acc"), ("pun_share", "Pun%"))
    ),
)

TASK = Task(
    name=NAME,
    title="Is this clip a pun? (asked both ways)",
    version=1,
    ask=Plan(NAME, PROMPTS, cases).ask,
    score=score,
    metrics=METRICS,
    solve=solver.recognise,
    perfect=lambda question: gold_verdict(item_of(question, PunItem)),
    max_new_tokens=64,
)
