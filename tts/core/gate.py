"""The quality gate: may a rendered clip stand for its item?

Three checks, all with named limits: the time a syllable takes, the content heard by a recogniser,
and the sound of the words that decide the item. A clip that fails is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from apun.scoring.round_trip import content_error_rate, syllables, unit_error_rate, word_heard
from apun.sound.loudness import PAD_SECONDS
from apun.speech import Utterance

VERSION = 2  # raised whenever a verdict could change; enters the cached verdict's key
FEWEST_UNITS = 3  # shorter texts are not judged by a recogniser, which guesses at isolated syllables


@dataclass(frozen=True, slots=True)
class Limits:
    """What is still accepted.

    Attributes:
        content_error: share of content not heard (words for en, syllables for zh, morae for ja).
        key_word: share of a key word's phones not heard.
        shortest_syllable: seconds a syllable takes at least, silence at the ends not counted.
        longest_syllable: at most.
    """

    content_error: float = 0.5
    key_word: float = 0.4
    shortest_syllable: float = 0.07
    longest_syllable: float = 0.6


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's finding.

    Attributes:
        passed: whether the clip may be used.
        reason: ``duration``, ``not_understood`` or ``key_word``; empty when passed.
        detail: what was measured, for people.
        measures: numbers and the transcript, for the metadata.
    """

    passed: bool
    reason: str = ""
    detail: str = ""
    measures: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def judge(utterance: Utterance, seconds: float, heard: str | None, limits: Limits) -> Verdict:
    """The verdict on one clip; a pure function.

    Args:
        utterance: what was to be said.
        seconds: length of the trimmed clip.
        heard: the recogniser's transcript; None where no recogniser is used.
        limits: what is accepted.
    """
    count = syllables(utterance)
    each = max(0.0, seconds - 2 * PAD_SECONDS) / count
    measures: dict[str, Any] = {"seconds_per_syllable": round(each, 4)}
    longest = limits.longest_syllable * (1 if count >= FEWEST_UNITS else 3)  # a word on its own is drawn out
    if not limits.shortest_syllable <= each <= longest:
        detail = f"{each:.3f} s a syllable, accepted {limits.shortest_syllable}-{longest}"
        return Verdict(False, "duration", detail, measures)
    if heard is None:
        return Verdict(True, measures=measures)
    measures["heard"] = heard
    if count < FEWEST_UNITS:
        return Verdict(True, measures=measures)
    if utterance.language == "en":
        rate = content_error_rate(utterance.text, heard)
    else:
        rate = unit_error_rate(utterance, heard)
    measures["content_error"] = round(rate, 4)
    if rate > limits.content_error:
        return Verdict(False, "not_understood", f"{rate:.0%} of the content not heard: {heard!r}", measures)
    if utterance.language == "en":
        for word in utterance.key_words:
            missing = word_heard(word, heard)
            measures["key_word_missing"] = round(max(missing, measures.get("key_word_missing", 0.0)), 4)
            if missing > limits.key_word:
                return Verdict(False, "key_word", f"{word!r} not heard in {heard!r}", measures)
    return Verdict(True, measures=measures)
