"""Qwen3-ASR and Fun-ASR-Nano: real loading code over tiny checkpoints with processors of the released kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apun.clips import Clip
from apun.models import LoadOptions
from asr.catalogue import load

transformers = pytest.importorskip("transformers", reason="the extra 'models' is not installed")

Tone = Callable[..., Clip]
TEXT = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 2048,
}
QWEN_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% for part in m['content'] %}"
    "{% if part['type'] == 'audio' %}<|audio_start|><|audio_pad|><|audio_end|>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% if not loop.last %}<|im_end|>\n{% endif %}{% endfor %}"
)
FUN_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% for part in m['content'] %}"
    "{% if part['type'] == 'audio' %}<|object_ref_start|>{% elif part['type'] == 'language' %}[{{ part['language'] }}]"
    "{% endif %}{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tokenizer(controls: list[str], **named: str) -> Any:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    backend = Tokenizer(models.BPE(vocab={letter: index for index, letter in enumerate(letters)}, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in controls])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend, eos_token="<|im_end|>", pad_token="<|endoftext|>", extra_special_tokens=named
    )


def spread_weights(network: Any) -> Any:
    """Weights far from ties, so that greedy text does not hang on rounding."""
    import torch

    torch.manual_seed(5)
    with torch.no_grad():
        for weight in network.parameters():
            if weight.dim() > 1:
                weight.normal_(std=weight[0].numel() ** -0.5)
    return network


@pytest.fixture(scope="module")
def qwen3_asr_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from transformers import (
        Qwen3ASRConfig,
        Qwen3ASRFeatureExtractor,
        Qwen3ASRForConditionalGeneration,
        Qwen3ASRProcessor,
    )

    audio = {"audio_token": "<|audio_pad|>", "audio_bos_token": "<|audio_start|>", "audio_eos_token": "<|audio_end|>"}
    words = tokenizer(["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<asr_text>", *audio.values()], **audio)
    network = Qwen3ASRForConditionalGeneration(
        Qwen3ASRConfig(
            audio_config={
                "model_type": "qwen3_asr_encoder",
                "d_model": 16,
                "encoder_layers": 1,
                "encoder_attention_heads": 2,
                "encoder_ffn_dim": 32,
                "output_dim": 32,
                "downsample_hidden_size": 8,
            },
            text_config={"model_type": "qwen3", "vocab_size": len(words), **TEXT},
            audio_token_id=words.convert_tokens_to_ids("<|audio_pad|>"),
            pad_token_id=words.pad_token_id,
            eos_token_id=words.eos_token_id,
        )
    )
    folder = tmp_path_factory.mktemp("qwen3-asr")
    spread_weights(network).save_pretrained(folder)
    extractor = Qwen3ASRFeatureExtractor(feature_size=128)
    Qwen3ASRProcessor(extractor, words, chat_template=QWEN_TEMPLATE).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def fun_asr_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torchaudio", reason="Fun-ASR's front end needs torchaudio")
    from transformers import (
        FunAsrNanoConfig,
        FunAsrNanoFeatureExtractor,
        FunAsrNanoForConditionalGeneration,
        FunAsrNanoProcessor,
    )

    words = tokenizer(["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|object_ref_start|>"])
    network = FunAsrNanoForConditionalGeneration(
        FunAsrNanoConfig(
            audio_config={
                "model_type": "fun_asr_nano_encoder",
                "hidden_size": 16,
                "num_attention_heads": 2,
                "intermediate_size": 32,
                "num_hidden_layers": 3,
                "num_timestamp_prediction_layers": 1,
            },
            adaptor_config={
                "hidden_size": 32,
                "num_attention_heads": 2,
                "intermediate_size": 8,
                "projector_hidden_size": 32,
            },
            text_config={"model_type": "qwen3", "vocab_size": len(words), **TEXT},
            audio_token_id=words.convert_tokens_to_ids("<|object_ref_start|>"),
        )
    )
    network.generation_config.eos_token_id = words.eos_token_id
    network.generation_config.pad_token_id = words.pad_token_id
    folder = tmp_path_factory.mktemp("fun-asr")
    spread_weights(network).save_pretrained(folder)
    FunAsrNanoProcessor(FunAsrNanoFeatureExtractor(), words, chat_template=FUN_TEMPLATE).save_pretrained(folder)
    return folder


@pytest.mark.parametrize(("name", "fixture"), [("qwen3-asr", "qwen3_asr_folder"), ("fun-asr-nano", "fun_asr_folder")])
def test_the_clip_is_heard_whole_and_alone(name: str, fixture: str, request: pytest.FixtureRequest, tone: Tone) -> None:
    folder = request.getfixturevalue(fixture)
    options = LoadOptions(device="cpu", weights=str(folder), args={"max_new_tokens": "12"})
    recogniser = load(name, options)
    low, high = tone(3.0), tone(1.25, 500.0, 1)
    batch = recogniser.transcribe([low, high], "en")
    alone = [recogniser.transcribe([clip], "en")[0] for clip in (low, high)]
    assert [one.error for one in batch] == [None, None]
    assert [one.text for one in batch] == [one.text for one in alone]
    assert batch[0].text and batch[0].text != batch[1].text
    assert batch[0].seconds_heard == pytest.approx(3.0)
    assert recogniser.transcribe([low], "ko")[0].error == f"{name} hears en, zh, ja, not ko"
