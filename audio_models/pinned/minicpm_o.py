"""MiniCPM-o 2.6 and 4.5: code of the checkpoint, its ``chat``; the vision and speech parts are not loaded.

``sampling=False`` alone is a beam search over three, so ``num_beams=1`` goes with it. 4.5 calls the
switch ``do_sample`` and can think. What was heard is read off the processor's output.
"""

from __future__ import annotations

import inspect
from typing import Any

PLACES = ("(<audio>./</audio>)", "(<image>./</image>)", "<audio>./</audio>", "<image>./</image>", "<unit>")


def load(options: dict[str, Any]) -> Any:
    """Load a checkpoint folder: ``weights``, ``device``, ``dtype``, ``attention``, ``thinking``, ``release``."""
    return MiniCpm(options)


class Recorder:
    """A processor that remembers what it made of the last call's clips."""

    def __init__(self, processor: Any) -> None:
        self._processor = processor
        self.made: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.made = self._processor(*args, **kwargs)
        return self.made

    def __getattr__(self, name: str) -> Any:
        return getattr(self._processor, name)


class MiniCpm:
    """MiniCPM-o; its ``chat`` takes raw samples among the texts."""

    controls = PLACES

    def __init__(self, options: dict[str, Any]) -> None:
        import torch
        from transformers import AutoModel, AutoProcessor, AutoTokenizer

        local = {"trust_remote_code": True, "local_files_only": True}
        self.model = AutoModel.from_pretrained(
            options["weights"],
            use_safetensors=True,
            attn_implementation=options.get("attention") or "sdpa",
            torch_dtype=getattr(torch, options["dtype"]),
            init_vision=False,
            init_audio=True,
            init_tts=False,
            **local,
        )
        self.model = self.model.eval().to(options["device"])
        self.tokenizer = AutoTokenizer.from_pretrained(options["weights"], **local)
        self.processor = Recorder(AutoProcessor.from_pretrained(options["weights"], **local))
        self.model.processor = self.processor  # what chat takes where it has no argument for it
        self.release = options["release"]
        self.thinking = bool(options.get("thinking"))
        self.dtype, self.device = options["dtype"], options["device"]

    def generate(self, messages: list[Any], clips: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
        """Answer a conversation."""
        import torch

        asked = []
        for message in messages:
            content = [part["text"] if "text" in part else clips[part["audio"]] for part in message["content"]]
            asked.append({"role": message["role"], "content": content})
        arguments: dict[str, Any] = {
            "max_new_tokens": settings["max_new_tokens"],
            "num_beams": 1,
            "repetition_penalty": 1.0,
            "use_tts_template": bool(clips) and self.release == "2.6",
            "generate_audio": False,
        }
        if self.release == "2.6":
            arguments["sampling"] = False
        else:
            arguments.update(do_sample=False, enable_thinking=self.thinking)
        if "processor" in inspect.signature(self.model.chat).parameters:
            arguments["processor"] = self.processor
        self.processor.made = None
        with torch.inference_mode():
            text = self.model.chat(msgs=asked, tokenizer=self.tokenizer, **arguments)
        arguments.pop("processor", None)
        if not isinstance(text, str):
            text = getattr(text, "text", None) or text[0]
        made = self.processor.made
        if made is None:
            raise ValueError("MiniCPM-o did not use the processor it was given, so what it heard is not known")
        lengths = [int(one) for row in made["audio_feature_lens"] for one in row] if clips else []
        bounds = made["audio_bounds"] if clips and "audio_bounds" in made else []
        positions = sum(int(span[1]) - int(span[0]) for row in bounds for span in row) if len(bounds) else None
        written = len(self.tokenizer.encode(text, add_special_tokens=False))
        return {
            "text": text,
            "clips": len(clips) if lengths else 0,
            "seconds": min(sum(lengths) / 100, sum(clip.size for clip in clips) / 16_000),
            "audio_tokens": positions,
            "tokens_in": int(made["input_ids"].shape[-1]),
            "tokens_out": written,
            # chat returns text alone: an answer as long as its room is taken to have been cut
            "ended": written < settings["max_new_tokens"] - 1,
            "generation": arguments,
        }
