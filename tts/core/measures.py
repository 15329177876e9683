"""Tables about a split: counts by type, its voices, and whether an engine says an item's two words alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from apun import draws
from apun.clips import SAMPLE_RATE
from apun.errors import PhoneticError
from apun.models import Engine
from apun.prompts import MAIN
from apun.registry import optional
from apun.report.tables import Cell, Table
from apun.speech import Split, Utterance

HOMOPHONIC, HETEROGRAPHIC = "homophonic", "heterographic"
_NO_STRESS = str.maketrans({"ˈ": None, "ˌ": None, "ʌ": "ə"})

F0_LOW, F0_HIGH = 60.0, 600.0
"""Range in Hz in which F0 is looked for: low men's to children's and cartoon voices."""
FRAME = 0.064
"""Seconds of a frame: almost four periods of the lowest F0."""
SILENCE = 40.0
"""dB below the loudest frame at which a clip's edges count as silence."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What a voice's clips say of it.

    Attributes:
        clips: how many were measured.
        f0: median fundamental frequency in Hz over their voiced frames; None where none is voiced.
        words: words a second, over the clips whose text is in words; None where there are none.
        characters: characters a second, over those in Mandarin or Japanese; in Mandarin, syllables.
    """

    clips: int
    f0: float | None
    words: float | None
    characters: float | None


@runtime_checkable
class SaysPhonemes(Protocol):
    """An engine that can tell what it would say; with the same phonemes and voice it gives the same audio."""

    def phonemes(self, utterance: Utterance) -> str:
        """What the voice is fed."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An item's sentence with the pun word and with the alternative in its place."""

    item: str
    type: str
    pun: Utterance
    alternative: Utterance


def clip_lengths(split: Split, types: Mapping[str, str] | None = None) -> dict[str, list[tuple[float, int]]]:
    """Seconds of each clip and length of its sentence, by type.

    Only ``main`` clips count, so that variants of an item do not weigh twice.

    Args:
        split: any split; clips without ``seconds`` in their row are decoded.
        types: type of each item; the row's own ``type`` where absent.
    """
    groups: dict[str, list[tuple[float, int]]] = {}
    for (item, part), row in split.rows.items():
        if part != MAIN and MAIN in split.parts(item):
            continue
        kind = (types or {}).get(item) or str(row.get("type") or "untyped")
        seconds = row.get("seconds")
        length = float(seconds) if seconds not in (None, "") else split.clip(item, part).seconds
        groups.setdefault(kind, []).append((length, sentence_length(str(row.get("text", "")))))
    return groups


def sentence_length(text: str) -> int:
    """Words separated by spaces, or characters where the text has no Latin letters."""
    if has_latin(text):
        return len(text.split())
    return sum(char.isalnum() for char in text)


def has_latin(text: str) -> bool:
    """Whether the text's length is counted in words."""
    return any("a" <= char.lower() <= "z" for char in text)


