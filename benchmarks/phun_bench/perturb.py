"""Fresh items by the paper's two algorithms (Appendix C.2), from a seed.

Algorithm 1 replaces every character of a chengyu by another of the same sound. Algorithm 2 finds, for a
two-character word, one word of the wanted similarity type and three that are less alike.

Algorithm 2 here never compares all pairs. Words are indexed by the sound that must agree (the whole
syllable at one place, and initial, final class or tone at the other), and a seeded start into the right
bucket is followed until a word fits. Nearly every word of a bucket fits, so the time grows with the number
of words, not with its square.

A choice depends on the seed and on the word alone, so items do not depend on the order of the list.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from apun.phonetics.mandarin import SimilarityType, Syllable, final_class, type_of
from benchmarks.phun_bench.items import LETTERS, PERTURBATIONS

Reading = tuple[Syllable, ...]
# What the answer's other character shares with the reference's, for the types that keep one syllable whole.
ANSWER_TYPE = {"pert1": "T6", "pert2": "T5", "pert3": "T4"}
DISTRACTOR_TYPES = ("T1", "T2", "T3")  # the release always has one distractor of each
_SHARED = {"T1": "i", "T2": "f", "T3": "t", "T4": "if", "T5": "it", "T6": "ft"}
_CLOSE, _FAR = ("T4", "T5", "T6"), ("T1", "T2", "T3")
_PAIRS = tuple((_SHARED[a], _SHARED[b]) for kinds in (_CLOSE, _FAR) for a in kinds for b in kinds)


def generator(seed: int, *names: str) -> random.Random:
    """A generator that depends on the seed and on names, not on what was drawn before."""
    text = "\0".join((str(seed), *names))
    return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"))


def homophones(reading: Reading, word: str, by_sound: Mapping[Syllable, Sequence[str]], seed: int) -> str | None:
    """Algorithm 1: other characters of the same sound, or None where a sound has no other.

    Args:
        reading: reading of the word.
        word: the word (a chengyu).
        by_sound: characters with a single reading, by it.
        seed: seed of the choice.
    """
    rng = generator(seed, "homophones", word)
    chosen = []
    for char, syllable in zip(word, reading, strict=True):
        others = [other for other in by_sound.get(syllable, ()) if other != char]
        if not others:
            return None
        chosen.append(rng.choice(others))
    return "".join(chosen)


@dataclass(frozen=True, slots=True)
class Choice:
    """A similarity item before it is written: candidates in their final order."""

    word: str
    reading: Reading
    candidates: tuple[str, ...]
    readings: tuple[Reading, ...]
    answer: str


Features = tuple[str, str, int]  # initial, final class, tone


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, a hundred thousand times
class _Word:
    """A word with its sound as plain texts: the syllable, and its features, a place each."""

    text: str
    reading: Reading
    sounds: tuple[str, ...]
    features: tuple[Features, ...]


Bucket = list[_Word]


@dataclass(frozen=True)
class SoundIndex:
    """Two-character words by what they must share with a reference word.

    Attributes:
        whole: words by (place, syllable there, shared features, their values at the other place).
        loose: words by the features shared at both places and their values.
    """

    words: tuple[_Word, ...]
    whole: Mapping[object, Bucket] = field(repr=False)
    loose: Mapping[object, Bucket] = field(repr=False)

    @classmethod
    def of(cls, words: Iterable[tuple[str, Reading]], seed: int) -> SoundIndex:
        """Index words; each stands once. Buckets are shuffled, independently of the order given."""
        known: dict[str, _Word] = {}
        for text, reading in words:
            if len(text) == 2 == len(reading):
                known.setdefault(
                    text, _Word(text, reading, tuple(s.numbered for s in reading), tuple(map(_features, reading)))
                )
        ordered = [known[text] for text in sorted(known)]
        generator(seed, "index").shuffle(ordered)
        whole: dict[object, Bucket] = {}
        loose: dict[object, Bucket] = {}
        for word in ordered:
            for place in (0, 1):
                other = word.features[1 - place]
                for shared in _SHARED.values():
                    whole.setdefault((place, word.sounds[place], shared, _values(other, shared)), []).append(word)
            for first, second in _PAIRS:
                key = (first, second, _values(word.features[0], first), _values(word.features[1], second))
                loose.setdefault(key, []).append(word)
        return cls(tuple(ordered), whole, loose)

    def items(self, perturbation: str, seed: int) -> Iterator[Choice]:
        """Algorithm 2: an item for every word that has an answer and three distractors.

        Args:
            perturbation: ``pert1`` to ``pert4`` (Table 1).
            seed: seed of the choices.
        """
        if perturbation not in PERTURBATIONS:
            raise ValueError(f"no perturbation {perturbation!r}; one of {', '.join(PERTURBATIONS)}")
        for word in sorted(self.words, key=lambda word: word.text):
            rng = generator(seed, perturbation, word.text)
            found = self._loosely(word, rng) if perturbation == "pert4" else self._wholly(word, perturbation, rng)
            if found:
                yield _shuffled(word, found, rng)

    def _wholly(self, word: _Word, perturbation: str, rng: random.Random) -> list[_Word]:
        """One syllable the same, the other of the answer's type, and one distractor each of T1, T2 and T3."""
        for place in rng.sample((0, 1), 2):
            found = [word]
            for kind in (ANSWER_TYPE[perturbation], *DISTRACTOR_TYPES):
                shared = _SHARED[kind]
                key = (place, word.sounds[place], shared, _values(word.features[1 - place], shared))
                types = (("T7",), (kind,)) if place == 0 else ((kind,), ("T7",))
                candidate = _first(self.whole.get(key, []), word, types, found, rng)
                if candidate is None:
                    break
                found.append(candidate)
            else:
                return found[1:]
        return []

    def _loosely(self, word: _Word, rng: random.Random) -> list[_Word]:
        """Both syllables T4-6 in the answer, both T1-3 in the distractors."""
        found = [word]
        for kinds in (_CLOSE, _FAR, _FAR, _FAR):
            candidate = self._pair(word, kinds, found, rng)
            if candidate is None:
                return []
            found.append(candidate)
        return found[1:]

    def _pair(self, word: _Word, kinds: tuple[str, ...], found: list[_Word], rng: random.Random) -> _Word | None:
        pairs = [(a, b) for a in kinds for b in kinds]
        rng.shuffle(pairs)
        for a, b in pairs:
            key = (
                _SHARED[a],
                _SHARED[b],
                _values(word.features[0], _SHARED[a]),
                _values(word.features[1], _SHARED[b]),
            )
            candidate = _first(self.loose.get(key, []), word, ((a,), (b,)), found, rng)
            if candidate is not None:
                return candidate
        return None


