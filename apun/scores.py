"""Score: what a reply is worth. A pure function of the question and the reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ScoreStatus = Literal["scored", "unparsed", "truncated", "refused", "error"]


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
