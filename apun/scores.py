"""Score: what a reply is worth. A pure function of the question and the reply.

``Score.of`` is the one rule from a reply's status to statistics. A reply that failed (``truncated``, ``refused``,
``error``) keeps that status and has no parsed answer; one that is ok and cannot be read is ``unparsed``; only an answer
that was read is ``scored``. Statistics are given whatever the status, with nothing right where nothing was read, so
that the denominator is always every question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from apun.replies import Reply

if TYPE_CHECKING:
    from apun.tasks import Question

T = TypeVar("T")
ScoreStatus = Literal["scored", "unparsed", "truncated", "refused", "error"]
LONGEST_SHOWN = 300  # characters of a reply kept with its score; the log has all of it
CLIP_LABELS = ("voice", "snr_db", "perturbation")  # of a clip's metadata; kept to break results down by


@dataclass(frozen=True, slots=True)
class Score:
    """One scored question.

    Attributes:
        question: the question's id.
        item: the item's id.
        cluster: bootstrap cluster (variants of one item share it).
        task: full task name, such as ``apun.location``.
        variant: prompt variant and condition.
        status: ``scored``; ``unparsed`` when the answer could not be read; else the reply's status.
        statistics: additive sufficient statistics. They are present whatever the status, so that
            the denominator is always every item.
        labels: categories to filter and break down by (``type``, ``polarity``, ``error_type``).
        parsed: the answer as read, in plain JSON values; None when there is none.
        detail: whatever a reader needs to see why (alignment, similarities), in plain JSON values.
    """

    question: str
    item: str
    cluster: str
    task: str
    variant: str
    status: ScoreStatus
    statistics: Mapping[str, float]
    labels: Mapping[str, str] = field(default_factory=dict)
    parsed: Any = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        question: Question,
        reply: Reply,
        parsed: Any,
        statistics: Mapping[str, float],
        labels: Mapping[str, str] | None = None,
        **detail: Any,
    ) -> Score:
        """The score of a reply.

        Args:
            question: what was asked.
            reply: what came back.
            parsed: the answer as read, None where it cannot be; what ``reply.read`` gave.
            statistics: additive; ``n`` is 1 unless it is among them.
            labels: categories beside those that every score has: ``modality``, and of a clip its voice,
                signal-to-noise ratio and perturbation.
            detail: why, in plain JSON values; the reply's text, reason and transcript are added.

        Raises:
            ValueError: a reply that failed has a parsed answer, so its statistics may count it as right.
        """
        if reply.status != "ok" and parsed is not None:
            raise ValueError(f"{question.id}: a reply that is {reply.status} has no answer to score")
        status: ScoreStatus = ("unparsed" if parsed is None else "scored") if reply.status == "ok" else reply.status
        fields = question.prompt.fields
        shown: dict[str, Any] = {"reply": shorten(reply.answer or "")}
        if reply.reason:
            shown["reason"] = reply.reason
        if reply.transcripts:
            shown["transcript"] = reply.transcripts[0]
        return cls(
            question=question.id,
            item=question.item.id,
            cluster=question.item.cluster,
            task=question.task,
            variant=question.variant,
            status=status,
            statistics={"n": 1.0, **statistics},
            labels={
                "modality": "audio" if question.prompt.audios else "text",
                **{name: str(fields[name]) for name in CLIP_LABELS if name in fields},
                **(labels or {}),
            },
            parsed=parsed,
            detail={**shown, **detail},
        )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Score:
        """Inverse of ``to_json``.

        Raises:
            TypeError: a field is missing, or the record is no table.
        """
        if not isinstance(record, Mapping):
            raise TypeError("a score is a JSON object")
        return cls(**{name: record[name] for name in cls.__dataclass_fields__ if name in record})


def shorten(text: str, limit: int = LONGEST_SHOWN) -> str:
    """A piece of a model's text short enough to be kept with a score."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def of_tasks(runs: Iterable[tuple[str, Iterable[Score]]], *tasks: str) -> list[tuple[str, list[Score]]]:
    """The runs that have scores of tasks, and these."""
    found = [(name, [score for score in scores if score.task in tasks]) for name, scores in runs]
    return [(name, scores) for name, scores in found if scores]


def share(things: Sequence[T], holds: Callable[[T], object]) -> float | None:
    """Percentage of things, such as scores, for which something holds; None without any."""
    return 100 * sum(bool(holds(thing)) for thing in things) / len(things) if things else None


def failure_rate(scores: Sequence[Score]) -> float | None:
    """Percentage of questions without a scored answer."""
    return share(scores, lambda score: score.status != "scored")


def mean(scores: Iterable[Score], top: str = "correct", bottom: str = "n") -> float | None:
    """The sum of one statistic over that of another; None where the other is 0."""
    own = list(scores)
    under = sum(score.statistics.get(bottom, 0.0) for score in own)
    return sum(score.statistics.get(top, 0.0) for score in own) / under if under else None
