"""What every native family does to load a checkpoint: find it, build it, write down how, wrap it as a model."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import nullcontext, redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apun import weights
from apun.device import pick_device, pick_dtype
from apun.errors import MissingDependency, ModelUnavailable, UsageError
from apun.models import Generation, LoadOptions, ModelInfo
from audio_models.catalogue import Entry, entry_for
from audio_models.core import greedy
from audio_models.core.native import (
    LARGEST,
    LARGEST_ON_CPU,
    Alike,
    BatchSize,
    Encoder,
    Measure,
    NativeModel,
    anything,
    nothing_heard,
    splitter,
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A loaded checkpoint.

    Attributes:
        name: as given on the command line.
        entry: the catalogue's entry for it, or for its family.
        network: on its device.
        tokenizer: its tokenizer.
        extractor: its feature extractor; None for text models.
        folder: where it was read from; None for random weights.
        revision: names its content.
        device: the device's name.
        options: how it was asked for.
    """

    name: str
    entry: Entry
    network: Any
    tokenizer: Any
    extractor: Any
    folder: Path | None
    revision: str
    device: str
    options: LoadOptions

    def model(self, encode: Encoder, measure: Measure = nothing_heard, alike: Alike = anything) -> NativeModel:
        """The checkpoint as a model; its limits are the catalogue's."""
        shipped = greedy.set_aside(self.network, self.tokenizer, never_ends=self.options.weights == weights.RANDOM)
        limit = LARGEST_ON_CPU if self.device == "cpu" else LARGEST  # a CPU gains nothing beyond a few
        batch_size = BatchSize.parse(self.options.args.get("batch"), limit=limit)
        accepts = self.entry.accepts
        info = ModelInfo(
            name=self.name,
            family=self.entry.family,
            revision=self.revision,
            audio=accepts.audio,
            max_clips=accepts.clips,
            longest_seconds=accepts.seconds,
            max_batch=batch_size.limit,
            settings=self._settings(shipped),
        )
        return NativeModel(
            info,
            self.network,
            self.tokenizer,
            encode,
            measure,
            splitter(self.entry.thinking),
            self.device,
            batch_size,
            alike,
        )

    def _settings(self, shipped: dict[str, Any]) -> dict[str, Any]:
        """What is logged with a run; ``shipped`` are the checkpoint's own generation settings, set aside."""
        import torch
        import transformers

        network, device = self.network, self.device
        return {
            "dtype": str(network.dtype).removeprefix("torch."),
            "device": torch.cuda.get_device_name(device) if device.startswith("cuda") else device,
            "attention": str(getattr(network.config, "_attn_implementation", "")),
            "class": type(network).__name__,
            "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
            "generation": greedy.arguments(Generation()) | {"max_new_tokens": "of the task"},
            "checkpoint_generation": shipped,
            "ends": greedy.as_ids(network.generation_config.eos_token_id),
            "batch_size": self.options.args.get("batch", "auto"),
        }


def find(name: str, entry: Entry, options: LoadOptions) -> weights.Weights:
    """The checkpoint of a model: by its catalogue entry, or the folder in the options.

    Raises:
        ModelUnavailable: it is not on this machine.
        UsageError: remote code is asked for without a pinned revision.
    """
    check_remote_code(options)
    hub_id = name.removeprefix("hf:") if name.startswith("hf:") else entry.hub_id
    return weights.find("" if options.weights and options.family else hub_id, options, skip=weights.PICKLES)


def check_remote_code(options: LoadOptions) -> None:
    """Refuse code from a repository unless its revision is pinned.

    Raises:
        UsageError: ``trust_remote_code`` without a full commit id (a local folder is pinned by itself).
    """
    if not options.trust_remote_code or (options.weights and Path(options.weights).is_dir()):
        return
    revision = options.revision or ""
    if len(revision) != 40 or any(char not in "0123456789abcdef" for char in revision):
        raise UsageError("--trust-remote-code runs a repository's code: pin it with --revision COMMIT (40 hex digits)")


