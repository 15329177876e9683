"""Write a tiny random Parler-TTS checkpoint; run by the environment's interpreter, not by pytest.

PYTHON make_tiny_parler.py FOLDER
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(folder: str) -> None:
    spec = importlib.util.spec_from_file_location("parler_worker", ROOT / "tts" / "parler_worker.py")
    assert spec is not None and spec.loader is not None
    handler = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(handler)
    handler._without_torchaudio()

    import torch
    from parler_tts import ParlerTTSConfig, ParlerTTSDecoderConfig, ParlerTTSForConditionalGeneration
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import DacConfig, PreTrainedTokenizerFast, T5Config

    torch.manual_seed(0)
    letters = {char: number for number, char in enumerate(["<pad>", "</s>", "<unk>", *map(chr, range(32, 127))])}
    tokenizer = Tokenizer(models.BPE(letters, [], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=512
    )
    encoder = T5Config(
        vocab_size=len(letters), d_model=32, d_kv=16, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=0
    )
    codec = DacConfig(
        encoder_hidden_size=8,
        downsampling_ratios=[2, 4, 8],
        decoder_hidden_size=32,
        n_codebooks=2,
        codebook_size=64,
        codebook_dim=4,
        sampling_rate=16_000,
    )
    decoder = ParlerTTSDecoderConfig(
        vocab_size=66,
        max_position_embeddings=512,
        num_hidden_layers=2,
        ffn_dim=32,
        num_attention_heads=2,
        hidden_size=32,
        num_codebooks=2,
        pad_token_id=64,
        bos_token_id=65,
        eos_token_id=64,
        cross_attention_implementation_strategy="always_eager",
    )
    config = ParlerTTSConfig.from_sub_models_config(encoder, codec, decoder, vocab_size=len(letters))
    model = ParlerTTSForConditionalGeneration(config)
    model.generation_config.update(
        do_sample=True, max_length=300, min_new_tokens=250, decoder_start_token_id=65, pad_token_id=64, bos_token_id=65,
        eos_token_id=64,
    )  # fmt: skip
    model.save_pretrained(folder)
    fast.save_pretrained(folder)


if __name__ == "__main__":
    main(sys.argv[1])
