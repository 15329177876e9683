"""Asking: from items to questions, the same way for every task of every benchmark.

A task says which *cases* there are of its items under the conditions: an item, the wording it is asked in, the values
that fill it, and the clips it plays or their texts. A ``Plan`` makes the questions of them:

* every prompt variant that is named, else the task's own, in turn;
* a user's own prompt file in the place of the task's;
* ids ``TASK/ITEM/VARIANT`` with the case's condition appended to the variant (``p0.pun``);
* by ear the clips of the split, with what the split says of the voice; in writing the gold texts in their place;
* what must be spoken is what the cases play, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from apun.errors import UsageError
from apun.prompts import MAIN, Message, Prompt, Text, template_for
from apun.replies import Reply
from apun.scores import CLIP_LABELS, Score
from apun.speech import Speech, Utterance
from apun.tasks import Conditions, Metric, Question, Task

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Case:
    """One question to be, under one prompt variant.

    Attributes:
        item: what is asked about.
        file: prompt file in the plan's folder.
        fields: values of the template's placeholders; never the gold answer.
        suffix: the case's condition, appended to the variant in the question's id: ``.pun``.
        wording: name of the template in the file; empty: that of the variant.
        clips: by ear, the clips by their names in the prompt, each with its part in the split; empty where the
            question is asked in writing all the same.
        texts: in writing, what stands in each clip's place; None where the wording has no such place.
        ready: the whole question as text, where a release words it; no file is read then.
    """

    item: Any
    file: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    suffix: str = ""
    wording: str = ""
    clips: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] | None = None
    ready: str = ""


Cases = Callable[[Sequence[Any], Conditions, str], Iterable[Case]]
"""The cases of items under conditions and a prompt variant, lazily and in a fixed order."""


@dataclass(frozen=True)
class Plan:
    """How a task asks.

    Attributes:
        task: full task name.
        prompts: folder of the prompt files.
        cases: what is asked; skips items that the task does not concern.
        utterances: everything that could be spoken for an item under the conditions; what no case plays is left out.
            None: what the benchmark says is spoken in the form asked for.
        variants: prompt variants asked when none is named.
        skip_unheard: by ear, leave out a case whose clips the split lacks (n shows it) instead of refusing the split.
        audible: by ear, whether an item is asked, by the parts that the split has of it (n shows those left out);
            None: all are.
    """

    task: str
    prompts: Path
    cases: Cases
    utterances: Callable[[Any, Conditions], Sequence[Utterance]] | None = None
    variants: tuple[str, ...] = ("p0",)
    skip_unheard: bool = False
    audible: Callable[[Sequence[str]], bool] | None = None

    def ask(self, items: Sequence[Any], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
        """The questions of the items; see ``apun.tasks.Task.ask``.

        Raises:
            UsageError: an unknown prompt variant, or clips are needed and there are none.
            DataError: an item has no recording.
        """
        if conditions.modality == "audio" and speech is not None and self.audible is not None:
            items = [item for item in items if self.audible(speech.parts(item.id))]
        for variant in conditions.variants or self.variants:
            for case in self.cases(items, conditions, variant):
                heard = conditions.modality == "audio" and bool(case.clips)
                if heard and speech is None:
                    raise UsageError(f"{self.task} by ear needs clips; use --modality text, or render them first")
                if heard and self.skip_unheard and not set(case.clips.values()) <= set(_parts(speech, case.item.id)):
                    continue
                yield self._question(case, variant, conditions, speech if heard else None)

    def speech(self, item: Any, conditions: Conditions) -> Sequence[Utterance]:
        """What must be spoken for an item: what its cases play under the conditions."""
        variants = conditions.variants or self.variants
        played = {part for v in variants for case in self.cases([item], conditions, v) for part in case.clips.values()}
        spoken = self.utterances(item, conditions) if self.utterances is not None else ()
        return [utterance for utterance in spoken if utterance.part in played]

    def as_task(
        self,
        title: str,
        score: Callable[[Question, Reply], Score],
        metrics: tuple[Metric, ...],
        solve: Callable[[Prompt], str],
        perfect: Callable[[Question], str],
        **more: Any,
    ) -> Task:
        """The task that asks so; ``more`` are other fields of ``Task``, its ``version`` 1 unless it is among them."""
        speech = None if self.utterances is None else self.speech
        own = {"version": 1, "ask": self.ask, "variants": self.variants, "speech": speech, **more}
        return Task(name=self.task, title=title, score=score, metrics=metrics, solve=solve, perfect=perfect, **own)

    def _question(self, case: Case, variant: str, conditions: Conditions, speech: Speech | None) -> Question:
        shown = f"{variant}{case.suffix}"
        name = f"{self.task}/{case.item.id}/{shown}"
        fields: dict[str, Any] = {"language": case.item.language, **case.fields}
        if case.ready:
            prompt = Prompt(name, self.task, (Message("user", (Text(case.ready),)),), (), fields)
            return Question(name, self.task, case.item, shown, prompt)
        template = template_for(conditions.prompts or self.prompts / case.file, case.wording or variant)
        if speech is None:
            prompt = template.render(id=name, task=self.task, fields=fields, transcripts=case.texts)
        else:
            clips = {key: speech.clip(case.item.id, part) for key, part in case.clips.items()}
            fields |= _of_clip(speech, case.item.id, next(iter(case.clips.values())))
            prompt = template.render(id=name, task=self.task, fields=fields, clips=clips)
        return Question(name, self.task, case.item, shown, prompt)


def _parts(speech: Speech | None, item: str) -> Sequence[str]:
    return speech.parts(item) if speech is not None else ()


def _of_clip(speech: Speech, item: str, part: str) -> dict[str, Any]:
    """What results are broken down by, and the word times a split may state (``words``)."""
    row = speech.row(item, part)
    row = {**row, "voice": row.get("voice") or row.get("speaker")}  # a recording's speaker is its voice
    found: dict[str, Any] = {name: str(row[name]) for name in CLIP_LABELS if row.get(name) not in (None, "")}
    return found | ({"word_times": row["words"]} if isinstance(row.get("words"), list) else {})


def item_of(question: Question, kind: type[T]) -> T:
    """The question's item as its task knows it.

    Raises:
        TypeError: it is of another kind.
    """
    if not isinstance(question.item, kind):
        raise TypeError(f"{question.id}: expected a {kind.__name__}, got a {type(question.item).__name__}")
    return question.item


def heard(prompt: Prompt, part: str = MAIN) -> str | None:
    """What a text model was given in a clip's place; None where the question has no such place."""
    transcripts = prompt.fields.get("transcripts")
    return str(transcripts.get(part, "")) if isinstance(transcripts, Mapping) else None


def condition_of(question: Question) -> str:
    """The last condition of a question's variant: ``pun`` of ``p0.pun``; empty where there is none."""
    return question.variant.partition(".")[2].rpartition(".")[2]
