"""The deterministic phonetic reasoner for puns: answers from a transcript by rule.

No gold, no learning, no randomness; its knowledge is CMUdict and word frequencies. Rules:

- *Evidence* that a word is a pun: where another word sounds the same, one plus the difference of
  their frequencies (Zipf scale), at least 0 - an unusual spelling of a common sound is suspicious;
  where a content word one segment away is commoner, half the difference.
- *Recognition*: a pun, where a content word in the second half has evidence of at least ``ENOUGH``.
- *Location*: the content word with the highest sum of its relative position (the end of a sentence
  is where punchlines are) and ``WEIGHT`` times its same-sound evidence.
- *Inference* by sound: the commonest word of the same sound; failing that, one segment away.
- *Inference* of two meanings: it has no inventory of senses and says so.

Words are indexed by their segments with one segment masked or taken out, so a look-up costs a handful of
dictionary reads whatever the size of the lexicon.

The constants are set by hand. Where it falls short is where sound alone does not tell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from apun import asking
from apun.errors import PhoneticError
from apun.prompts import Prompt
from benchmarks.apun_bench.items import lemmas_of, words

LEXICON_SIZE = 30_000  # the commonest English words of wordfreq; those that CMUdict pronounces are known
ENOUGH = 0.8
WEIGHT = 0.3
LATE = 0.5  # relative position from which words count for recognition
NO_SENSES = "no inventory of senses"

_FUNCTION_WORDS = (
    "a about above after again all also although always an and any are as at away be because been before being "
    "between both but by came can cannot could did do does done down during each ever every for from had has have "
    "he her here him his how i if in into is it its just may me might more most much must my never no not now of off "
    "on once one only or other our out over own said she should so some soon still such than that the their them then "
    "there these they this those through to too under until up us very was we were what when where which while who "
    "whom whose why will with without would you your"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

Segments = tuple[str, ...]


def recognise(prompt: Prompt) -> str:
    """``pun`` or ``non-pun``."""
    spoken = _content(prompt)
    strongest = max((max(_same(word), _near(word)) for word, place in spoken if place > LATE), default=0.0)
    return "pun" if strongest >= ENOUGH else "non-pun"


def locate_pun(prompt: Prompt) -> str:
    """The word that carries the pun; empty when nothing was heard."""
    spoken = _content(prompt)
    if not spoken:
        return ""
    return max(spoken, key=lambda pair: (pair[1] + WEIGHT * _same(pair[0]), pair[1]))[0]


def infer(prompt: Prompt) -> str:
    """The word that is also meant, given the pun word; or that it cannot tell two meanings."""
    if prompt.fields.get("wanted") == "meanings":
        return NO_SENSES
    return other_word(str(prompt.fields.get("pun_word", "")))


def other_word(word: str) -> str:
    """What a word could stand for; ``none`` when nothing sounds like it."""
    found = neighbours(word)
    return next(iter((*found.same, *_near_content(word))), "none")


def choose(prompt: Prompt) -> str:
    """Whichever of the options ``first`` and ``second`` sounds most like a word of the transcript."""
    spoken = words(asking.heard(prompt) or "")
    first, second = str(prompt.fields["first"]), str(prompt.fields["second"])
    return min((first, second), key=lambda option: min((_apart(option, word) for word in spoken), default=1.0))


def _content(prompt: Prompt) -> list[tuple[str, float]]:
    """Content words with their relative positions in (0, 1]; all words where there are only function words."""
    spoken = [word.casefold() for word in words(asking.heard(prompt) or "")]
    placed = [(word, (i + 1) / len(spoken)) for i, word in enumerate(spoken)]
    return [pair for pair in placed if pair[0] not in FUNCTION_WORDS] or placed


def _same(word: str) -> float:
    found = neighbours(word).same
    return max(0.0, 1 + frequency(found[0]) - frequency(word)) if found else 0.0


def _near(word: str) -> float:
    found = _near_content(word)
    return max(0.0, (frequency(found[0]) - frequency(word)) / 2) if found else 0.0


def _near_content(word: str) -> list[str]:
    """Neighbours one segment away that are content words; function words are near to far too much."""
    return [other for other in neighbours(word).near if other not in FUNCTION_WORDS]


def _apart(a: str, b: str) -> float:
    """Smallest share of segments in which two words differ, over all their readings."""
    from rapidfuzz.distance import Levenshtein

    from apun.phonetics import sounds

    if a.casefold() == b.casefold():
        return 0.0
    try:
        pairs = [(x.segments, y.segments) for x in sounds(a) for y in sounds(b)]
    except PhoneticError:
        return 1.0
    return 0.01 + min(Levenshtein.normalized_distance(x, y) for x, y in pairs)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The words that can be heard in place of a word, commonest first, ties by spelling.

    Attributes:
        same: identical in at least one reading of each.
        near: one segment added, dropped or exchanged.
    """

    same: tuple[str, ...]
    near: tuple[str, ...]


@lru_cache(maxsize=65_536)
def neighbours(word: str) -> Neighbours:
    """Neighbours of a word that are not forms of the same word; none for a word CMUdict lacks."""
    from rapidfuzz.distance import Levenshtein

    word = word.casefold()
    index, readings = _index()
    distance: dict[str, int] = {}
    for said in _readings(word):
        found = {other for key in _keys(said) for other in index.get(key, ())}
        for other in found - {word}:
            apart = min(Levenshtein.distance(said, heard, score_cutoff=1) for heard in readings[other])
            if apart < 2:
                distance[other] = min(apart, distance.get(other, 2))
    own = lemmas(word)
    kept = sorted((w for w in distance if not lemmas(w) & own), key=lambda w: (-frequency(w), w))
    return Neighbours(tuple(w for w in kept if not distance[w]), tuple(w for w in kept if distance[w]))


@lru_cache(maxsize=65_536)
def frequency(word: str) -> float:
    """How common a word is, on the Zipf scale: log10 of occurrences in a thousand million words."""
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, "en"))


@lru_cache(maxsize=65_536)
def lemmas(word: str) -> frozenset[str]:
    """The word and every lemma it may have."""
    return frozenset({word, *lemmas_of(word)})


def _readings(word: str) -> tuple[Segments, ...]:
    from apun.phonetics.english.dictionary import variants

    return variants(word)


def _keys(said: Segments) -> Iterator[Segments]:
    """The reading itself, and with each segment masked, then taken out."""
    yield said
    for i in range(len(said)):
        yield (*said[:i], "*", *said[i + 1 :])
        yield said[:i] + said[i + 1 :]


@lru_cache(maxsize=1)
def _index() -> tuple[Mapping[Segments, list[str]], Mapping[str, tuple[Segments, ...]]]:
    from wordfreq import top_n_list

    index: defaultdict[Segments, list[str]] = defaultdict(list)
    readings: dict[str, tuple[Segments, ...]] = {}
    for word in top_n_list("en", LEXICON_SIZE):
        if len(word) > 1 and word.isalpha() and (said := _readings(word)):
            readings[word] = said
            for key in {key for reading in said for key in _keys(reading)}:
                index[key].append(word)
    return dict(index), readings
