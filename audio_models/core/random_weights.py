"""True-size models with random weights: latency and memory without a download, never accuracy.

``--weights random`` builds the architecture of a released model at its full size. The settings
below are those in which the released checkpoints differ from the classes' defaults; the parameter
counts are checked by a test (8,397,094,912 for Qwen2-Audio-7B; 8,931,813,888 for the thinker of
Qwen2.5-Omni-7B, the published total). No token ends an answer, so every reply runs to its full
length. Text is one token a byte, about four times as many as the real tokenizer gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from apun.device import pick_device, pick_dtype
from apun.errors import UsageError
from apun.models import LoadOptions
from audio_models.catalogue import entry_for
from audio_models.core.checkpoint import Checkpoint, attention, placed, quiet, transformers_class

CONTROLS = (
    "<|im_start|>",
    "<|im_end|>",
    "<|AUDIO|>",
    "<|audio_bos|>",
    "<|audio_eos|>",
    "<|vision_bos|>",
    "<|vision_eos|>",
    "<|endoftext|>",
)


def byte_tokenizer(controls: Sequence[str], *, end: str, pad: str) -> Any:
    """A tokenizer with one token a byte and the given control tokens, ids from 256 up.

    Args:
        controls: control tokens in order of their ids.
        end: the one that ends an answer.
        pad: the one that pads.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    backend = Tokenizer(models.BPE(vocab={letter: index for index, letter in enumerate(letters)}, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in controls])
    return PreTrainedTokenizerFast(tokenizer_object=backend, eos_token=end, pad_token=pad)


def rope(sections: list[int], **more: Any) -> dict[str, Any]:
    """Rotary settings of the Omni models, under the names this version of transformers has for them."""
    import transformers

    settings = {"rope_type": "default", "mrope_section": sections, **more}
    if int(transformers.__version__.split(".")[0]) < 5:
        return {"rope_theta": 1_000_000.0, "rope_scaling": settings}
    return {"rope_parameters": {"rope_theta": 1_000_000.0, **settings}}


def qwen2_audio(ids: Mapping[str, int]) -> Any:
    """Qwen2-Audio-7B-Instruct, from its hub configuration."""
    from transformers import Qwen2AudioConfig

    return Qwen2AudioConfig(
        audio_token_index=ids["<|AUDIO|>"],
        audio_config={
            "model_type": "qwen2_audio_encoder",
            "d_model": 1280,
            "encoder_layers": 32,
            "encoder_attention_heads": 20,
            "encoder_ffn_dim": 5120,
            "num_mel_bins": 128,
            "max_source_positions": 1500,
        },
        text_config={
            "model_type": "qwen2",
            "vocab_size": 156032,
            "hidden_size": 4096,
            "intermediate_size": 11008,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 32,
            "max_position_embeddings": 8192,
            "rms_norm_eps": 1e-5,
            "rope_theta": 10000,
            "use_sliding_window": False,
        },
    )


def omni_7b(ids: Mapping[str, int], **text: Any) -> Any:
    """The thinker of Qwen2.5-Omni-7B; ``text`` overrides its text settings."""
    from transformers.models.qwen2_5_omni.configuration_qwen2_5_omni import Qwen2_5OmniThinkerConfig

    settings: dict[str, Any] = {
        "vocab_size": 152064,
        "hidden_size": 3584,
        "intermediate_size": 18944,
        "num_hidden_layers": 28,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        **rope([16, 24, 24]),
        "tie_word_embeddings": False,
    } | text
    width = settings["hidden_size"]
    return Qwen2_5OmniThinkerConfig(
        audio_config={
            "d_model": 1280,
            "encoder_layers": 32,
            "encoder_attention_heads": 20,
            "encoder_ffn_dim": 5120,
            "num_mel_bins": 128,
            "max_source_positions": 1500,
            "n_window": 100,
            "output_dim": width,
        },
        vision_config={"hidden_size": 1280, "out_hidden_size": width},
        text_config=settings,
        audio_token_index=ids["<|AUDIO|>"],
        audio_start_token_id=ids["<|audio_bos|>"],
        audio_end_token_id=ids["<|audio_eos|>"],
        vision_start_token_id=ids["<|vision_bos|>"],
        vision_end_token_id=ids["<|vision_eos|>"],
        tie_word_embeddings=settings["tie_word_embeddings"],
    )


