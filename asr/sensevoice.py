"""SenseVoice small (package ``funasr``): one pass, no decoder, fast on a CPU."""

from __future__ import annotations

import re
import sys
import unicodedata
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.clips import SAMPLE_RATE, Clip
from apun.device import synchronise
from apun.errors import ModelUnavailable
from apun.models import LoadOptions, ModelInfo, Word
from asr.catalogue import RECOGNISERS
from asr.core.recogniser import BaseRecogniser, Hypothesis, device_of, weights_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST_SECONDS = 30.0  # what it was trained on; longer clips are cut where it is quiet
FRAME = SAMPLE_RATE // 50  # 20 ms
_TAG = re.compile(r"<\|[^|]*\|>")
_TEXT_SYMBOLS = frozenset("°%‰℃℉©®™+=<>~^|$€£¥₩¢")


def create(name: str, options: LoadOptions) -> SenseVoice:
    """From a local folder (``config.yaml``, ``model.pt``, ``am.mvn``, the bpe model) or the hub cache.

    Raises:
        ModelUnavailable: it is not here, or cannot be loaded.
    """
    found = weights_of(RECOGNISERS[name].source, options, "config.yaml", "am.mvn", "model.pt")
    return SenseVoice(name, found.path, options, found.revision)


class SenseVoice(BaseRecogniser):
    """SenseVoice small. Its tags and emoji are removed from the text; dither is off, so it repeats itself.

    Args:
        name: as given on the command line.
        path: folder of the model.
        options: device; ``args``: ``itn`` (yes: digits and punctuation), ``words`` (yes: word times).
        revision: hub revision or weight digest.
    """

    def __init__(self, name: str, path: Path, options: LoadOptions, revision: str) -> None:
        device = device_of(options)
        with redirect_stdout(sys.stderr):  # it greets on standard output, where commands print JSON
            import funasr

            try:
                network = funasr.AutoModel(
                    model=str(path), device=device, disable_update=True, disable_pbar=True, log_level="ERROR"
                )
            except Exception as error:  # funasr builds by configuration and raises anything
                raise ModelUnavailable(f"{path} could not be loaded as a SenseVoice model ({error})") from error
        network.kwargs["frontend"].dither = 0.0  # noise added by default: transcripts would vary from run to run
        self._itn = options.switch("itn", True)
        self._word_times = options.switch("words", True)
        settings = {
            "dtype": "float32",
            "device": device,
            "itn": self._itn,
            "dither": 0.0,
            "funasr": funasr.__version__,
        }
        revision = revision if self._itn else f"{revision};itn=no"
        super().__init__(
            ModelInfo(name, "sensevoice", revision, audio=True, settings=settings), network, RECOGNISERS[name].languages
        )

    def hear(self, clip: Clip, language: str | None) -> Hypothesis:
        """Decode one clip; one beyond 30 s is heard in pieces."""
        raw: list[str] = []
        words: list[Word] = []
        offset = 0.0
        for piece in pieces(clip.samples, LONGEST_SECONDS):
            result = self._recognise(piece, language)
            raw.append(result["text"])
            spans = zip(result.get("words", ()), result.get("timestamp", ()), strict=False)
            words += [
                Word(word, offset + start / 1000, offset + end / 1000) for word, (start, end) in spans if clean(word)
            ]
            offset += piece.size / SAMPLE_RATE
        synchronise(str(self.info.settings["device"]))
        parts = [part for part in map(clean, raw) if part]
        silent = all("<|nospeech|>" in part for part in raw)
        return Hypothesis(" ".join(parts), tuple(words), offset, nothing_said=silent, windows=parts)

    def _recognise(self, piece: Any, language: str | None) -> dict[str, Any]:
        settings = {"cache": {}, "language": language or "auto", "use_itn": self._itn, "batch_size": 1}
        if self._word_times:
            with suppress(IndexError, AssertionError, RuntimeError):  # its aligner fails on some token sequences
                return dict(self._network.generate(input=[piece], output_timestamp=True, **settings)[0])
        return dict(self._network.generate(input=[piece], **settings)[0])


def pieces(samples: NDArray[np.float32], longest: float, search: float = 5.0) -> list[NDArray[np.float32]]:
    """Cut samples of shape ``(n,)`` so that no piece is longer than ``longest`` seconds.

    Each cut is at the quietest 20 ms of the last ``search`` seconds of the piece. Nothing is lost:
    the pieces joined are the input.
    """
    import numpy as np

    limit = int(longest * SAMPLE_RATE)
    cut: list[NDArray[np.float32]] = []
    rest = samples
    while rest.size > limit:
        tail = rest[limit - int(search * SAMPLE_RATE) : limit]
        usable = tail[: tail.size // FRAME * FRAME].reshape(-1, FRAME)
        quietest = int(np.argmin(np.square(usable, dtype=np.float64).mean(axis=1)))
        at = limit - tail.size + quietest * FRAME + FRAME // 2
        cut.append(rest[:at])
        rest = rest[at:]
    return [*cut, rest]


def clean(text: str) -> str:
    """The words alone: no ``<|zh|><|NEUTRAL|>`` tags, no emoji or music notes for emotions and events."""
    bare = _TAG.sub("", text)
    kept = "".join(char for char in bare if not _pictorial(char))
    return " ".join(kept.split())


def _pictorial(char: str) -> bool:
    if char in _TEXT_SYMBOLS:
        return False
    return unicodedata.category(char) in ("So", "Sk", "Cs") or char in "\u200d\ufe0e\ufe0f"
