"""Clips as a model's features, their places in the prompt, and what of them really goes in.

Every clip is mono float32 at 16 kHz already (``apun.clips``). Log-mel features come from the
checkpoint's own Whisper extractor, with the padding done here: to the longest clip of the batch
instead of the fixed 300 s of the Omni processors (a second of CPU time a batch), and with enough
zeros behind the longest clip that no frame depends on which clips share the batch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.clips import SAMPLE_RATE
from apun.errors import ModelUnavailable
from apun.prompts import Prompt
from apun.replies import Consumed
from audio_models import inputs
from audio_models.native import Batch, Encoder, Measure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Features:
    """Clips as tensors.

    Attributes:
        tensors: keyword arguments of ``generate``, clips along the first axis.
        tokens: audio positions each clip takes in the prompt.
    """

    tensors: Mapping[str, Any]
    tokens: tuple[int, ...]


Extract = Callable[["Sequence[Samples]"], Features]
Pieces = Callable[[Mapping[str, Any]], list[int]]
TokensOf = Callable[[int], int]
SecondsOf = Callable[[int], float]


def encoder(
    tokenizer: Any,
    extract: Extract,
    *,
    placeholder: str,
    template: str | None,
    adjust: Callable[[Prompt], Prompt] = lambda prompt: prompt,
    surround: tuple[str, str] = ("", ""),
    fewest: int = 1,
) -> Encoder:
    """Prompts with clips to tensors, for checkpoints with a chat template.

    Args:
        tokenizer: the checkpoint's.
        extract: clips to features.
        placeholder: the token that stands for one audio position.
        template: a chat template in place of the tokenizer's own; None for its own.
        adjust: changes a prompt before it is rendered (a system prompt the model needs).
        surround: what the official processor writes before and after a clip's positions.
        fewest: audio positions a clip must take at least.
    """
    before, after = surround

    def encode(prompts: Sequence[Prompt]) -> Batch:
        clips = [[audio.clip.samples for audio in inputs.clips_of(prompt)] for prompt in prompts]
        flat = [samples for row in clips for samples in row]
        features = extract(flat) if flat else Features({}, ())
        for samples, tokens in zip(flat, features.tokens, strict=True):
            if tokens < fewest:
                raise inputs.InputError(
                    f"a clip of {samples.size / SAMPLE_RATE * 1000:.0f} ms is too short: it gives {tokens} audio "
                    f"position(s), and this model needs {fewest}"
                )
        rows = []
        for prompt, counts in zip(prompts, by_row(features, clips), strict=True):
            written = inputs.render(tokenizer, adjust(prompt), template=template, blocks=True)
            if before or after:
                whole = f"{before}{placeholder}{after}"
                written = [replace(p, text=p.text.replace(placeholder, whole)) if p.trusted else p for p in written]
            rows.append(inputs.encode(tokenizer, written, placeholder, counts))
        return assembled(rows, tokenizer.pad_token_id or 0, features, clips)

    return encode


def by_row(features: Features, clips: Sequence[Sequence[Samples]]) -> tuple[tuple[int, ...], ...]:
    """Audio positions of the clips of each row."""
    counts = iter(features.tokens)
    return tuple(tuple(next(counts) for _ in row) for row in clips)


def assembled(rows: Sequence[Sequence[int]], pad: int, features: Features, clips: Sequence[Sequence[Samples]]) -> Batch:
    """Token rows and features as one batch, with the hashes of the samples that were extracted."""
    return Batch(
        {**inputs.left_padded(rows, pad), **features.tensors},
        heard=tuple(tuple(_hash(samples) for samples in row) for row in clips),
        tokens=tuple(len(row) for row in rows),
        positions=by_row(features, clips),
        lengths=tuple(samples.size / SAMPLE_RATE for row in clips for samples in row),
    )


def measure(
    audio_id: int,
    features: str,
    pieces: Pieces,
    tokens_of: TokensOf,
    seconds_of: SecondsOf = lambda frames: frames / 100,
) -> Measure:
    """What each row of a batch consumes, read off the tensors that enter the network.

    A clip counts when the row holds a run of audio positions and the features hold as many frames
    as that run stands for; its seconds are those of the frames, never more than the samples had.

    Args:
        audio_id: token id of an audio position.
        features: name of the feature tensor.
        pieces: frames in each piece of the feature tensor, padding left out. A clip is one piece or
            several in a row (30 s windows).
        tokens_of: audio positions for a number of frames.
        seconds_of: seconds that a number of frames spans; by default 10 ms each.
    """

    def measured(batch: Batch) -> list[Consumed]:
        left = pieces(batch.tensors) if features in batch.tensors else []
        lengths = list(batch.lengths)
        found = []
        for row, given in zip(batch.tensors["input_ids"].tolist(), batch.positions, strict=True):
            clips, seconds, positions = 0, 0.0, 0
            for run in _runs(row, audio_id, given):
                positions += run
                frames = taken = 0
                while taken < len(left) and (not taken or tokens_of(frames) < run):
                    frames += left[taken]
                    taken += 1
                if taken == 0 or tokens_of(frames) != run:
                    continue
                del left[:taken]
                clips += 1
                seconds += min(seconds_of(frames), lengths.pop(0) if lengths else 0.0)
            found.append(Consumed(clips, seconds, positions))
        return found

    return measured


def mask_frames(name: str) -> Pieces:
    """Frames of each piece from a mask of shape ``(pieces, frames)``."""

    def pieces(tensors: Mapping[str, Any]) -> list[int]:
        if name not in tensors:
            return []
        return [int(count) for count in tensors[name].long().sum(-1)]

    return pieces


def whisper_extractor(folder: Path) -> Any:
    """The checkpoint's Whisper feature extractor, read from its own settings.

    Raises:
        ModelUnavailable: the folder has none.
    """
    from transformers import WhisperFeatureExtractor

    try:
        return WhisperFeatureExtractor.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"{folder} has no feature extractor settings (preprocessor_config.json): {error}"
        ) from error


def log_mel(extractor: Any, clips: Sequence[Samples], *, fixed: bool = False) -> tuple[Any, Any]:
    """Whisper features of clips, with silence behind each of them.

    Args:
        extractor: a ``WhisperFeatureExtractor``.
        clips: samples at 16 kHz, each of shape ``(n,)``.
        fixed: pad to the extractor's own length (the encoder takes no other), and cut there.

    Returns:
        Features of shape ``(clips, mels, frames)`` and their mask of shape ``(clips, frames)``.
    """
    hop, window = extractor.hop_length, extractor.n_fft
    longest = max(clip.size for clip in clips)
    # A frame looks half a window ahead: past the longest clip it would see a mirror image, past the others zeros.
    room = extractor.n_samples if fixed else -(-(longest + window) // hop) * hop
    features, mask = _extracted(extractor, list(clips), padding="max_length", max_length=room, truncation=fixed)
    if not fixed:
        keep = int(mask.sum(-1).max())
        features, mask = features[:, :, :keep], mask[:, :keep]
    return features.contiguous(), mask.contiguous()


def log_mel_alone(extractor: Any, clips: Sequence[Samples]) -> tuple[Any, Any]:
    """Whisper features of clips, each extracted by itself: its end is mirrored, whatever shares the batch.

    Returns:
        As ``log_mel``; frames past a clip's end are zero.
    """
    import torch

    found = [_extracted(extractor, [clip], padding="longest", truncation=False) for clip in clips]
    frames = [features.shape[-1] for features, _ in found]
    features = torch.zeros((len(clips), found[0][0].shape[1], max(frames)))
    mask = torch.zeros((len(clips), max(frames)), dtype=torch.int32)
    for index, (one, _) in enumerate(found):
        features[index, :, : frames[index]] = one[0]
        mask[index, : frames[index]] = 1
    return features, mask


def _extracted(extractor: Any, clips: list[Samples], **arguments: Any) -> tuple[Any, Any]:
    out = extractor(clips, sampling_rate=SAMPLE_RATE, return_attention_mask=True, return_tensors="pt", **arguments)
    return out["input_features"], out["attention_mask"]


def two_convolutions(frames: int) -> int:
    """Audio positions after a stride-2 convolution and a stride-2 pooling: 25 a second."""
    return max(0, ((frames - 1) // 2 + 1 - 2) // 2 + 1)


def _runs(row: Sequence[int], audio_id: int, given: Sequence[int]) -> list[int]:
    """Lengths of the runs of audio positions; a run of neighbouring clips is split as they were given."""
    runs = [len(list(group)) for is_audio, group in groupby(row, lambda token: token == audio_id) if is_audio]
    split: list[int] = []
    left = list(given)
    for run in runs:
        while left and left[0] < run:
            split.append(left.pop(0))
            run -= split[-1]
        split.append(run)
        del left[:1]
    return split


def _hash(samples: Samples) -> str:
    """Comparable with ``Clip.sha256``; taken from the array that was extracted, not from the clip."""
    return hashlib.sha256(samples.astype("<f4", copy=False).tobytes()).hexdigest()
