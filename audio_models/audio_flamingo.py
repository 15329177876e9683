"""Audio Flamingo 3: one clip a prompt, cut into 30 s windows, up to ten minutes.

The official processor refuses prompts with and without a clip in one batch; the network takes them, and
a test compares the answers. Thinking needs the checkpoint's ``think``
adapter and a suffix to the question; the plain checkpoint, which is what this loads, does not think.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apun.models import LoadOptions, Model
from audio_models.core import audio_input
from audio_models.core.audio_input import Features

if TYPE_CHECKING:
    from audio_models.core.audio_input import Extract, Samples

TEMPLATE = (
    "{% for m in messages %}{% if loop.first and m['role'] != 'system' %}<|im_start|>system\n"
    "You are a helpful assistant.<|im_end|>\n{% endif %}<|im_start|>{{ m['role'] }}\n"
    "{% for c in m['content'] %}{% if c['type'] == 'audio' %}<sound>{% else %}{{ c['text'] }}{% endif %}{% endfor %}"
    "<|im_end|>\n{% endfor %}{{ '<|im_start|>assistant\n' }}"
)


def create(name: str, options: LoadOptions) -> Model:
    """Load Audio Flamingo 3; see ``audio_models.catalogue.load``."""
    loaded = audio_input.load(name, options)
    return audio_input.audio_model(
        loaded,
        extract=extract(loaded.extractor),
        pieces=audio_input.mask_frames("input_features_mask"),
        tokens_of=audio_input.two_convolutions,
        template=TEMPLATE,
    )


def extract(extractor: Any) -> Extract:
    """Windows of 30 s, each padded to 30 s; a clip's positions are counted over all its frames."""

    def extracted(clips: Sequence[Samples]) -> Features:
        window = extractor.n_samples
        cut = [[clip[start : start + window] for start in range(0, clip.size, window)] for clip in clips]
        features, mask = audio_input.log_mel(extractor, [piece for pieces in cut for piece in pieces], fixed=True)
        frames = iter(mask.sum(-1).tolist())
        tokens = tuple(audio_input.two_convolutions(sum(int(next(frames)) for _ in pieces)) for pieces in cut)
        return Features({"input_features": features, "input_features_mask": mask}, tokens)

    return extracted
