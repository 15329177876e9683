"""Stage 1, pun recognition: is this clip a pun? Asked in both polarities (paper §3.2, §4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from apun.prompts import Prompt
from apun.readers.verdict import Verdict, verdict
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Speech
from apun.tasks import Conditions, Metric, Question, Task
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.asking import ask_one, item_of, make_score, show, variants
from benchmarks.apun_bench.items import PunItem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "apun.recognition"
FILE = "recognition.en.toml"
CLAIMS: dict[str, Verdict] = {"pun": "pun", "nonpun": "non-pun"}


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
    from apun.scoring.recognition import confusion

    item = item_of(question)
    polarity = polarity_of(question)
    said = verdict(reply.answer, CLAIMS[polarity]).value if reply.answer is not None else None
    statistics = {
        **confusion(item.is_pun, None if said is None else said == "pun"),
        "correct": float(said == ("pun" if item.is_pun else "non-pun")),
    }
    labels = {"polarity": polarity, "gold": "pun" if item.is_pun else "non-pun"}
    return make_score(question, reply, said, statistics, labels, {"reply": show(reply.answer or "")})


def _metric(name: str, label: str, compute: str, **kwargs: Any) -> Metric:
    """A metric that ``apun.scoring.recognition`` computes; imported when it is."""

    def computed(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        from apun.scoring import recognition

        function: Callable[[NDArray[np.float64]], NDArray[np.float64]] = getattr(recognition, compute)
        return function(sums)

    return Metric(name, label, ("n", "tp", "fp", "fn", "tn"), computed, **kwargs)


METRICS = (
    _metric("accuracy", "Acc", "accuracy"),
    _metric("precision", "Pre", "precision"),
    _metric("recall", "Rec", "recall"),
    _metric("f1", "F1", "f1"),
    _metric("pun_share", "Pun%", "pun_share", higher_is_better=None),
    *(
        metric
        for polarity, claim in CLAIMS.items()
        for metric in (
            _metric(f"accuracy_{polarity}", f"Acc ({claim}?)", "accuracy", where={"polarity": polarity}),
            _metric(
                f"pun_share_{polarity}",
                f"Pun% ({claim}?)",
                "pun_share",
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
    item = item_of(question)
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
