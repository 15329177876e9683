"""A family's program for tests: answers with what it was given, lies or dies when told to. No torch."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def load(options: dict[str, Any]) -> Toy:
    if options["weights"].endswith("broken"):
        print("the tensor shapes disagree", file=sys.stderr, flush=True)
        raise RuntimeError("size mismatch for layer 3")
    return Toy(options)


class Toy:
    controls = ("<|end|>", "<audio>", "")

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.starts = Path(options["weights"]) / "starts"
        self.starts.write_text(f"{int(self.starts.read_text()) + 1 if self.starts.exists() else 1}")

    def info(self) -> dict[str, Any]:
        return {"dtype": self.options["dtype"], "class": "Toy"}

    def generate(self, messages: list[Any], clips: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
        text = " ".join(part["text"] for message in messages for part in message["content"] if "text" in part)
        if "fatal" in text:
            print("CUDA error: device-side assert triggered", file=sys.stderr, flush=True)
            os._exit(139)
        flag = self.starts.with_name("died")
        if "once" in text and not flag.exists():
            flag.touch()
            os._exit(7)
        if "raise" in text:
            raise IndexError("index 1500 is out of bounds")
        seconds = sum(clip.size for clip in clips) / 16_000
        answer = {
            "text": json.dumps({"messages": messages, "lengths": [clip.size for clip in clips], **settings}),
            "clips": 0 if "deaf" in text else len(clips),
            "seconds": seconds / 2 if "half" in text else seconds,
            "audio_tokens": len(clips) * 10,
            "tokens_in": 5,
            "tokens_out": 3,
            "ended": "endless" not in text,
            "generation": {"do_sample": False},
        }
        if "think" in text:
            answer["text"] = "<think>hm"
        if "garbage" in text:
            del answer["seconds"]
        return answer
