"""SALMONN-13B: the authors' repository (branch ``salmonn``) with its parts; Python 3.9, one clip of at most 30 s.

The repository generates from embeddings, so its output holds new tokens alone. Its beam search over
four is replaced by one beam: greedy. Its checkpoints are pickles and are read by its own code, in
this process.
"""

from __future__ import annotations

import os
import sys
from typing import Any

PLACE = "<SpeechHere>"


def load(options: dict[str, Any]) -> Any:
    """Load the parts: ``repository``, ``weights``, ``vicuna``, ``whisper``, ``beats``, ``checkpoint``, ``device``."""
    return Salmonn(options)


class Salmonn:
    """SALMONN as its command line runs it."""

    title, longest = "SALMONN", 30
    controls = (PLACE, "<Speech>", "</Speech>", "<s>", "</s>", "<unk>", "[PAD]")

    def __init__(self, options: dict[str, Any]) -> None:
        sys.path.insert(0, options["repository"])
        os.chdir(options["weights"])  # the code asks for "bert-base-uncased": a folder of that name there will do
        from models.salmonn import SALMONN  # type: ignore[import-not-found,unused-ignore]
        from transformers import WhisperFeatureExtractor

        settings = {
            "llama_path": options["vicuna"],
            "whisper_path": options["whisper"],
            "beats_path": options["beats"],
            "ckpt": options["checkpoint"],
            "use_speech_Qformer": True,
            "window_level_Qformer": True,
            "num_speech_query_token": 1,
            "second_per_window": 0.333333,
            "second_stride": 0.333333,
            "lora": True,
            "lora_rank": 8,
            "lora_alpha": 32,
            "lora_dropout": 0.1,
            "multi_prompt": True,
            "prompt_template": "USER: {}\nASSISTANT:",
            "max_txt_len": 300,
            "end_sym": "</s>",
            "low_resource": bool(options.get("low_resource")),
        }
        self.model = SALMONN.from_config(settings)
        self.model.to(options["device"])
        self.model.eval()
        self.extractor = WhisperFeatureExtractor.from_pretrained(options["whisper"])
        self.dtype, self.device = "float16", options["device"]  # the code fixes half precision
        self.positions = 0
        encode = self.model.encode_speech

        def recorded(*args: Any, **kwargs: Any) -> Any:
            made = encode(*args, **kwargs)
            self.positions = int(made[0].shape[1])
            return made

        self.model.encode_speech = recorded

    def ask(self, question: str, clip: Any, settings: dict[str, Any]) -> dict[str, Any]:
        """Answer one question about one clip."""
        import numpy as np
        import torch

        audio = clip if clip.size >= 16_000 else np.concatenate([clip, np.zeros(16_000 - clip.size, np.float32)])
        spectrogram = self.extractor(audio, sampling_rate=16_000, return_tensors="pt")["input_features"]
        samples = {
            "spectrogram": spectrogram.to(self.device),
            "raw_wav": torch.from_numpy(audio).unsqueeze(0).to(self.device),
            "padding_mask": torch.zeros(1, audio.size, dtype=torch.bool).to(self.device),
        }
        arguments = {
            "max_new_tokens": settings["max_new_tokens"],
            "num_beams": 1,
            "do_sample": False,
            "min_length": 1,
            "temperature": 1.0,
            "top_p": 1.0,
            "repetition_penalty": 1.0,
            "length_penalty": 1.0,
        }
        self.positions = 0
        prompt = f"USER: <Speech>{PLACE}</Speech> {question}\nASSISTANT:"
        with torch.inference_mode(), torch.cuda.amp.autocast(dtype=torch.float16):
            text = self.model.generate(samples, arguments, prompts=[prompt])[0]
        if not self.positions:
            raise ValueError("no audio position reached SALMONN")
        body, end, _ = text.partition("</s>")
        body = body.replace("<s>", "").strip()
        return {
            "text": body,
            "clips": 1,
            "seconds": clip.size / 16_000,
            "audio_tokens": self.positions,
            "tokens_in": None,
            "tokens_out": None,
            "ended": bool(end),
            "generation": arguments,
        }
