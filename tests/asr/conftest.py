"""Tiny random checkpoints in each engine's own format, and clips to give them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from apun.clips import Clip


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No weights from elsewhere, and one thread: the machine is shared."""
    import torch

    monkeypatch.delenv("APUN_WEIGHTS", raising=False)
    torch.set_num_threads(1)


def make_tone(seconds: float, hertz: float = 220.0, seed: int = 0) -> Clip:
    """A tone with a little noise, so that features are not degenerate."""
    time = np.arange(int(seconds * 16_000)) / 16_000
    noise = np.random.default_rng(seed).normal(size=time.size)
    return Clip(samples=(0.3 * np.sin(2 * np.pi * hertz * time) + 0.02 * noise).astype(np.float32))


@pytest.fixture(scope="session")
def tone() -> Callable[..., Clip]:
    """``tone(seconds, hertz, seed)``: a clip."""
    return make_tone


@pytest.fixture(scope="session")
def openai_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A multilingual openai-whisper checkpoint with one layer of 32."""
    import torch
    from whisper.model import ModelDimensions, Whisper

    torch.manual_seed(1)
    dims = {
        "n_mels": 80,
        "n_audio_ctx": 1500,
        "n_audio_state": 32,
        "n_audio_head": 2,
        "n_audio_layer": 1,
        "n_vocab": 51865,
        "n_text_ctx": 40,
        "n_text_state": 32,
        "n_text_head": 2,
        "n_text_layer": 1,
    }
    network = Whisper(ModelDimensions(**dims))
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    path = tmp_path_factory.mktemp("openai") / "tiny.pt"
    torch.save({"dims": dims, "model_state_dict": network.state_dict()}, path)
    return path


@pytest.fixture(scope="session")
def hf_whisper_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transformers Whisper checkpoint with a byte tokenizer and Whisper's special tokens."""
    import torch
    from tokenizers import AddedToken
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import (
        GenerationConfig,
        WhisperConfig,
        WhisperFeatureExtractor,
        WhisperForConditionalGeneration,
        WhisperProcessor,
        WhisperTokenizer,
    )

    end = "<|endoftext|>"
    special = [end, "<|startoftranscript|>", "<|en|>", "<|zh|>", "<|ja|>", "<|translate|>", "<|transcribe|>"]
    special += ["<|startoflm|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>"]
    special += [f"<|{step * 0.02:.2f}|>" for step in range(1501)]
    vocabulary = {char: index for index, char in enumerate(sorted(ByteLevel.alphabet()))}
    tokenizer = WhisperTokenizer(
        vocab=vocabulary, merges=[], unk_token=end, bos_token=end, eos_token=end, pad_token=end
    )
    tokenizer.add_tokens([AddedToken(token, special=True, normalized=False) for token in special], special_tokens=True)
    ids = {token: tokenizer.convert_tokens_to_ids(token) for token in special}
    shared = {"decoder_start_token_id": ids["<|startoftranscript|>"]}
    shared |= dict.fromkeys(("eos_token_id", "pad_token_id", "bos_token_id"), ids[end])
    torch.manual_seed(1)
    network = WhisperForConditionalGeneration(
        WhisperConfig(
            vocab_size=len(tokenizer),
            d_model=32,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=64,
            decoder_ffn_dim=64,
            max_target_positions=48,
            begin_suppress_tokens=None,
            init_std=0.5,
            **shared,
        )
    )
    network.generation_config = GenerationConfig(
        max_length=48,
        is_multilingual=True,
        lang_to_id={f"<|{code}|>": ids[f"<|{code}|>"] for code in ("en", "zh", "ja")},
        task_to_id={task: ids[f"<|{task}|>"] for task in ("transcribe", "translate")},
        no_timestamps_token_id=ids["<|notimestamps|>"],
        prev_sot_token_id=ids["<|startofprev|>"],
        **shared,
    )
    folder = tmp_path_factory.mktemp("hf-whisper")
    network.save_pretrained(folder)
    WhisperProcessor(WhisperFeatureExtractor(feature_size=80), tokenizer).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def sensevoice_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SenseVoice folder as published: config.yaml, configuration.json, am.mvn, bpe model, model.pt."""
    import sentencepiece
    import torch
    import yaml
    from funasr.models.sense_voice.model import SenseVoiceSmall

    folder = tmp_path_factory.mktemp("sensevoice")
    texts = ["the cat sat on the mat", "a pun is its own reward", "what did the sea say", "it just waved at us"]
    (folder / "corpus.txt").write_text("\n".join(texts * 20), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(folder / "corpus.txt"),
        model_prefix=str(folder / "bpe"),
        vocab_size=48,
        model_type="bpe",
        user_defined_symbols=["<|en|>", "<|NEUTRAL|>", "<|Speech|>", "<|withitn|>", "<|nospeech|>", "🎼"],
        minloglevel=2,
    )
    layers = {
        "output_size": 16,
        "attention_heads": 2,
        "linear_units": 32,
        "num_blocks": 2,
        "tp_blocks": 1,
        "dropout_rate": 0.0,
        "positional_dropout_rate": 0.0,
        "attention_dropout_rate": 0.0,
        "input_layer": "pe",
        "pos_enc_class": "SinusoidalPositionEncoder",
        "normalize_before": True,
        "kernel_size": 11,
        "sanm_shfit": 0,
        "selfattention_layer_type": "sanm",
    }
    config = {
        "encoder": "SenseVoiceEncoderSmall",
        "encoder_conf": layers,
        "model": "SenseVoiceSmall",
        "model_conf": {"length_normalized_loss": True, "sos": 1, "eos": 2, "ignore_id": -1},
        "tokenizer": "SentencepiecesTokenizer",
        "tokenizer_conf": {"unk_symbol": "<unk>", "split_with_space": True},
        "frontend": "WavFrontend",
        "frontend_conf": {
            "fs": 16000,
            "window": "hamming",
            "n_mels": 80,
            "frame_length": 25,
            "frame_shift": 10,
            "lfr_m": 7,
            "lfr_n": 6,
        },
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    configuration = {
        "framework": "pytorch",
        "task": "auto-speech-recognition",
        "model": {"type": "funasr"},
        "file_path_metas": {
            "init_param": "model.pt",
            "config": "config.yaml",
            "tokenizer_conf": {"bpemodel": "bpe.model"},
            "frontend_conf": {"cmvn_file": "am.mvn"},
        },
    }
    (folder / "configuration.json").write_text(json.dumps(configuration), encoding="utf-8")
    zeros, ones = " ".join(["0"] * 560), " ".join(["0.1"] * 560)
    (folder / "am.mvn").write_text(
        f"<Nnet>\n<AddShift> 560 560\n<LearnRateCoef> 0 [ {zeros} ]\n<Rescale> 560 560\n"
        f"<LearnRateCoef> 0 [ {ones} ]\n</Nnet>\n",
        encoding="utf-8",
    )
    torch.manual_seed(3)
    network = SenseVoiceSmall(
        encoder="SenseVoiceEncoderSmall", encoder_conf=layers, input_size=560, vocab_size=48, **config["model_conf"]
    )
    for _name, parameter in network.named_parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.4)
    torch.save(network.state_dict(), folder / "model.pt")
    return folder
