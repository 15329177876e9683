"""Coarse location: where in a text is the word that sounds most like the predicted one?

Equations 1-3 of APUN-Bench (section 4), with what the paper leaves open decided:

* Candidates are the words of the text. A prediction of k words (at most ``MAX_WORDS``) is one
  sound, and runs of one to k words are candidates as well.
* The largest S wins. Ties go to the later position, because punchlines end sentences; at the same
  end, to the shorter run. Repeated words are therefore their last occurrence.
* A prediction that is not in the text goes to the word most like it, as in the paper. Nothing is
  located when the prediction has no sound (empty, an emoji), is longer than ``MAX_WORDS`` words, shares nothing
  with any word (S = 0), or the text has no word; ``reason`` says which.
* Words that cannot be read stay in the table with similarity 0.
* Mandarin words are characters (pinyin in context, tones counted; a prediction has up to twice as many as
  ``MAX_WORDS``). Japanese ones are dictionary words, and
  runs of up to ``MAX_WORDS`` of them are always candidates: a pun there often spans particles.

A word and its vectors are looked up once in a process; each text then costs one matrix product.

Where in the clip (beyond the paper): word times come from a recogniser or a forced alignment, ``(word, start, end)`` in
seconds. The word is located among them by sound, so a recogniser's slip on the pun word itself does no harm.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

from rapidfuzz.distance import Levenshtein

from apun.errors import PhoneticError, UsageError
from apun.phonetics import Sound, Word, generation, is_spaced, sounds, words
from apun.scoring.phonetic import Lexicon

MAX_WORDS = 4
"""Longest prediction, in words, that still counts as a word or phrase."""

TOLERANCE = 0.5
"""Seconds around the gold span in which an answer is a hit."""

INTERVALS = 5
"""Parts of a sentence in the analysis of positions: 0-0.2 … 0.8-1 (Figure 3)."""

TimedWord = tuple[str, float, float]

_LONGEST_PREDICTION = 200  # characters; a longer answer is no word, and is not read out to find that
_RUN_READINGS = 4  # readings tried for a run of words with variants

_MOST_READINGS = 200_000  # kept at once (150 MB); beyond, all are forgotten, so memory does not grow with the items

_distance = Levenshtein.distance
_lexicon = Lexicon()
_lock = threading.Lock()  # rows are given out and forgotten: one text at a time
_rows_of: dict[int, tuple[tuple[Sound, ...], tuple[int, ...]]] = {}


def _forget() -> None:
    _lexicon.clear()
    _prediction.cache_clear()
    _rows_of.clear()


@dataclass(frozen=True, slots=True)
class WordSimilarity:
    """One word of the text against the prediction.

    Attributes:
        index: position of the word, from 0.
        word: as written.
        edit: S_edit, in [0, 1].
        cosine: S_cos, in [0, 1].
        similarity: their sum, in [0, 2].
        problem: why the word could not be read; empty when it could.
    """

    index: int
    word: str
    edit: float
    cosine: float
    similarity: float
    problem: str


@dataclass(frozen=True, slots=True)
class Location:
    """Where a prediction was found.

    Attributes:
        index: position of the word in the text, from 0; for a run of words the last one. None when
            nothing was located.
        start: position of the first word of the run (``index`` for one word); None likewise.
        word: the word or run as written.
        similarity: S of the best candidate, in [0, 2].
        edit: its S_edit, in [0, 1].
        cosine: its S_cos, in [0, 1].
        words: the words of the text.
        scores: ``(edit, cosine)`` of each single word.
        reason: why nothing was located; empty otherwise.
    """

    index: int | None
    start: int | None
    word: str
    similarity: float
    edit: float
    cosine: float
    words: tuple[Word, ...]
    scores: tuple[tuple[float, float], ...]
    reason: str = ""

    @property
    def table(self) -> tuple[WordSimilarity, ...]:
        """Every word of the text with its similarities."""
        return tuple(
            WordSimilarity(i, word.text, edit, cosine, edit + cosine, word.problem)
            for i, (word, (edit, cosine)) in enumerate(zip(self.words, self.scores, strict=True))
        )

    @property
    def exact(self) -> bool:
        """Whether the located word sounds exactly like the prediction (S = 2)."""
        return self.similarity == 2.0

    def covers(self, index: int) -> bool:
        """Whether the word at a position is, or is part of, what was located."""
        return self.index is not None and self.start is not None and self.start <= index <= self.index

    def hits(self, index: int) -> bool:
        """Whether the gold word at a position was found: covered, or the same word, written the same, elsewhere.

        A repeated word is found wherever it stands: a single word cannot say which of its occurrences it means.
        """
        if self.index is None or not 0 <= index < len(self.words):
            return False
        return self.covers(index) or self.words[index].text.casefold() == self.word.casefold()


def locate(word: str, text: str | Sequence[str], language: str = "en") -> Location:
    """Locate a predicted word or phrase in a text by its sound.

    Args:
        word: the predicted word; any text.
        text: the text or transcript; or its tokens, so that ``index`` counts those.
        language: ``en``, ``zh`` or ``ja``.

    Returns:
        The best position with the similarities of every word. It never raises on text.

    Raises:
        UsageError: unknown language.
        MissingDependency: the language's packages are not installed.
    """
    found = words(text, language)
    if not found:
        return Location(None, None, "", 0.0, 0.0, 0.0, (), (), "the text has no word")
    with _lock:
        return _located(word, found, language)


def _located(word: str, found: tuple[Word, ...], language: str) -> Location:
    if max(len(_lexicon.codes), len(_rows_of)) > _MOST_READINGS:
        _forget()
    nothing = (0.0, 0.0)
    predicted, length, reason = _prediction(word, language, generation())
    if reason:
        return Location(None, None, "", 0.0, 0.0, 0.0, found, (nothing,) * len(found), reason)
    scores = _scores(predicted, [_rows(w.readings) for w in found])
    totals = [edit + cosine for edit, cosine in scores]
    best = len(totals) - 1 - totals[::-1].index(max(totals))
    start, edit, cosine = best, *scores[best]
    if language == "ja":
        length = MAX_WORDS
    if length > 1 and len(found) > 1:
        start, best, edit, cosine = _best_run(predicted, length, found, scores)
    if edit + cosine <= 0.0:
        return Location(None, None, "", 0.0, 0.0, 0.0, found, tuple(scores), "no word sounds at all like it")
    located = _joined(found[start : best + 1], language)
    return Location(best, start, located, edit + cosine, edit, cosine, found, tuple(scores))


@lru_cache(maxsize=65536)
def _prediction(word: str, language: str, _: int) -> tuple[tuple[int, ...], int, str]:
    """Rows of a prediction's readings, its length in words, and why it cannot be located."""
    if len(word) > _LONGEST_PREDICTION:
        return (), 0, f"the prediction has {len(word)} characters: no word"
    parts = words(word, language)
    if not parts:
        return (), 0, "the prediction holds no word"
    if (len(parts) > MAX_WORDS and language != "zh") or len(parts) > 2 * MAX_WORDS:
        return (), len(parts), f"the prediction has {len(parts)} words; a word or a short phrase was expected"
    try:
        return _rows(sounds(word, language)), len(parts), ""
    except PhoneticError as error:
        return (), len(parts), f"the prediction cannot be read: {error}"


