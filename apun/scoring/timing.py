"""Where in the clip: seconds of the located word, and how far they are from the pun (beyond the paper).

Word times come from a recogniser or a forced alignment: ``(word, start, end)`` in seconds. The word is
located among them by sound, so a recogniser's slip on the pun word itself does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apun.errors import UsageError
from apun.scoring.location import Location, locate

TOLERANCE = 0.5
"""Seconds around the gold span in which an answer is a hit."""

INTERVALS = 5
"""Parts of a sentence or clip in the analysis of positions: 0-0.2 … 0.8-1 (Figure 3)."""

TimedWord = tuple[str, float, float]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a clip.

    Attributes:
        start: seconds from the clip's start.
        end: seconds; at least ``start``. Equal for an answer that is a point in time.
    """

    start: float
    end: float

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end < float("inf"):
            raise UsageError(f"a span needs 0 ≤ start ≤ end in seconds; got {self.start} and {self.end}")

    @property
    def middle(self) -> float:
        """Its midpoint in seconds."""
        return (self.start + self.end) / 2


def locate_in_time(word: str, timed: Sequence[TimedWord], language: str = "en") -> tuple[Span | None, Location]:
    """Seconds of the word or run that sounds most like the prediction; None where nothing was located.

    Args:
        word: the predicted word.
        timed: the clip's words with their times.
        language: ``en``, ``zh`` or ``ja``.

    Raises:
        UsageError: a word ends before it starts.
    """
    found = locate(word, [token for token, _, _ in timed], language)
    if found.index is None or found.start is None:
        return None, found
    run = timed[found.start : found.index + 1]
    return Span(min(start for _, start, _ in run), max(end for _, _, end in run)), found


def hit(predicted: Span | None, gold: Span, tolerance: float = TOLERANCE) -> bool:
    """Whether the middle of the prediction lies in the gold span, widened by the tolerance at both ends.

    Args:
        predicted: the located span; None is a miss.
        gold: the pun word's span.
        tolerance: seconds, 0 or more.
    """
    return predicted is not None and gold.start - tolerance <= predicted.middle <= gold.end + tolerance


def overlap(predicted: Span | None, gold: Span) -> float:
    """Intersection over union of the two spans, in [0, 1]; two equal points overlap fully."""
    if predicted is None:
        return 0.0
    if predicted == gold:
        return 1.0
    shared = min(predicted.end, gold.end) - max(predicted.start, gold.start)
    union = max(predicted.end, gold.end) - min(predicted.start, gold.start)
    return max(0.0, shared) / union if union > 0 else 0.0


def interval_of_word(index: int, length: int, intervals: int = INTERVALS) -> int:
    """Which part of a sentence a word lies in, by the middle of the word: 0 is the first fifth.

    Args:
        index: position of the word, from 0.
        length: number of words.
        intervals: number of equal parts.

    Raises:
        UsageError: the position is outside the sentence.
    """
    if not 0 <= index < length:
        raise UsageError(f"word {index} is not in a sentence of {length} words")
    return int((index + 0.5) / length * intervals)


def interval_of_time(seconds: float, duration: float, intervals: int = INTERVALS) -> int:
    """Which part of a clip a time lies in; the clip's end belongs to the last part.

    Args:
        seconds: time in the clip; times after its end count as its end.
        duration: length of the clip in seconds, above 0.
        intervals: number of equal parts.

    Raises:
        UsageError: a negative time or no duration.
    """
    if seconds < 0 or duration <= 0:
        raise UsageError(f"{seconds} s is no time in a clip of {duration} s")
    return min(intervals - 1, int(seconds / duration * intervals))
