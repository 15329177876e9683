"""Questions: an item under a task, its prompt file, its form and its language.

Options (``--set``): ``language`` of the prompt (``zh``, ``en``); ``form`` (``word``, ``pinyin`` in text;
``whole``, ``clips``, ``clips_only`` in audio); ``perturbation`` of homophone recall (``homo_4``, or the
release's legacy ``base_1`` … ``tone_4``). Tasks that have no such form are not touched by it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun.errors import UsageError
from apun.prompts import template_for
from apun.registry import unknown
from apun.speech import Speech, Utterance
from apun.tasks import Conditions, Question
from benchmarks.phun_bench.speaking import utterances

PROMPTS = Path(__file__).with_name("prompts")
LANGUAGES = ("zh", "en")
FORMS = ("word", "pinyin", "whole", "clips", "clips_only")
OPTIONS = ("language", "form", "perturbation")
PAPER_SEED = 42
SPOKEN_DEFAULT = 50  # items a stratum that are asked by ear unless --limit says otherwise (paper §5.4.3)


@dataclass(frozen=True)
class Form:
    """One way to put a task's question.

    Attributes:
        stem: prompt file, without language and suffix.
        clips: names of the clips it plays; empty in text.
        texts: gold text of each clip, for the text modality.
    """

    stem: str
    clips: tuple[str, ...] = ()
    texts: Callable[[Any, Conditions], Mapping[str, str]] = lambda item, conditions: {}


@dataclass(frozen=True)
class Plan:
    """How a task asks.

    Attributes:
        task: full task name.
        concerns: whether it asks an item under the conditions.
        fields: what its prompt is filled with beside clips and their texts; never the gold answer.
        text: forms of the text modality by name, the default first.
        audio: forms of the audio modality; empty where sound makes no sense.
        spoken_default: at most so many items a stratum by ear, unless told otherwise.
    """

    task: str
    concerns: Callable[[Any, Conditions], bool]
    text: Mapping[str, Form]
    audio: Mapping[str, Form]
    fields: Callable[[Any, Conditions], Mapping[str, Any]] = lambda item, conditions: {}
    spoken_default: int | None = None

    def form(self, conditions: Conditions) -> tuple[str, Form]:
        """The form asked for where this task has it, else the task's own default."""
        forms = self.audio if conditions.modality == "audio" else self.text
        wanted = conditions.options.get("form", "")
        name = wanted if wanted in forms else next(iter(forms))
        return name, forms[name]

    def ask(self, items: Sequence[Any], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
        """The questions of the items; see ``apun.tasks.Task.ask``."""
        check_options(conditions)
        name, form = self.form(conditions)
        language = conditions.options.get("language", "zh")
        path = conditions.prompts or PROMPTS / f"{form.stem}.{language}.toml"
        mark = f".{name}" if len(self.audio if conditions.modality == "audio" else self.text) > 1 else ""
        for variant in conditions.variants or ("p0",):
            template = template_for(path, variant)
            shown = f"{variant}.{language}{mark}"
            for item in items:
                if not self.concerns(item, conditions):
                    continue
                id = f"{self.task}/{item.id}/{shown}"
                fields = {"language": item.language, **self.fields(item, conditions)}
                if form.clips:
                    if speech is None:
                        raise UsageError(f"{self.task} by ear needs clips; use --modality text, or render them first")
                    if not speech.parts(item.id):
                        continue  # rejected by the split's gate, or never recorded: not asked by ear, and n shows it
                    clips = {part: speech.clip(item.id, part) for part in form.clips}
                    prompt = template.render(id=id, task=self.task, fields=fields, clips=clips)
                else:
                    texts = form.texts(item, conditions)
                    prompt = template.render(id=id, task=self.task, fields=fields, transcripts=texts)
                yield Question(id, self.task, item, shown, prompt)

    def speech(self, item: Any, conditions: Conditions) -> Sequence[Utterance]:
        """What must be spoken for an item in the form asked for."""
        if not self.audio or not self.concerns(item, conditions):
            return ()
        name, form = self.form(conditions)
        return [utterance for utterance in utterances(item, name) if utterance.part in form.clips]

    def sample(self, items: Sequence[Any], conditions: Conditions, limit: int | None) -> list[Any]:
        """The items of this task; at most ``limit`` of each stratum (tier, perturbation type).

        The paper's seed stands in for the command line's default of 0.
        """
        check_options(conditions)
        if limit is None and conditions.modality == "audio":
            limit = self.spoken_default
        seed = conditions.seed or PAPER_SEED
        return stratified([item for item in items if self.concerns(item, conditions)], limit, seed)


def stratified(items: Sequence[Any], limit: int | None, seed: int) -> list[Any]:
    """At most ``limit`` items a stratum, whatever their order in the file, in that order."""
    if limit is None:
        return list(items)
    ranked = sorted(items, key=lambda item: hashlib.sha256(f"{seed}:{item.id}".encode()).digest())
    room: dict[str, int] = {}
    kept = set()
    for item in ranked:
        room[item.stratum] = room.get(item.stratum, limit) - 1
        if room[item.stratum] >= 0:
            kept.add(item.id)
    return [item for item in items if item.id in kept]


def check_options(conditions: Conditions) -> None:
    """Refuse an option or value that no task of this benchmark knows."""
    for key, value in conditions.options.items():
        if key not in OPTIONS:
            raise unknown("option of phun", key, OPTIONS)
        if key == "form" and value not in FORMS:
            raise unknown("form", value, FORMS)
        if key == "language" and value not in LANGUAGES:
            raise unknown("prompt language", value, LANGUAGES)
