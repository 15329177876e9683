"""Voxtral Mini and Small: Mistral's tokenizer, windows of 30 s with 375 audio positions each.

The prompt is put together here from token ids: mistral-common wants files or base64 where this
project has samples, and refuses a system role beside a clip, so system text opens the first turn.
Its tokenizer never reads control tokens out of text, so nothing has to be neutralised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.errors import MissingDependency, ModelUnavailable
from apun.models import LoadOptions, Model
from apun.prompts import Audio, Prompt, Text
from audio_models.core import audio_input, inputs
from audio_models.core.audio_input import Features
from audio_models.core.native import Batch, Encoder

if TYPE_CHECKING:
    from audio_models.core.audio_input import Extract, Samples

POSITIONS = 375  # of a 30 s window: 1500 encoder frames, four stacked


def create(name: str, options: LoadOptions) -> Model:
    """Load Voxtral; see ``audio_models.catalogue.load``."""
    loaded = audio_input.load(name, options, tokenizer=tekken)
    audio_id = int(loaded.network.config.audio_token_id)
    return loaded.model(
        encoder(loaded.tokenizer, extract(loaded.extractor), audio_id),
        audio_input.measure(audio_id, "input_features", windows, in_windows),
    )


@dataclass(frozen=True, slots=True)
class Tekken:
    """Mistral's tokenizer under the names the other tokenizers have."""

    inner: Any
    pad_token_id: int
    eos_token_id: int

    def text(self, text: str) -> list[int]:
        """Ids of plain text."""
        return list(self.inner.encode(text, bos=False, eos=False))

    def control(self, token: str) -> int:
        """Id of a control token."""
        return int(self.inner.get_special_token(token))

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        """Text of ids; control tokens are left out."""
        from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy

        policy = SpecialTokenPolicy.IGNORE if skip_special_tokens else SpecialTokenPolicy.KEEP
        return str(self.inner.decode(list(ids), special_token_policy=policy))


def tekken(folder: Path, options: LoadOptions) -> Tekken:
    """The checkpoint's ``tekken.json``.

    Raises:
        MissingDependency: mistral-common is not installed.
        ModelUnavailable: the folder has no readable tekken.json.
    """
    try:
        from mistral_common.tokens.tokenizers.tekken import Tekkenizer
    except ImportError as error:
        raise MissingDependency("mistral-common", "models") from error
    path = folder / "tekken.json"
    if not path.is_file():
        raise ModelUnavailable(f"{folder} has no tekken.json, Voxtral's tokenizer")
    try:
        inner = Tekkenizer.from_file(path)
    except (ValueError, KeyError, TypeError, AssertionError) as error:
        raise ModelUnavailable(f"{path} is not a tokenizer mistral-common reads: {error}") from error
    return Tekken(inner, int(inner.pad_id), int(inner.eos_id))


def encoder(tokenizer: Tekken, extract: Extract, audio_id: int) -> Encoder:
    """Prompts to ids and windows."""

    def encode(prompts: Sequence[Prompt]) -> Batch:
        clips = [[audio.clip.samples for audio in inputs.clips_of(prompt)] for prompt in prompts]
        flat = [samples for row in clips for samples in row]
        features = extract(flat) if flat else Features({}, ())
        counts = iter(features.tokens)
        rows = []
        for prompt in prompts:
            ids = [tokenizer.control("<s>")]
            for message in inputs.fold_system(prompt).messages:
                body = [
                    token
                    for part in message.parts
                    for token in (
                        tokenizer.text(part.text)
                        if isinstance(part, Text)
                        else [tokenizer.control("[BEGIN_AUDIO]"), *[audio_id] * next(counts)]
                        if isinstance(part, Audio)
                        else []
                    )
                ]
                if message.role == "assistant":
                    ids += [*body, tokenizer.eos_token_id]
                else:
                    ids += [tokenizer.control("[INST]"), *body, tokenizer.control("[/INST]")]
            rows.append(ids)
        return audio_input.assembled(rows, tokenizer.pad_token_id, features, clips)

    return encode


def extract(extractor: Any) -> Extract:
    """Windows of shape ``(windows, mels, 3000)``; each clip is padded to whole windows."""

    def extracted(clips: Sequence[Samples]) -> Features:
        import torch

        window = extractor.n_samples
        stacked, tokens = [], []
        for clip in clips:
            count = -(-clip.size // window)
            out = extractor(
                clip,
                sampling_rate=extractor.sampling_rate,
                padding="max_length",
                max_length=count * window,
                truncation=False,
                return_tensors="pt",
            )["input_features"][0]
            # One spectrogram over the whole clip, cut afterwards: its floor is the clip's, not the window's.
            stacked.append(out.reshape(out.shape[0], count, -1).transpose(0, 1))
            tokens.append(count * POSITIONS)
        return Features({"input_features": torch.cat(stacked).contiguous()}, tuple(tokens))

    return extracted


def windows(tensors: Mapping[str, Any]) -> list[int]:
    """Frames of each window; there is no mask, so padding counts here and not in a clip's seconds."""
    features = tensors["input_features"]
    return [int(features.shape[-1])] * int(features.shape[0])


def in_windows(frames: int) -> int:
    """Audio positions of whole windows."""
    return frames // 3000 * POSITIONS
