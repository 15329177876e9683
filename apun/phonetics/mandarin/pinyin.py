"""Pinyin: the Mandarin syllable, how it is spelled and how it sounds, and reading it from any spelling.

A syllable is an initial, a strict final and a tone, as pypinyin's strict mode has them: ``y`` and
``w`` are no initials (``yan`` is ``('', 'ian')``), ``iu ui un`` are ``iou uei uen``, and ``ju`` holds ``ü``.
Two finals differ from pypinyin's, so that spelling and syllable are one to one: ``yo`` is ``io`` and
``yai`` is ``iai`` (pypinyin has ``o`` and ``ai``, which are the syllables ``o`` and ``ai`` as well).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from apun.errors import PhoneticError
from apun.phonetics import table

NEUTRAL = 5

_MARKS = ("\u0304", "\u0301", "\u030c", "\u0300")  # combining macron, acute, caron, grave: tones 1 to 4
_TONE_OF_MARK = {mark: tone for tone, mark in enumerate(_MARKS, 1)} | {"\u0306": 3}  # a breve is a mistyped caron
_DIAERESIS, _CIRCUMFLEX = "\u0308", "\u0302"
_SEPARATORS = re.compile(r"[\s'’‘ʼ`´\-‐‑–—·•_]+")
_LOOKALIKES = str.maketrans({"ɡ": "g", "ɑ": "a", "ŋ": "ng"})
_ABBREVIATED = {"iou": "iu", "uei": "ui", "uen": "un"}
_ALONE = {"i": "yi", "in": "yin", "ing": "ying", "u": "wu"}


@dataclass(frozen=True, slots=True, order=True)
class Syllable:
    """One Mandarin syllable.

    Attributes:
        initial: ``b`` … ``s``; empty for a zero initial.
        final: strict final, such as ``iou`` for the spelling ``iu``; ``ü`` is written so.
        tone: 1 to 4; 5 is the neutral tone.
    """

    initial: str
    final: str
    tone: int

    @property
    def letters(self) -> str:
        """Spelling without the tone: ``zhang``, ``lü``, ``yue``."""
        return spelling(self.initial, self.final)

    @property
    def numbered(self) -> str:
        """Spelling with the tone as a digit: ``zhang1``, ``lü4``; 5 is the neutral tone."""
        return f"{self.letters}{self.tone}"

    @property
    def pinyin(self) -> str:
        """Spelling with the tone mark where the orthography puts it, in NFC: ``zhāng``, ``lǜ``."""
        letters = self.letters
        if self.tone == NEUTRAL:
            return letters
        place = _mark_position(letters)
        marked = letters[: place + 1] + _MARKS[self.tone - 1] + letters[place + 1 :]
        return unicodedata.normalize("NFC", marked)

    def __str__(self) -> str:
        return self.pinyin


def numbered(syllables: Iterable[Syllable]) -> str:
    """Syllables with tone digits, separated by spaces."""
    return " ".join(syllable.numbered for syllable in syllables)


def marked(syllables: Iterable[Syllable]) -> str:
    """Syllables with tone marks, separated by spaces."""
    return " ".join(syllable.pinyin for syllable in syllables)


def spelling(initial: str, final: str) -> str:
    """Letters of a syllable by the rules of the orthography (GB/T 16159)."""
    if not initial:
        if final in _ALONE:
            return _ALONE[final]
        if final[0] == "ü":
            return "yu" + final[1:]
        if final[0] in "iu" and len(final) > 1:
            return ("y" if final[0] == "i" else "w") + final[1:]
        return final
    if initial in ("j", "q", "x") and final[0] == "ü":
        return initial + "u" + final[1:]
    return initial + _ABBREVIATED.get(final, final)


def _mark_position(letters: str) -> int:
    """The tone mark goes on a or e, on the o of ou, else on the last vowel (else the first letter)."""
    for vowel in "aeê":
        if vowel in letters:
            return letters.index(vowel)
    if "ou" in letters:
        return letters.index("o")
    vowels = [place for place, letter in enumerate(letters) if letter in "iouü"]
    return vowels[-1] if vowels else 0


@lru_cache(maxsize=1)
def inventory() -> Mapping[str, tuple[str, str]]:
    """Every syllable there is: letters to initial and strict final."""
    found: dict[str, tuple[str, str]] = {}
    for row in table("mandarin", "syllables"):
        for final in row["finals"].split():
            found[spelling(row["initial"], final)] = (row["initial"], final)
    return found


def parse(text: str) -> tuple[Syllable, ...]:
    """Read pinyin however it is spelled.

    Accepts tone marks (composed or combining, on whichever letter), tone digits 0-5 (0 and 5 neutral),
    ``ü``/``v``/``u:``, full-width and capital letters, apostrophes, hyphens, and syllables run
    together. A syllable with neither mark nor digit has the neutral tone. Where a run of letters can
    be cut in several ways, the orthography decides: a syllable inside a word that starts with a vowel
    would have had an apostrophe (``fangan`` is fan-gan, ``fang'an`` is fang-an).

    Raises:
        PhoneticError: the text is not pinyin; names it and the place.
    """
    syllables = _parse(text)
    if isinstance(syllables, str):
        raise PhoneticError(f"{text!r} is not pinyin: {syllables}")
    return syllables


@lru_cache(maxsize=65_536)
def _parse(text: str) -> tuple[Syllable, ...] | str:
    """Syllables, or why there are none (so that failures are cached as well)."""
    plain = unicodedata.normalize("NFKC", text).lower().translate(_LOOKALIKES)
    plain = plain.replace("u:", "ü").replace("u∶", "ü")
    words = [word for word in _SEPARATORS.split(plain) if word]
    if not words:
        return "there are no letters"
    found: list[Syllable] = []
    for word in words:
        letters = _letters(word)
        if isinstance(letters, str):
            return letters
        cut = _cut(letters)
        if cut is None:
            return f"no syllable fits in {word!r}"
        found.extend(cut)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Letter:
    """A letter with the tone mark it carries and the tone digit that follows it."""

    letter: str
    mark: int = 0
    digit: int = -1


def _letters(word: str) -> list[_Letter] | str:
    found: list[_Letter] = []
    for char in unicodedata.normalize("NFD", word):
        last = found[-1] if found else None
        if char == "v":
            found.append(_Letter("ü"))
        elif "a" <= char <= "z":
            found.append(_Letter(char))
        elif last is None:
            return f"{char!r} comes before any letter"
        elif char in _TONE_OF_MARK and not last.mark:
            found[-1] = _Letter(last.letter, _TONE_OF_MARK[char], last.digit)
        elif char == _DIAERESIS and last.letter == "u":
            found[-1] = _Letter("ü", last.mark, last.digit)
        elif char == _CIRCUMFLEX and last.letter == "e":
            found[-1] = _Letter("ê", last.mark, last.digit)
        elif char in "012345" and last.digit < 0:
            found[-1] = _Letter(last.letter, last.mark, int(char) or NEUTRAL)
        else:
            return f"{char!r} is no part of pinyin"
    return found


def _cut(letters: list[_Letter]) -> list[Syllable] | None:
    """The cheapest way to cut a run of letters into syllables; None where there is none."""
    best: list[tuple[int, int, Syllable | None] | None] = [(0, 0, None), *[None] * len(letters)]  # cost, start, last
    for start in range(len(letters)):
        here = best[start]
        if here is None:
            continue
        for stop in range(start + 1, min(start + 6, len(letters)) + 1):
            syllable = _syllable(letters[start:stop])
            if syllable is None:
                continue
            cost = here[0] + _cost(syllable, letters[start].letter, inside=start > 0 and letters[start - 1].digit < 0)
            there = best[stop]
            if there is None or cost < there[0]:
                best[stop] = (cost, start, syllable)
    found: list[Syllable] = []
    place = len(letters)
    while place:
        step = best[place]
        if step is None or step[2] is None:
            return None
        found.append(step[2])
        place = step[1]
    return found[::-1]


def _cost(syllable: Syllable, first: str, *, inside: bool) -> int:
    """One a syllable; a vowel that should have had an apostrophe, and bare m n ng r, only if nothing else fits."""
    if syllable.final in ("m", "n", "ng") or (first == "r" and not syllable.initial):
        return 100
    return 11 if inside and first in "aeêo" else 1


def _syllable(run: list[_Letter]) -> Syllable | None:
    if any(letter.digit >= 0 for letter in run[:-1]):
        return None
    marks = [letter.mark for letter in run if letter.mark]
    digit = run[-1].digit
    if len(marks) > 1 or (marks and digit >= 0 and digit != marks[0]):
        return None
    tone = marks[0] if marks else digit if digit >= 0 else NEUTRAL
    known = inventory().get(_respelled("".join(letter.letter for letter in run)))
    return Syllable(*known, tone) if known else None


def _respelled(letters: str) -> str:
    """Common other spellings: ``jü`` for ju, ``yü`` for yu, ``lue`` for lüe, a bare ``r`` for er."""
    if letters == "r":
        return "er"
    if letters[0] in "jqxy":
        return letters.replace("ü", "u")
    return {"lue": "lüe", "nue": "nüe"}.get(letters, letters)


def to_ipa(syllable: Syllable) -> tuple[str, ...]:
    """Canonical IPA segments, each known to panphon; the tone stays apart in ``syllable.tone``.

    Raises:
        PhoneticError: the syllable has a part the table does not know.
    """
    segments = _segments()
    onset = look_up(segments, (syllable.initial, "initial"), "IPA").split() if syllable.initial else []
    rime = segments.get((syllable.final, syllable.initial)) or look_up(segments, (syllable.final, "*"), "IPA")
    return (*onset, *rime.split())


@lru_cache(maxsize=1)
def _segments() -> Mapping[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for row in table("mandarin", "ipa"):
        for initial in row["initials"].split():
            key = (row["pinyin"], "initial" if row["part"] == "initial" else initial)
            found[key] = row["segments"]
    return found


def look_up(found: Mapping[Any, str], key: Any, what: str) -> str:
    """A strict final's entry in a table.

    Raises:
        PhoneticError: it has none.
    """
    try:
        return found[key]
    except KeyError:
        final = key if isinstance(key, str) else key[0]
        raise PhoneticError(f"there is no {what} of {final!r}; is it a strict final such as 'iou' or 'uei'?") from None
