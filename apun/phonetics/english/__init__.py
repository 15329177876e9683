"""English: CMUdict with all its variants, then a letter-to-sound backend for the words it lacks.

Backends are named in ``backend`` and belong to a number's signature: ``letters`` (our own, always there,
the default), ``espeak`` and ``epitran``; see ``letters``. ``APUN_ENGLISH_G2P`` or ``use_backend`` choose
another one than the default. How words sound in running speech is ``connected_speech``'s.

Word error rates compare what OpenAI's normaliser ``whisper-en`` leaves (case, punctuation, contractions, numbers,
British spelling, fillers), as published ones do.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, islice, product

from apun.errors import MissingDependency, PhoneticError
from apun.phonetics import Sound, Word, forget, read
from apun.phonetics.english import dictionary, letters, text
from apun.phonetics.english.dictionary import Phones
from apun.registry import package_folder, unknown

SPACED = True
_MOST_READINGS = 16  # of a phrase whose words have variants


def words(written: str) -> tuple[Word, ...]:
    """The words of a text, split by the rules of ``text``."""
    return tuple([read(piece, start, "en") for piece, start, _ in text.pieces(written)])


def sounds(word: str) -> tuple[Sound, ...]:
    """Every reading of a word or phrase, the dictionary's order kept; at most 16.

    Raises:
        PhoneticError: nothing in it can be said, or a part of it (another script, an emoji) cannot.
    """
    said = text.spoken(word)
    if not said:
        raise PhoneticError(f"{word!r} holds nothing that can be said")
    parts = [pronounced(part, backend(), word) for part in said]
    accented = word.rstrip(".,;:!?'\"’”)").endswith(("é", "e\u0301"))
    if accented:
        parts[-1] = _final_e(parts[-1])
    found = parts[0] if len(parts) == 1 else tuple(map(_joined, islice(product(*parts), _MOST_READINGS)))
    token = word.strip()
    if len(said) == 1 and 2 <= len(token) <= 3 and token.isascii() and token.isalpha() and token.isupper():
        # "US" may be the country or a shouted "us": both are readings.
        found = (*found, _sound(letters.spelled(token.lower()), "spelled"))
    return tuple({sound.segments: sound for sound in reversed(found)}.values())[::-1]


@lru_cache(maxsize=65536)
def pronounced(part: str, guess: str = "letters", inside: str = "") -> tuple[Sound, ...]:
    """Readings of one word as said (``text.spoken``), the most usual first.

    Args:
        part: a lower-case word, or a letter with a point that is spelled (``f.``).
        guess: the backend for words that CMUdict lacks.
        inside: the written word it stands for, to be named in an error.

    Raises:
        PhoneticError: it is not written in the Latin alphabet.
    """
    if len(part) == 2 and part[1] == "." and "a" <= part[0] <= "z":
        return (_sound(letters.spelled(part[0]), "spelled"),)
    found = dictionary.pronunciations(part)
    if found:
        return tuple(_sound(phones, "cmudict") for phones in found)
    stem, clitic = text.split_clitic(part)
    if stem.strip("'") and clitic:
        full = dictionary.pronunciations(stem + "g") if clitic == "'" and stem.endswith("in") else ()
        if full:  # goin'
            return tuple(_sound((*p[:-1], "N") if p[-1] == "NG" else p, "cmudict") for p in full)
        return tuple(with_clitic(sound, clitic) for sound in pronounced(stem, guess, inside))
    plain = part.replace("'", "")
    if not (plain.isascii() and plain.isalpha()):
        where = "" if inside in ("", part) else f" (in {inside!r})"
        raise PhoneticError(f"{part!r}{where} is not written in the Latin alphabet; English cannot read it")
    return letters.read(plain, guess)


def with_clitic(sound: Sound, clitic: str) -> Sound:
    """A reading with a clitic or a regular ending."""
    phones = dictionary.ending(clitic, sound.segments[-1] if sound.segments else "")
    segments = sound.segments + dictionary.to_ipa(phones)
    return Sound(segments, (), sound.source, sound.phones + phones if sound.phones else ())


def _sound(phones: Phones, source: str) -> Sound:
    return Sound(dictionary.to_ipa(phones), (), source, phones)


def _joined(parts: Sequence[Sound]) -> Sound:
    segments = tuple(chain.from_iterable(sound.segments for sound in parts))
    phones = tuple(chain.from_iterable(sound.phones for sound in parts)) if all(s.phones for s in parts) else ()
    return Sound(segments, (), "+".join(dict.fromkeys(sound.source for sound in parts)), phones)


def _final_e(found: tuple[Sound, ...]) -> tuple[Sound, ...]:
    """Readings of a word in -é: those that end in it, else every one with it added (rosé is not rose)."""
    ending = [sound for sound in found if sound.segments[-2:] == ("e", "ɪ")]
    return tuple(ending) or tuple(_joined((s, Sound(("e", "ɪ"), (), s.source, ("EY1",)))) for s in found)


_chosen: list[str] = []


def backend() -> str:
    """The letter-to-sound backend in use, for the signature."""
    return _chosen[0] if _chosen else _known(os.environ.get("APUN_ENGLISH_G2P", letters.BACKENDS[0]))


def use_backend(name: str) -> None:
    """Choose the backend for words CMUdict lacks, for this process; clears the caches of readings.

    Raises:
        UsageError: no such backend.
    """
    _chosen[:] = [_known(name)]
    forget()


def _known(name: str) -> str:
    if name not in letters.BACKENDS:
        raise unknown("English letter-to-sound backend", name, letters.BACKENDS)
    return name


def comparable(text: str) -> str:
    """A text as word error rates compare it.

    Raises:
        MissingDependency: openai-whisper (extra ``asr``) is not installed.
    """
    return str(_whisper()(text)).strip()


@lru_cache(maxsize=1)
def _whisper() -> Callable[[str], str]:
    """``EnglishTextNormalizer``, loaded from its folder: importing ``whisper`` itself would import torch."""
    package = sys.modules.get("whisper.normalizers")
    if package is None:
        folder = package_folder("whisper", "asr", "openai-whisper") / "normalizers"
        path = folder / "__init__.py"
        inner = importlib.util.spec_from_file_location(
            "apun_whisper_normalizers", path, submodule_search_locations=[str(folder)]
        )
        if inner is None or inner.loader is None or not path.is_file():
            raise MissingDependency("openai-whisper", "asr")
        package = importlib.util.module_from_spec(inner)
        sys.modules[inner.name] = package  # its own relative imports look it up
        inner.loader.exec_module(package)
    normalizer: Callable[[str], str] = package.EnglishTextNormalizer()
    return normalizer
