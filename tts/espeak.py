"""eSpeak NG through its C library: tiny, robotic, fast, and every reading can be forced.

GPL-3.0, so it belongs to the extra ``gpl`` (package ``espeakng-loader``, which ships library and data).
English IPA is given in eSpeak's own phoneme mnemonics, Mandarin as pinyin to the voice
``cmn-latn-pinyin``, Japanese as kana.
"""

from __future__ import annotations

import _ctypes
import ctypes
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import numpy as np

from apun.errors import ModelUnavailable
from apun.models import Rendering, Voice
from apun.phonetics import japanese
from apun.phonetics.mandarin.pinyin import parse
from apun.registry import optional
from apun.speech import Utterance
from tts.core.engine import SpeechEngine
from tts.core.english_phonemes import from_ipa, with_spelling

VARIANTS = (
    *("f1", "f2", "f3", "f4", "f5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"),
    *("Annie", "Gene", "Jacky", "Lee", "Michael", "Mike", "Steph", "Alicia", "Andrea", "Denis"),
)
_VOICES = {"en": "en-us", "zh": "cmn", "ja": "ja"}
_PINYIN_VOICE = "cmn-latn-pinyin"

_SYNCHRONOUS, _UTF8, _PHONEMES, _RATE = 2, 1, 0x100, 1
_NO_ESPEAK_EXIT = 0x8000
WORDS_A_MINUTE = 160

# Kokoro's American English signs to eSpeak's en-us mnemonics (espeak-ng docs/phonemes.md).
_MNEMONICS = {
    "A": "eI", "I": "aI", "O": "oU", "W": "aU", "Y": "OI", "i": "i:", "u": "u:", "æ": "a", "ɑ": "A:", "ɔ": "O:",
    "ə": "@", "ɛ": "E", "ɜ": "3:", "ɪ": "I", "ʊ": "U", "ʌ": "V", "ᵊ": "@", "ʧ": "tS", "ʤ": "dZ", "ð": "D", "θ": "T",
    "ʃ": "S", "ʒ": "Z", "ŋ": "N", "ɡ": "g", "ɹ": "r", "T": "t", "ˈ": "'", "ˌ": ",",
    **{sign: sign for sign in "bdfhjklmnpstvwz"},
}  # fmt: skip


class Espeak(SpeechEngine):
    """Speaks with eSpeak NG.

    The library keeps counters between utterances (pitch flutter, noise) that no call resets, so it is
    loaded afresh for each utterance (about 15 ms): the same utterance then gives the same samples.
    Its state is global to the process, so calls are serialised.
    """

    name = "espeak"
    forced = MappingProxyType({"en": ("ipa",), "zh": ("pinyin",), "ja": ("kana",)})
    _lock = threading.Lock()

    def __init__(self, path: str, data: str) -> None:
        # a copy of its own: where another package holds the same file open (phonemizer does), closing it
        # would not unload it, and its counters would survive
        self._folder = tempfile.TemporaryDirectory(prefix="apun-espeak-")
        self._path, self._data = shutil.copy(path, self._folder.name), data
        self._pieces: list[bytes] = []
        prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
        self._callback = prototype(self._collect)  # kept, or it would be collected while the library holds it
        with self._lock, self._library() as (library, _):
            version = library.espeak_Info(None).decode().split()[0]
        voices = [Voice(variant, self.name, tuple(_VOICES), "variant of eSpeak's voice") for variant in VARIANTS]
        super().__init__(version, voices)

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        text, name = what_to_say(utterance)
        with self._lock, self._library() as (library, rate):
            if library.espeak_SetVoiceByName(f"{name}+{voice}".encode()) != 0:
                raise ModelUnavailable(f"this eSpeak NG has no voice {name}+{voice}")
            library.espeak_SetParameter(_RATE, WORDS_A_MINUTE, 0)
            self._pieces.clear()
            data = text.encode() + b"\0"
            flags = _UTF8 | (_PHONEMES if text.startswith("[[") else 0)
            failed = library.espeak_Synth(data, len(data), 0, 1, 0, flags, None, None)
            library.espeak_Synchronize()
            if failed:
                raise ModelUnavailable(f"eSpeak NG could not speak (status {failed})")
            samples = np.frombuffer(b"".join(self._pieces), dtype="<i2").astype(np.float32) / 32768.0
        return Rendering(samples, rate, text)

    def close(self) -> None:
        """Remove the copy of the library."""
        self._folder.cleanup()

    @contextmanager
    def _library(self) -> Iterator[tuple[Any, int]]:
        try:
            library = ctypes.CDLL(self._path)
        except OSError as error:
            raise ModelUnavailable(f"eSpeak NG's library cannot be loaded ({error})") from error
        library.espeak_Info.restype = ctypes.c_char_p
        library.espeak_Synth.argtypes = [
            *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint, ctypes.c_uint),
            *(ctypes.c_void_p, ctypes.c_void_p),
        ]
        rate = library.espeak_Initialize(_SYNCHRONOUS, 0, self._data.encode(), _NO_ESPEAK_EXIT)
        if rate <= 0:
            raise ModelUnavailable(f"eSpeak NG did not start (status {rate})")
        library.espeak_SetSynthCallback(self._callback)
        try:
            yield library, int(rate)
        finally:
            library.espeak_Terminate()
            if hasattr(_ctypes, "dlclose"):
                _ctypes.dlclose(library._handle)

    def _collect(self, samples: Any, count: int, _events: Any) -> int:
        if samples and count > 0:
            self._pieces.append(ctypes.string_at(samples, 2 * count))
        return 0


def what_to_say(utterance: Utterance) -> tuple[str, str]:
    """Text and voice eSpeak is given for an utterance.

    Raises:
        PhoneticError: a reading that cannot be spoken.
    """
    reading, language = utterance.reading, utterance.language
    # square brackets would switch to mnemonics in the middle of a text
    plain = utterance.text.replace("[[", " ").replace("]]", " ")
    if language == "en" and reading.get("ipa"):
        words = [mnemonics(word, spelled) for word, spelled in with_spelling(reading["ipa"], utterance.text)]
        return "[[" + " ".join(words) + "]]", _VOICES["en"]
    if language == "zh" and reading.get("pinyin"):
        syllables = parse(reading["pinyin"])
        return " ".join(syllable.numbered.replace("ü", "v") for syllable in syllables), _PINYIN_VOICE
    if language == "ja" and reading.get("kana"):
        return " ".join("".join(japanese.morae(word)) for word in reading["kana"].split()), _VOICES["ja"]
    if language == "ja":  # eSpeak reads no kanji: it would say "Chinese letter"
        return japanese.kana_of(plain), _VOICES["ja"]
    return plain, _VOICES[language]


def mnemonics(ipa: str, spelled: str = "") -> str:
    """One English word of IPA in eSpeak's phoneme mnemonics; adjacent ones are kept apart by ``|``."""
    out = ""
    for sign in from_ipa(ipa, spelled):
        piece = _MNEMONICS[sign]
        # "t" + "S" would be read as "tS"
        out += ("|" if out and out[-1] in "tdaeoOAI3" and piece[0] in "SZIU:" else "") + piece
    return out


def load() -> Espeak:
    """The engine.

    Raises:
        MissingDependency: espeakng-loader is not installed.
        ModelUnavailable: its library cannot be loaded or started.
    """
    loader = optional("espeakng_loader", "gpl", "espeakng-loader")
    return Espeak(str(loader.get_library_path()), str(loader.get_data_path()))
