"""What was heard against what was to be said: units of sound, so that a homophone is no error.

A recogniser that writes "purposes" where "porpoises" was said may have heard every phoneme but
one. Texts are therefore compared as sounds: phones for English, syllables for Mandarin, morae for
Japanese.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from apun.errors import PhoneticError
from apun.speech import Utterance
from tts.english_sounds import WEAK, dictionary, word_sound
from tts.english_text import spoken_tokens

Units = tuple[str, ...]
_VOWELS = frozenset({"AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"})
# Words that carry no content: the weak forms, and the rest of the closed classes that texts repeat.
_FUNCTION = frozenset(WEAK) | frozenset(
    {
        *("i", "me", "him", "them", "who", "what", "when", "where", "how", "why", "which", "this", "these", "those"),
        *("there", "here", "not", "no", "do", "does", "did", "just", "then", "into", "out", "up", "about", "because"),
        *("i'm", "it's", "he's", "she's", "that's", "i'll", "don't", "isn't", "should", "may", "might", "must"),
    }
)


def content_words(text: str) -> list[str]:
    """Words of an English text that carry content; all words when none does."""
    words = _words(text)
    return [word for word in words if word not in _FUNCTION] or words


def content_error_rate(said: str, heard: str) -> float:
    """Share of content words not heard, homophones and spelling variants counting as heard.

    Words are compared by their sounds without stress; one edit is a word missing, added or changed.
    A word counts half when at least three quarters of its phones were heard in place.
    """
    left = [_pronunciations(word) for word in content_words(said)]
    right = [_pronunciations(word) for word in content_words(heard)]
    if not left:
        return 0.0
    costs = [float(column) for column in range(len(right) + 1)]
    for row, sounds in enumerate(left, 1):
        previous, costs[0] = costs[0], float(row)
        for column, others in enumerate(right, 1):
            change = previous + min(_difference(sound, other) for sound in sounds for other in others)
            previous = costs[column]
            costs[column] = min(costs[column] + 1, costs[column - 1] + 1, change)
    return min(1.0, costs[-1] / len(left))


def word_heard(word: str, heard: str) -> float:
    """How much of a word's sound is missing from what was heard: 0 for all there, 1 for nothing.

    The word may have been heard as part of other words, or cut into several. Each pronunciation
    CMUdict has counts, as the speaker may use any.
    """
    stream = [phone for other in _words(heard) for phone in _sound(other)]
    best = 1.0
    for phones in _pronunciations(word):
        if phones:
            best = min(best, _best_window(phones, stream) / len(phones))
    return best


def unit_error_rate(utterance: Utterance, heard: str) -> float:
    """Edits over units for Mandarin (toneless syllables) and Japanese (morae).

    Raises:
        PhoneticError: what was to be said has no reading.
    """
    from rapidfuzz.distance import Levenshtein

    said = units(utterance.text, utterance.language, utterance)
    try:
        there = units(heard, utterance.language)
    except PhoneticError:  # the recogniser wrote Latin letters or nothing: nothing of it counts
        there = ()
    return Levenshtein.distance(said, there) / max(len(said), 1)


def units(text: str, language: str, utterance: Utterance | None = None) -> Units:
    """Syllables (zh, toneless) or morae (ja) of a text, or of its forced reading where it has one."""
    reading = utterance.reading if utterance is not None else {}
    if language == "zh":
        from apun.phonetics import mandarin, pinyin

        han = "".join(char for char in text if mandarin.is_han(char))
        forced = reading.get("pinyin")
        syllables = pinyin.parse(forced) if forced else mandarin.readings(han) if han else ()
        return tuple(syllable.letters for syllable in syllables)
    from apun.phonetics import japanese

    forced = reading.get("kana")
    kana = "".join((forced or japanese.kana_of(text)).split())
    kana = "".join(char for char in kana if japanese.is_kana(char) or char == japanese.LONG)
    return japanese.morae(kana) if kana else ()


def syllables(utterance: Utterance) -> int:
    """Syllables (en, zh) or morae (ja) of what is to be said; at least 1."""
    if utterance.language == "en":
        sounds = [word_sound(word) for word in _words(utterance.text)]
        return max(1, sum(phone.rstrip("012") in _VOWELS for sound in sounds for phone in sound))
    return max(1, len(units(utterance.text, utterance.language, utterance)))


def _words(text: str) -> list[str]:
    return [token.lower() for token in spoken_tokens(text) if token[-1].isalpha() or token[-1] == "'"]


def _sound(word: str) -> Units:
    return tuple(phone.rstrip("012") for phone in word_sound(word))


@lru_cache(maxsize=20_000)
def _pronunciations(word: str) -> tuple[Units, ...]:
    """Every way a word may have been said, without stress: the front end's, and all of CMUdict's."""
    joined = tuple(phone for part in _words(word) for phone in _sound(part))
    entries = dictionary().get(word.lower(), [])
    return tuple(dict.fromkeys([joined, *(tuple(phone.rstrip("012") for phone in entry) for entry in entries)]))


def _difference(left: Units, right: Units) -> float:
    if left == right:
        return 0.0
    from rapidfuzz.distance import Levenshtein

    return 0.5 if Levenshtein.distance(left, right) * 4 <= max(len(left), len(right)) else 1.0


def _best_window(phones: Units, stream: Sequence[str]) -> int:
    """Least edits between the phones and any stretch of the stream (Sellers 1980)."""
    costs = list(range(len(phones) + 1))
    best = costs[-1]
    for heard in stream:
        previous, costs[0] = 0, 0
        for row, phone in enumerate(phones, 1):
            change = previous + (phone != heard)
            previous = costs[row]
            costs[row] = min(costs[row] + 1, costs[row - 1] + 1, change)
        best = min(best, costs[-1])
    return best
