"""Native audio families: clips as features, their places in the prompt, and what of them really goes in.

A family loads its checkpoint (``load``) and makes a model of it (``audio_model``) from a few rules of its own: clips to
features, frames to audio positions and to seconds, a chat template.

Every clip is mono float32 at 16 kHz already (``apun.clips``). Log-mel features come from the
checkpoint's own Whisper extractor, with the padding done here: to the longest clip of the batch
instead of the fixed 300 s of the Omni processors (a second of CPU time a batch), and with enough
zeros behind the longest clip that no frame depends on which clips share the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun import digests
from apun.clips import SAMPLE_RATE
from apun.errors import ModelUnavailable
from apun.models import LoadOptions
from apun.prompts import Prompt
from apun.replies import Consumed
from apun.weights import RANDOM
from audio_models.core import checkpoint, inputs, random_weights
from audio_models.core.checkpoint import Checkpoint
from audio_models.core.native import Alike, Batch, Encoder, Measure, NativeModel, anything

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


def load(name: str, options: LoadOptions, tokenizer: Callable[[Path, LoadOptions], Any] | None = None) -> Checkpoint:
    """The checkpoint of a family; with ``weights="random"`` the true architecture with random weights.

    Args:
        name: command-line name.
        options: as given.
        tokenizer: reads the tokenizer of a folder, for families with one of their own.
    """
    if options.weights == RANDOM:
        return random_weights.load(name, options)
    return checkpoint.load(name, options, tokenizer=tokenizer)


def audio_model(
    loaded: Checkpoint,
    *,
    extract: Extract,
    features: str = "input_features",
    pieces: Pieces,
    tokens_of: TokensOf,
    seconds_of: SecondsOf = lambda frames: frames / 100,
    template: str | None,
    adjust: Callable[[Prompt], Prompt] = lambda prompt: prompt,
    alike: Alike = anything,
    surround: tuple[str, str] = ("", ""),
    fewest: int = 1,
) -> NativeModel:
    """A model from a checkpoint with a chat template.

    Args:
        loaded: the checkpoint.
        extract: clips to features.
        features: name of the feature tensor that must reach the network.
        pieces: see ``measure``.
        tokens_of: likewise.
        seconds_of: likewise.
        template: chat template of the family, for checkpoints that carry none.
        adjust: changes a prompt before it is rendered.
        alike: only prompts for which it gives the same value share a batch.
        surround: see ``encoder``.
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
    encode = encoder(
        loaded.tokenizer,
        extract,
        placeholder=placeholder,
        template=template,
        adjust=adjust,
        surround=surround,
        fewest=fewest,
    )
    return loaded.model(encode, measure(audio_id, features, pieces, tokens_of, seconds_of), alike)


def same_length(prompt: Prompt) -> Hashable:
    """Length of each clip: alike for encoders that hear the padding beside a shorter clip."""
    return tuple(audio.clip.seconds for audio in prompt.audios)


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
        heard=tuple(tuple(digests.of_samples(samples) for samples in row) for row in clips),
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


def mel_features(log_mel: Callable[[Sequence[Samples]], tuple[Any, Any]], tokens_of: TokensOf) -> Extract:
    """Clips to log-mel features and their mask, under the names the Qwen classes give them."""

    def extracted(clips: Sequence[Samples]) -> Features:
        features, mask = log_mel(clips)
        tokens = tuple(tokens_of(int(frames)) for frames in mask.sum(-1))
        return Features({"input_features": features, "feature_attention_mask": mask}, tokens)

    return extracted


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
