"""A prompt as token ids: the checkpoint's own chat template, text that cannot speak for it.

The template is rendered with a private mark in place of every text, so only what the *template*
wrote is read as control tokens. The texts are put back afterwards and encoded as plain text:
``<|im_end|>`` or ``<|AUDIO|>`` typed in a question stays those characters. Each placeholder the
template wrote for a clip is then repeated once for every audio position the clip takes.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun.errors import ApunError
from apun.models import ModelInfo
from apun.prompts import Audio, Message, Prompt, Text

SLACK_SECONDS = 0.05  # a clip this much over the limit still counts as within it
_OPEN, _CLOSE = "\ue000", "\ue001"  # private-use characters: no template writes them
_MARK = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_encoding = threading.Lock()  # a fast tokenizer's split_special_tokens is a switch, not an argument


class InputError(ApunError):
    """A prompt that cannot be given to this model."""


@dataclass(frozen=True, slots=True)
class Written:
    """A piece of a rendered prompt: ``trusted`` if the template wrote it."""

    text: str
    trusted: bool


def render(tokenizer: Any, prompt: Prompt, *, template: str | None, blocks: bool) -> list[Written]:
    """Render a prompt through a chat template.

    Args:
        tokenizer: has ``apply_chat_template``.
        prompt: texts and clips.
        template: used in place of the tokenizer's own; None for its own.
        blocks: messages hold lists of typed blocks (audio models) rather than strings (text LLMs).

    Raises:
        InputError: the template drops a text, or takes no such conversation.
    """
    texts: list[str] = []

    def marked(text: str) -> str:
        texts.append(text)
        return f"{_OPEN}{len(texts) - 1}{_CLOSE}"

    def content(message: Message) -> Any:
        parts = [part for part in message.parts if not (isinstance(part, Text) and not part.text)]
        if blocks:
            return [
                {"type": "text", "text": marked(part.text)}
                if isinstance(part, Text)
                else {"type": "audio", "audio": "clip"}
                for part in parts
            ]
        if any(not isinstance(part, Text) for part in parts):
            raise InputError("a text model was given a clip; use a cascade (RECOGNISER+MODEL) or --modality text")
        return marked("".join(part.text for part in parts if isinstance(part, Text)))

    conversation = [{"role": message.role, "content": content(message)} for message in prompt.messages]
    rendered = _apply(tokenizer, conversation, template)
    written: list[Written] = []
    position = 0
    for match in _MARK.finditer(rendered):
        written.append(Written(rendered[position : match.start()], True))
        written.append(Written(texts[int(match.group(1))], False))
        position = match.end()
    written.append(Written(rendered[position:], True))
    missing = len(texts) - len({match.group(1) for match in _MARK.finditer(rendered)})
    if missing:
        raise InputError(f"the chat template leaves out {missing} of the prompt's {len(texts)} texts")
    return [piece for piece in written if piece.text]


def _apply(tokenizer: Any, conversation: list[dict[str, Any]], template: str | None) -> str:
    from jinja2.exceptions import TemplateError

    arguments: dict[str, Any] = {"tokenize": False, "add_generation_prompt": True}
    if template is not None:
        arguments["chat_template"] = template
    try:
        return str(tokenizer.apply_chat_template(conversation, **arguments))
    except TemplateError:
        if conversation[0]["role"] != "system" or len(conversation) < 2:
            raise
        # Gemma, Mistral and others have no system role: its text opens the first turn instead
        folded = [{**conversation[1], "content": _joined(conversation[0]["content"], conversation[1]["content"])}]
        return str(tokenizer.apply_chat_template([*folded, *conversation[2:]], **arguments))


def _joined(system: Any, user: Any) -> Any:
    if isinstance(user, str):
        return f"{system}\n\n{user}"
    return [*system, {"type": "text", "text": "\n\n"}, *user]


def fold_system(prompt: Prompt) -> Prompt:
    """The prompt with its system text put at the head of the first turn, for models without that role."""
    if len(prompt.messages) < 2 or prompt.messages[0].role != "system":
        return prompt
    system, first, *rest = prompt.messages
    opened = Message(first.role, (*system.parts, Text("\n\n"), *first.parts))
    return Prompt(prompt.id, prompt.task, (opened, *rest), prompt.text_form, prompt.fields)


def encode(tokenizer: Any, written: Sequence[Written], placeholder: str | None, counts: Sequence[int]) -> list[int]:
    """Token ids of a rendered prompt.

    Args:
        tokenizer: a fast tokenizer.
        written: from ``render``.
        placeholder: the token a template writes for a clip; None for text models.
        counts: audio positions of each clip, in order.

    Raises:
        InputError: the template wrote another number of placeholders than there are clips.
    """
    pattern = _controls(tokenizer)
    whole = "".join(piece.text for piece in written)
    told = [match for piece in written if piece.trusted for match in pattern.findall(piece.text)]
    if pattern.findall(whole) == told:  # the texts spell no control token: the ids of a plain call, to the last one
        with _encoding:
            ids = list(tokenizer(whole, add_special_tokens=False)["input_ids"])
    else:
        ids = _in_pieces(tokenizer, written, pattern)
    return ids if placeholder is None else _expanded(ids, tokenizer.convert_tokens_to_ids(placeholder), counts)


def _controls(tokenizer: Any) -> re.Pattern[str]:
    """Matches every control token; whitespace that a tokenizer lists as a token is text."""
    tokens = {token.content for token in tokenizer.added_tokens_decoder.values()} | set(tokenizer.all_special_tokens)
    tokens = {token for token in tokens if token and not token.isspace()}
    return re.compile("|".join(re.escape(token) for token in sorted(tokens, key=len, reverse=True)) or r"(?!)")


def _in_pieces(tokenizer: Any, written: Sequence[Written], pattern: re.Pattern[str]) -> list[int]:
    """Ids where only the template's control tokens are read as such."""
    ids: list[int] = []
    run: list[str] = []  # text between control tokens, whoever wrote it, is encoded in one piece
    for piece in written:
        position = 0
        for match in pattern.finditer(piece.text) if piece.trusted else ():
            run.append(piece.text[position : match.start()])
            position = match.end()
            ids += [*_plain(tokenizer, "".join(run), pattern), tokenizer.convert_tokens_to_ids(match.group())]
            run.clear()
        run.append(piece.text[position:])
    return [*ids, *_plain(tokenizer, "".join(run), pattern)]


