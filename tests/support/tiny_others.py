"""Builders of tiny Voxtral, Granite Speech, Gemma 3n and Phi-4 checkpoints; see ``tiny.write``."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from tiny_qwen import TEXT, ids_of, save, scaled, whisper

from audio_models import gemma as gemma_family
from audio_models import granite_speech as granite_family
from audio_models import phi4 as phi_family
from audio_models.core.random_weights import byte_tokenizer

# control tokens; those of instructions and clips have their released ranks
TEKKEN = (
    *("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]"),
    *("[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]"),
    *("[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]", "<SPECIAL_20>", "<SPECIAL_21>"),
    *("<SPECIAL_22>", "<SPECIAL_23>", "[AUDIO]", "[BEGIN_AUDIO]", "[TRANSCRIBE]"),
)
SPECIALS = len(TEKKEN)


def voxtral(folder: Path) -> None:
    """Voxtral with a byte-level tekken.json."""
    from transformers import VoxtralConfig, VoxtralForConditionalGeneration

    specials = [{"rank": rank, "token_str": token, "is_control": True} for rank, token in enumerate(TEKKEN)]
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


def gemma3n(folder: Path) -> None:
    """Gemma 3n with a tiny vision tower, which needs timm."""
    from transformers import Gemma3nAudioFeatureExtractor, Gemma3nConfig, Gemma3nForConditionalGeneration

    controls = (
        *("<bos>", "<eos>", "<pad>", "<start_of_turn>", "<end_of_turn>", "<image_soft_token>", "<start_of_image>"),
        *("<end_of_image>", "<start_of_audio>", "<end_of_audio>", "<audio_soft_token>"),
    )
    tokenizer = byte_tokenizer(controls, end="<end_of_turn>", pad="<pad>")
    tokenizer.bos_token = "<bos>"
    ids = ids_of(tokenizer)
    size = len(tokenizer)
    audio: dict[str, Any] = {
        "vocab_size": 16,
        "vocab_offset": size + 16,
        "hidden_size": 32,
        "conf_num_attention_heads": 2,
        "conf_num_hidden_layers": 1,
        "sscp_conv_channel_size": [8, 4],
    }
    text: dict[str, Any] = {
        "vocab_size": size + 32,
        "vocab_size_per_layer_input": size,
        "hidden_size_per_layer_input": 8,
        "head_dim": 8,
        "num_kv_shared_layers": 0,
        "layer_types": ["sliding_attention", "full_attention"],
        "laurel_rank": 4,
        "altup_num_inputs": 2,
        **TEXT,
    }
    config = Gemma3nConfig(
        audio_config=audio,
        text_config=text,
        vision_config={
            "architecture": "test_byobnet",
            "hidden_size": 16,
            "vocab_size": 16,
            "vocab_offset": size,
            "model_args": {"features_only": False},
        },
        audio_soft_tokens_per_image=188,
        boa_token_id=ids["<start_of_audio>"],
        eoa_token_id=ids["<end_of_audio>"],
        audio_token_id=ids["<audio_soft_token>"],
        boi_token_id=ids["<start_of_image>"],
        eoi_token_id=ids["<end_of_image>"],
        image_token_id=ids["<image_soft_token>"],
        tie_word_embeddings=False,
    )
    network = Gemma3nForConditionalGeneration(config)
    template = gemma_family.template(gemma_family.TURNS["gemma-3n"], "<audio_soft_token>")
    save(folder, network, tokenizer, Gemma3nAudioFeatureExtractor(), template)


def phi4(folder: Path) -> None:
    """Phi-4-multimodal without its speech adapter: load it with ``--model-arg adapter=none``."""
    from transformers import Phi4MultimodalConfig, Phi4MultimodalFeatureExtractor, Phi4MultimodalForCausalLM

    controls = ("<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|endoftext|>", "<|image|>", "<|audio|>")
    tokenizer = byte_tokenizer(controls, end="<|end|>", pad="<|endoftext|>")
    ids = ids_of(tokenizer)
    config = Phi4MultimodalConfig(
        vocab_size=len(tokenizer),
        eos_token_id=[ids["<|end|>"]],
        pad_token_id=ids["<|endoftext|>"],
        bos_token_id=ids["<|endoftext|>"],
        original_max_position_embeddings=4096,
        audio_config={
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_blocks": 2,
            "num_attention_heads": 2,
            "ext_pw_out_channel": 16,
            "depthwise_separable_out_channel": 16,
            "nemo_conv_channels": 8,
            "audio_token_id": ids["<|audio|>"],
        },
        vision_config={
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 28,
            "crop_size": 28,
            "image_token_id": ids["<|image|>"],
        },
        **TEXT,
    )
    network = Phi4MultimodalForCausalLM(config)
    save(folder, network, tokenizer, Phi4MultimodalFeatureExtractor(), phi_family.template("<|audio|>"))


def gemma4(folder: Path) -> None:
    """Gemma 4 without a vision tower."""
    from transformers import Gemma4AudioFeatureExtractor, Gemma4Config, Gemma4ForConditionalGeneration

    controls = ("<bos>", "<eos>", "<pad>", "<|turn>", "<turn|>", "<|audio>", "<audio|>", "<|audio|>", "<|image|>")
    tokenizer = byte_tokenizer((*controls, "<|video|>", "<|image>", "<image|>"), end="<turn|>", pad="<pad>")
    tokenizer.bos_token = "<bos>"
    ids = ids_of(tokenizer)
    config = Gemma4Config(
        audio_config={
            "hidden_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "subsampling_conv_channels": [128, 4],  # the class takes the first for the mel bands
            "output_proj_dims": 32,
        },
        text_config={
            "vocab_size": len(tokenizer),
            "vocab_size_per_layer_input": len(tokenizer),
            "hidden_size_per_layer_input": 8,
            "head_dim": 8,
            "global_head_dim": 8,
            "layer_types": ["sliding_attention", "full_attention"],
            "pad_token_id": ids["<pad>"],
            "eos_token_id": ids["<turn|>"],
            "bos_token_id": ids["<bos>"],
            **TEXT,
        },
        boa_token_id=ids["<|audio>"],
        eoa_token_index=ids["<audio|>"],
        audio_token_id=ids["<|audio|>"],
        image_token_id=ids["<|image|>"],
        video_token_id=ids["<|video|>"],
        boi_token_id=ids["<|image>"],
        eoi_token_id=ids["<image|>"],
    )
    network = Gemma4ForConditionalGeneration(config)
    template = gemma_family.template(gemma_family.TURNS["gemma-4"], "<|audio|>")
    save(folder, network, tokenizer, Gemma4AudioFeatureExtractor(), template)
