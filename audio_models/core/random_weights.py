"""True-size models with random weights: latency and memory without a download, never accuracy.

``--weights random`` builds the architecture of a released model at its full size. The settings in
``random_weights.toml`` are those in which the released checkpoints differ from the classes' defaults; the parameter
counts are checked by a test (8,397,094,912 for Qwen2-Audio-7B; 8,931,813,888 for the thinker of
Qwen2.5-Omni-7B, the published total). No token ends an answer, so every reply runs to its full
length. Text is one token a byte, about four times as many as the real tokenizer gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from apun.device import pick_device, pick_dtype
from apun.errors import UsageError
from apun.models import LoadOptions
from apun.paths import read_toml
from apun.registry import load_path
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


Configure = Callable[[Mapping[str, int]], Any]


def _configuration(table: Mapping[str, Any], ids: Mapping[str, int]) -> Any:
    parts = {name: dict(part) for name, part in table.get("parts", {}).items()}
    if "rope" in table:
        parts["text_config"] |= rope(table["rope"])
    tokens = {field: ids[token] for field, token in table.get("tokens", {}).items()}
    return load_path(table["config"])(**parts, **tokens, **table.get("own", {}))


def _builders() -> Iterator[tuple[str, tuple[Configure, int]]]:
    sizes = read_toml(Path(__file__).with_suffix(".toml"))
    for name, table in sizes.items():
        like = sizes.get(table.get("like"), {})
        own, theirs = table.get("parts", {}), like.get("parts", {})
        parts = {part: {**theirs.get(part, {}), **own.get(part, {})} for part in {**theirs, **own}}
        whole = {**like, **table, "parts": parts}
        yield name, (partial(_configuration, whole), whole.get("seconds", 0))


BUILDERS: Mapping[str, tuple[Configure, int]] = dict(_builders())
"""Name to configuration, and the feature extractor's length in seconds (0 for a text model)."""


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


def shorten(config: Any, layers: int | None) -> None:
    """Keep only so many layers of a language model's configuration; all of them for None."""
    if layers is not None:
        config.num_hidden_layers = layers
        if kinds := getattr(config, "layer_types", None):
            config.layer_types = kinds[:layers]


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
    shorten(config.text_config, layers)
    config.audio_config.encoder_layers = layers or config.audio_config.encoder_layers
    network, device = built(entry.network, config, options)
    extractor = WhisperFeatureExtractor(feature_size=128, chunk_length=seconds)
    revision = f"random:{layers or 'full'}"
    return Checkpoint(name, entry, network, tokenizer, extractor, None, revision, device, options)
