"""Kimi-Audio: the authors' repository, text output only; the speech decoder is not loaded.

Temperature 0 is an argmax in its sampler. Its encoder gives 12.5 positions a second.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

RATE = 12.5


def load(options: dict[str, Any]) -> Any:
    """Load from ``repository`` and ``weights``."""
    return Kimi(options)


class Kimi:
    """Kimi-Audio; its messages are single texts or single clips by path."""

    wants_files = True

    def __init__(self, options: dict[str, Any]) -> None:
        sys.path.insert(0, options["repository"])
        self.scratch = tempfile.TemporaryDirectory(prefix="apun-kimi-")
        os.chdir(self.scratch.name)  # on import the package opens a log in the current folder
        from kimia_infer.api.kimia import KimiAudio  # type: ignore[import-not-found,unused-ignore]

        os.chdir(options["weights"])  # the code asks for "THUDM/glm-4-voice-tokenizer": such a folder there will do
        try:
            self.model = KimiAudio(model_path=options["weights"], load_detokenizer=False)
        except OSError as error:
            raise OSError(
                f"{error}; Kimi-Audio also needs THUDM/glm-4-voice-tokenizer, from the hub cache or as that very "
                "folder inside its own"
            ) from error
        self.dtype, self.device = "bfloat16", options["device"]  # the code fixes both
        tokenizer = self.model.prompt_manager.text_tokenizer
        special = getattr(tokenizer, "special_tokens", None) or {}
        self.controls = [*special, *getattr(tokenizer, "all_special_tokens", ())]
        self.positions = self.tokens_in = self.tokens_out = 0
        prompt = self.model.prompt_manager.get_prompt

        def recorded(*args: Any, **kwargs: Any) -> Any:
            made = prompt(*args, **kwargs)
            audio, _, continuous = made.to_tensor()[:3]
            self.tokens_in = int(audio.shape[1])
            self.positions = int(continuous.sum()) if made.continuous_feature else 0
            return made

        self.model.prompt_manager.get_prompt = recorded
        loop = self.model._generate_loop

        def counted(*args: Any, **kwargs: Any) -> Any:
            made = loop(*args, **kwargs)
            self.tokens_out = len(made[1])  # (audio tokens, text tokens), without the end token
            return made

        self.model._generate_loop = counted

    def generate(self, messages: list[Any], clips: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
        """Answer a conversation."""
        import soundfile

        chats = []
        for message in messages:
            role = "user" if message["role"] == "system" else message["role"]  # there is no system role
            for part in message["content"]:
                if "text" in part:
                    chats.append({"role": role, "message_type": "text", "content": part["text"]})
                else:
                    chats.append({"role": role, "message_type": "audio", "content": clips[part["audio"]]})
        arguments = {
            "output_type": "text",
            "text_temperature": 0.0,
            "text_top_k": 5,
            "text_repetition_penalty": 1.0,
            "audio_temperature": 0.0,
            "audio_top_k": 5,
            "audio_repetition_penalty": 1.0,
            "max_new_tokens": settings["max_new_tokens"],
        }
        self.positions = 0
        _, text = self.model.generate(chats, **arguments)
        seconds = sum(soundfile.info(path).duration for path in clips)
        # positions are whole: one a clip more or less is rounding, fewer are audio that was cut
        whole = self.positions >= RATE * seconds - len(clips) - 1
        return {
            "text": text,
            "clips": len(clips) if self.positions else 0,
            "seconds": seconds if whole else self.positions / RATE,
            "audio_tokens": self.positions if clips else None,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "ended": self.tokens_out < settings["max_new_tokens"],
            "generation": arguments,
        }
