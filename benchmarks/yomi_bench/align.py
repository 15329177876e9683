"""Which kana of a word's reading belong to which kanji.

A kanji's reading changes inside a word: its first kana may be voiced (rendaku: ``その`` in ``花園`` is ``ぞの``) or
become ``p`` after ``っ ん``, and its last ``つ く ち き`` may become ``っ`` (``ひつ`` in ``筆記`` is ``ひっ``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from apun.phonetics.japanese import is_kana, normalise

_VOICED = dict(zip("かきくけこさしすせそたちつてとはひふへほ", "がぎぐげござじずぜぞだぢづでどばびぶべぼ", strict=True))
_VOICED_TOO = {"ち": "じ", "つ": "ず"}  # ぢ and づ are mostly written じ and ず
_HARD = dict(zip("はひふへほ", "ぱぴぷぺぽ", strict=True))
_GEMINATING = "つくちき"


@lru_cache(maxsize=4096)
def sounds(reading: str) -> frozenset[str]:
    """What a reading may become inside a word, itself among them."""
    first, rest = reading[0], reading[1:]
    firsts = {first, *(table[first] for table in (_VOICED, _VOICED_TOO, _HARD) if first in table)}
    forms = {f + rest for f in firsts}
    if len(reading) > 1 and reading[-1] in _GEMINATING:
        forms |= {form[:-1] + "っ" for form in forms}
    return frozenset(forms)


def align(word: str, kana: str, readings: Callable[[str], Iterable[str]]) -> tuple[str, ...] | None:
    """Split a word's reading over its characters.

    Args:
        word: kanji and hiragana.
        kana: its reading in hiragana.
        readings: the readings a kanji may have, without okurigana; ``々`` takes those of the kanji before it.

    Returns:
        One part of ``kana`` per character of ``word``; None when there is no split, or more than one.
    """
    splits = _splits(word, kana, readings, "")
    return splits[0] if len(splits) == 1 else None


def _splits(word: str, kana: str, readings: Callable[[str], Iterable[str]], before: str) -> list[tuple[str, ...]]:
    if not word:
        return [()] if not kana else []
    char, rest = word[0], word[1:]
    if is_kana(char):
        char = normalise(char)
        return [(char, *split) for split in _splits(rest, kana[1:], readings, "")] if kana[:1] == char else []
    char = before if char == "々" and before else char
    parts = {form for reading in readings(char) for form in sounds(reading) if kana.startswith(form)}
    return [(part, *split) for part in sorted(parts) for split in _splits(rest, kana[len(part) :], readings, char)]


def place(word: str, char: str, reading: str, kana: str) -> int | None:
    """Where the reading of ``char`` begins in the reading of its word.

    Without the other kanji's readings only the kana around can tell: the reading stands at the
    beginning when the kanji does, before its okurigana at the end, and otherwise where it occurs
    exactly once in between.

    Returns:
        The index in ``kana``; None when it cannot be told, which includes a word read otherwise.
    """
    head, found, tail = word.partition(char)
    if not found:
        return None
    if not head:
        rest = kana[len(reading) :]
        fits = kana.startswith(reading) and (bool(rest) == bool(tail)) and _begins(rest, tail)
        return 0 if fits else None
    if not _kanji_in(tail):
        start = len(kana) - len(tail) - len(reading)
        return start if start > 0 and kana[start:] == reading + tail else None
    starts = [i for i in range(1, len(kana) - len(reading)) if kana.startswith(reading, i)]
    return starts[0] if len(starts) == 1 else None


def _begins(kana: str, tail: str) -> bool:
    okurigana = tail[: next((i for i, c in enumerate(tail) if not "ぁ" <= c <= "ゖ"), len(tail))]
    return kana == tail if okurigana == tail else kana.startswith(okurigana)


def _kanji_in(text: str) -> bool:
    return any(not "ぁ" <= char <= "ゖ" for char in text)
