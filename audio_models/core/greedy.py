"""Generation settings in one place: temperature 0 sets every sampling and penalty field.

A checkpoint's own ``generation_config`` may carry sampling and, worse, a repetition penalty that
``do_sample=False`` leaves in force. It is set aside at load time (and logged), and every call
passes the full list, so two checkpoints of one model answer under the same settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apun.models import Generation

GREEDY: Mapping[str, Any] = {
    "do_sample": False,
    "num_beams": 1,
    "repetition_penalty": 1.0,
    "no_repeat_ngram_size": 0,
    "temperature": None,
    "top_p": None,
    "top_k": None,
    "min_p": None,
    "typical_p": None,
}
_LOGGED = (*GREEDY, "length_penalty", "encoder_repetition_penalty", "penalty_alpha", "suppress_tokens", "max_length")


def set_aside(network: Any, tokenizer: Any, *, never_ends: bool = False) -> dict[str, Any]:
    """Replace a network's generation defaults by end, start and padding tokens alone.

    Args:
        network: changed in place.
        tokenizer: names the end token where the checkpoint does not.
        never_ends: no token ends an answer, so that random weights run to the full length.

    Returns:
        The checkpoint's own settings that no longer apply, for the log.
    """
    from transformers import GenerationConfig

    shipped = network.generation_config.to_dict()
    ends = () if never_ends else end_ids(network, tokenizer)
    pad = shipped.get("pad_token_id")
    if pad is None:
        pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else (ends[0] if ends else 0)
    network.generation_config = GenerationConfig(
        eos_token_id=list(ends) or None, pad_token_id=pad, bos_token_id=shipped.get("bos_token_id")
    )
    return {name: shipped[name] for name in _LOGGED if shipped.get(name) is not None}


def as_ids(listed: int | Sequence[int] | None) -> list[int]:
    """An ``eos_token_id`` field, which may be a number, a list or nothing, as a list."""
    return [listed] if isinstance(listed, int) else [int(one) for one in listed or ()]


def end_ids(network: Any, tokenizer: Any) -> tuple[int, ...]:
    """Ids that end an answer: the checkpoint's, and the tokenizer's own end token."""
    ends = as_ids(getattr(network.generation_config, "eos_token_id", None))
    own = getattr(tokenizer, "eos_token_id", None)
    if own is not None and own not in ends:
        ends.append(own)
    return tuple(ends)


def arguments(generation: Generation) -> dict[str, Any]:
    """Keyword arguments of ``generate``: greedy at temperature 0, else plain sampling."""
    settings = dict(GREEDY)
    if generation.temperature > 0:
        settings |= {"do_sample": True, "temperature": float(generation.temperature), "top_p": 1.0, "top_k": 0}
    return {**settings, "max_new_tokens": generation.max_new_tokens}


def logged(generation: Generation) -> dict[str, Any]:
    """The effective settings as plain JSON."""
    return {**arguments(generation), "seed": generation.seed}


def row_lengths(ids: Sequence[Sequence[int]], ends: Sequence[int]) -> list[tuple[int, bool]]:
    """Per row: how many new tokens it has, and whether it ended by itself."""
    stops = set(ends)
    found = []
    for row in ids:
        stop = next((index for index, token in enumerate(row) if token in stops), None)
        found.append((len(row), False) if stop is None else (stop + 1, True))
    return found