def voices(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Clips and minutes by voice."""
    names = sorted({str(row.get("voice", "")) for row in rows})
    body = []
    for name in names:
        mine = [_stated(row) for row in rows if str(row.get("voice", "")) == name]
        body.append((name or "unknown", len(mine), sum(mine) / 60))
    return Table("voices", "Voices", ("voice", "clips", "minutes"), tuple(body))


def voiced_f0(samples: NDArray[np.float32], rate: int) -> NDArray[np.float64]:
    """F0 in Hz of each voiced frame, by probabilistic YIN (Mauch and Dixon 2014).

    Args:
        samples: mono, shape ``(n,)``.
        rate: samples a second.

    Returns:
        Shape ``(voiced frames,)``; empty for silence and noise.

    Raises:
        MissingDependency: librosa is not installed.
    """
    librosa = optional("librosa", "tts")
    frame = int(2 ** round(float(np.log2(FRAME * rate))))
    if samples.size < frame:
        return np.empty(0)
    f0, voiced, _ = librosa.pyin(samples, fmin=F0_LOW, fmax=F0_HIGH, sr=rate, frame_length=frame)
    return np.asarray(f0[voiced], dtype=np.float64)


def spoken_seconds(samples: NDArray[np.float32], rate: int) -> float:
    """Seconds between the silences at a clip's edges; pauses inside count.

    Raises:
        MissingDependency: librosa is not installed.
    """
    if not samples.any():
        return 0.0
    _, (start, end) = optional("librosa", "tts").effects.trim(
        samples, top_db=SILENCE, frame_length=1024, hop_length=256
    )
    return float(end - start) / rate


def measure(split: Split, keys: list[tuple[str, str]]) -> Measures:
    """Measure some clips of a split as one voice.

    Raises:
        AudioError: a clip cannot be read.
        MissingDependency: librosa is not installed.
    """
    f0 = []
    words = characters = 0
    word_seconds = character_seconds = 0.0
    for key in keys:
        clip = split.clip(*key)
        f0.append(voiced_f0(clip.samples, SAMPLE_RATE))
        seconds = spoken_seconds(clip.samples, SAMPLE_RATE)
        clip.release()
        text = str(split.row(*key).get("text") or "")
        if has_latin(text):
            words, word_seconds = words + sentence_length(text), word_seconds + seconds
        elif text:
            characters, character_seconds = characters + sentence_length(text), character_seconds + seconds
    voiced = np.concatenate(f0) if f0 else np.empty(0)
    return Measures(
        len(keys),
        float(np.median(voiced)) if voiced.size else None,
        words / word_seconds if word_seconds else None,
        characters / character_seconds if character_seconds else None,
    )


def measured_voices(split: Split, per_voice: int = 5) -> Table:
    """Clips, minutes, median F0 and rate of each voice of a split.

    Args:
        split: any split; a row's ``voice`` names its speaker.
        per_voice: clips measured for each, drawn by their names, so in whatever order the sheet is.

    Raises:
        AudioError: a clip cannot be read.
        MissingDependency: librosa is not installed.
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, row in split.rows.items():
        groups.setdefault(str(row.get("voice") or ""), []).append(key)
    body: list[tuple[Cell, ...]] = []
    for name, keys in sorted(groups.items()):
        found = measure(split, sorted(keys, key=lambda key: draws.number(0, "voice", *key))[:per_voice])
        minutes = sum(_stated(split.rows[key]) for key in keys) / 60
        body.append((name or "unknown", len(keys), minutes, found.clips, found.f0, found.words, found.characters))
    columns = ("voice", "clips", "minutes", "measured", "median F0 (Hz)", "words/s", "characters/s")
    note = f"F0 by probabilistic YIN between {F0_LOW:g} and {F0_HIGH:g} Hz; rates without the silence at a clip's edges"
    return Table("voices", "Voices", columns, tuple(body), (note,))


def pairs_of(items: Iterable[Any]) -> list[Pair]:
    """Pairs of the items that have a word to swap in (``swap_word``, ``swapped_text``)."""
    found = []
    for item in items:
        if getattr(item, "swap_word", "") and getattr(item, "type", "") in (HOMOPHONIC, HETEROGRAPHIC):
            pun = Utterance(item.id, item.text, item.language)
            found.append(Pair(item.id, item.type, pun, Utterance(item.id, item.swapped_text, item.language)))
    return found


def alike_table(pairs: Iterable[Pair], engine: Engine) -> Table | None:
    """How many pairs the engine says alike, by type; None for engines that are fed text only.

    A homophonic item whose two sentences are said differently, or a heterographic one whose are
    not, is listed by name: its annotation and the engine's pronunciation disagree. Stress does not
    count: ``oar`` and the weak form of ``or`` differ in nothing else.
    """
    if not isinstance(engine, SaysPhonemes):
        return None
    alike: dict[str, dict[str, bool]] = {HOMOPHONIC: {}, HETEROGRAPHIC: {}}
    for pair in pairs:
        try:
            said, meant = (
                engine.phonemes(utterance).translate(_NO_STRESS) for utterance in (pair.pun, pair.alternative)
            )
            alike[pair.type][pair.item] = said == meant
        except PhoneticError:  # a sentence that cannot be said is listed in rejected.jsonl already
            continue
    body = tuple(
        (kind, len(found), sum(found.values()), 100 * sum(found.values()) / len(found))
        for kind, found in alike.items()
        if found
    )
    if not body:
        return None
    odd = [item for kind, found in alike.items() for item, same in found.items() if same != (kind == HOMOPHONIC)]
    notes = (f"annotation and pronunciation disagree: {', '.join(odd)}",) if odd else ()
    title = f"Pun and alternative, as {engine.name} says them"
    return Table("alike", title, ("type", "items", "said alike", "%"), body, notes, decimals=1)


def _stated(row: Mapping[str, Any]) -> float:
    return float(row.get("seconds") or 0)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
