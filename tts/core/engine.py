"""Voices: what every engine shares (the readings it can be made to say, the refusal of what it cannot), and which
utterance is spoken by which voice with which seed, as a function of seed and item.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from apun import digests
from apun.draws import number
from apun.errors import UsageError
from apun.models import Engine, Rendering, Voice
from apun.registry import unknown
from apun.speech import Utterance
from tts.core.finishing import FINISH


class SpeechEngine:
    """An engine that is given its version and voices; a subclass names itself and overrides ``_say``.

    Attributes:
        name: command-line name.
        version: of package and weights; enters cache keys.
        deterministic: whether the same utterance, voice and seed give the same samples.
        forced: forms of reading it honours, by language.
        hint: what to do about a language that it does not speak.
    """

    name = ""
    version = ""
    deterministic = True
    forced: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    hint = ""

    def __init__(self, version: str, voices: Iterable[Voice]) -> None:
        self.version = version
        self._voices = {voice.name: voice for voice in voices}

    def voices(self) -> Sequence[Voice]:
        """The voices there are."""
        return list(self._voices.values())

    def forces(self, language: str) -> tuple[str, ...]:
        """Reading forms this engine honours for a language."""
        return self.forced.get(language, ())

    def speak(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        """Render one utterance.

        Raises:
            UsageError: no such voice, or it does not speak the language.
            ApunError: whatever the engine cannot say, or why it cannot speak at all.
        """
        if voice not in self._voices:
            raise unknown(f"voice of {self.name}", voice, self._voices)
        languages = self._voices[voice].languages
        if utterance.language not in languages:
            raise UsageError(f"{self.name} speaks {', '.join(languages)}, not {utterance.language!r}{self.hint}")
        return self._say(utterance, voice, seed)

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        """Render an utterance in a voice that speaks its language."""
        raise NotImplementedError

    def close(self) -> None:
        """Free devices and processes."""


@dataclass(frozen=True, slots=True)
class Job:
    """One clip to render. ``take`` counts attempts from 0; each has a voice and seed of its own."""

    utterance: Utterance
    voice: str
    seed: int
    take: int = 0

    def key(self, engine: Engine) -> str:
        """Content key: same key, same audio (for an engine that is deterministic)."""
        utterance = self.utterance
        content = {
            "engine": engine.name,
            "version": engine.version,
            "finish": FINISH,
            "voice": self.voice,
            "seed": self.seed,
            "text": utterance.text,
            "language": utterance.language,
            "reading": dict(utterance.reading),
        }
        return digests.of_text(json.dumps(content, sort_keys=True, ensure_ascii=False))


def assign(utterance: Utterance, engine: Engine, voices: Sequence[str], seed: int, take: int = 0) -> Job:
    """The job of an utterance: voice and seed are functions of seed, item and take.

    All parts of an item share the voice, so that what differs between them is what is said.

    Raises:
        UsageError: none of the voices speaks the language.
    """
    able = speaking(engine, voices, utterance.language)
    if not able:
        raise UsageError(
            f"no voice of {engine.name} among those chosen speaks {utterance.language!r} (item {utterance.item})"
        )
    first = number(seed, "voice", utterance.item) % len(able)
    step = 1 + number(seed, "step", utterance.item) % max(1, len(able) - 1)
    voice = able[first] if take == 0 else able[(first + take * step) % len(able)]
    return Job(utterance, voice, number(seed, "noise", utterance.item, utterance.part, take) % 2**31, take)


def speaking(engine: Engine, voices: Sequence[str], language: str) -> list[str]:
    """The chosen voices that speak a language, in the engine's order."""
    chosen = set(voices)
    return [voice.name for voice in engine.voices() if voice.name in chosen and language in voice.languages]


def chosen_voices(engine: Engine, voices: Sequence[str] | str | None) -> list[str]:
    """Names of voices, with ``all`` (or None) expanded and unknown ones refused.

    Raises:
        UsageError: the engine has no such voice.
    """
    known = [voice.name for voice in engine.voices()]
    if voices is None or voices == "all" or list(voices) == ["all"]:
        return known
    wanted = [voices] if isinstance(voices, str) else list(voices)
    for name in wanted:
        if name not in known:
            raise unknown(f"voice of {engine.name}", name, known, "List them with 'apun list voices'.")
    return list(dict.fromkeys(wanted))


def require_forcing(utterances: Iterable[Utterance], engine: Engine, *, insist: bool = False) -> None:
    """Refuse an engine that cannot honour a reading an item depends on.

    Raises:
        UsageError: names the items, what they need and what to do.
    """
    if insist:
        return
    unable = [u for u in utterances if u.must_force and not set(u.reading) & set(engine.forces(u.language))]
    if unable:
        first = unable[0]
        forms = " or ".join(first.reading) or "a forced reading"
        raise UsageError(
            f"{engine.name} cannot force the reading of {len(unable)} utterance(s), such as item {first.item!r} "
            f"({first.language}, {forms}). Choose an engine that can ('apun list voices'), leave the items out "
            "with --ids, or pass --insist to render them with whatever reading the engine picks"
        )
