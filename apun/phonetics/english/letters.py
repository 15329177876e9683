"""Letter-to-sound for English words that no dictionary has.

``letters``, ours, is always there: first the word is taken apart into a regular ending or a prefix on a
word the dictionary has, or two such words in a row (``honeybee``). What is left is read letter by letter
with the rules of ``letter_rules.tsv.gz``: for each letter the longest known context decides. The rules
were learned from CMUdict (Carnegie Mellon University, BSD licence) by ``scripts/build_letter_rules.py``,
which prints their error on held-out words.

``espeak`` (extra ``gpl``) and ``epitran`` (where flite's ``lex_lookup`` or ``t2p`` exists) are second opinions.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from apun.errors import ModelUnavailable, PhoneticError
from apun.phonetics import Sound, ipa, table
from apun.phonetics.english import dictionary
from apun.phonetics.english.dictionary import Phones
from apun.registry import optional

BACKENDS = ("letters", "espeak", "epitran")
PAD = "_"
# How a letter's context grows: (letters to the left, letters to the right).
GROWTH = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4))

_RULES = Path(__file__).parent / "tables" / "letter_rules.tsv.gz"
_SHORTEST_PART = 3  # letters of a part of a compound
_LONGEST_COMPOUND = 60  # letters of a word that is still taken apart

# The stem's last phone is no longer said before these endings: canny, cannily; local, locally.
_MERGED = frozenset({("IY0", "AH0 L IY0"), ("L", "L IY0")})

# The dictionary's broad transcription: no length, no flaps, r-coloured vowels as əɹ, syllabic consonants with ə.
_HARMONISED = (
    ("ˈ", ""), ("ˌ", ""), ("ɜːɹ", "əɹ"), ("ɜː", "əɹ"), ("ɚɹ", "əɹ"), ("oːɹ", "ɔɹ"), ("ː", ""), ("ɾ", "t"), ("ɐ", "ə"),
    ("n̩", "ən"), ("l̩", "əl"), ("m̩", "əm"), ("əʊ", "oʊ"), ("ʔ", "t"),
)  # fmt: skip


def read(word: str, backend: str = "letters") -> tuple[Sound, ...]:
    """Readings of a lower-case word of Latin letters by a backend.

    Args:
        word: ASCII letters only.
        backend: one of ``BACKENDS``.

    Raises:
        MissingDependency: the backend's package is not installed.
        ModelUnavailable: epitran has neither ``lex_lookup`` nor ``t2p`` to ask.
        PhoneticError: the backend gives nothing or a symbol without features.
    """
    if backend == "letters":
        return tuple(Sound(dictionary.to_ipa(phones), (), backend, phones) for phones in pronounce(word))
    text = str(_espeak().phonemize([word], strip=True)[0] if backend == "espeak" else _epitran().transliterate(word))
    for old, new in _HARMONISED:
        text = text.replace(old, new)
    segments = ipa.parse(text).segments
    if not segments:
        raise PhoneticError(f"{backend} gives no sound for {word!r}")
    return (Sound(segments, (), backend),)


def pronounce(word: str) -> tuple[Phones, ...]:
    """Phones of a lower-case word of Latin letters, likeliest first; never empty.

    A word all of whose letters are silent by the rules is spelled out.

    Args:
        word: ASCII letters only.
    """
    return _taken_apart(word) or (_stressed(by_rules(word, _rules())) or spelled(word),)


def spelled(word: str) -> Phones:
    """Phones of the names of a word's letters, as CMUdict has them (``a.``)."""
    return tuple(phone for letter in word for phone in next(dictionary.phones_of(f"{letter}.")))


def by_rules(word: str, rules: Mapping[tuple[str, str, str], str]) -> list[str]:
    """Phones of a word by letter rules alone, without stress, ``AX`` for a schwa; a doubled consonant is said once."""
    padded = PAD * 8 + word + PAD * 8
    phones: list[str] = []
    for at in range(8, 8 + len(word)):
        for left, right in reversed(GROWTH):
            said = rules.get((padded[at - left : at], padded[at], padded[at + 1 : at + 1 + right]))
            if said is not None:
                phones += said.split()
                break
    return phones


def _stressed(phones: Sequence[str]) -> Phones:
    """The first full vowel takes the stress; another AH is secondary, as AH0 would be the schwa."""
    found: list[str] = []
    stressed = False
    for phone in phones:
        if phone == "AX":
            phone = "AH0"
        elif dictionary.is_vowel(phone):
            phone += "1" if not stressed else "2" if phone == "AH" else "0"
            stressed = True
        found.append(phone)
    return tuple(found)


