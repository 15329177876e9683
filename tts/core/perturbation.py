"""Perturbed clips and splits: noise, reverberation, telephone band, speed, tempo, pitch, lossy codecs. Seeded.

Each effect takes and gives mono float32 samples of shape ``(n,)`` at the same rate. Noise is measured
against the speech's mean power, so its SNR is what its name says; the level of the result is
kept below full scale by scaling, never by clipping.
"""

from __future__ import annotations

import importlib.util
import io
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apun import digests, draws
from apun.audio_folder import AUDIO, METADATA, json_lines, write_clip
from apun.clips import SAMPLE_RATE, resample
from apun.errors import MissingDependency, UsageError
from apun.paths import write_atomic
from apun.registry import optional
from apun.splits import find_sheet, read_split

Samples = NDArray[np.float32]

VERSION = 1
HELP = """effects:
  noise:SNR        speech-shaped noise at SNR dB (such as noise:10)
  white:SNR        white noise
  reverb:RT60      a room with RT60 seconds (0.1 to 3)
  telephone        300 to 3,400 Hz, 8 kHz, mu-law
  speed:FACTOR     tempo and pitch by a factor (0.5 to 2)
  tempo:FACTOR     faster or slower with the pitch kept, by a factor (0.5 to 2; needs librosa)
  pitch:SEMITONES  higher or lower with the tempo kept (-12 to 12; needs librosa)
  codec:NAME       vorbis, mp3 or opus, there and back at a low bit rate
  noise:10+telephone applies both in turn"""
_NAME = re.compile(r"([a-z]+)(?::([A-Za-z0-9.+-]+?))?")
_JOINT = re.compile(r"\+(?![0-9.])")  # a plus before a digit is the sign of a number, as in pitch:+2


@dataclass(frozen=True, slots=True)
class Step:
    """One effect with its argument."""

    kind: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """Effects applied in turn; ``name`` is usable as a folder's name."""

    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        return "+".join(f"{step.kind}{step.value}" for step in self.steps)

    @property
    def snr(self) -> float | None:
        """Signal-to-noise ratio in dB where one step adds noise; for plots against it."""
        ratios = [float(step.value) for step in self.steps if step.kind in ("noise", "white")]
        return ratios[0] if len(ratios) == 1 else None

    def apply(self, samples: Samples, rate: int, seed: int) -> Samples:
        """The perturbed samples; the same for the same seed."""
        for number, step in enumerate(self.steps):
            generator = np.random.default_rng(draws.number(seed, number, step.kind, step.value))
            samples = KINDS[step.kind].run(samples, rate, step.value, generator)
        peak = float(np.abs(samples).max(initial=0.0))
        return (samples / peak * 0.99 if peak > 0.99 else samples).astype(np.float32)


def parse(spec: str) -> Effect:
    """An effect from ``kind:value`` or several joined by ``+``.

    Raises:
        UsageError: no such effect, or an argument out of range; says what is accepted.
        MissingDependency: the effect needs a package that is not installed.
    """
    steps = []
    for part in _JOINT.split(spec):
        match = _NAME.fullmatch(part.strip())
        kind = match.group(1) if match else part
        if match is None or kind not in KINDS:
            raise UsageError(f"there is no perturbation {part!r}. {HELP}")
        value = (match.group(2) or "").removeprefix("+")  # so that pitch:+2 and pitch:2 are one folder
        KINDS[kind].check(value)
        steps.append(Step(kind, value))
    return Effect(tuple(steps))


def at_snr(samples: Samples, noise: Samples, snr: float) -> Samples:
    """Speech plus noise scaled to a signal-to-noise ratio in dB, by mean power."""
    signal = float(np.mean(np.square(samples, dtype=np.float64)))
    power = float(np.mean(np.square(noise, dtype=np.float64)))
    gain = (signal / max(power, 1e-20) / 10 ** (snr / 10)) ** 0.5
    return np.asarray(samples + gain * noise, dtype=np.float32)


def _at_rate(samples: Samples, rate: int, target: int) -> Samples:
    return resample(samples, rate, target) if rate != target else samples


