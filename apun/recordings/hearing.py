"""Verification: does a recogniser hear the text that was to be read?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from apun.clips import Clip
from apun.errors import PhoneticError
from apun.models import Recogniser
from apun.recordings.takes import Take

DIFFERENT = 0.5  # error rate from which a clip is listed as worth listening to


def listener(recogniser: Recogniser) -> Callable[[Path, Take], Mapping[str, Any]]:
    """What a recogniser hears in a clip, and how far that is from the text.

    The rate counts words for English, toneless syllables for Mandarin and morae for Japanese, so that
    spelling does not matter. A clip is never refused for it: recognisers err on single words and puns.
    """

    def hear(path: Path, take: Take) -> Mapping[str, Any]:
        (transcript,) = recogniser.transcribe([Clip(path)], take.language)
        if transcript.error is not None:
            return {"heard": "", "heard_error": transcript.error}
        rate = error_rate(take, transcript.text)
        return {"heard": transcript.text, **({} if rate is None else {"error_rate": round(rate, 4)})}

    return hear


def error_rate(take: Take, heard: str) -> float | None:
    """Edits over units of the text; None where the text has no reading."""
    if take.language == "en":
        from apun.scoring.round_trip import content_error_rate

        return content_error_rate(take.text, heard)
    from apun.scoring.round_trip import unit_error_rate

    try:
        return unit_error_rate(take.utterance, heard)
    except PhoneticError:
        return None
