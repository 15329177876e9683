"""Suspicions about a transcript: loops, and words heard where nobody spoke.

Whisper's decoders are known to repeat a phrase until the window is full and to write stock
phrases over silence. A suspicion is a flag on the transcript, never a silent correction.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence

LOOP, NO_SPEECH, LOW_CONFIDENCE = "loop", "no_speech", "low_confidence"
UNUSABLE = frozenset({LOOP, NO_SPEECH})  # a cascade does not pass these on unless asked to

COMPRESSION_LIMIT = 2.4  # Radford et al. 2023, section 4.5: text gzip shrinks this much is a loop
NO_SPEECH_LIMIT = 0.6  # ibid.: probability of the no-speech token …
LOGPROB_LIMIT = -1.0  # … together with a mean log probability below this
SHORTEST_BYTES = 100  # shorter texts with a rhyme or a refrain shrink as much without being loops
REPEATS = 9  # the same word or phrase this often in a row; "ha ha ha" and eight buffalo must pass
LONGEST_PHRASE = 12  # words (or characters in unspaced scripts) in a repeated phrase

_UNIT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+(?:['’][^\W_]+)*")


def compression_ratio(text: str) -> float:
    """Bytes before over bytes after zlib; 0 for no text. As openai-whisper computes it."""
    data = text.encode()
    return len(data) / len(zlib.compress(data)) if data else 0.0


def repeats(text: str) -> int:
    """The largest number of times one phrase stands in a row; 1 when nothing repeats, 0 for no words."""
    units = [unit.lower() for unit in _UNIT.findall(text)]
    if not units:
        return 0
    best = 1
    for length in range(1, min(LONGEST_PHRASE, len(units) // 2) + 1):
        matching = 0
        for earlier, later in zip(units, units[length:], strict=False):
            matching = matching + 1 if earlier == later else 0
            best = max(best, matching // length + 1)
    return best


def _shrinks(text: str) -> bool:
    return len(text.encode()) >= SHORTEST_BYTES and compression_ratio(text) > COMPRESSION_LIMIT


def flags(
    text: str,
    *,
    no_speech: float | None = None,
    logprob: float | None = None,
    nothing_said: bool = False,
    windows: Sequence[str] = (),
) -> tuple[str, ...]:
    """Suspicions about a transcript, in a fixed order.

    Args:
        text: the transcript.
        no_speech: probability in [0, 1] that the clip holds no speech, where the engine gives it.
        logprob: mean log probability of the tokens, where the engine gives it.
        nothing_said: the engine itself said that it heard no speech.
        windows: the transcript of each window the engine decoded by itself, where there are several: a
            sentence said twice in a long clip is no loop.
    """
    found: list[str] = []
    if any(_shrinks(window) for window in windows or (text,)) or repeats(text) >= REPEATS:
        found.append(LOOP)
    unsure = logprob is not None and logprob < LOGPROB_LIMIT
    if text and (nothing_said or (unsure and no_speech is not None and no_speech > NO_SPEECH_LIMIT)):
        found.append(NO_SPEECH)
    if unsure:
        found.append(LOW_CONFIDENCE)
    return tuple(found)


def by_window(segments: Iterable[tuple[float, str]]) -> list[str]:
    """Texts joined by the window they were decoded in, given as ``(window, text)`` in order."""
    joined: dict[float, str] = {}
    for window, text in segments:
        joined[window] = joined.get(window, "") + text
    return list(joined.values())