def _speech_shaped(samples: Samples, rate: int, value: str, generator: np.random.Generator) -> Samples:
    """Noise with the clip's own long-term spectrum: its power, smoothed, with random phases."""
    spectrum = np.square(np.abs(np.fft.rfft(samples)))
    width = max(1, int(len(spectrum) * 50 / (rate / 2)))  # smooth over about 50 Hz
    magnitude = np.sqrt(np.convolve(spectrum, np.ones(width) / width, mode="same"))
    phases = np.exp(2j * np.pi * generator.random(len(magnitude)))
    noise = np.fft.irfft(magnitude * phases, n=samples.size)
    return at_snr(samples, np.asarray(noise, dtype=np.float32), float(value))


def _white(samples: Samples, rate: int, value: str, generator: np.random.Generator) -> Samples:
    return at_snr(samples, generator.standard_normal(samples.size).astype(np.float32), float(value))


def _reverb(samples: Samples, rate: int, value: str, generator: np.random.Generator) -> Samples:
    """Convolution with exponentially decaying noise behind the direct sound, at equal power (Polack 1988)."""
    from scipy.signal import fftconvolve

    rt60 = float(value)
    time = np.arange(int(rt60 * rate)) / rate
    tail = generator.standard_normal(time.size) * 10 ** (-3 * time / rt60)
    tail[: int(0.005 * rate)] = 0  # first reflections come after about 5 ms
    tail /= max(float(np.sqrt(np.sum(tail**2))), 1e-12)
    tail[0] = 1.0
    wet = fftconvolve(samples, tail)
    level = float(np.sqrt(np.mean(np.square(samples, dtype=np.float64))))
    reached = float(np.sqrt(np.mean(np.square(wet[: samples.size]))))
    return np.asarray(wet * (level / max(reached, 1e-12)), dtype=np.float32)


def _telephone(samples: Samples, rate: int, value: str, generator: np.random.Generator) -> Samples:
    """ITU-T G.712 band and G.711 mu-law at 8 kHz, brought back to the clip's rate."""
    from scipy.signal import butter, sosfiltfilt

    narrow = _at_rate(samples, rate, 8_000)
    narrow = sosfiltfilt(butter(4, (300, 3_400), "bandpass", fs=8_000, output="sos"), narrow)
    peak = max(float(np.abs(narrow).max(initial=0.0)), 1e-9)
    scaled = narrow / peak
    companded = np.round(np.sign(scaled) * np.log1p(255 * np.abs(scaled)) / np.log(256) * 127) / 127
    expanded = np.sign(companded) * np.expm1(np.abs(companded) * np.log(256)) / 255 * peak
    return _at_rate(expanded.astype(np.float32), 8_000, rate)


def _speed(samples: Samples, rate: int, value: str, generator: np.random.Generator) -> Samples:
    return resample(samples, round(rate * float(value)), rate)


def _tempo(samples: Samples, rate: int, value: str, generator: np.random.Generator) -> Samples:
    """Phase vocoder (Flanagan and Golden 1966): length divided by the factor, frequencies kept."""
    stretched = optional("librosa", "tts").effects.time_stretch(samples, rate=float(value), n_fft=_window(rate))
    return np.asarray(stretched, dtype=np.float32)


def _pitch(samples: Samples, rate: int, value: str, generator: np.random.Generator) -> Samples:
    """Stretched by the phase vocoder, then resampled to its former length: formants move along."""
    shifted = optional("librosa", "tts").effects.pitch_shift(
        samples, sr=rate, n_steps=float(value), n_fft=_window(rate)
    )
    return np.asarray(shifted, dtype=np.float32)


def _window(rate: int) -> int:
    """Samples of about 64 ms, a power of two: tells a low voice's harmonics apart, and smears stops least."""
    return int(2 ** round(math.log2(0.064 * rate)))


def _codec(samples: Samples, rate: int, value: str, generator: np.random.Generator) -> Samples:
    """Through a lossy codec of libsndfile and back, aligned in length."""
    import soundfile

    container, subtype, level = _CODECS[value]
    there = io.BytesIO()
    through = 48_000 if value == "opus" else rate
    source = _at_rate(samples, rate, through)
    soundfile.write(there, source, through, format=container, subtype=subtype, compression_level=level)
    there.seek(0)
    back, read_rate = soundfile.read(there, dtype="float32")
    back = _at_rate(back, read_rate, rate)
    padded = np.zeros(samples.size, dtype=np.float32)
    padded[: min(back.size, samples.size)] = back[: samples.size]
    return padded


