"""Keys are content: the question, what is sent, the model, and how it generates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from apun.models import Generation, ModelInfo
from apun.prompts import Prompt
from apun.tasks import Question


def canonical(value: Any) -> str:
    """One JSON text per value: sorted keys, no spaces, Unicode as it is."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def digest(value: Any, length: int = 64) -> str:
    """sha256 of the canonical JSON, cut to ``length`` hex digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:length]


def question_key(question: Question, info: ModelInfo, generation: Generation) -> str:
    """The key a reply is stored under. Any change of prompt, clip, model or settings changes it."""
    return digest(
        {
            "question": question.id,
            "prompt": question.prompt.digest,
            **({"text_form": text_form.digest} if (text_form := _text_form(question)) else {}),
            "model": dict(info.identity),
            "generation": asdict(generation),
        },
        32,
    )


def _text_form(question: Question) -> Prompt | None:
    """What a cascade's model is asked in place of the clips, transcripts apart."""
    prompt = question.prompt
    return replace(prompt, messages=prompt.text_form) if prompt.text_form else None


def settings_digest(settings: Mapping[str, Any]) -> str:
    """Eight hex digits that name a run's settings in its folder."""
    return digest(settings, 8)
