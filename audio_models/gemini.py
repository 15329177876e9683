"""Gemini's ``generateContent``: ``gemini:MODEL``; the key comes from ``GEMINI_API_KEY`` or ``GOOGLE_API_KEY``.

Thinking is switched off by a zero budget unless ``--model-arg thinking_budget=N`` asks for it;
thinking tokens count against the room for the answer, which is widened by the budget.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from apun.errors import ModelUnavailable, UsageError
from apun.http import ServiceError, key_from, web_address
from apun.models import Generation, LoadOptions, ModelInfo
from apun.prompts import Audio, Prompt, Text
from audio_models.core.served import BATCHES_AHEAD, Served, client, wav_base64

GEMINI_URL = "https://generativelanguage.googleapis.com"
REFUSALS = frozenset({"SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"})


def create(name: str, options: LoadOptions) -> Served:
    """Factory for ``gemini:…`` names.

    Raises:
        UsageError: no model is named.
        ModelUnavailable: there is no key.
    """
    model = name.partition(":")[2]
    if not model:
        raise UsageError("write gemini:MODEL, for example gemini:gemini-3.5-flash-lite")
    url = options.base_url or GEMINI_URL
    web_address(url)
    # a key for Google must not travel to an address that came from the command line
    key = key_from("APUN_API_KEY") if options.base_url else key_from("GEMINI_API_KEY", "GOOGLE_API_KEY")
    if not key and options.base_url is None:
        raise ModelUnavailable(f"{name} needs a key in GEMINI_API_KEY")
    service = client(url, {"x-goog-api-key": key} if key else {}, key, options)
    concurrency, budget = service.limits.concurrency, options.whole("thinking_budget", 0)
    info = ModelInfo(
        name=name,
        family="gemini",
        revision=model,
        audio=True,
        max_clips=None,
        longest_seconds=9.5 * 3600,
        max_batch=concurrency * BATCHES_AHEAD,
        settings={"concurrency": concurrency, "thinking_budget": budget},
    )
    return Served(service, GenerateContent(model, budget), info)


class GenerateContent:
    """``models/MODEL:generateContent``."""

    def __init__(self, model: str, budget: int) -> None:
        self.path, self._budget = f"/v1beta/models/{quote(model)}:generateContent", budget

    def body(self, prompt: Prompt, generation: Generation) -> dict[str, Any]:
        """The request."""
        system = [message for message in prompt.messages if message.role == "system"]
        turns = [message for message in prompt.messages if message.role != "system"]
        body: dict[str, Any] = {
            "contents": [
                {
                    "role": "model" if turn.role == "assistant" else "user",
                    "parts": [part_of(part) for part in turn.parts],
                }
                for turn in turns
            ],
            "generationConfig": {
                "temperature": generation.temperature,
                "maxOutputTokens": generation.max_new_tokens + max(0, self._budget),
                "seed": generation.seed,
                "thinkingConfig": {"thinkingBudget": self._budget},
            },
        }
        if system:
            body["systemInstruction"] = {"parts": [part_of(part) for message in system for part in message.parts]}
        return body

    def read(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The first candidate as reply fields."""
        usage = body.get("usageMetadata") or {}
        thoughts = usage.get("thoughtsTokenCount") or 0
        details = usage.get("promptTokensDetails") or []
        audio = [d.get("tokenCount") for d in details if isinstance(d, dict) and d.get("modality") == "AUDIO"]
        fields: dict[str, Any] = {
            "tokens_in": usage.get("promptTokenCount"),
            "tokens_out": (usage["candidatesTokenCount"] + thoughts) if "candidatesTokenCount" in usage else None,
            "audio_tokens": audio[0] if audio else None,
            "served_model": body.get("modelVersion"),
        }
        blocked = (body.get("promptFeedback") or {}).get("blockReason")
        if blocked:
            return fields | {"status": "refused", "reason": f"prompt blocked: {blocked}"}
        try:
            candidate = body["candidates"][0]
            finish = candidate.get("finishReason")
            parts = (candidate.get("content") or {}).get("parts") or []
            text = "".join(str(part.get("text", "")) for part in parts if not part.get("thought"))
            thinking = "".join(str(part.get("text", "")) for part in parts if part.get("thought"))
        except (KeyError, IndexError, TypeError, AttributeError):
            raise ServiceError(f"the response has no candidate ({sorted(body)[:8]})", final=True) from None
        fields |= {"text": text, "thinking": thinking or None, "extra": {"finish_reason": finish}}
        if finish in REFUSALS:
            return fields | {"status": "refused", "reason": f"finish reason {finish}"}
        if finish == "MAX_TOKENS":
            return fields | {"status": "truncated", "reason": "ran out of tokens"}
        if not text.strip():
            return fields | {"status": "error", "reason": f"the service sent no text (finish reason {finish})"}
        return fields | {"status": "ok", "answer": text.strip()}


def part_of(part: object) -> dict[str, Any]:
    """A message part in Gemini's shape."""
    if isinstance(part, Audio):
        return {"inlineData": {"mimeType": "audio/wav", "data": wav_base64(part.clip)}}
    if isinstance(part, Text):
        return {"text": part.text}
    raise ServiceError("the prompt still has an open transcript slot", final=True)
