"""The deterministic reasoner: answers from dictionaries, vowels and mora distances alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from apun.asking import heard
from apun.errors import MissingDependency, PhoneticError
from apun.phonetics.japanese import (
    LONG,
    LONG_SPELLINGS,
    NASAL,
    SMALL,
    STOP,
    VOWEL_OF,
    is_kana,
    kana_of,
    morae,
    normalise,
    vowel_sequence,
)
from apun.prompts import Prompt
from benchmarks.yomi_bench.items import LETTERS
from benchmarks.yomi_bench.kanji import sounds
from benchmarks.yomi_bench.lexicon import ranked_readings, readings, readings_of_kanji
from benchmarks.yomi_bench.near import distance, nearest

UNSURE = 0.35  # wrong morae per mora; a heard word further from every reading of the word is not that word
LONGEST_READING = 6  # kana of one character
_PROLONGS = {"u": "う", "e": "い", "o": "う"}
_SMALL = tuple(SMALL)  # no part begins with one
GIVE_UP = "わかりません"
_ROWS = {"a": "かさた", "i": "きしち", "u": "くすつ", "e": "けせて", "o": "こそと", "n": "ん", "q": "っ"}


def kana_heard(prompt: Prompt) -> str | None:
    """The clip's words in kana; None when there is no clip or its transcript cannot be read."""
    text = heard(prompt)
    if text is None:
        return None
    text = "".join(char for char in text if char.isalnum() or char == LONG)
    try:
        return _written_out(normalise(text) if is_kana(text) else kana_of(text)) or None
    except PhoneticError:
        return None


def _written_out(kana: str) -> str:
    """Kana with ``ー`` spelled as words of Chinese origin spell it: ``こー`` is ``こう``, ``せー`` is ``せい``."""
    out = ""
    for char in kana:
        out += LONG_SPELLINGS.get(VOWEL_OF.get(out[-1:], ""), "")[:1] if char == LONG else char
    return out


def reading_in(word: str, kanji: str, kana: str) -> str | None:
    """The part of a word's reading that is the kanji's.

    Of all ways to split the reading over the characters, the one in which most characters have a reading
    the dictionary lists for them; among equals one that breaks no long vowel, then the most even one. Kana
    stand for themselves.
    """
    splits = list(_splits(word, kana))
    if not splits:
        return None
    _, parts = max(splits, key=lambda split: (split[0], -_broken(split[1]), -max(map(len, split[1])), split[1]))
    return parts[word.index(kanji)]


def _broken(parts: tuple[str, ...]) -> int:
    """Parts that begin in the middle of a long vowel or with ん."""
    pairs = pairwise(parts)
    return sum(part[0] == NASAL or part[0] in _PROLONGS.get(VOWEL_OF.get(before[-1], ""), "") for before, part in pairs)


def _splits(word: str, kana: str, before: str = "") -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every split with the number of characters whose part is known."""
    if not word:
        if not kana:
            yield 0, ()
        return
    char = before if word[0] == "々" and before else word[0]
    if is_kana(char):
        lengths = [1] if kana[:1] == normalise(char) else []
        forms = frozenset((normalise(char),))
    else:
        lengths = [n for n in range(1, min(LONGEST_READING, len(kana)) + 1) if kana[n : n + 1] not in _SMALL]
        forms = _forms(char)
    for length in lengths:
        part = kana[:length]
        for known, rest in _splits(word[1:], kana[length:], char):
            yield known + (part in forms), (part, *rest)


@lru_cache(maxsize=4096)
def _forms(char: str) -> frozenset[str]:
    return frozenset().union(*(sounds(reading) for reading in readings_of_kanji(char)))


def answer_yes_no(prompt: Prompt) -> str:
    """Whether the reading asked about is the dictionary's, or what was heard is near one of the word's readings."""
    word, kanji = str(prompt.fields["word"]), str(prompt.fields["kanji"])
    if heard(prompt) is not None:
        kana = kana_heard(prompt)
        if kana is None:
            return GIVE_UP
        near = min(distance(kana, reading) / len(morae(reading)) for reading in ranked_readings(word))
        return "Yes" if near < UNSURE else "No"
    return "Yes" if reading_in(word, kanji, kana_of(word)) == prompt.fields["reading"] else "No"


def answer_reading(prompt: Prompt) -> str:
    """The kanji's part of the dictionary's reading of the word; of several, of the one nearest to what was heard."""
    word, kanji = str(prompt.fields["word"]), str(prompt.fields["kanji"])
    known = ranked_readings(word)
    kana = kana_heard(prompt)
    best = known[nearest(kana, known)] if kana else known[0]
    return reading_in(word, kanji, best) or GIVE_UP


def choose_by_vowels(prompt: Prompt) -> str:
    """The option whose vowels are the query's, else the nearest in vowels."""
    from rapidfuzz.distance import Levenshtein

    kana = kana_heard(prompt) if heard(prompt) is not None else kana_of(str(prompt.fields["query"]))
    if kana is None:
        return GIVE_UP
    wanted = vowel_sequence(kana)
    vowels = [vowel_sequence(kana_of(option)) for option in _options(prompt)]
    return f"({LETTERS[min(range(4), key=lambda index: (Levenshtein.distance(wanted, vowels[index]), index))]})"


def choose_by_sound(prompt: Prompt) -> str:
    """The option that sounds nearest to what was heard; one written just so is taken at once."""
    options = _options(prompt)
    if heard(prompt) in options:
        return f"({LETTERS[options.index(str(heard(prompt)))]})"
    kana = kana_heard(prompt)
    return GIVE_UP if kana is None else f"({LETTERS[nearest(kana, [kana_of(option) for option in options])]})"


def _options(prompt: Prompt) -> list[str]:
    # a placeholder such as ○○ in a released option has no sound
    return [str(prompt.fields[letter.lower()]).replace("○", "") for letter in LETTERS]


def answer_rhyme(prompt: Prompt) -> str:
    """A dictionary word with the query's vowels; without a dictionary, syllables with them."""
    kana = kana_heard(prompt) if heard(prompt) is not None else str(prompt.fields["query"])
    if kana is None:
        return GIVE_UP
    return f"**{rhyme_for(kana)}**"


def rhyme_for(kana: str) -> str:
    """The first word in dictionary order with these vowels that is not the word itself; else syllables."""
    query, vowels = normalise(kana), vowel_sequence(kana)
    try:
        words: Sequence[str] = _by_vowels().get(vowels, ())
    except MissingDependency:
        words = ()
    for word in words:
        if word != query:
            return word
    own = morae(query)
    built = (_other(vowel, mora) for vowel, mora in zip(vowels, own, strict=True))
    return "".join(built)


def _other(vowel: str, mora: str) -> str:
    if mora in (NASAL, STOP):
        return mora
    return next(kana for kana in _ROWS[vowel] if kana != mora)


@lru_cache(maxsize=1)
def _by_vowels() -> dict[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for word in sorted(readings()):
        try:
            groups[vowel_sequence(word)].append(word)
        except PhoneticError:  # readings that hold signs or Latin letters
            continue
    return {vowels: tuple(words) for vowels, words in groups.items()}
