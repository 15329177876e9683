"""What every native family does to load a checkpoint: find it, build it, write down how."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import nullcontext, redirect_stderr
from pathlib import Path
from typing import Any

from apun.errors import MissingDependency, ModelUnavailable
from apun.models import LoadOptions
from audio_models import greedy, weights
from audio_models.batching import LARGEST, LARGEST_ON_CPU, BatchSize
from audio_models.catalogue import Entry, entry_for
from audio_models.device import pick_device, pick_dtype


def entry(name: str, options: LoadOptions) -> Entry:
    """The catalogue entry that describes a name under these options; hub names count as their family."""
    return entry_for(name, options.family)


def find(name: str, family: str, options: LoadOptions) -> weights.Weights:
    """The checkpoint of a model: by its catalogue entry, or the folder in the options.

    Raises:
        ModelUnavailable: it is not on this machine.
        UsageError: remote code is asked for without a pinned revision.
    """
    weights.check_remote_code(options)
    hub_id = name.removeprefix("hf:") if name.startswith("hf:") else entry_for(name, options.family or family).hub_id
    if options.weights and options.family:
        hub_id = ""
    return weights.resolve(hub_id, options)


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


def tokenizer(folder: Path, options: LoadOptions, **extra: Any) -> Any:
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


def network(class_name: str, folder: Path, options: LoadOptions, **extra: Any) -> tuple[Any, str]:
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


def _told(error: Exception) -> str:
    """An exception as one line of bounded length."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def quiet() -> None:
    """Keep transformers' progress bars and advice out of a command's output."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()


def placed(loaded: Any, device: str) -> Any:
    """A network in inference mode on a device."""
    loaded.eval().requires_grad_(False)
    return loaded if device == "spread" else loaded.to(device)


def attention(options: LoadOptions) -> str | None:
    """Attention implementation: ``--model-arg attention=…``; None lets transformers take the class's best."""
    return options.args.get("attention")


def batch_size(options: LoadOptions, device: str) -> BatchSize:
    """How many prompts at once: ``--model-arg batch=auto|N``; a CPU gains nothing beyond a few."""
    return BatchSize.parse(options.args.get("batch"), limit=LARGEST_ON_CPU if device == "cpu" else LARGEST)


def settings(loaded: Any, device: str, options: LoadOptions, shipped: Mapping[str, Any]) -> dict[str, Any]:
    """What is logged with a run: numeric type, device, attention, versions, generation settings.

    Args:
        loaded: the network.
        device: its device's name.
        options: as given.
        shipped: the checkpoint's own generation settings that were set aside.
    """
    import torch
    import transformers

    from apun.models import Generation

    return {
        "dtype": str(loaded.dtype).removeprefix("torch."),
        "device": torch.cuda.get_device_name(device) if device.startswith("cuda") else device,
        "attention": str(getattr(loaded.config, "_attn_implementation", "")),
        "class": type(loaded).__name__,
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
        "generation": greedy.arguments(Generation()) | {"max_new_tokens": "of the task"},
        "checkpoint_generation": dict(shipped),
        "ends": greedy.as_ids(loaded.generation_config.eos_token_id),
        "batch_size": options.args.get("batch", "auto"),
    }
