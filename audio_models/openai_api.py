"""OpenAI-compatible chat endpoints: OpenAI itself, vLLM, SGLang, llama.cpp.

``openai:MODEL``, with ``--base-url`` for a server other than OpenAI's. Audio goes as ``input_audio``
(base64 WAV). The key comes from ``OPENAI_API_KEY``; for ``--base-url`` from ``APUN_API_KEY``, if the
server needs one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from apun.errors import ModelUnavailable, UsageError
from apun.http import ServiceError, bearer, openai_address
from apun.models import Generation, LoadOptions, ModelInfo
from apun.prompts import Audio, Message, Prompt, Text
from apun.readers import thinking
from audio_models.catalogue import MODELS
from audio_models.core.served import BATCHES_AHEAD, Served, client, wav_base64


def create(name: str, options: LoadOptions) -> Served:
    """Factory for ``openai:…`` names.

    Raises:
        UsageError: no model is named, or the URL is not http(s).
        ModelUnavailable: OpenAI's own service is asked for without a key.
    """
    model = name.partition(":")[2]
    if not model:
        raise UsageError("write openai:MODEL, for example openai:gpt-audio-1.5")
    address = openai_address(options.base_url, other=["APUN_API_KEY"])
    if address.official and not address.key:
        raise ModelUnavailable(f"{name} needs a key in OPENAI_API_KEY, or --base-url for a server of your own")
    service = client(address.url, bearer(address.key), address.key, options)
    concurrency, parts = service.limits.concurrency, urlsplit(address.url)
    info = ModelInfo(
        name=name,
        family="openai",
        revision=f"{parts.hostname}/{model}",
        audio=MODELS[name].accepts.audio if name in MODELS else options.switch("audio", True),
        max_clips=None,
        max_batch=concurrency * BATCHES_AHEAD,
        settings={"endpoint": f"{parts.scheme}://{parts.hostname}", "concurrency": concurrency},
    )
    return Served(service, Chat(model, address.official), info)


class Chat:
    """``/chat/completions``."""

    path = "/chat/completions"

    def __init__(self, model: str, own: bool) -> None:
        self._model, self._own = model, own

    def body(self, prompt: Prompt, generation: Generation) -> dict[str, Any]:
        """The request. At temperature 0 a foreign server gets every sampling and penalty field, because
        such servers take their defaults from the checkpoint's generation_config."""
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": message.role, "content": content(message)} for message in prompt.messages],
            "temperature": generation.temperature,
            "seed": generation.seed,
        }
        if self._own:
            body["max_completion_tokens"] = generation.max_new_tokens
            if prompt.audios:
                body["modalities"] = ["text"]
        else:
            body["max_tokens"] = generation.max_new_tokens
            if generation.temperature == 0:
                body |= {"top_p": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}
                body |= {"presence_penalty": 0.0, "frequency_penalty": 0.0}
        return body

    def read(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The first choice as reply fields."""
        try:
            choice = body["choices"][0]
            message = choice["message"]
            finish = choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise ServiceError(f"the response has no choice ({sorted(body)[:8]})", final=True) from None
        try:
            text, thought = thinking.of_content(message.get("content"))
        except ValueError as error:
            raise ServiceError(str(error), final=True) from None
        separate = message.get("reasoning_content") or message.get("reasoning") or thought
        usage = body.get("usage") or {}
        details = usage.get("prompt_tokens_details") or {}
        fields: dict[str, Any] = {
            "text": text,
            "tokens_in": usage.get("prompt_tokens"),
            "tokens_out": usage.get("completion_tokens"),
            "audio_tokens": details.get("audio_tokens"),
            "served_model": body.get("model"),
            "thinking": str(separate) if separate else None,
            "extra": {"finish_reason": finish, "request": body.get("id")},
        }
        if finish == "content_filter" or message.get("refusal"):
            return fields | {"status": "refused", "reason": str(message.get("refusal") or "content filter")}
        split = thinking.OPTIONAL(text)
        fields["thinking"] = fields["thinking"] or split.thinking
        if finish == "length" or split.truncated:
            return fields | {"status": "truncated", "reason": "ran out of tokens"}
        if not split.answer:
            return fields | {"status": "error", "reason": f"the service sent no text (finish_reason {finish})"}
        return fields | {"status": "ok", "answer": split.answer}


def content(message: Message) -> str | list[dict[str, Any]]:
    """A message's content: a string when it is text alone, else typed blocks."""
    if all(isinstance(part, Text) for part in message.parts):
        return "".join(part.text for part in message.parts if isinstance(part, Text))
    blocks: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, Audio):
            blocks.append({"type": "input_audio", "input_audio": {"data": wav_base64(part.clip), "format": "wav"}})
        elif isinstance(part, Text):
            blocks.append({"type": "text", "text": part.text})
        else:
            raise ServiceError(f"the prompt still has an open transcript slot {part.name!r}", final=True)
    return blocks
