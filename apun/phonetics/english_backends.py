"""Letter-to-sound backends for English words that CMUdict lacks."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from apun.errors import MissingDependency, ModelUnavailable, PhoneticError
from apun.phonetics import ipa
from apun.phonetics.sounds import Sound

# The dictionary's broad transcription: no length, no flaps, r-coloured vowels as əɹ, syllabic consonants with ə.
_HARMONISED = (
    *(
        ("ˈ", ""),
        ("ˌ", ""),
        ("ɜːɹ", "əɹ"),
        ("ɜː", "əɹ"),
        ("ɚɹ", "əɹ"),
        ("oːɹ", "ɔɹ"),
        ("ː", ""),
        ("ɾ", "t"),
        ("ɐ", "ə"),
    ),
    *(("n̩", "ən"), ("l̩", "əl"), ("m̩", "əm"), ("əʊ", "oʊ"), ("ʔ", "t")),
)


def pronounce(word: str, backend: str) -> tuple[Sound, ...]:
    """Readings of a lower-case word of Latin letters.

    Args:
        word: ASCII letters only.
        backend: ``letters``, ``espeak`` or ``epitran``.

    Raises:
        MissingDependency: the backend's package is not installed.
        ModelUnavailable: epitran has neither ``lex_lookup`` nor ``t2p`` to ask.
        PhoneticError: the backend gives nothing or a symbol without features.
    """
    if backend == "espeak":
        return (_read(_espeak(word), word, backend),)
    if backend == "epitran":
        return (_read(_epitran().transliterate(word), word, backend),)
    from apun.phonetics import english_letters

    return tuple(Sound(segments, (), "letters") for segments in english_letters.pronounce(word))


def _read(text: str, word: str, backend: str) -> Sound:
    for old, new in _HARMONISED:
        text = text.replace(old, new)
    segments = ipa.parse(text).segments
    if not segments:
        raise PhoneticError(f"{backend} gives no sound for {word!r}")
    return Sound(segments, (), backend)


def _espeak(word: str) -> str:
    """eSpeak NG, American English, without stress (GPL-3: only from the extra ``gpl``)."""
    try:
        import espeakng_loader
        from phonemizer.backend.espeak.wrapper import EspeakWrapper
    except ImportError as error:
        raise MissingDependency(error.name or "phonemizer-fork", "gpl") from error
    return str(_espeak_voice(espeakng_loader, EspeakWrapper).phonemize([word], strip=True)[0])


@lru_cache(maxsize=1)
def _espeak_voice(loader: Any, wrapper: Any) -> Any:
    from phonemizer.backend import EspeakBackend

    wrapper.set_library(loader.get_library_path())
    wrapper.set_data_path(loader.get_data_path())
    return EspeakBackend("en-us", with_stress=False, language_switch="remove-flags")


@lru_cache(maxsize=1)
def _epitran() -> Any:
    """epitran with the first of flite's programs that is installed."""
    import shutil

    if not shutil.which("lex_lookup") and not shutil.which("t2p"):
        raise ModelUnavailable(
            "epitran reads English with flite's lex_lookup or t2p and neither is on the PATH. "
            "Install flite, or leave the backend at 'letters'"
        )
    try:
        from epitran.flite import FliteLexLookup, FliteT2P
    except ImportError as error:
        raise MissingDependency("epitran", "phonetics") from error
    return FliteLexLookup() if shutil.which("lex_lookup") else FliteT2P()
