"""English: CMUdict with all its variants, then a letter-to-sound backend for the words it lacks.

Backends are named in ``backend`` and belong to a number's signature: ``letters`` (our own, always
there, the default), ``espeak`` (extra ``gpl``), ``epitran`` (where flite's ``lex_lookup`` or ``t2p`` exists).
``APUN_ENGLISH_G2P`` or ``use_backend`` choose another one than the default.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice, product

from apun.errors import PhoneticError
from apun.phonetics import english_dictionary, english_text
from apun.phonetics.sounds import Sound, Word, forget, read

BACKENDS = ("letters", "espeak", "epitran")
_MOST_READINGS = 16  # of a phrase whose words have variants

_VOICELESS = frozenset(("p", "t", "k", "f", "θ"))
_SIBILANT = frozenset(("s", "z", "ʃ", "ʒ", "t͡ʃ", "d͡ʒ"))
_CLITIC_SOUND = {"'ve": ("ə", "v"), "'ll": ("ə", "l"), "'re": ("ə", "ɹ"), "'m": ("m",), "n't": ("ə", "n", "t")}


def words(text: str) -> tuple[Word, ...]:
    """The words of a text, split by the rules of ``english_text``."""
    return tuple([read(piece, start, "en") for piece, start, _ in english_text.pieces(text)])


def readings(word: str) -> tuple[Sound, ...]:
    """Every reading of a word or phrase, the dictionary's order kept; at most 16.

    Raises:
        PhoneticError: nothing in it can be said, or a part of it (another script, an emoji) cannot.
    """
    said = english_text.spoken(word)
    if not said:
        raise PhoneticError(f"{word!r} holds nothing that can be said")
    parts = [_pronounced(part, word) for part in said]
    accented = word.rstrip(".,;:!?'\"’”)").endswith(("é", "e\u0301"))
    if accented:
        parts[-1] = _final_e(parts[-1])
    if len(parts) == 1:
        found = parts[0]
    else:
        combined = islice(product(*parts), _MOST_READINGS)
        found = tuple(Sound(tuple(chain.from_iterable(s.segments for s in c)), (), _sources(c)) for c in combined)
    token = word.strip()
    if len(said) == 1 and 2 <= len(token) <= 3 and token.isascii() and token.isalpha() and token.isupper():
        # "US" may be the country or a shouted "us": both are readings.
        letters = sum((english_dictionary.LETTERS[letter] for letter in token.lower()), ())
        found = (*found, Sound(letters, (), "spelled"))
    return tuple({sound.segments: sound for sound in reversed(found)}.values())[::-1]


@lru_cache(maxsize=65536)
def _pronounced(part: str, word: str) -> tuple[Sound, ...]:
    if len(part) == 2 and part[1] == "." and part[0] in english_dictionary.LETTERS:
        return (Sound(english_dictionary.LETTERS[part[0]], (), "spelled"),)
    found = english_dictionary.variants(part)
    if found:
        return tuple(Sound(segments, (), "cmudict") for segments in found)
    stem, clitic = english_text.split_clitic(part)
    if clitic:
        if clitic == "'" and stem.endswith("in"):  # goin'
            full = english_dictionary.variants(stem + "g")
            if full:
                return tuple(Sound((*s[:-1], "n") if s[-1] == "ŋ" else s, (), "cmudict") for s in full)
        return tuple(Sound(with_clitic(sound.segments, clitic), (), sound.source) for sound in _pronounced(stem, word))
    plain = part.replace("'", "")
    if not (plain.isascii() and plain.isalpha()):
        where = "" if part == word else f" (in {word!r})"
        raise PhoneticError(f"{part!r}{where} is not written in the Latin alphabet; English cannot read it")
    return _guessed(plain, backend())


@lru_cache(maxsize=65536)
def _guessed(word: str, name: str) -> tuple[Sound, ...]:
    from apun.phonetics import english_backends

    return english_backends.pronounce(word, name)


def with_clitic(segments: Sequence[str], clitic: str) -> tuple[str, ...]:
    """A word's segments with a clitic or a regular ending: ``'s`` is s, z or əz by the sound before it."""
    segments = tuple(segments)
    last = segments[-1] if segments else ""
    if clitic == "'s":
        ending: tuple[str, ...] = ("ə", "z") if last in _SIBILANT else ("s",) if last in _VOICELESS else ("z",)
    elif clitic == "'d":
        ending = ("ə", "d") if last in ("t", "d") else ("t",) if last in _VOICELESS | _SIBILANT - _VOICED else ("d",)
    else:
        ending = _CLITIC_SOUND.get(clitic, ())
    return segments + ending


_VOICED = frozenset(("z", "ʒ", "d͡ʒ"))


def _final_e(sounds: tuple[Sound, ...]) -> tuple[Sound, ...]:
    """Readings of a word in -é: those that end in it, else every one with it added (rosé is not rose)."""
    ending = [sound for sound in sounds if sound.segments[-2:] == ("e", "ɪ")]
    return tuple(ending) or tuple(Sound((*s.segments, "e", "ɪ"), (), s.source) for s in sounds)


def _sources(sounds: Sequence[Sound]) -> str:
    return "+".join(dict.fromkeys(sound.source for sound in sounds))


_chosen: list[str] = []


def backend() -> str:
    """The letter-to-sound backend in use, for the signature."""
    return _chosen[0] if _chosen else _checked(os.environ.get("APUN_ENGLISH_G2P", BACKENDS[0]))


def use_backend(name: str) -> None:
    """Choose the backend for words CMUdict lacks, for this process; clears the caches of readings.

    Raises:
        UsageError: no such backend.
    """
    _chosen[:] = [_checked(name)]
    forget()
    _pronounced.cache_clear()


def _checked(name: str) -> str:
    if name not in BACKENDS:
        from apun.registry import unknown

        raise unknown("English letter-to-sound backend", name, BACKENDS)
    return name
