"""MERaLiON-2: code of the checkpoint, transformers 4.50.1, one clip, no system role.

Its processor wants ``audios=`` (elsewhere a trap), cuts a clip in pieces of 30 s, gives each piece
100 positions and drops what is past 300 s.
"""

from __future__ import annotations

from typing import Any

PROMPT = "Instruction: {question} \nFollow the text instruction based on the following audio: <SpeechHere>"


def load(options: dict[str, Any]) -> Any:
    """Load a checkpoint folder: ``weights``, ``device``, ``dtype``, ``attention``."""
    return Meralion(options)


class Meralion:
    """MERaLiON-2 with its processor."""

    title, longest, controls = "MERaLiON-2", 300, ("<SpeechHere>",)

    def __init__(self, options: dict[str, Any]) -> None:
        import torch
        from transformers import AutoModelForSpeechSeq2Seq, AutoProcessor

        local = {"trust_remote_code": True, "local_files_only": True}
        self.processor = AutoProcessor.from_pretrained(options["weights"], **local)
        self.model = AutoModelForSpeechSeq2Seq.from_pretrained(
            options["weights"],
            use_safetensors=True,
            attn_implementation=options.get("attention") or "sdpa",
            torch_dtype=getattr(torch, options["dtype"]),
            **local,
        )
        self.model = self.model.to(options["device"]).eval()
        self.dtype, self.device = options["dtype"], options["device"]
        self.tokenizer = self.processor.tokenizer

    def ask(self, question: str, clip: Any, settings: dict[str, Any]) -> dict[str, Any]:
        """Answer one question about one clip."""
        import torch

        conversation = [{"role": "user", "content": PROMPT.format(question=question)}]
        text = self.tokenizer.apply_chat_template(conversation, tokenize=False, add_generation_prompt=True)
        inputs = self.processor(text=[text], audios=[clip])
        ids = inputs["input_ids"]
        positions = int((ids == int(self.processor.speech_token_index)).sum())
        if "input_features" not in inputs or not positions:
            raise ValueError("the processor dropped the audio: there is no audio feature or no audio token")
        frames = int(inputs["feature_attention_mask"].sum())
        with torch.inference_mode():
            out = self.model.generate(**inputs.to(self.model.device, self.model.dtype), **settings["arguments"])
        row = out[:, ids.size(1) :][0].tolist()
        ends = self.model.generation_config.eos_token_id
        ends = {ends} if isinstance(ends, int) else set(ends or ())
        stop = next((index for index, token in enumerate(row) if token in ends), None)
        row = row if stop is None else row[: stop + 1]
        return {
            "text": self.tokenizer.decode(row, skip_special_tokens=True),
            "clips": 1,
            "seconds": min(frames / 100, clip.size / 16_000),
            "audio_tokens": positions,
            "tokens_in": int(ids.size(1)),
            "tokens_out": len(row),
            "ended": stop is not None,
            "generation": settings["arguments"],
        }