def omni_3b(ids: Mapping[str, int]) -> Any:
    """The thinker of Qwen2.5-Omni-3B; its sizes are from the model card's description, not checked."""
    return omni_7b(
        ids,
        vocab_size=151936,
        hidden_size=2048,
        intermediate_size=11008,
        num_hidden_layers=36,
        num_attention_heads=16,
        num_key_value_heads=2,
    )


Configure = Callable[[Mapping[str, int]], Any]
BUILDERS: Mapping[str, tuple[Configure, int]] = {
    "qwen2-audio": (qwen2_audio, 30),
    "audio-reasoner": (qwen2_audio, 30),
    "qwen2.5-omni": (omni_7b, 300),
    "omni-r1": (omni_7b, 300),
    "qwen2.5-omni-3b": (omni_3b, 300),
}
"""Name to configuration, and the feature extractor's length in seconds."""


def builder(name: str) -> tuple[Configure, int]:
    """The builder of a model.

    Raises:
        UsageError: there is none for that name.
    """
    if name not in BUILDERS:
        raise UsageError(f"--weights random is there for {', '.join(sorted(BUILDERS))}, not for {name!r}")
    return BUILDERS[name]


def parameters(name: str) -> int:
    """Parameters of the full model, counted on torch's meta device: no memory is used."""
    import torch

    configure, _ = builder(name)
    ids = {token: 256 + index for index, token in enumerate(CONTROLS)}
    with torch.device("meta"):
        network = transformers_class(entry_for(name).network)._from_config(configure(ids))
    return sum(weight.numel() for weight in network.parameters())


def layers_of(options: LoadOptions) -> int | None:
    """``--model-arg layers=N`` keeps only N layers a stack; None for all of them.

    Raises:
        UsageError: it is no number from 1 up.
    """
    layers = options.args.get("layers")
    if layers is not None and (not layers.isdecimal() or int(layers) < 1):
        raise UsageError(f"--model-arg layers=N takes a number from 1 up, not {layers!r}")
    return int(layers) if layers is not None else None


def built(class_name: str, config: Any, options: LoadOptions) -> tuple[Any, str]:
    """A network of a class with random weights, on its device, and the device's name."""
    import torch

    device = pick_device(options.device)
    # Built in place: going through the meta device would leave the rotary and sinusoid buffers unset.
    with torch.device(device), torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        network = transformers_class(class_name)._from_config(
            config, dtype=pick_dtype(options.dtype, device), attn_implementation=attention(options)
        )
    quiet()
    return placed(network, device), device


def load(name: str, options: LoadOptions) -> Checkpoint:
    """A checkpoint with random weights on its device."""
    from transformers import WhisperFeatureExtractor

    configure, seconds = builder(name)
    entry = entry_for(name, options.family)
    tokenizer = byte_tokenizer(CONTROLS, end="<|im_end|>", pad="<|endoftext|>")
    config = configure({token: tokenizer.convert_tokens_to_ids(token) for token in CONTROLS})
    layers = layers_of(options)
    if layers is not None:
        config.text_config.num_hidden_layers = config.audio_config.encoder_layers = layers
        kinds = getattr(config.text_config, "layer_types", None)
        if kinds:
            config.text_config.layer_types = kinds[:layers]
    network, device = built(entry.network, config, options)
    extractor = WhisperFeatureExtractor(feature_size=128, chunk_length=seconds)
    revision = f"random:{layers or 'full'}"
    return Checkpoint(name, entry, network, tokenizer, extractor, None, revision, device, options)
