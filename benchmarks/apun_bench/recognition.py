"""Stage 1, pun recognition: is this clip a pun? Asked in both polarities (paper §3.2, §4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from apun.prompts import Prompt
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech
from apun.tasks import Conditions, Metric, Question, Task, ratio
from benchmarks.apun_bench import answers, solver
from benchmarks.apun_bench.asking import ask_one, make_score, show, variants
from benchmarks.apun_bench.items import PunItem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "apun.recognition"
FILE = "recognition.en.toml"
CLAIMS: dict[str, answers.Verdict] = {"pun": "pun", "nonpun": "non-pun"}


def ask(items: Sequence[PunItem], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """Each item once per variant and polarity; ``--set polarity=pun`` or ``nonpun`` asks one only."""
    from apun.errors import UsageError

    wanted = conditions.options.get("polarity", "both")
    if wanted not in ("both", *CLAIMS):
        raise UsageError(f"polarity is {wanted!r}; use both, pun or nonpun")
    for variant in variants(conditions):
        for polarity, claim in CLAIMS.items():
            if wanted in ("both", polarity):
                for item in items:
                    yield ask_one(
                        NAME, item, variant, conditions, speech, file=FILE, suffix=f".{polarity}", claim=f"a {claim}"
                    )


def polarity_of(question: Question) -> str:
    """``pun`` or ``nonpun``."""
    return question.variant.rpartition(".")[2]


def score(question: Question, reply: Reply) -> Score:
    """Confusion counts of one answer.

    A reply without a readable verdict is wrong: it is a miss of a pun (``fn``), it is no false alarm,
    and it is not counted among the "pun" answers.
    """
    item: PunItem = question.item
    polarity = polarity_of(question)
    said = answers.verdict(reply.answer, CLAIMS[polarity]) if reply.answer is not None else None
    statistics = {
        "n": 1.0,
        "correct": float(said == ("pun" if item.is_pun else "non-pun")),
        "tp": float(item.is_pun and said == "pun"),
        "fp": float(not item.is_pun and said == "pun"),
        "fn": float(item.is_pun and said != "pun"),
        "said_pun": float(said == "pun"),
        "gold_pun": float(item.is_pun),
    }
    labels = {"polarity": polarity, "gold": "pun" if item.is_pun else "non-pun"}
    return make_score(question, reply, said, statistics, labels, {"reply": show(reply.answer or "")})


def _f1(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    tp, fp, fn = sums[..., 0], sums[..., 1], sums[..., 2]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * tp / (2 * tp + fp + fn))


def _over_sum(name: str, label: str, other: str) -> Metric:
    def compute(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums[..., 0] / (sums[..., 0] + sums[..., 1]))

    return Metric(name, label, ("tp", other), compute)


METRICS = (
    ratio("accuracy", "Acc", "correct"),
    _over_sum("precision", "Pre", "fp"),
    _over_sum("recall", "Rec", "fn"),
    Metric("f1", "F1", ("tp", "fp", "fn"), _f1),
    ratio("pun_share", "Pun%", "said_pun", higher_is_better=None),
    *(
        metric
        for polarity, claim in CLAIMS.items()
        for metric in (
            ratio(f"accuracy_{polarity}", f"Acc ({claim}?)", "correct", where={"polarity": polarity}),
            ratio(
                f"pun_share_{polarity}",
                f"Pun% ({claim}?)",
                "said_pun",
                where={"polarity": polarity},
                higher_is_better=None,
            ),
        )
    ),
)


def solve(prompt: Prompt) -> str:
    """The reasoner's verdict."""
    return solver.recognise(prompt)


def perfect(question: Question) -> str:
    """The right verdict."""
    item: PunItem = question.item
    return "pun" if item.is_pun else "non-pun"


TASK = Task(
    name=NAME,
    title="Is this clip a pun? (asked both ways)",
    version=1,
    ask=ask,
    score=score,
    metrics=METRICS,
    solve=solve,
    perfect=perfect,
    max_new_tokens=64,
)