_CODECS: Mapping[str, tuple[str, str, float]] = {
    "vorbis": ("OGG", "VORBIS", 0.9),
    "opus": ("OGG", "OPUS", 0.95),
    "mp3": ("MP3", "MPEG_LAYER_III", 0.9),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """An effect: its function, the range or names its argument may take, the optional package it needs."""

    run: Callable[[Any, int, str, Any], Any]
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()
    package: str = ""

    def check(self, value: str) -> None:
        """Refuse an argument that is out of range, or an effect whose package is not installed."""
        self._check_value(value)
        if self.package and importlib.util.find_spec(self.package) is None:
            raise MissingDependency(self.package, "tts")

    def _check_value(self, value: str) -> None:
        if self.choices:
            if value not in self.choices:
                raise UsageError(f"expected one of {', '.join(repr(c) for c in self.choices)}, not {value!r}. {HELP}")
            return
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not self.low <= number <= self.high:
            raise UsageError(f"expected a number from {self.low:g} to {self.high:g}, not {value!r}. {HELP}")


KINDS: Mapping[str, Kind] = {
    "noise": Kind(_speech_shaped, -20, 60),
    "white": Kind(_white, -20, 60),
    "reverb": Kind(_reverb, 0.1, 3),
    "telephone": Kind(_telephone, choices=("",)),
    "speed": Kind(_speed, 0.5, 2),
    "tempo": Kind(_tempo, 0.5, 2, package="librosa"),
    "pitch": Kind(_pitch, -12, 12, package="librosa"),
    "codec": Kind(_codec, choices=tuple(_CODECS)),
}


def perturb_split(source: Path, out: Path, effect: Effect, seed: int) -> Path:
    """Write a copy of a split with every clip perturbed; returns its folder.

    The effect of a clip depends on seed, item and part only. The sheet is written last, so a copy
    without it is unfinished; calling again finishes it, and gives the same bytes.

    Args:
        source: an AudioFolder.
        out: folder of the copy; must not be the source, nor inside it.
        effect: what is done to each clip.
        seed: of the noise.

    Raises:
        DataError: the source is malformed.
        AudioError: a clip of the source cannot be read.
        UsageError: the copy would lie inside its source, or ``out`` holds something else.
    """
    if out.resolve() == source.resolve() or source.resolve() in out.resolve().parents:
        raise UsageError(f"the copy {out} would lie inside its source {source}. Choose another --out")
    split = read_split(source)
    marker = out / "perturbed.json"
    settings = {"effect": effect.name, "seed": seed, "version": VERSION, "source": digests.of_file(find_sheet(source))}
    asked = json.dumps(settings, indent=1) + "\n"
    if out.is_dir() and any(out.iterdir()) and (not marker.is_file() or marker.read_text(encoding="utf-8") != asked):
        raise UsageError(f"{out} is not empty and is not this copy. Choose another --out")
    write_atomic(marker, asked)
    rows = []
    for number, ((item, part), row) in enumerate(split.rows.items()):
        clip = split.clip(item, part)
        clip_seed = draws.number(seed, "perturb", item, part)
        samples = effect.apply(clip.samples, SAMPLE_RATE, clip_seed)
        clip.release()
        file_name = f"{AUDIO}/{number:06d}.flac"
        digest = write_clip(out / file_name, samples, SAMPLE_RATE)
        copied = {
            **row,
            "file_name": file_name,
            "perturbation": effect.name,
            "perturbation_seed": clip_seed,
            "source_sha256": row.get("sha256", ""),
            "sha256": digest,
            "seconds": round(samples.size / SAMPLE_RATE, 4),
            "sampling_rate": SAMPLE_RATE,
        }
        copied.pop("loudness", None)
        if effect.snr is not None:
            copied["snr_db"] = effect.snr
        rows.append(copied)
    for extra in ("items.jsonl", "items.csv"):
        if (source / extra).is_file():
            write_atomic(out / extra, (source / extra).read_text(encoding="utf-8"))
    write_atomic(out / METADATA, json_lines(rows))
    return out
