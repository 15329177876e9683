"""Dia and CSM through ``transformers:FOLDER``: tiny random checkpoints, real processors and codecs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apun.models import Engine
from apun.speech import Utterance
from tts.catalogue import load

HELLO = Utterance("i", "Hello there.", "en")


@pytest.fixture(scope="module")
def library() -> Any:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    if not hasattr(transformers, "CsmForConditionalGeneration") or not hasattr(transformers, "DiaProcessor"):
        pytest.skip("this transformers has neither Dia nor CSM")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    return transformers


def spoken_twice(engine: Engine, voice: str) -> np.ndarray:
    first = engine.speak(HELLO, voice, 3)
    assert np.array_equal(first.samples, engine.speak(HELLO, voice, 3).samples)
    assert first.rate == 16_000
    assert first.samples.dtype == np.float32
    assert first.samples.size > 500
    return first.samples


def test_dia(library: Any, tmp_path: Path) -> None:
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2, "hidden_size": 16}
    both = {**heads, "num_hidden_layers": 1, "head_dim": 8, "intermediate_size": 16}
    cross = {f"cross_{name}": size for name, size in heads.items()}
    config = library.DiaConfig(
        encoder_config={**both, "max_position_embeddings": 128, "vocab_size": 256},
        decoder_config={
            **both, **cross, "cross_head_dim": 8, "max_position_embeddings": 256, "vocab_size": 1028, "num_channels": 9,
        },
        delay_pattern=[0, 8, 9, 10, 11, 12, 13, 14, 15],
        eos_token_id=1024,
        pad_token_id=1025,
        bos_token_id=1026,
    )  # fmt: skip
    model = library.DiaForConditionalGeneration(config).eval()
    model.generation_config.max_new_tokens = 60
    model.generation_config.do_sample = True
    model.save_pretrained(tmp_path)
    codec = library.DacConfig(
        encoder_hidden_size=8, downsampling_ratios=[2, 4, 8], decoder_hidden_size=32, n_codebooks=9, codebook_size=1024,
        codebook_dim=4, sampling_rate=16_000, hop_length=64,
    )  # fmt: skip
    library.DacModel(codec).eval().save_pretrained(tmp_path / "dac")
    dac = library.DacModel.from_pretrained(tmp_path / "dac")
    extractor = library.DiaFeatureExtractor(sampling_rate=16_000, hop_length=64)
    library.DiaProcessor(extractor, library.DiaTokenizer(), dac).save_pretrained(tmp_path)

    engine = load(f"transformers:{tmp_path}")
    assert [voice.name for voice in engine.voices()] == ["S1", "S2"]
    spoken_twice(engine, "S2")


def test_csm(library: Any, tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    special = ["<pad>", "<bos>", "<eos>", "<|AUDIO|>", "<|audio_eos|>", "<unk>"]
    letters = {sign: number for number, sign in enumerate([*special, *map(chr, range(32, 127))])}
    tokenizer = Tokenizer(models.BPE(letters, [], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    fast = library.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<bos>", eos_token="<eos>", unk_token="<unk>",
        extra_special_tokens={"audio_token": "<|AUDIO|>", "audio_eos_token": "<|audio_eos|>"},
    )  # fmt: skip
    small = {"intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2}
    depth = {**small, "num_codebooks": 4, "backbone_hidden_size": 16, "vocab_size": 35, "hidden_size": 16}
    codec = {
        **small, "sampling_rate": 16_000, "frame_rate": 125, "hidden_size": 16, "num_filters": 4, "codebook_dim": 8,
        "upsampling_ratios": [4, 4, 4], "codebook_size": 64, "vector_quantization_hidden_dimension": 8, "head_dim": 8,
        "num_quantizers": 4, "num_semantic_quantizers": 1, "upsample_groups": 16,
    }  # fmt: skip
    config = library.CsmConfig(
        **small, num_codebooks=4, vocab_size=35, text_vocab_size=len(letters), hidden_size=16, pad_token_id=0,
        max_position_embeddings=256, codebook_pad_token_id=34, codebook_eos_token_id=33, bos_token_id=1,
        eos_token_id=None, audio_token_id=3, audio_eos_token_id=4, codec_config=codec,
        depth_decoder_config={**depth, "max_position_embeddings": 5},
    )  # fmt: skip
    model = library.CsmForConditionalGeneration(config).eval()
    model.generation_config.max_new_tokens = 20
    model.generation_config.do_sample = True
    model.generation_config.depth_decoder_do_sample = True
    model.save_pretrained(tmp_path)
    library.CsmProcessor(library.EncodecFeatureExtractor(sampling_rate=16_000), fast).save_pretrained(tmp_path)

    engine = load(f"transformers:{tmp_path}")
    assert len(engine.voices()) == 4
    spoken_twice(engine, "speaker1")
