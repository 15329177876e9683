"""Builders of tiny Qwen2-Audio, Omni, Audio Flamingo and text checkpoints; see ``tiny.write``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audio_models import audio_flamingo, qwen_omni
from audio_models import qwen2_audio as qwen2_audio_family
from audio_models.core.random_weights import byte_tokenizer, rope

CHATML = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
TEXT: Mapping[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
}
WHISPER: Mapping[str, Any] = {
    "d_model": 16,
    "encoder_layers": 1,
    "encoder_attention_heads": 2,
    "encoder_ffn_dim": 32,
    "num_mel_bins": 128,
    "max_source_positions": 1500,
}


def scaled(network: Any) -> Any:
    """The network with weights scaled up: fresh ones give near ties, so greedy answers would hang on rounding.

    Its generation settings get what released ones carry and adapters must set aside.
    """
    import torch

    with torch.no_grad():
        for weight in network.parameters():
            if weight.dim() > 1 and weight.is_floating_point():
                weight.normal_(std=weight[0].numel() ** -0.5)
    network.generation_config.update(do_sample=True, temperature=0.7, top_p=0.5, top_k=20, repetition_penalty=1.1)
    return network


def save(folder: Path, network: Any, tokenizer: Any, extractor: Any = None, template: str | None = None) -> None:
    """Write network, tokenizer with its chat template, and feature extractor."""
    scaled(network).save_pretrained(folder)
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    if extractor is not None:
        extractor.save_pretrained(folder)


def ids_of(tokenizer: Any) -> dict[str, int]:
    """Control tokens to ids."""
    return dict(tokenizer.get_added_vocab())


def whisper(seconds: int) -> Any:
    """A Whisper feature extractor of that length."""
    from transformers import WhisperFeatureExtractor

    return WhisperFeatureExtractor(feature_size=128, chunk_length=seconds)


def text_llm(folder: Path) -> None:
    """A causal language model with ChatML."""
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = byte_tokenizer(CHATML, end="<|im_end|>", pad="<|endoftext|>")
    config = LlamaConfig(vocab_size=len(tokenizer), eos_token_id=tokenizer.eos_token_id, **TEXT)
    template = (
        "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
        "{{ '<|im_start|>assistant\n' }}"
    )
    save(folder, LlamaForCausalLM(config), tokenizer, template=template)


def qwen2_audio(folder: Path) -> None:
    """Qwen2-Audio."""
    from transformers import Qwen2AudioConfig, Qwen2AudioForConditionalGeneration

    tokenizer = byte_tokenizer(
        (*CHATML, "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"), end="<|im_end|>", pad="<|endoftext|>"
    )
    config = Qwen2AudioConfig(
        audio_config={"model_type": "qwen2_audio_encoder", **WHISPER},
        text_config={"model_type": "qwen2", "vocab_size": len(tokenizer), **TEXT},
        audio_token_index=ids_of(tokenizer)["<|AUDIO|>"],
    )
    network = Qwen2AudioForConditionalGeneration(config)
    save(folder, network, tokenizer, whisper(30), qwen2_audio_family.TEMPLATE)


def omni(folder: Path) -> None:
    """The thinker of Qwen2.5-Omni."""
    from transformers import Qwen2_5OmniThinkerForConditionalGeneration
    from transformers.models.qwen2_5_omni.configuration_qwen2_5_omni import Qwen2_5OmniThinkerConfig

    controls = (*CHATML, "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>", "<|vision_bos|>", "<|vision_eos|>")
    tokenizer = byte_tokenizer((*controls, "<|IMAGE|>", "<|VIDEO|>"), end="<|im_end|>", pad="<|endoftext|>")
    ids = ids_of(tokenizer)
    config = Qwen2_5OmniThinkerConfig(
        audio_config={**WHISPER, "n_window": 100, "output_dim": 32},
        vision_config={"depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2, "out_hidden_size": 32},
        text_config={
            "vocab_size": len(tokenizer),
            **rope([1, 1, 2]),
            **TEXT,
        },
        audio_token_index=ids["<|AUDIO|>"],
        image_token_index=ids["<|IMAGE|>"],
        video_token_index=ids["<|VIDEO|>"],
        audio_start_token_id=ids["<|audio_bos|>"],
        audio_end_token_id=ids["<|audio_eos|>"],
        vision_start_token_id=ids["<|vision_bos|>"],
        vision_end_token_id=ids["<|vision_eos|>"],
    )
    network = Qwen2_5OmniThinkerForConditionalGeneration(config)
    save(folder, network, tokenizer, whisper(300), qwen_omni.QWEN25_TEMPLATE)


def omni3(folder: Path) -> None:
    """The thinker of Qwen3-Omni."""
    from transformers import Qwen3OmniMoeThinkerForConditionalGeneration
    from transformers.models.qwen3_omni_moe.configuration_qwen3_omni_moe import Qwen3OmniMoeThinkerConfig

    controls = (*CHATML, "<|audio_pad|>", "<|audio_start|>", "<|audio_end|>", "<|vision_start|>", "<|vision_end|>")
    tokenizer = byte_tokenizer((*controls, "<|image_pad|>", "<|video_pad|>"), end="<|im_end|>", pad="<|endoftext|>")
    ids = ids_of(tokenizer)
    config = Qwen3OmniMoeThinkerConfig(
        audio_config={**WHISPER, "n_window": 50, "n_window_infer": 400, "output_dim": 32, "downsample_hidden_size": 16},
        vision_config={
            "depth": 1,
            "hidden_size": 32,
            "intermediate_size": 32,
            "num_heads": 2,
            "out_hidden_size": 32,
            "deepstack_visual_indexes": [0],
        },
        text_config={
            "vocab_size": len(tokenizer),
            "num_experts": 4,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 32,
            "head_dim": 8,
            **rope([2, 1, 1], mrope_interleaved=True),
            **TEXT,
        },
        audio_token_id=ids["<|audio_pad|>"],
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        audio_start_token_id=ids["<|audio_start|>"],
        vision_start_token_id=ids["<|vision_start|>"],
    )
    network = Qwen3OmniMoeThinkerForConditionalGeneration(config)
    save(folder, network, tokenizer, whisper(300), qwen_omni.QWEN3_TEMPLATE)


def flamingo(folder: Path) -> None:
    """Audio Flamingo 3."""
    from transformers import AudioFlamingo3Config, AudioFlamingo3ForConditionalGeneration

    tokenizer = byte_tokenizer((*CHATML, "<sound>"), end="<|im_end|>", pad="<|endoftext|>")
    config = AudioFlamingo3Config(
        audio_config={
            "hidden_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 32,
            "num_mel_bins": 128,
            "max_source_positions": 1500,
        },
        text_config={"model_type": "qwen2", "vocab_size": len(tokenizer), **TEXT},
        audio_token_id=ids_of(tokenizer)["<sound>"],
    )
    network = AudioFlamingo3ForConditionalGeneration(config)
    save(folder, network, tokenizer, whisper(30), audio_flamingo.TEMPLATE)
