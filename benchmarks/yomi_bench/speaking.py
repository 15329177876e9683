"""What is spoken: words by their kana, so that no engine may choose another reading."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from apun.errors import MissingDependency, PhoneticError, UsageError
from apun.phonetics.japanese import normalise
from apun.prompts import MAIN
from apun.speech import Utterance
from benchmarks.yomi_bench.items import HeardItem, RhymeItem, YomiItem
from benchmarks.yomi_bench.kanji import align, place
from benchmarks.yomi_bench.lexicon import ranked_readings, readings_of_kanji

FALSE = "false"  # the clip in which the kanji has a false reading
FORMS = ("default", "all")


def utterances(item: YomiItem, form: str) -> Sequence[Utterance]:
    """What must be spoken for an item: ``default`` the word, ``all`` also the word with its false reading.

    Empty for a released word whose whole reading cannot be confirmed: it is not asked by ear.
    """
    if form not in FORMS:
        raise UsageError(f"YOMI-Bench has no spoken form {form!r}; it has {', '.join(FORMS)}")
    if isinstance(item, RhymeItem):
        return (_say(item, item.query_kanji, item.query_kana),)
    if isinstance(item, HeardItem):
        return (_say(item, item.word, item.kana),)
    found = _spoken(item.word, item.kanji, item.reading, item.word_kana)
    if found is None:
        return ()
    kana, start = found
    wrong = kana[:start] + item.negative + kana[start + len(item.reading) :]
    spoken = (_say(item, item.word, kana), _say(item, item.word, wrong, FALSE))
    return spoken if form == "all" else spoken[:1]


def _say(item: YomiItem, text: str, kana: str, part: str = MAIN) -> Utterance:
    """One word, its kana forced."""
    return Utterance(item.id, text, "ja", part, {"kana": kana}, must_force=True, key_words=(text,))


@lru_cache(maxsize=4096)
def _spoken(word: str, kanji: str, reading: str, given: str | None) -> tuple[str, int] | None:
    """The whole word's reading and where the kanji's begins in it; None when it cannot be confirmed.

    Taken from the item, else put together where only kana stand around the kanji, else from a
    dictionary whose reading holds the gold where the kanji stands.
    """
    head, _, tail = word.partition(kanji)
    if _kana(head) and _kana(tail):  # nothing but kana around the kanji: no dictionary is needed
        return normalise(head) + reading + normalise(tail), len(normalise(head))
    for kana in [given] if given else _candidates(word):
        start = _start(word, kanji, reading, kana)
        if start is not None:
            return kana, start
    return None


def _candidates(word: str) -> list[str]:
    try:
        return ranked_readings(word)
    except (PhoneticError, MissingDependency):
        return []


def _start(word: str, kanji: str, reading: str, kana: str) -> int | None:
    found = place(word, kanji, reading, kana)
    if found is not None:
        return found
    try:
        parts = align(word, kana, lambda char: (reading,) if char == kanji else readings_of_kanji(char))
    except MissingDependency:
        return None
    return sum(len(part) for part in parts[: word.index(kanji)]) if parts else None


def _kana(text: str) -> bool:
    return all("ぁ" <= char <= "ゖ" or "ァ" <= char <= "ー" for char in text)
