"""Tiny checkpoints with random weights in the released formats, to try an adapter without a download.

``python -m audio_models.tiny FAMILY FOLDER`` writes one (a few hundred kilobytes); then
``apun eval --model FOLDER --family FAMILY …`` loads it the way a released one is loaded. The
answers are noise; the paths, shapes, limits and checks are the real ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apun.errors import UsageError
from audio_models import audio_flamingo, loading, qwen2_audio, qwen_omni
from audio_models.random_weights import byte_tokenizer

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


def write(family: str, folder: Path, *, seed: int = 0) -> Path:
    """Write a tiny checkpoint.

    Args:
        family: one of ``FAMILIES``.
        folder: made if need be.
        seed: seeds the random weights.

    Returns:
        The folder.

    Raises:
        UsageError: there is no tiny checkpoint of that family.
    """
    import torch

    if family not in FAMILIES:
        raise UsageError(f"there is no tiny checkpoint of {family!r}; there are {', '.join(sorted(FAMILIES))}")
    folder.mkdir(parents=True, exist_ok=True)
    loading.quiet()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        FAMILIES[family](folder)
    return folder


def _save(folder: Path, network: Any, tokenizer: Any, extractor: Any = None, template: str | None = None) -> None:
    """Weights scaled up so that greedy answers depend on the input: fresh ones are close to ties."""
    import torch

    with torch.no_grad():
        for weight in network.parameters():
            if weight.dim() > 1 and weight.is_floating_point():
                weight.normal_(std=weight.shape[-1] ** -0.5)
    network.generation_config.update(  # what adapters must set aside
        do_sample=True, temperature=0.7, top_p=0.5, top_k=20, repetition_penalty=1.1
    )
    network.save_pretrained(folder)
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    if extractor is not None:
        extractor.save_pretrained(folder)


def _ids(tokenizer: Any) -> dict[str, int]:
    return dict(tokenizer.get_added_vocab())


def _whisper(seconds: int) -> Any:
    from transformers import WhisperFeatureExtractor

    return WhisperFeatureExtractor(feature_size=128, chunk_length=seconds)


def _text_llm(folder: Path) -> None:
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = byte_tokenizer(CHATML, end="<|im_end|>", pad="<|endoftext|>")
    config = LlamaConfig(vocab_size=len(tokenizer), eos_token_id=tokenizer.eos_token_id, **TEXT)
    template = (
        "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
        "<|im_start|>assistant\n"
    )
    _save(folder, LlamaForCausalLM(config), tokenizer, template=template)


def _qwen2_audio(folder: Path) -> None:
    from transformers import Qwen2AudioConfig, Qwen2AudioForConditionalGeneration

    tokenizer = byte_tokenizer(
        (*CHATML, "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"), end="<|im_end|>", pad="<|endoftext|>"
    )
    config = Qwen2AudioConfig(
        audio_config={"model_type": "qwen2_audio_encoder", **WHISPER},
        text_config={"model_type": "qwen2", "vocab_size": len(tokenizer), **TEXT},
        audio_token_index=_ids(tokenizer)["<|AUDIO|>"],
    )
    network = Qwen2AudioForConditionalGeneration(config)
    _save(folder, network, tokenizer, _whisper(30), qwen2_audio.TEMPLATE)


def _omni(folder: Path) -> None:
    from transformers import Qwen2_5OmniThinkerForConditionalGeneration
    from transformers.models.qwen2_5_omni.configuration_qwen2_5_omni import Qwen2_5OmniThinkerConfig

    controls = (*CHATML, "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>", "<|vision_bos|>", "<|vision_eos|>")
    tokenizer = byte_tokenizer((*controls, "<|IMAGE|>", "<|VIDEO|>"), end="<|im_end|>", pad="<|endoftext|>")
    ids = _ids(tokenizer)
    config = Qwen2_5OmniThinkerConfig(
        audio_config={**WHISPER, "n_window": 100, "output_dim": 32},
        vision_config={"depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2, "out_hidden_size": 32},
        text_config={
            "vocab_size": len(tokenizer),
            "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [1, 1, 2]},
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
    _save(folder, network, tokenizer, _whisper(300), qwen_omni.QWEN25.template)


def _omni3(folder: Path) -> None:
    from transformers import Qwen3OmniMoeThinkerForConditionalGeneration
    from transformers.models.qwen3_omni_moe.configuration_qwen3_omni_moe import Qwen3OmniMoeThinkerConfig

    controls = (*CHATML, "<|audio_pad|>", "<|audio_start|>", "<|audio_end|>", "<|vision_start|>", "<|vision_end|>")
    tokenizer = byte_tokenizer((*controls, "<|image_pad|>", "<|video_pad|>"), end="<|im_end|>", pad="<|endoftext|>")
    ids = _ids(tokenizer)
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
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 1e6,
                "mrope_section": [2, 1, 1],
                "mrope_interleaved": True,
            },
            **TEXT,
        },
        audio_token_id=ids["<|audio_pad|>"],
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        audio_start_token_id=ids["<|audio_start|>"],
        vision_start_token_id=ids["<|vision_start|>"],
    )
    network = Qwen3OmniMoeThinkerForConditionalGeneration(config)
    _save(folder, network, tokenizer, _whisper(300), qwen_omni.QWEN3.template)


def _flamingo(folder: Path) -> None:
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
        audio_token_id=_ids(tokenizer)["<sound>"],
    )
    network = AudioFlamingo3ForConditionalGeneration(config)
    _save(folder, network, tokenizer, _whisper(30), audio_flamingo.TEMPLATE)


FAMILIES: Mapping[str, Callable[[Path], None]] = {
    "text-llm": _text_llm,
    "qwen2-audio": _qwen2_audio,
    "audio-reasoner": _qwen2_audio,
    "qwen2.5-omni": _omni,
    "omni-r1": _omni,
    "qwen3-omni": _omni3,
    "qwen3-omni-thinking": _omni3,
    "audio-flamingo-3": _flamingo,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Write a tiny checkpoint and say how to run it."""
    parser = argparse.ArgumentParser(prog="python -m audio_models.tiny", description=__doc__.split("\n")[0])
    parser.add_argument("family", choices=sorted(FAMILIES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    folder = write(options.family, options.folder, seed=options.seed)
    print(json.dumps({"folder": str(folder), "family": options.family}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
