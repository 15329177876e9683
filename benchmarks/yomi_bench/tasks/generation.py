"""Write a word with the same vowels (paper section 3.3, rhyme generation); and what else is true of it.

The score is the paper's: the vowel sequences are equal. Beside it stand whether the word is new (the prompt
says that repeating the query does not count) and whether it exists. Where the released reference is a
homophone of the query (一括, 一喝: both いっかつ), the query's own kana are no repetition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from apun.asking import Case, item_of
from apun.errors import PhoneticError
from apun.phonetics.japanese import normalise, vowel_sequence
from apun.readers.reading import kana
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, ratio
from benchmarks.yomi_bench import lexicon, solver
from benchmarks.yomi_bench.items import RhymeItem, YomiItem
from benchmarks.yomi_bench.tasks import accuracy, case_of, plan, read, statistics

CAUSES = ("right", "repeat", "no_word", "length", "one_vowel", "n_or_q", "vowels", "not_kana", "unparsed")
_CODA = "nq"


@dataclass(frozen=True, slots=True)
class Rhyme:
    """What is true of a word offered as a rhyme.

    Attributes:
        matches: its vowel sequence is the query's.
        repeats: it is the query itself.
        exists: a dictionary knows a word read so; None when there is no dictionary.
        cause: ``right``; ``repeat`` and ``no_word`` for words that match; ``length`` (another number of morae),
            ``one_vowel`` (one vowel differs), ``n_or_q`` (only ``ん`` or ``っ`` differ) or ``vowels`` for
            words that do not.
        vowels: its vowel sequence.
    """

    matches: bool
    repeats: bool
    exists: bool | None
    cause: str
    vowels: str


def _cases(items: Sequence[YomiItem], conditions: Conditions, variant: str) -> Iterator[Case]:
    """Every query; by ear it is heard."""
    for item in items:
        if isinstance(item, RhymeItem):
            fields, name = {"query": item.query_kana}, "rhyme_generation"
            yield case_of(item, variant, conditions, name, fields, heard="query", released=name)


def check(word: str, item: RhymeItem) -> Rhyme | None:
    """What is true of a kana word as a rhyme for the item's query; None when it has no vowel sequence."""
    try:
        vowels = vowel_sequence(word)
    except PhoneticError:  # such as a word that begins with a small kana
        return None
    wanted = vowel_sequence(item.query_kana)
    matches = vowels == wanted
    repeats = normalise(word) == item.query_kana and item.rhyme != item.query_kana
    exists = lexicon.exists(word) if matches else None
    if matches:
        cause = "repeat" if repeats else "no_word" if exists is False else "right"
    else:
        cause = difference(wanted, vowels)
    return Rhyme(matches, repeats, exists, cause, vowels)


def difference(wanted: str, found: str) -> str:
    """Why two vowel sequences do not match: ``length``, ``n_or_q``, ``one_vowel`` or ``vowels``."""
    if len(wanted) != len(found):
        plain = [sequence.translate({ord(symbol): None for symbol in _CODA}) for sequence in (wanted, found)]
        return "n_or_q" if plain[0] == plain[1] else "length"
    pairs = [(a, b) for a, b in zip(wanted, found, strict=True) if a != b]
    if all(a in _CODA or b in _CODA for a, b in pairs):
        return "n_or_q"
    return "one_vowel" if len(pairs) == 1 else "vowels"


def score(question: Question, reply: Reply) -> Score:
    """The vowel match; of romaji that may be several kana words, the best."""
    item = item_of(question, RhymeItem)
    words, cause = read(reply, lambda text: kana(text, given=item.query_kana))
    rhymes = [(rhyme, word) for word in words or () if (rhyme := check(word, item))]
    best, word = max(rhymes, key=_rank) if rhymes else (None, None)
    matches = best is not None and best.matches
    new = best is not None and best.matches and not best.repeats
    numbers = statistics(
        question,
        1.0,
        correct=matches,
        new=new,
        repeats=best is not None and best.repeats,
        word=new and best is not None and best.exists is True,
        checked=0.0 if matches and best is not None and best.exists is None else 1.0,
    )
    failed = cause if cause in ("not_kana", reply.status) else "unparsed"
    labels = {"cause": best.cause if best else failed}
    detail = {"query": item.query_kana, "wanted": vowel_sequence(item.query_kana), "reference": item.rhyme}
    found = {"vowels": best.vowels, "exists": best.exists} if best else {"why": cause or "no vowel sequence"}
    return Score.of(question, reply, word, numbers, labels, **detail, **found)


def _rank(pair: tuple[Rhyme, str]) -> tuple[bool, bool, bool]:
    rhyme, _ = pair
    return rhyme.matches, not rhyme.repeats, rhyme.exists is True


def perfect(question: Question) -> str:
    """The reference rhyme."""
    return f"**{item_of(question, RhymeItem).rhyme}**"


def signature() -> Mapping[str, str]:
    """The dictionary that decides whether a word exists."""
    from importlib import metadata

    try:
        return {"dict": f"sudachidict-{metadata.version('sudachidict_core')}"}
    except metadata.PackageNotFoundError:
        return {"dict": "none"}


METRICS = (
    *accuracy(),
    ratio("new", "New", "new"),
    ratio("word", "New and a word", "word", "checked"),
    ratio("repeats", "Repeats", "repeats", higher_is_better=False),
)
TASK = plan("yomi.rhyme_generation", _cases).as_task(
    "Write a word with the same vowels",
    score,
    METRICS,
    solver.answer_rhyme,
    perfect,
    max_new_tokens=128,
    signature=signature,
)