def load(name: str, options: LoadOptions, *, tokenizer: Callable[[Path, LoadOptions], Any] | None = None) -> Checkpoint:
    """Tokenizer, front end and network of an audio checkpoint, by its catalogue entry.

    Args:
        name: command-line name.
        options: as given.
        tokenizer: reads the tokenizer of a folder; transformers' own by default.
    """
    entry = entry_for(name, options.family)
    found = find(name, entry, options)
    words = (tokenizer or read_tokenizer)(found.path, options)
    extractor = read_front_end(found.path, entry.front_end)
    network, device = read_network(found.path, entry.network, options)
    return Checkpoint(name, entry, network, words, extractor, found.path, found.revision, device, options)


def transformers_class(name: str) -> Any:
    """A class of transformers by name.

    Raises:
        MissingDependency: transformers is not installed.
        ModelUnavailable: this version does not have the class.
    """
    try:
        import transformers
    except ImportError as error:
        raise MissingDependency("transformers", "models") from error
    found = getattr(transformers, name, None)
    if found is None:
        raise ModelUnavailable(
            f"transformers {transformers.__version__} has no {name}; install a newer one (pip install -U transformers)"
        )
    return found


def read_tokenizer(folder: Path, options: LoadOptions, **extra: Any) -> Any:
    """The checkpoint's tokenizer.

    Raises:
        ModelUnavailable: the folder holds none that can be read.
    """
    kind = transformers_class("AutoTokenizer")
    quiet()
    try:
        loaded = kind.from_pretrained(
            str(folder), trust_remote_code=options.trust_remote_code, local_files_only=True, **extra
        )
    except Exception as error:  # a broken folder can raise anything; the user gets one sentence
        raise ModelUnavailable(f"{folder} has no tokenizer that can be read ({_told(error)})") from error
    if loaded.pad_token_id is None and loaded.eos_token is not None:
        loaded.pad_token = loaded.eos_token
    return loaded


def read_front_end(folder: Path, class_name: str) -> Any:
    """The checkpoint's feature extractor, read from its own settings.

    Raises:
        ModelUnavailable: the folder has none.
    """
    try:
        return transformers_class(class_name).from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"{folder} has no feature extractor settings (preprocessor_config.json): {error}"
        ) from error


def read_network(folder: Path, class_name: str, options: LoadOptions, **extra: Any) -> tuple[Any, str]:
    """The checkpoint's network on its device, ready to generate.

    Only safetensors (or GGUF) are read: a pickle runs whatever its author wrote.

    Returns:
        The network and its device's name.

    Raises:
        ModelUnavailable: the folder cannot be loaded as that class.
    """
    device = pick_device(options.device)
    dtype = pick_dtype(options.dtype, device)
    kind = transformers_class(class_name)
    quiet()
    if "gguf_file" not in extra:
        extra["use_safetensors"] = True
    if device == "spread":
        extra["device_map"] = "auto"
    # the GGUF reader draws a progress bar that transformers' own switch does not reach
    hush = redirect_stderr(io.StringIO()) if "gguf_file" in extra else nullcontext()
    try:
        with hush:
            loaded, found = kind.from_pretrained(
                str(folder),
                output_loading_info=True,
                dtype=dtype,
                attn_implementation=attention(options),
                trust_remote_code=options.trust_remote_code,
                local_files_only=True,
                **extra,
            )
    except Exception as error:  # a broken folder can raise anything; the user gets one sentence
        raise ModelUnavailable(f"{folder} cannot be loaded as {class_name} ({_told(error)})") from error
    missing = sorted(found.get("missing_keys", ()))
    if missing and options.args.get("missing") != "allow":  # transformers fills them with random numbers and goes on
        raise ModelUnavailable(
            f"{folder} lacks {len(missing)} tensors of {class_name}, such as {missing[0]}; download it again, or give "
            "the family it belongs to with --family (--model-arg missing=allow loads it all the same)"
        )
    return placed(loaded, device), device


def placed(loaded: Any, device: str) -> Any:
    """A network in inference mode on a device."""
    loaded.eval().requires_grad_(False)
    return loaded if device == "spread" else loaded.to(device)


def attention(options: LoadOptions) -> str | None:
    """Attention implementation: ``--model-arg attention=…``; None lets transformers take the class's best."""
    return options.args.get("attention")


def quiet() -> None:
    """Keep transformers' progress bars and advice out of a command's output."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()


def _told(error: Exception) -> str:
    """An exception as one line of bounded length."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
