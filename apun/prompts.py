"""Prompt: messages of text and clips; and the data files they are rendered from.

A prompt file is TOML: one file per task and language, with a version and named variants::

    version = 1
    task = "apun.location"
    language = "en"

    [variants.p0]
    system = "You listen carefully."          # optional
    user = "{audio}\nWhich word makes the pun?"
    user_text = "Sentence: {transcript}\nWhich word makes the pun?"   # what a text model is asked

Placeholders are ``{name}``; they are filled in one pass, so braces inside a value are never read
as placeholders. ``{audio}`` stands for the clip (``{audio.NAME}`` where a task has several), and
``{transcript}`` / ``{transcript.NAME}`` for its words in the text form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from apun import digests
from apun.clips import Clip
from apun.errors import DataError, UsageError
from apun.paths import read_toml

Role = Literal["system", "user", "assistant"]
_PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*(?:\.[a-z0-9_]+)?)\}")
MAIN = "main"  # the name of a task's only clip


@dataclass(frozen=True, slots=True)
class Text:
    """Text inside a message."""

    text: str


@dataclass(frozen=True, slots=True)
class Audio:
    """A clip inside a message; ``name`` tells several clips of one prompt apart."""

    clip: Clip
    name: str = MAIN


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where the transcript of the named clip goes."""

    name: str = MAIN


Part = Text | Audio | Slot


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked.

    Attributes:
        id: the question's id.
        task: full task name, for the solver and for logs.
        messages: the conversation; the last message is the user's.
        text_form: the same question for a text model, with ``Slot`` where transcripts go; empty
            when the question has no audio (``messages`` is text already).
        fields: the values the template was filled with. Never holds the gold answer.
    """

    id: str
    task: str
    messages: tuple[Message, ...]
    text_form: tuple[Message, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def audios(self) -> tuple[Audio, ...]:
        """The audio parts in order of appearance."""
        return tuple(part for message in self.messages for part in message.parts if isinstance(part, Audio))

    @property
    def seconds(self) -> float:
        """Seconds of audio, all clips together."""
        return sum(audio.clip.seconds for audio in self.audios)

    def with_transcripts(self, transcripts: Mapping[str, str]) -> Prompt:
        """The text form with each clip replaced by its transcript (keyed by clip name)."""
        form = self.text_form or self.messages

        def fill(part: Part) -> Part:
            return part if isinstance(part, Text) else Text(transcripts[part.name])

        messages = tuple(replace(m, parts=_merge([fill(part) for part in m.parts])) for m in form)
        return replace(self, messages=messages, text_form=(), fields={**self.fields, "transcripts": dict(transcripts)})

    def rendered(self) -> list[dict[str, Any]]:
        """What is sent, as plain JSON: text verbatim, clips by hash. Logged and hashed into keys."""
        return [
            {
                "role": message.role,
                "content": [
                    {"text": part.text}
                    if isinstance(part, Text)
                    else {"audio": part.clip.sha256, "name": part.name}
                    if isinstance(part, Audio)
                    else {"slot": part.name}
                    for part in message.parts
                ],
            }
            for message in self.messages
        ]

    @property
    def digest(self) -> str:
        """sha256 of what is sent."""
        return digests.of_text(json.dumps(self.rendered(), ensure_ascii=False, sort_keys=True))


@dataclass(frozen=True, slots=True)
class Template:
    """One variant of a prompt file."""

    name: str
    version: int
    messages: tuple[tuple[Role, str], ...]
    text_messages: tuple[tuple[Role, str], ...]

    def render(
        self,
        *,
        id: str,
        task: str,
        fields: Mapping[str, Any],
        clips: Mapping[str, Clip] | None = None,
        transcripts: Mapping[str, str] | None = None,
    ) -> Prompt:
        """Fill the template.

        Args:
            id: question id.
            task: full task name.
            fields: values for the placeholders; ``str()`` is applied. Must not hold the answer.
            clips: audio by clip name; given for the audio modality.
            transcripts: gold texts by clip name; given for the text modality.

        Raises:
            UsageError: a placeholder has no value.
        """
        if transcripts is not None:
            form = self.text_messages or self.messages
            messages = tuple(_message(role, text, fields, None, transcripts) for role, text in form)
            return Prompt(id, task, messages, (), {**fields, "transcripts": dict(transcripts)})
        messages = tuple(_message(role, text, fields, clips or {}, None) for role, text in self.messages)
        text_form = tuple(_message(role, text, fields, None, None) for role, text in self.text_messages)
        return Prompt(id, task, messages, text_form if clips else (), fields)

    def text(self, fields: Mapping[str, Any]) -> str:
        """The last message filled in, for wordings that are part of another: a worked example, a heading.

        Raises:
            UsageError: a placeholder has no value.
        """

        def value(match: re.Match[str]) -> str:
            is_clip = match.group(1).partition(".")[0] in ("audio", "transcript")
            return "" if is_clip else _value(match, fields)

        return _PLACEHOLDER.sub(value, self.messages[-1][1])


def _value(match: re.Match[str], fields: Mapping[str, Any]) -> str:
    if match.group(1) not in fields:
        raise UsageError(
            f"the prompt has a placeholder {match.group()} that its task does not fill; known: {sorted(fields)}"
        )
    return str(fields[match.group(1)])


def _message(
    role: Role,
    template: str,
    fields: Mapping[str, Any],
    clips: Mapping[str, Clip] | None,
    transcripts: Mapping[str, str] | None,
) -> Message:
    parts: list[Part] = []
    position = 0
    for match in _PLACEHOLDER.finditer(template):
        parts.append(Text(template[position : match.start()]))
        position = match.end()
        name, _, sub = match.group(1).partition(".")
        key = sub or MAIN
        if name in ("audio", "transcript"):
            if name == "audio" and clips is not None:
                if key not in clips:
                    raise UsageError(f"the prompt asks for clip {key!r}, and the question has {sorted(clips)}")
                parts.append(Audio(clips[key], key))
            elif transcripts is not None:
                parts.append(Text(transcripts[key]))
            else:
                parts.append(Slot(key))
        else:
            parts.append(Text(_value(match, fields)))
    parts.append(Text(template[position:]))
    return Message(role, _merge(parts))


def _merge(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Join neighbouring texts and drop empty ones."""
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, Text) and merged and isinstance(merged[-1], Text):
            merged[-1] = Text(merged[-1].text + part.text)
        elif not isinstance(part, Text) or part.text:
            merged.append(part)
    return tuple(merged)