def _expanded(ids: Sequence[int], audio: int, counts: Sequence[int]) -> list[int]:
    found = sum(token == audio for token in ids)
    if found != len(counts):
        raise InputError(f"the chat template wrote {found} placeholders for {len(counts)} clips")
    left = iter(counts)
    return [token for one in ids for token in ([audio] * next(left) if one == audio else [one])]


def _plain(tokenizer: Any, text: str, controls: re.Pattern[str]) -> list[int]:
    if not text:
        return []
    if controls.search(text) is None:
        with _encoding:
            return list(tokenizer(text, add_special_tokens=False)["input_ids"])
    # the text spells a control token: run the model's own pipeline without its added tokens
    backend = tokenizer.backend_tokenizer
    if backend.normalizer is not None:
        text = backend.normalizer.normalize_str(text)
    pieces = [text]
    if backend.pre_tokenizer is not None:
        pieces = [piece for piece, _ in backend.pre_tokenizer.pre_tokenize_str(text)]
    return [token.id for piece in pieces for token in backend.model.tokenize(piece)]


def chat_template(folder: Path, tokenizer: Any, default: str | None) -> str | None:
    """The checkpoint's template: the tokenizer's, else a file beside it, else the family's default."""
    if getattr(tokenizer, "chat_template", None):
        return None
    jinja = folder / "chat_template.jinja"
    if jinja.is_file():
        return jinja.read_text(encoding="utf-8")
    for name in ("chat_template.json", "processor_config.json"):
        if (folder / name).is_file():
            stored = json.loads((folder / name).read_text(encoding="utf-8")).get("chat_template")
            if isinstance(stored, str):
                return stored
    return default


def left_padded(rows: Sequence[Sequence[int]], pad: int) -> Mapping[str, Any]:
    """``input_ids`` and ``attention_mask`` of shape ``(rows, longest)``, int64, padded on the left.

    Decoder-only models continue from the last position: padding on the right changes the answers
    of every row but the longest.
    """
    import torch

    longest = max(len(row) for row in rows)
    ids = torch.full((len(rows), longest), pad, dtype=torch.int64)
    mask = torch.zeros((len(rows), longest), dtype=torch.int64)
    for index, row in enumerate(rows):
        ids[index, longest - len(row) :] = torch.tensor(row, dtype=torch.int64)
        mask[index, longest - len(row) :] = 1
    return {"input_ids": ids, "attention_mask": mask}


def refusal(info: ModelInfo, prompt: Prompt) -> str | None:
    """Why a model is not asked: clips that are too many, too long for it or not readable; None when it is."""
    audios = prompt.audios
    if audios and not info.audio:
        return f"{info.name} takes no audio; use a cascade (RECOGNISER+{info.name}) or --modality text"
    if info.max_clips is not None and len(audios) > info.max_clips:
        return f"{info.name} takes {info.max_clips} clip(s) in a prompt, and this one has {len(audios)}"
    try:
        longest = max((audio.clip.seconds for audio in audios), default=0.0)
    except Exception as error:  # noqa: BLE001 - whatever a decoder raises is this prompt's error, not the batch's
        return f"audio: {error}"
    if info.longest_seconds is not None and longest > info.longest_seconds + SLACK_SECONDS:
        return f"{info.name} hears {info.longest_seconds:g} s of a clip, and this one has {longest:.2f} s"
    return None


def clips_of(prompt: Prompt) -> tuple[Audio, ...]:
    """The prompt's clips, decoded here and now so that a bad one fails its own prompt."""
    for audio in prompt.audios:
        audio.clip.samples  # noqa: B018 - decodes, or raises AudioError
    return prompt.audios