def _features(syllable: Syllable) -> Features:
    return syllable.initial, final_class(syllable.final, syllable.initial), syllable.tone


_PLACES = {shared: tuple("ift".index(name) for name in shared) for shared in _SHARED.values()}


def _values(features: Features, shared: str) -> tuple[str | int, ...]:
    return tuple([features[place] for place in _PLACES[shared]])


def _type(a: _Word, b: _Word, place: int) -> SimilarityType:
    """``similarity_type`` of two words' syllables at a place, from what the index holds."""
    if a.sounds[place] == b.sounds[place]:
        return "T7"
    return type_of(*(x == y for x, y in zip(a.features[place], b.features[place], strict=True)))


def _first(
    bucket: Bucket, word: _Word, types: tuple[tuple[str, ...], ...], taken: list[_Word], rng: random.Random
) -> _Word | None:
    """The first word from a random start that has the wanted types and is not taken."""
    start = rng.randrange(len(bucket)) if bucket else 0
    for offset in range(len(bucket)):
        candidate = bucket[(start + offset) % len(bucket)]
        if _type(word, candidate, 0) in types[0] and _type(word, candidate, 1) in types[1] and candidate not in taken:
            return candidate
    return None


def _shuffled(word: _Word, found: list[_Word], rng: random.Random) -> Choice:
    """The answer among its distractors, at a place that is drawn first (so that letters are balanced)."""
    place = rng.randrange(4)
    distractors = found[1:]
    rng.shuffle(distractors)
    order = [*distractors[:place], found[0], *distractors[place:]]
    return Choice(
        word.text,
        word.reading,
        tuple(candidate.text for candidate in order),
        tuple(candidate.reading for candidate in order),
        LETTERS[place],
    )