def _taken_apart(word: str, depth: int = 2) -> tuple[Phones, ...]:
    """Readings of a word made of known parts; empty when it is not.

    Parts that the dictionary has come first, whatever kind they are of (``undertakers`` is ``undertaker`` with an
    ending, ``dealmakers`` two words); only then a stem that is itself taken apart.
    """
    if depth == 0 or len(word) > _LONGEST_COMPOUND:
        return ()
    return (
        _without_ending(word, dictionary.pronunciations)
        or _without_prefix(word)
        or _compound(word)
        or _without_ending(word, lambda stem: _taken_apart(stem, depth - 1))
    )


def _without_ending(word: str, read_stem: Callable[[str], tuple[Phones, ...]]) -> tuple[Phones, ...]:
    for ending, stems, phones in _endings():
        front = word.removesuffix(ending)
        if front != word and len(front) >= 2:
            for stem in stems:
                found = read_stem(front + stem) or (_undoubled(front) if ending[0] in "aeiy" and not stem else ())
                if found:
                    return tuple(_ended(known, phones) for known in found)
    return ()


def _without_prefix(word: str) -> tuple[Phones, ...]:
    for prefix, phones in _prefixes():
        if word.startswith(prefix) and len(word) - len(prefix) >= _SHORTEST_PART:
            found = dictionary.pronunciations(word.removeprefix(prefix))
            if found:
                return tuple(tuple(phones.split()) + known for known in found)
    return ()


@lru_cache(maxsize=1)
def _endings() -> list[tuple[str, list[str], str]]:
    """Endings, longest first, with what may stand in their place at the end of the stem, and their phones."""
    rows = table("english", "endings")
    return [(row["ending"], row["stems"].replace("-", "").split(" "), row["phones"]) for row in rows]


@lru_cache(maxsize=1)
def _prefixes() -> list[tuple[str, str]]:
    return [(row["prefix"], row["phones"]) for row in table("english", "prefixes")]


def _undoubled(stem: str) -> tuple[Phones, ...]:
    """``hummable`` without its ending is ``humm``: the word is ``hum``."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiou":
        return dictionary.pronunciations(stem[:-1])
    return ()


def _compound(word: str) -> tuple[Phones, ...]:
    """Two dictionary words in a row, cut where the shorter one is longest; the first carries the stress."""
    cuts = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    for cut in sorted(cuts, key=lambda i: (-min(i, len(word) - i), i)):
        first, second = dictionary.pronunciations(word[:cut]), dictionary.pronunciations(word[cut:])
        if first and second:
            return tuple(a + tuple(phone.replace("1", "2") for phone in b) for a in first[:2] for b in second[:2])
    return ()


def _ended(stem: Phones, phones: str) -> Phones:
    if phones.startswith("'"):
        return stem + dictionary.ending(phones, dictionary.to_ipa(stem[-1:])[-1])
    return (stem[:-1] if (stem[-1], phones) in _MERGED else stem) + tuple(phones.split())


@lru_cache(maxsize=1)
def _rules() -> Mapping[tuple[str, str, str], str]:
    found = {}
    with gzip.open(_RULES, "rt", encoding="utf-8") as file:
        for line in file:
            left, letter, right, said = line.rstrip("\n").split("\t")
            found[left, letter, right] = said
    return found


@lru_cache(maxsize=1)
def _espeak() -> Any:
    """eSpeak NG, American English, without stress (GPL-3: only from the extra ``gpl``)."""
    loader = optional("espeakng_loader", "gpl")
    wrapper = optional("phonemizer.backend.espeak.wrapper", "gpl", "phonemizer-fork").EspeakWrapper
    wrapper.set_library(loader.get_library_path())
    wrapper.set_data_path(loader.get_data_path())
    backend = optional("phonemizer.backend", "gpl", "phonemizer-fork")
    return backend.EspeakBackend("en-us", with_stress=False, language_switch="remove-flags")


@lru_cache(maxsize=1)
def _epitran() -> Any:
    """epitran with the first of flite's programs that is installed."""
    if not shutil.which("lex_lookup") and not shutil.which("t2p"):
        raise ModelUnavailable(
            "epitran reads English with flite's lex_lookup or t2p and neither is on the PATH. "
            "Install flite, or leave the backend at 'letters'"
        )
    flite = optional("epitran.flite", "phonetics", "epitran")
    return flite.FliteLexLookup() if shutil.which("lex_lookup") else flite.FliteT2P()
