"""What is spoken: words by their kana, so that no engine may choose another reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from apun.errors import MissingDependency, PhoneticError, UsageError
from apun.phonetics.japanese import kana_of, normalise
from apun.prompts import MAIN
from apun.speech import Utterance
from apun.tasks import Conditions
from benchmarks.yomi_bench.align import align, place
from benchmarks.yomi_bench.items import HeardItem, Kind, ReadingItem, RhymeItem, YomiItem

FALSE = "false"  # the clip in which the kanji has a false reading
FORMS = ("default", "all")


def say(item: YomiItem, text: str, kana: str, part: str = MAIN) -> Utterance:
    """One word, its kana forced."""
    return Utterance(item.id, text, "ja", part, {"kana": kana}, must_force=True, key_words=(text,))


@lru_cache(maxsize=4096)
def _spoken(word: str, kanji: str, reading: str, given: str | None) -> tuple[str, int] | None:
    head, _, tail = word.partition(kanji)
    if _kana(head) and _kana(tail):  # nothing but kana around the kanji: no dictionary is needed
        return normalise(head) + reading + normalise(tail), len(normalise(head))
    for kana in [given] if given else _candidates(word):
        start = _start(word, kanji, reading, kana)
        if start is not None:
            return kana, start
    return None


def _candidates(word: str) -> list[str]:
    """Readings a dictionary gives a word, the segmenter's first."""
    try:
        from benchmarks.yomi_bench.lexicon import dictionary_readings

        first = kana_of(word)
        return [first, *sorted(dictionary_readings(word) - {first})]
    except (PhoneticError, MissingDependency):
        return []


def _start(word: str, kanji: str, reading: str, kana: str) -> int | None:
    found = place(word, kanji, reading, kana)
    if found is not None:
        return found
    try:
        from benchmarks.yomi_bench.lexicon import readings_of_kanji

        parts = align(word, kana, lambda char: (reading,) if char == kanji else readings_of_kanji(char))
    except MissingDependency:
        return None
    return sum(len(part) for part in parts[: word.index(kanji)]) if parts else None


def _kana(text: str) -> bool:
    return all("ぁ" <= char <= "ゖ" or "ァ" <= char <= "ー" for char in text)


def word_kana(item: ReadingItem) -> str | None:
    """The whole word's reading, with the gold reading in its place; None when it cannot be confirmed.

    Taken from the item, else put together where only kana stand around the kanji, else from a
    dictionary whose reading holds the gold where the kanji stands.
    """
    found = _spoken(item.word, item.kanji, item.reading, item.word_kana)
    return found[0] if found else None


def false_kana(item: ReadingItem) -> str | None:
    """The whole word with the false reading in the gold reading's place; None as in ``word_kana``."""
    found = _spoken(item.word, item.kanji, item.reading, item.word_kana)
    if not found:
        return None
    kana, start = found
    return kana[:start] + item.negative + kana[start + len(item.reading) :]


def utterances(item: YomiItem, form: str) -> Sequence[Utterance]:
    """What must be spoken for an item: ``default`` the word, ``all`` also the word with its false reading.

    Empty for a released word whose whole reading cannot be confirmed: it is not asked by ear.
    """
    if form not in FORMS:
        raise UsageError(f"YOMI-Bench has no spoken form {form!r}; it has {', '.join(FORMS)}")
    if isinstance(item, RhymeItem):
        return (say(item, item.query_kanji, item.query_kana),)
    if isinstance(item, HeardItem):
        return (say(item, item.word, item.kana),)
    kana, wrong = word_kana(item), false_kana(item)
    if kana is None or wrong is None:
        return ()
    spoken = (say(item, item.word, kana),)
    return (*spoken, say(item, item.word, wrong, FALSE)) if form == "all" else spoken


def speech_for(kind: Kind | type, form: str = "default") -> Callable[[YomiItem, Conditions], Sequence[Utterance]]:
    """A task's own speech: the items it concerns, in the form it needs.

    Args:
        kind: ``single`` or ``multiple`` for readings, else the class of the items.
        form: as in ``utterances``.
    """

    def speech(item: YomiItem, conditions: Conditions) -> Sequence[Utterance]:
        mine = isinstance(item, kind) if isinstance(kind, type) else getattr(item, "kind", None) == kind
        return utterances(item, form) if mine else ()

    return speech
