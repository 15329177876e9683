"""MERaLiON-2: code of the checkpoint, transformers 4.50.1, one clip, no system role.

Its processor wants ``audios=`` (elsewhere a trap), cuts a clip in pieces of 30 s, gives each piece
100 positions and drops what is past 300 s.
"""

from __future__ import annotations

from typing import Any

PROMPT = "Instruction: {question} \nFollow the text instruction based on the following audio: <SpeechHere>"
LONGEST = 300


def load(options: dict[str, Any]) -> Any:
    """Load a checkpoint folder: ``weights``, ``device``, ``dtype``, ``attention``."""
    return Meralion(options)


class Meralion:
    """MERaLiON-2 with its processor."""

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
        tokenizer = self.processor.tokenizer
        added = [token.content for token in tokenizer.added_tokens_decoder.values()]
        self.controls = [*tokenizer.all_special_tokens, *added, "<SpeechHere>"]

    def info(self) -> dict[str, Any]:
        """Numeric type and device."""
        return {"class": type(self.model).__name__, "dtype": self.dtype, "device": self.device}

    def generate(self, messages: list[Any], clips: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
        """Answer one question about one clip."""
        import torch

        if len(clips) != 1:
            raise ValueError(f"MERaLiON-2 takes one clip in a prompt, not {len(clips)}")
        if clips[0].size > LONGEST * 16_000:
            raise ValueError(f"MERaLiON-2 hears {LONGEST} s of a clip; the rest would be dropped")
        if any(message["role"] == "assistant" for message in messages):
            raise ValueError("MERaLiON-2 is asked one question at a time; the conversation has earlier turns")
        question = "\n\n".join(
            "".join(part["text"] for part in message["content"] if "text" in part).strip() for message in messages
        ).strip()
        conversation = [{"role": "user", "content": PROMPT.format(question=question)}]
        text = self.processor.tokenizer.apply_chat_template(conversation, tokenize=False, add_generation_prompt=True)
        inputs = self.processor(text=[text], audios=clips)
        ids = inputs["input_ids"]
        positions = int((ids == int(self.processor.speech_token_index)).sum())
        if "input_features" not in inputs or not positions:
            raise ValueError("the processor dropped the audio: there is no audio feature or no audio token")
        frames = int(inputs["feature_attention_mask"].sum())
        arguments = {
            "max_new_tokens": settings["max_new_tokens"],
            "do_sample": False,
            "num_beams": 1,
            "repetition_penalty": 1.0,
            "temperature": None,
            "top_p": None,
            "top_k": None,
        }
        with torch.inference_mode():
            out = self.model.generate(**inputs.to(self.model.device, self.model.dtype), **arguments)
        row = out[:, ids.size(1) :][0].tolist()
        ends = self.model.generation_config.eos_token_id
        ends = {ends} if isinstance(ends, int) else set(ends or ())
        stop = next((index for index, token in enumerate(row) if token in ends), None)
        row = row if stop is None else row[: stop + 1]
        return {
            "text": self.processor.tokenizer.decode(row, skip_special_tokens=True),
            "clips": 1,
            "seconds": min(frames / 100, clips[0].size / 16_000),
            "audio_tokens": positions,
            "tokens_in": int(ids.size(1)),
            "tokens_out": len(row),
            "ended": stop is not None,
            "generation": arguments,
        }