def _rows(readings: tuple[Sound, ...]) -> tuple[int, ...]:
    # Keyed by identity: a word's readings are one cached object, and hashing them costs more than all else.
    known = _rows_of.get(id(readings))
    if known is not None and known[0] is readings:
        return known[1]
    rows = tuple(_lexicon.row(sound) for sound in readings)
    _rows_of[id(readings)] = (readings, rows)
    return rows


def _scores(predicted: tuple[int, ...], candidates: Sequence[tuple[int, ...]]) -> list[tuple[float, float]]:
    """``(edit, cosine)`` of each candidate against the prediction, the best pair of readings."""
    rows, columns = [row for candidate in candidates for row in candidate], list(predicted)
    products = _lexicon.vectors[rows] @ _lexicon.vectors[columns].T
    cosines = (products / (_lexicon.lengths[rows, None] * _lexicon.lengths[columns])).tolist()
    codes = _lexicon.codes
    targets = [codes[row] for row in predicted]
    found: list[tuple[float, float]] = []
    at = 0
    for candidate in candidates:
        best, edit_of_best, cosine_of_best = -1.0, 0.0, 0.0
        for row in candidate:
            code = codes[row]
            size = len(code)
            for target, cosine in zip(targets, cosines[at], strict=True):
                if code == target:
                    edit, cosine = 1.0, 1.0
                else:
                    longest = size if size > len(target) else len(target)
                    edit = 1.0 - _distance(code, target) / longest
                    cosine = 0.0 if cosine < 0.0 else 1.0 if cosine > 1.0 else cosine
                if edit + cosine > best:
                    best, edit_of_best, cosine_of_best = edit + cosine, edit, cosine
            at += 1
        found.append((edit_of_best, cosine_of_best))
    return found


