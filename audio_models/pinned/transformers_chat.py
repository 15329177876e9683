"""Any native transformers audio chat model, in an environment with another transformers than apun's.

The class is the checkpoint's own (``architectures`` of its config.json, thinkers in place of full
Omni models); text and clips go through its processor in two steps, which gives the same ids on
transformers 4.5x and 5.x.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

THINKERS = {
    "Qwen2_5OmniForConditionalGeneration": "Qwen2_5OmniThinkerForConditionalGeneration",
    "Qwen2_5OmniModel": "Qwen2_5OmniThinkerForConditionalGeneration",
    "Qwen3OmniMoeForConditionalGeneration": "Qwen3OmniMoeThinkerForConditionalGeneration",
}
LONGEST = {"Qwen2AudioForConditionalGeneration": 30.0, "Qwen2_5OmniThinkerForConditionalGeneration": 300.0}
UNCUT = "Qwen3OmniMoeThinkerForConditionalGeneration"  # its processor cuts at 30 s on 4.57 unless told not to
FEATURES = ("input_features", "input_audio_embeds", "audio_input_features")
MASKS = ("feature_attention_mask", "input_features_mask")


def load(options: dict[str, Any]) -> Any:
    """Load a checkpoint folder: ``weights``, ``device``, ``dtype``, ``attention``, ``trust_remote_code``."""
    return TransformersChat(options)


class TransformersChat:
    """A transformers model with a processor and a chat template."""

    samples, controls = True, ()

    def __init__(self, options: dict[str, Any]) -> None:
        import torch
        import transformers

        folder = Path(options["weights"])
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        written = (config.get("architectures") or [""])[0]
        name = THINKERS.get(written, written)
        kind = getattr(transformers, name, None)
        if kind is None:
            raise ValueError(f"transformers {transformers.__version__} has no class {name!r}, which config.json names")
        trusted = {"local_files_only": True, "trust_remote_code": bool(options.get("trust_remote_code"))}
        self.processor = transformers.AutoProcessor.from_pretrained(str(folder), **trusted)
        self.tokenizer = self.processor.tokenizer
        dtype = getattr(torch, options["dtype"])
        major = int(transformers.__version__.split(".")[0])
        self.model = kind.from_pretrained(
            str(folder),
            **({"dtype": dtype} if major >= 5 else {"torch_dtype": dtype}),
            attn_implementation=options.get("attention"),
            use_safetensors=True,
            **trusted,
        )
        self.model = self.model.to(options["device"]).eval()
        self.audio_id = audio_token_of(self.model.config)
        shipped = self.model.generation_config.to_dict()
        ends = shipped.get("eos_token_id")
        ends = [ends] if isinstance(ends, int) else list(ends or [])
        if self.tokenizer.eos_token_id is not None and self.tokenizer.eos_token_id not in ends:
            ends.append(self.tokenizer.eos_token_id)
        self.ends = ends
        pad = shipped.get("pad_token_id")
        pad = pad if pad is not None else self.tokenizer.pad_token_id
        self.model.generation_config = transformers.GenerationConfig(
            eos_token_id=ends or None, pad_token_id=pad if pad is not None else (ends or [0])[0]
        )
        self.dtype, self.device = options["dtype"], self.model.device
        self.name, self.shipped = name, shipped

    def info(self) -> dict[str, Any]:
        """The class, its longest clip, and the checkpoint's own settings that were set aside."""
        kept = ("do_sample", "temperature", "top_p", "top_k", "repetition_penalty")
        return {
            "class": self.name,
            "longest_seconds": LONGEST.get(self.name),
            "attention": str(getattr(self.model.config, "_attn_implementation", "")),
            "checkpoint_generation": {key: self.shipped[key] for key in kept if self.shipped.get(key) is not None},
        }

    def generate(self, messages: list[Any], clips: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
        """Answer a conversation; see the package's docstring."""
        import torch

        conversation = [
            {
                "role": message["role"],
                "content": [
                    {"type": "text", "text": part["text"]} if "text" in part else {"type": "audio", "audio": "clip"}
                    for part in message["content"]
                ],
            }
            for message in messages
        ]
        order = [part["audio"] for message in messages for part in message["content"] if "audio" in part]
        text = self.processor.apply_chat_template(conversation, add_generation_prompt=True, tokenize=False)
        extra = {"audio": [clips[index] for index in order], "sampling_rate": 16_000} if order else {}
        if order and self.name == UNCUT:
            extra["audio_kwargs"] = {"truncation": False}
        inputs = self.processor(
            text=[text], **extra, text_kwargs={"padding": True, "padding_side": "left"}, return_tensors="pt"
        )
        ids = inputs["input_ids"]
        positions = int((ids == self.audio_id).sum()) if self.audio_id is not None else 0
        if order and (not any(name in inputs for name in FEATURES) or not positions):
            raise ValueError("the processor dropped the audio: there is no audio feature or no audio token")
        mask = next((inputs[name] for name in MASKS if name in inputs), None)
        frames = int(mask.sum()) if mask is not None else 0
        if settings.get("temperature"):
            torch.manual_seed(int(settings.get("seed") or 0))
        with torch.inference_mode():
            out = self.model.generate(**inputs.to(self.model.device, self.model.dtype), **settings["arguments"])
        row = out[0, ids.shape[1] :].tolist()
        stop = next((index for index, token in enumerate(row) if token in self.ends), None)
        row = row if stop is None else row[: stop + 1]
        return {
            "text": self.tokenizer.decode(row, skip_special_tokens=True),
            "clips": len(order) if frames else 0,
            "seconds": min(frames / 100, sum(clips[index].size for index in order) / 16_000),
            "audio_tokens": positions,
            "tokens_in": int(ids.shape[1]),
            "tokens_out": len(row),
            "ended": stop is not None,
            "generation": settings["arguments"],
        }


def audio_token_of(config: Any) -> int | None:
    """Id of the token that stands for an audio position."""
    for name in ("audio_token_id", "audio_token_index"):
        found = getattr(config, name, None)
        if isinstance(found, int):
            return found
    return None
