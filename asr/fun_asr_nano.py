"""Fun-ASR-Nano through transformers (5.20 or later); needs torchaudio."""

from __future__ import annotations

from apun.models import LoadOptions
from asr.qwen3_asr import TranscriptionRequest, load


def create(name: str, options: LoadOptions) -> TranscriptionRequest:
    """Fun-ASR-Nano from a folder in the hub's format or the hub cache."""
    return load(
        name,
        options,
        "FunAsrNanoForConditionalGeneration",
        lambda processor, ids: processor.decode(ids, skip_special_tokens=True),
    )