@lru_cache(maxsize=256)
def load_templates(path: Path) -> Mapping[str, Template]:
    """Read a prompt file.

    Raises:
        DataError: the file is missing or malformed; names the variant and field.
    """
    if not path.is_file():
        raise DataError("no such prompt file", file=path)
    data = read_toml(path, fix="See the format in apun/prompts.py.")
    version = data.get("version")
    if not isinstance(version, int):
        raise DataError("needs a whole number", file=path, field="version", fix="Raise it whenever a wording changes.")
    variants = data.get("variants")
    if not isinstance(variants, dict) or not variants:
        raise DataError("needs at least one [variants.NAME] table", file=path, field="variants")
    return {name: _template(path, name, version, body) for name, body in variants.items()}


def _template(path: Path, name: str, version: int, body: Any) -> Template:
    where = f"variants.{name}"
    known = {"system", "user", "user_text", "system_text", "messages", "messages_text", "note"}
    if not isinstance(body, dict):
        raise DataError("must be a table", file=path, field=where)
    if unknown := set(body) - known:
        raise DataError(f"unknown key {sorted(unknown)[0]!r}", file=path, field=where, fix=f"Known: {sorted(known)}.")

    def conversation(suffix: str) -> tuple[tuple[Role, str], ...]:
        if f"messages{suffix}" in body:
            rows = body[f"messages{suffix}"]
            return tuple((row["role"], row["content"]) for row in rows)
        user = body.get(f"user{suffix}")
        if user is None:
            return ()
        system = body.get(f"system{suffix}", body.get("system"))
        return ((("system", system),) if system else ()) + (("user", user),)

    messages = conversation("")
    if not messages:
        raise DataError("needs 'user' or 'messages'", file=path, field=where)
    for _, text in messages:
        if not isinstance(text, str):
            raise DataError("must be text", file=path, field=where)
    return Template(name, version, messages, conversation("_text"))


def template_for(path: Path, variant: str) -> Template:
    """The named variant of a prompt file.

    Raises:
        UsageError: there is no such variant; lists those there are.
    """
    templates = load_templates(path)
    if variant not in templates:
        raise UsageError(f"{path.name} has no prompt variant {variant!r}; it has {', '.join(sorted(templates))}")
    return templates[variant]
