"""Whisper through CTranslate2 (package ``faster-whisper``): fast on CPUs, int8."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, ModelInfo, Transcript, Word
from asr.catalogue import RECOGNISERS
from asr.load import number
from asr.quality import flags
from asr.transcribing import check_language, one_by_one


def create(name: str, options: LoadOptions) -> FasterWhisper:
    """From a local CTranslate2 folder (``options.weights``) or the hub.

    Raises:
        ModelUnavailable: the folder or the hub snapshot is not there.
    """
    if options.weights == "random":
        raise UsageError(f"{name} cannot be built with random weights; use hf-whisper or openai-whisper for that")
    if options.weights is not None:
        folder = Path(options.weights)
        if not (folder / "model.bin").is_file():
            raise ModelUnavailable(f"{folder} holds no model.bin, so it is not a CTranslate2 Whisper folder")
        return FasterWhisper(name, folder, options, revision=digest(folder / "model.bin")[:12])
    from faster_whisper.utils import download_model

    source = RECOGNISERS[name].source
    try:
        folder = Path(download_model(source, revision=options.revision))
    except Exception as error:  # the hub client raises dozens of types; all mean that the weights are not here
        raise ModelUnavailable(
            f"{source} is neither in the local hub cache nor downloadable here ({type(error).__name__}); "
            "give a local folder with --weights"
        ) from error
    return FasterWhisper(name, folder, options, revision=options.revision or folder.name)


class FasterWhisper:
    """A Whisper model run by CTranslate2.

    Greedy, one temperature, no conditioning on the text before, no voice-activity filter: what the
    model hears is what is reported, and suspicious output is flagged instead of decoded again.

    Args:
        name: as given on the command line.
        folder: CTranslate2 folder.
        options: device and numeric type; ``args``: ``beam_size`` (1), ``threads`` (0: all cores).
        revision: hub revision or weight digest.
    """

    def __init__(self, name: str, folder: Path, options: LoadOptions, revision: str) -> None:
        import ctranslate2  # type: ignore[import-untyped]
        import faster_whisper

        device = options.device
        if device == "auto":
            device = "cuda" if ctranslate2.get_cuda_device_count() else "cpu"
        kind, _, index = device.partition(":")
        dtype = options.dtype if options.dtype != "auto" else ("int8" if kind == "cpu" else "float16")
        self._beam = number(options, "beam_size", 1)
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
            revision=revision,
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
            word_timestamps=True,
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
        heard = min(float(info.duration), clip.samples.size / SAMPLE_RATE)
        return Transcript(text, words, heard, flags=flags(text, no_speech=no_speech, logprob=logprob))

    def close(self) -> None:
        """Free the model."""
        self._model = None


def digest(path: Path) -> str:
    """sha256 of a file, read in pieces."""
    import hashlib

    sha = hashlib.sha256()
    with path.open("rb") as handle:
        while piece := handle.read(1 << 20):
            sha.update(piece)
    return sha.hexdigest()
