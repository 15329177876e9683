"""Whisper through CTranslate2 (package ``faster-whisper``): fast on CPUs, int8."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import UsageError
from apun.models import LoadOptions, ModelInfo, Transcript, Word
from asr.arguments import check, number, switch
from asr.catalogue import RECOGNISERS
from asr.quality import by_window, flags
from asr.transcribing import check_language, one_by_one
from asr.weights import RANDOM, folder


def create(name: str, options: LoadOptions) -> FasterWhisper:
    """From a local CTranslate2 folder (``options.weights``) or the hub.

    Raises:
        ModelUnavailable: the folder or the hub snapshot is not there.
        UsageError: random weights were asked for; CTranslate2 has no way to make them.
    """
    if options.weights == RANDOM:
        raise UsageError(f"{name} cannot be built with random weights; use openai-whisper-*")
    found = folder(RECOGNISERS[name].source, options, ("config.json", "model.bin"))
    return FasterWhisper(name, found.path, options, revision=found.revision)


class FasterWhisper:
    """A Whisper model run by CTranslate2.

    Greedy, one temperature, no conditioning on the text before, no voice-activity filter: what the
    model hears is what is reported, and suspicious output is flagged instead of decoded again.

    Args:
        name: as given on the command line.
        folder: CTranslate2 folder.
        options: device and numeric type; ``args``: ``beam_size`` (1), ``threads`` (0: all cores),
            ``words`` (yes: word times).
        revision: hub revision or weight digest.
    """

    def __init__(self, name: str, folder: Path, options: LoadOptions, revision: str) -> None:
        import ctranslate2  # type: ignore[import-untyped]
        import faster_whisper

        check(options, ("beam_size", "threads", "words"))
        device = options.device
        if device in ("auto", "spread"):
            device = "cuda" if ctranslate2.get_cuda_device_count() else "cpu"
        if not device.startswith("cuda"):
            device = "cpu"  # CTranslate2 knows no other accelerator
        kind, _, index = device.partition(":")
        dtype = options.dtype if options.dtype != "auto" else ("int8" if kind == "cpu" else "float16")
        self._beam = number(options, "beam_size", 1)
        self._word_times = switch(options, "words", True)
        self._model: Any = faster_whisper.WhisperModel(
            str(folder),
            device=kind,
            device_index=int(index or 0),
            compute_type=dtype,
            cpu_threads=number(options, "threads", 0),
            local_files_only=True,
        )
        self._languages = RECOGNISERS[name].languages if name in RECOGNISERS else ("en", "zh", "ja")
        self._info = ModelInfo(
            name=name,
            family="faster-whisper",
            revision=revision if self._beam == 1 else f"{revision};beam={self._beam}",
            audio=True,
            settings={
                "dtype": dtype,
                "device": device,
                "beam_size": self._beam,
                "temperature": 0.0,
                "faster_whisper": faster_whisper.__version__,
                "ctranslate2": ctranslate2.__version__,
            },
        )

    @property
    def info(self) -> ModelInfo:
        """What this recogniser is."""
        return self._info

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        """One transcript per clip, with word times."""
        problem = check_language(self._info.name, self._languages, language)
        if problem:
            return [Transcript("", error=problem) for _ in clips]
        return one_by_one(clips, lambda clip: self._hear(clip, language))

    def _hear(self, clip: Clip, language: str | None) -> Transcript:
        segments, info = self._model.transcribe(
            clip.samples,
            language=language,
            task="transcribe",
            beam_size=self._beam,
            best_of=1,
            temperature=0.0,
            condition_on_previous_text=False,
            compression_ratio_threshold=None,
            log_prob_threshold=None,
            no_speech_threshold=None,
            vad_filter=False,
            word_timestamps=self._word_times,
        )
        segments = list(segments)  # decoding happens here: the engine yields lazily
        text = "".join(segment.text for segment in segments).strip()
        words = tuple(
            Word(word.word.strip(), float(word.start), float(word.end))
            for segment in segments
            for word in segment.words or ()
        )
        tokens = sum(len(segment.tokens) for segment in segments)
        logprob = sum(s.avg_logprob * len(s.tokens) for s in segments) / tokens if tokens else None
        no_speech = min((s.no_speech_prob for s in segments), default=None)
        windows = by_window((segment.seek, segment.text) for segment in segments)
        found = flags(text, no_speech=no_speech, logprob=logprob, windows=windows)
        heard = min(float(info.duration), clip.samples.size / SAMPLE_RATE)
        return Transcript(text, words, heard, flags=found)

    def close(self) -> None:
        """Free the model."""
        self._model = None
