"""True-size text models with random weights: the second stage of a cascade in ``apun latency --weights random``.

As with ``audio_models.random_weights``, no token ends an answer and text is one token a byte: times
and memory are real for a prompt of that many tokens, answers are noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apun.models import LoadOptions, Model, ModelInfo
from apun.readers import thinking
from audio_models import greedy, loading
from audio_models.device import pick_device, pick_dtype
from audio_models.native import NativeModel
from audio_models.random_weights import byte_tokenizer
from audio_models.text_llm import encoder

SIZES: Mapping[str, Mapping[str, Any]] = {
    "qwen2.5-7b-instruct": {  # from its hub configuration; 7.62 billion parameters
        "vocab_size": 152064,
        "hidden_size": 3584,
        "intermediate_size": 18944,
        "num_hidden_layers": 28,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "max_position_embeddings": 32768,
        "rms_norm_eps": 1e-6,
        "tie_word_embeddings": False,
    },
}
OWN_WEIGHTS = ("smollm2-135m", "solver")  # need no download as they are, so they are never random
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)


def config(name: str, layers: int | None = None) -> Any:
    """``Qwen2Config`` of a released size; ``layers`` keeps only so many."""
    from transformers import Qwen2Config

    settings = dict(SIZES[name]) | ({"num_hidden_layers": layers} if layers else {})
    return Qwen2Config(rope_theta=1_000_000.0, **settings)


def create(name: str, options: LoadOptions) -> Model:
    """Build the model on its device; ``--model-arg llm.layers=N`` keeps only N layers."""
    import torch
    from transformers import Qwen2ForCausalLM

    from asr.arguments import number

    tokenizer = byte_tokenizer(("<|im_start|>", "<|im_end|>", "<|endoftext|>"), end="<|im_end|>", pad="<|endoftext|>")
    tokenizer.chat_template = TEMPLATE
    device = pick_device(options.device)
    layers = number(options, "layers", 0)
    with torch.device(device), torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        network = Qwen2ForCausalLM._from_config(config(name, layers or None), dtype=pick_dtype(options.dtype, device))
    network = loading.placed(network, device)
    shipped = greedy.set_aside(network, tokenizer, never_ends=True)
    batch_size = loading.batch_size(options, device)
    info = ModelInfo(
        name=name,
        family="text-llm",
        revision=f"random:{layers or 'full'}",
        audio=False,
        max_clips=0,
        max_batch=batch_size.limit,
        settings=loading.settings(network, device, options, shipped),
    )
    return NativeModel(
        info,
        network,
        tokenizer,
        encoder(tokenizer, Path()),
        split=thinking.OPTIONAL,
        device=device,
        batch_size=batch_size,
    )
