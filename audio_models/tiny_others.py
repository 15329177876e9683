"""Builders of tiny Voxtral, Granite Speech, Gemma 3n and Phi-4 checkpoints; see ``audio_models.tiny``."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from audio_models import granite_speech as granite_family
from audio_models.random_weights import byte_tokenizer
from audio_models.tiny_qwen import TEXT, ids_of, save, scaled, whisper

# rank to name of the control tokens the adapter uses; the ranks are the released tokenizer's
TEKKEN = {0: "<unk>", 1: "<s>", 2: "</s>", 3: "[INST]", 4: "[/INST]", 11: "<pad>", 24: "[AUDIO]", 25: "[BEGIN_AUDIO]"}
SPECIALS = 40


def voxtral(folder: Path) -> None:
    """Voxtral with a byte-level tekken.json."""
    from transformers import VoxtralConfig, VoxtralForConditionalGeneration

    specials = [
        {"rank": rank, "token_str": TEKKEN.get(rank, f"<SPECIAL_{rank}>"), "is_control": True}
        for rank in range(SPECIALS)
    ]
    vocabulary = [
        {"rank": byte, "token_bytes": base64.b64encode(bytes([byte])).decode(), "token_str": None}
        for byte in range(256)
    ]
    tekken = {
        "config": {
            "pattern": r"\s+|\S+",
            "num_vocab_tokens": 256,
            "default_vocab_size": 256 + SPECIALS,
            "default_num_special_tokens": SPECIALS,
            "version": "v7",
        },
        "vocab": vocabulary,
        "special_tokens": specials,
        "audio": {
            "sampling_rate": 16000,
            "frame_rate": 12.5,
            "chunk_length_s": 30.0,
            "audio_encoding_config": {"num_mel_bins": 128, "hop_length": 160, "window_size": 400},
        },
    }
    (folder / "tekken.json").write_text(json.dumps(tekken), encoding="utf-8")
    config = VoxtralConfig(
        audio_config={
            "hidden_size": 16,
            "intermediate_size": 64,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "num_mel_bins": 128,
            "max_source_positions": 1500,
        },
        text_config={"model_type": "llama", "vocab_size": 256 + SPECIALS, "head_dim": 8, **TEXT},
        audio_token_id=24,
    )
    network = VoxtralForConditionalGeneration(config)
    network.generation_config.update(eos_token_id=2, pad_token_id=11)
    scaled(network).save_pretrained(folder)
    whisper(30).save_pretrained(folder)


def granite_speech(folder: Path) -> None:
    """Granite Speech without its speech adapter."""
    from transformers import (
        GraniteSpeechConfig,
        GraniteSpeechFeatureExtractor,
        GraniteSpeechForConditionalGeneration,
    )

    controls = ("<|start_of_role|>", "<|end_of_role|>", "<|end_of_text|>", "<|audio|>")
    tokenizer = byte_tokenizer(controls, end="<|end_of_text|>", pad="<|end_of_text|>")
    config = GraniteSpeechConfig(
        encoder_config={
            "input_dim": 160,
            "num_layers": 2,
            "hidden_dim": 16,
            "num_heads": 2,
            "dim_head": 8,
            "output_dim": 12,
            "context_size": 50,
            "max_pos_emb": 64,
        },
        projector_config={
            "model_type": "blip_2_qformer",
            "hidden_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 32,
            "encoder_hidden_size": 16,
        },
        text_config={"model_type": "granite", "vocab_size": len(tokenizer), **TEXT},
        audio_token_index=ids_of(tokenizer)["<|audio|>"],
        has_lora_adapter=False,
        tie_word_embeddings=False,
    )
    network = GraniteSpeechForConditionalGeneration(config)
    save(folder, network, tokenizer, GraniteSpeechFeatureExtractor(), granite_family.TEMPLATE)
