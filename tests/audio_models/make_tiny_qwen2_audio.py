"""Write a tiny Qwen2-Audio checkpoint with random weights: ``python make_tiny_qwen2_audio.py FOLDER``.

Run by the Python of the environment ``transformers-chat``: what transformers 4.57 saves is read by
both versions, which is not so the other way round. Needs no apun.
"""

from __future__ import annotations

import sys

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    Qwen2AudioConfig,
    Qwen2AudioForConditionalGeneration,
    Qwen2AudioProcessor,
    Qwen2TokenizerFast,
    WhisperFeatureExtractor,
)

CONTROLS = ("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>")
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% for c in m['content'] %}{% if c['type'] == 'audio' %}"
    "<|audio_bos|><|AUDIO|><|audio_eos|>\n{% else %}{{ c['text'] }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{{ '<|im_start|>assistant\n' }}"
)


def main(folder: str) -> None:
    torch.manual_seed(0)
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    backend = Tokenizer(models.BPE(vocab={letter: index for index, letter in enumerate(letters)}, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in CONTROLS])
    tokenizer = Qwen2TokenizerFast(
        tokenizer_object=backend,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        extra_special_tokens={"audio_token": "<|AUDIO|>"},
    )
    config = Qwen2AudioConfig(
        audio_config={
            "model_type": "qwen2_audio_encoder",
            "d_model": 16,
            "encoder_layers": 1,
            "encoder_attention_heads": 2,
            "encoder_ffn_dim": 32,
            "num_mel_bins": 128,
            "max_source_positions": 1500,
        },
        text_config={
            "model_type": "qwen2",
            "vocab_size": len(tokenizer),
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "max_position_embeddings": 4096,
        },
        audio_token_index=tokenizer.convert_tokens_to_ids("<|AUDIO|>"),
    )
    network = Qwen2AudioForConditionalGeneration(config)
    with torch.no_grad():  # wider than fresh weights, whose near ties make greedy answers hang on rounding
        for weight in network.parameters():
            if weight.dim() > 1:
                weight.normal_(std=weight[0].numel() ** -0.5)
    network.generation_config.update(do_sample=True, temperature=0.7, top_k=20, top_p=0.5, repetition_penalty=1.1)
    network.save_pretrained(folder)
    extractor = WhisperFeatureExtractor(feature_size=128, chunk_length=30)
    Qwen2AudioProcessor(extractor, tokenizer, chat_template=TEMPLATE).save_pretrained(folder)


if __name__ == "__main__":
    main(sys.argv[1])
