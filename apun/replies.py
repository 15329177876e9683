"""Reply: what a model answered, what it cost, and what it really consumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeVar

from apun.errors import DataError

ReplyStatus = Literal["ok", "truncated", "refused", "error"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Consumed:
    """What reached the model.

    Attributes:
        clips: number of clips the model took in.
        seconds: seconds of audio the model took in, summed over clips.
        audio_tokens: audio positions in the model's input; None where the model has no such notion
            (an HTTP endpoint, a recogniser).
    """

    clips: int = 0
    seconds: float = 0.0
    audio_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a model.

    Attributes:
        status: ``ok``; ``truncated`` (ran out of tokens, or a thought never closed); ``refused``
            (a content filter or an explicit refusal by the service); ``error``.
        text: everything the model produced, unaltered.
        answer: the text without thinking; None unless the status is ``ok``.
        thinking: reasoning that was set apart from the answer.
        reason: why the status is not ``ok``.
        consumed: what the model took in.
        tokens_in: prompt tokens, audio included; None where unknown.
        tokens_out: generated tokens, thinking included; None where unknown.
        seconds: wall seconds by stage: ``asr``, ``reasoning``, ``first_token``, ``total``.
        transcripts: what a cascade's recogniser wrote, one per clip.
        words: word times of those transcripts, one list per clip: ``(word, start, end)``.
        served_model: the version an endpoint says it served.
        extra: anything else worth keeping (batch size used, finish reason, request id).
    """

    status: ReplyStatus
    text: str = ""
    answer: str | None = None
    thinking: str | None = None
    reason: str | None = None
    consumed: Consumed = field(default_factory=Consumed)
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    transcripts: tuple[str, ...] = ()
    words: tuple[tuple[tuple[str, float, float], ...], ...] = ()
    served_model: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.status == "ok" and self.answer is None:
            raise ValueError("a reply that is ok needs an answer; use truncated, refused or error")
        if self.status != "ok" and (self.answer is not None or not self.reason):
            raise ValueError("a reply that is not ok needs a reason and has no answer")

    def read(self, reader: Callable[[str], T | None]) -> T | None:
        """What a reader finds in the answer; None where the reply failed and there is none."""
        return None if self.answer is None else reader(self.answer)

    @classmethod
    def error(cls, reason: str, **fields: Any) -> Reply:
        """A reply for a prompt that could not be answered."""
        return cls(status="error", reason=reason, **fields)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; fields at their defaults are left out. An answer may be empty, and is then kept."""
        record = {name: value for name, value in asdict(self).items() if value not in (None, "", (), {})}
        return record if self.answer is None else {**record, "answer": self.answer}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Reply:
        """Inverse of ``to_json``; unknown fields are ignored so that newer logs stay readable.

        Raises:
            DataError: the record is not a reply's.
        """
        known = {name: record[name] for name in cls.__dataclass_fields__ if name in record}
        try:
            known["consumed"] = Consumed(**known.get("consumed", {}))
            known["transcripts"] = tuple(map(str, known.get("transcripts", ())))
            known["words"] = tuple(
                tuple((str(word), float(start), float(end)) for word, start, end in clip)
                for clip in known.get("words", ())
            )
            return cls(**known)
        except (TypeError, ValueError, AttributeError) as error:
            raise DataError(
                f"not a reply ({error})", field=f"question {record.get('question')!r}"[:200], fix="Restore the log."
            ) from error
