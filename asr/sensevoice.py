"""SenseVoice small (package ``funasr``): one pass, no decoder, fast on a CPU."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, ModelInfo, Transcript, Word
from asr.arguments import check, switch, synchronise, torch_device
from asr.catalogue import RECOGNISERS
from asr.cutting import pieces
from asr.quality import flags
from asr.transcribing import check_language, one_by_one
from asr.weights import RANDOM, folder

MARKS = ("config.yaml", "am.mvn", "model.pt")
LONGEST_SECONDS = 30.0  # what it was trained on; longer clips are cut where it is quiet
_TAG = re.compile(r"<\|[^|]*\|>")
_TEXT_SYMBOLS = frozenset("°%‰℃℉©®™+=<>~^|$€£¥₩¢")


def create(name: str, options: LoadOptions) -> SenseVoice:
    """From a local folder (``config.yaml``, ``model.pt``, ``am.mvn``, the bpe model) or the hub cache.

    Raises:
        ModelUnavailable: it is not here, or cannot be loaded.
        UsageError: random weights were asked for; the vocabulary comes with the weights.
    """
    check(options, ("itn", "words"))
    if options.weights == RANDOM:
        raise UsageError(f"{name} cannot be built with random weights: its vocabulary comes with them")
    found = folder(RECOGNISERS[name].source, options, MARKS)
    return SenseVoice(name, found.path, options, found.revision)


class SenseVoice:
    """SenseVoice small. Its tags and emoji are removed from the text; dither is off, so it repeats itself.

    Args:
        name: as given on the command line.
        path: folder of the model.
        options: device; ``args``: ``itn`` (yes: digits and punctuation), ``words`` (yes: word times).
        revision: hub revision or weight digest.
    """

    def __init__(self, name: str, path: Path, options: LoadOptions, revision: str) -> None:
        device = torch_device(options)
        with redirect_stdout(sys.stderr):  # it greets on standard output, where commands print JSON
            import funasr

            try:
                self._model: Any = funasr.AutoModel(
                    model=str(path), device=device, disable_update=True, disable_pbar=True, log_level="ERROR"
                )
            except Exception as error:  # funasr builds by configuration and raises anything
                raise ModelUnavailable(f"{path} could not be loaded as a SenseVoice model ({error})") from error
        frontend = self._model.kwargs["frontend"]
        frontend.dither = 0.0  # noise added to the features by default: transcripts would vary from run to run
        self._itn = switch(options, "itn", True)
        self._word_times = switch(options, "words", True)
        self._languages = RECOGNISERS[name].languages
        self._info = ModelInfo(
            name=name,
            family="sensevoice",
            revision=revision if self._itn else f"{revision};itn=no",
            audio=True,
            settings={
                "dtype": "float32",
                "device": device,
                "itn": self._itn,
                "dither": 0.0,
                "funasr": funasr.__version__,
            },
        )

    @property
    def info(self) -> ModelInfo:
        """What this recogniser is."""
        return self._info

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        """One transcript per clip; clips beyond 30 s are heard in pieces."""
        problem = check_language(self._info.name, self._languages, language)
        if problem:
            return [Transcript("", error=problem) for _ in clips]
        return one_by_one(clips, lambda clip: self._hear(clip, language))

    def _hear(self, clip: Clip, language: str | None) -> Transcript:
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
        synchronise(str(self._info.settings["device"]))
        parts = [part for part in map(clean, raw) if part]
        text = " ".join(parts)
        silent = all("<|nospeech|>" in part for part in raw)
        return Transcript(text, tuple(words), offset, flags=flags(text, nothing_said=silent, windows=parts))

    def _recognise(self, piece: Any, language: str | None) -> dict[str, Any]:
        settings = {"cache": {}, "language": language or "auto", "use_itn": self._itn, "batch_size": 1}
        if self._word_times:
            with suppress(IndexError, AssertionError, RuntimeError):  # its aligner fails on some token sequences
                return dict(self._model.generate(input=[piece], output_timestamp=True, **settings)[0])
        return dict(self._model.generate(input=[piece], **settings)[0])

    def close(self) -> None:
        """Free the model."""
        self._model = None


def clean(text: str) -> str:
    """The words alone: no ``<|zh|><|NEUTRAL|>`` tags, no emoji or music notes for emotions and events."""
    bare = _TAG.sub("", text)
    kept = "".join(char for char in bare if not _pictorial(char))
    return " ".join(kept.split())


def _pictorial(char: str) -> bool:
    if char in _TEXT_SYMBOLS:
        return False
    return unicodedata.category(char) in ("So", "Sk", "Cs") or char in "\u200d\ufe0e\ufe0f"
