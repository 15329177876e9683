"""Step-Audio 2 mini: the authors' repository over code of the checkpoint; role ``human``, text output.

A clip is cut in pieces of 25 s by its template; the last message is the assistant's, left open. The
base checkpoint's own sampling defaults are switched off.
"""

from __future__ import annotations

import sys
from typing import Any

PATCH = "<audio_patch>"


def load(options: dict[str, Any]) -> Any:
    """Load from ``repository`` and ``weights``."""
    return StepAudio(options)


class StepAudio:
    """Step-Audio 2; its call gives ids, text and speech."""

    wants_files = True
    controls = ("<|BOT|>", "<|EOT|>", PATCH)

    def __init__(self, options: dict[str, Any]) -> None:
        sys.path.insert(0, options["repository"])
        from stepaudio2 import StepAudio2  # type: ignore[import-not-found,unused-ignore]

        self.model = StepAudio2(options["weights"])
        self.dtype, self.device = "bfloat16", options["device"]  # the code fixes both
        self.tokenizer = self.model.llm_tokenizer
        self.patches, self.frames = 0, 0
        template = self.model.apply_chat_template

        def recorded(messages: Any) -> Any:
            pieces, mels = template(messages)
            self.patches = sum(piece.count(PATCH) for piece in pieces if isinstance(piece, str))
            self.frames = sum(int(mel.shape[1]) for mel in mels)
            return pieces, mels

        self.model.apply_chat_template = recorded

    def generate(self, messages: list[Any], clips: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
        """Answer a conversation."""
        import soundfile

        asked: list[Any] = []
        for message in messages:
            role = "human" if message["role"] == "user" else message["role"]
            content = [
                {"type": "text", "text": part["text"]}
                if "text" in part
                else {"type": "audio", "audio": clips[part["audio"]]}
                for part in message["content"]
            ]
            asked.append({"role": role, "content": content})
        asked.append({"role": "assistant", "content": None})
        self.patches, self.frames = 0, 0
        ids, text, _ = self.model(asked, **settings["arguments"])
        if clips and not self.patches:
            raise ValueError("the template dropped the audio: there is no audio token")
        length = sum(soundfile.info(path).duration for path in clips)
        # the call drops its last token, which is the end mark unless the room ran out
        return {
            "text": text.replace("<|EOT|>", "").strip(),
            "clips": len(clips) if self.frames else 0,
            "seconds": min(length, self.frames / 100),
            "audio_tokens": self.patches if clips else None,
            "tokens_in": None,
            "tokens_out": len(ids),
            "ended": len(ids) + 1 < settings["max_new_tokens"],
            "generation": settings["arguments"],
        }
