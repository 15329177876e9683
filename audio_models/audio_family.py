"""The steps every native audio family takes: load a checkpoint, wrap it as a model."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun.errors import ModelUnavailable
from apun.models import LoadOptions, ModelInfo
from apun.prompts import Prompt
from apun.readers import thinking
from audio_models import audio_input, greedy, inputs, loading
from audio_models.catalogue import Entry
from audio_models.native import Alike, NativeModel, anything
from audio_models.weights import RANDOM


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A loaded checkpoint.

    Attributes:
        name: as given on the command line.
        network: on its device.
        tokenizer: its tokenizer.
        extractor: its Whisper feature extractor; None for families with another front end.
        folder: where it was read from; None for random weights.
        revision: names its content.
        device: the device's name.
        options: how it was asked for.
    """

    name: str
    network: Any
    tokenizer: Any
    extractor: Any
    folder: Path | None
    revision: str
    device: str
    options: LoadOptions


def checkpoint(
    name: str,
    entry: Entry,
    options: LoadOptions,
    class_name: str,
    *,
    front_end: Callable[[Path], Any] = audio_input.whisper_extractor,
    tokenizer: Callable[[Path, LoadOptions], Any] = loading.tokenizer,
) -> Checkpoint:
    """Load tokenizer, front end and network of a checkpoint.

    Args:
        name: command-line name.
        entry: its catalogue entry.
        options: as given; ``weights="random"`` builds the true architecture with random weights.
        class_name: transformers class of the network.
        front_end: reads the feature extractor of a folder.
        tokenizer: reads the tokenizer of a folder.
    """
    if options.weights == RANDOM:
        from audio_models import random_weights

        return random_weights.checkpoint(name, options)
    found = loading.find(name, entry.family, options)
    words = tokenizer(found.path, options)
    extractor = front_end(found.path)
    network, device = loading.network(class_name, found.path, options)
    return Checkpoint(name, network, words, extractor, found.path, found.revision, device, options)


def audio_model(
    loaded: Checkpoint,
    entry: Entry,
    *,
    extract: audio_input.Extract,
    features: str = "input_features",
    pieces: audio_input.Pieces,
    tokens_of: audio_input.TokensOf,
    seconds_of: audio_input.SecondsOf = lambda frames: frames / 100,
    template: str | None,
    split: thinking.Splitter = thinking.OPTIONAL,
    adjust: Callable[[Prompt], Prompt] = lambda prompt: prompt,
    alike: Alike = anything,
    surround: tuple[str, str] = ("", ""),
    fewest: int = 1,
) -> NativeModel:
    """A model from a checkpoint with a chat template.

    Args:
        loaded: the checkpoint.
        entry: its catalogue entry; the limits are read from it.
        extract: clips to features.
        features: name of the feature tensor that must reach the network.
        pieces: see ``audio_input.measure``.
        tokens_of: likewise.
        seconds_of: likewise.
        template: chat template of the family, for checkpoints that carry none.
        split: text to thinking and answer.
        adjust: changes a prompt before it is rendered.
        alike: only prompts for which it gives the same value share a batch.
        surround: see ``audio_input.encoder``.
        fewest: audio positions a clip must take at least.

    Raises:
        ModelUnavailable: the tokenizer lacks the network's audio token.
    """
    config = loaded.network.config
    audio_id = int(getattr(config, "audio_token_id", None) or config.audio_config.audio_token_id)
    placeholder = loaded.tokenizer.convert_ids_to_tokens(audio_id)
    if not isinstance(placeholder, str):
        raise ModelUnavailable(
            f"the tokenizer of {loaded.name} has no token {audio_id}, which its config.json names as the audio token"
        )
    if loaded.folder is not None:
        template = inputs.chat_template(loaded.folder, loaded.tokenizer, template)
    encode = audio_input.encoder(
        loaded.tokenizer,
        extract,
        placeholder=placeholder,
        template=template,
        adjust=adjust,
        surround=surround,
        fewest=fewest,
    )
    return wrapped(
        loaded,
        entry,
        encode=encode,
        measure=audio_input.measure(audio_id, features, pieces, tokens_of, seconds_of),
        split=split,
        alike=alike,
    )


def same_length(prompt: Prompt) -> Hashable:
    """Length of each clip: alike for encoders that hear the padding beside a shorter clip."""
    return tuple(audio.clip.seconds for audio in prompt.audios)


def wrapped(loaded: Checkpoint, entry: Entry, **parts: Any) -> NativeModel:
    """A ``NativeModel`` with its description; ``parts`` are the model's own fields."""
    shipped = greedy.set_aside(loaded.network, loaded.tokenizer, never_ends=loaded.options.weights == RANDOM)
    batch_size = loading.batch_size(loaded.options, loaded.device)
    info = ModelInfo(
        name=loaded.name,
        family=entry.family,
        revision=loaded.revision,
        audio=True,
        max_clips=entry.accepts.clips,
        longest_seconds=entry.accepts.seconds,
        max_batch=batch_size.limit,
        settings=loading.settings(loaded.network, loaded.device, loaded.options, shipped),
    )
    return NativeModel(info, loaded.network, loaded.tokenizer, device=loaded.device, batch_size=batch_size, **parts)
