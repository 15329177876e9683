"""What every recogniser does around its engine: one clip at a time, timed, errors as transcripts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from apun.clips import Clip
from apun.models import Transcript

LANGUAGES = {"en": "english", "zh": "chinese", "ja": "japanese"}


def one_by_one(clips: Sequence[Clip], hear: Callable[[Clip], Transcript]) -> list[Transcript]:
    """Transcribe each clip by itself.

    Args:
        clips: what to transcribe.
        hear: one clip to its transcript; its wall time is filled in here.

    Returns:
        One transcript per clip, in order; one whose clip or engine failed carries the error.
    """
    transcripts: list[Transcript] = []
    for clip in clips:
        try:
            clip.samples  # noqa: B018 - decode before the clock starts: reading a file is not recognition
            start = time.perf_counter()
            transcript = hear(clip)
            transcripts.append(replace(transcript, seconds=time.perf_counter() - start))
        except Exception as error:  # noqa: BLE001 - engines raise anything; one bad clip must not cost the others
            transcripts.append(Transcript("", error=f"{type(error).__name__}: {error}"))
    return transcripts


def check_language(name: str, languages: Sequence[str], language: str | None) -> str | None:
    """Why this recogniser cannot hear that language; None when it can or is to guess."""
    if language is None or language in languages:
        return None
    return f"{name} hears {', '.join(languages)}, not {language}"


def in_batches(
    clips: Sequence[Clip], size: int, hear: Callable[[Sequence[Clip]], list[Transcript]]
) -> list[Transcript]:
    """Transcribe clips in batches; a batch that fails is tried again one clip at a time.

    Args:
        clips: what to transcribe.
        size: largest batch.
        hear: a batch to its transcripts; each gets an equal share of the batch's wall time.
    """

    def alone(clip: Clip) -> Transcript:
        return hear([clip])[0]

    transcripts: list[Transcript] = []
    for first in range(0, len(clips), size):
        batch = clips[first : first + size]
        if len(batch) == 1:
            transcripts += one_by_one(batch, alone)
            continue
        try:
            for clip in batch:
                clip.samples  # noqa: B018 - decode before the clock starts
            start = time.perf_counter()
            heard = hear(batch)
            share = (time.perf_counter() - start) / len(batch)
            transcripts += [replace(transcript, seconds=share) for transcript in heard]
        except Exception:  # noqa: BLE001 - one bad clip, or too little memory: singles tell which and why
            transcripts += one_by_one(batch, alone)
    return transcripts