def _best_run(
    predicted: tuple[int, ...], length: int, found: tuple[Word, ...], singles: Sequence[tuple[float, float]]
) -> tuple[int, int, float, float]:
    """``(start, end, edit, cosine)`` of the best run of up to ``length`` words, ``end`` inclusive."""
    runs = [(end, size) for end in range(len(found)) for size in range(2, min(length, end + 1) + 1)]
    scores = _scores(predicted, [_run(found[end - size + 1 : end + 1]) for end, size in runs])
    candidates = [
        *((e + c, end, -size, e, c) for (end, size), (e, c) in zip(runs, scores, strict=True)),
        *((e + c, end, -1, e, c) for end, (e, c) in enumerate(singles)),
    ]
    _, end, negative, edit, cosine = max(candidates)
    return end + negative + 1, end, edit, cosine


def _run(run: Sequence[Word]) -> tuple[int, ...]:
    """Rows of a run's joined readings; none where a word of it cannot be read."""
    joined = islice(product(*(word.readings for word in run)), _RUN_READINGS)
    return tuple(
        _lexicon.row(Sound(sum((s.segments for s in parts), ()), sum((s.tones for s in parts), ()))) for parts in joined
    )


def _joined(run: Sequence[Word], language: str) -> str:
    return (" " if is_spaced(language) else "").join(word.text for word in run)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a clip.

    Attributes:
        start: seconds from the clip's start.
        end: seconds; at least ``start``. Equal for an answer that is a point in time.
    """

    start: float
    end: float

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end < float("inf"):
            raise UsageError(f"a span needs 0 ≤ start ≤ end in seconds; got {self.start} and {self.end}")

    @property
    def middle(self) -> float:
        """Its midpoint in seconds."""
        return (self.start + self.end) / 2


def locate_in_time(word: str, timed: Sequence[TimedWord], language: str = "en") -> tuple[Span | None, Location]:
    """Seconds of the word or run that sounds most like the prediction; None where nothing was located.

    Args:
        word: the predicted word.
        timed: the clip's words with their times.
        language: ``en``, ``zh`` or ``ja``.

    Raises:
        UsageError: a word ends before it starts.
    """
    found = locate(word, [token for token, _, _ in timed], language)
    if found.index is None or found.start is None:
        return None, found
    run = timed[found.start : found.index + 1]
    return Span(min(start for _, start, _ in run), max(end for _, _, end in run)), found


def hit(predicted: Span | None, gold: Span, tolerance: float = TOLERANCE) -> bool:
    """Whether the middle of the prediction lies in the gold span, widened by the tolerance at both ends.

    Args:
        predicted: the located span; None is a miss.
        gold: the pun word's span.
        tolerance: seconds, 0 or more.
    """
    return predicted is not None and gold.start - tolerance <= predicted.middle <= gold.end + tolerance


def overlap(predicted: Span | None, gold: Span) -> float:
    """Intersection over union of the two spans, in [0, 1]; two equal points overlap fully."""
    if predicted is None:
        return 0.0
    if predicted == gold:
        return 1.0
    shared = min(predicted.end, gold.end) - max(predicted.start, gold.start)
    union = max(predicted.end, gold.end) - min(predicted.start, gold.start)
    return max(0.0, shared) / union if union > 0 else 0.0


def interval_of_word(index: int, length: int) -> int:
    """Which part of a sentence a word lies in, by the middle of the word: 0 is the first fifth.

    Args:
        index: position of the word, from 0.
        length: number of words.

    Raises:
        UsageError: the position is outside the sentence.
    """
    if not 0 <= index < length:
        raise UsageError(f"word {index} is not in a sentence of {length} words")
    return int((index + 0.5) / length * INTERVALS)
