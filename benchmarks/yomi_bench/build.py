"""Build items from the official jōyō table: readings, rhymes, words to tell apart by ear.

    python -m benchmarks.yomi_bench.build --table FOLDER --out FOLDER [--seed 0]

writes a folder that ``--data-dir`` reads, in the released layout with a few more fields. The embedded
sample is such a folder, built with seed 0. Section 3.1 of the paper gives the sampling (100 kanji with one
reading, 100 with more), section 3.3 the yes/no negatives and the rhyme options.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from apun.audio_folder import json_lines
from apun.draws import generator
from apun.errors import DataError
from apun.paths import write_atomic
from apun.phonetics.japanese import morae, vowel_sequence
from benchmarks.yomi_bench.items import LETTERS, HeardItem, Kind, ReadingItem, RhymeItem
from benchmarks.yomi_bench.kanji import Kanji, Reading, align, read_table, sounds, stem, stems
from benchmarks.yomi_bench.lexicon import dictionary_readings
from benchmarks.yomi_bench.near import confusable

T = TypeVar("T", RhymeItem, HeardItem)
LONGEST = 6  # morae; longer words have no rhyme in the table


@dataclass(frozen=True, slots=True)
class Word:
    """An example word of the table whose reading splits over its characters in exactly one way."""

    text: str
    kana: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Built:
    """Items of one build."""

    readings: tuple[ReadingItem, ...]
    rhymes: tuple[RhymeItem, ...]
    heard: tuple[HeardItem, ...]


Lexicon = Callable[[str], Word | None]
"""The word of a text; None when its reading is unknown, ambiguous or irregular."""


def lexicon_of(table: Sequence[Kanji], readings_of: Callable[[str], set[str]]) -> Lexicon:
    """The table's words with their readings, by a dictionary's reading that the table confirms.

    Args:
        table: the official table.
        readings_of: all readings a dictionary gives a word; a word of two readings is not used.
    """
    official = {kanji.char: stems(kanji) for kanji in table}

    @cache
    def word(text: str) -> Word | None:
        readings = readings_of(text)
        if len(readings) != 1:
            return None
        (kana,) = readings
        parts = align(text, kana, lambda char: official.get(char, ()))
        return Word(text, kana, parts) if parts and len(parts) == len(text) else None

    return word


def build(table: Sequence[Kanji], readings_of: Callable[[str], set[str]], seed: int = 0, count: int = 100) -> Built:
    """Sample items.

    Args:
        table: the official table (``kanji.read_table``).
        readings_of: all readings of a word in hiragana (``dictionary_readings``).
        seed: the same table, dictionary and seed give the same items.
        count: kanji with one reading, kanji with more, rhymes and words to hear, each.

    Raises:
        DataError: the table is too small for ``count``.
    """
    lexicon = lexicon_of(table, readings_of)
    every = tuple(dict.fromkeys(kana for kanji in table for kana in stems(kanji)))
    readings: list[ReadingItem] = []
    for kind in ("single", "multiple"):
        readings += _readings(table, lexicon, every, kind, generator(seed, kind), count)
    words = {w.kana: w.text for k in table for r in k.readings for t in r.examples if (w := lexicon(t))}
    words = {kana: text for kana, text in words.items() if 2 <= len(morae(kana)) <= LONGEST and "ー" not in kana}
    queries = [
        word for k in table if k.single for t in k.readings[0].examples if (word := lexicon(t)) and word.kana in words
    ]
    rhymes = make_rhymes([(w.text, w.kana) for w in queries], words, generator(seed, "rhyme"), count)
    heard = make_heard(list(words.items()), words, generator(seed, "heard"), count)
    if len(rhymes) < count or len(heard) < count:
        raise DataError(f"the table's words give {len(rhymes)} rhymes and {len(heard)} words to hear of {count}")
    return Built(tuple(readings), tuple(rhymes), tuple(heard))


def _readings(
    table: Sequence[Kanji], lexicon: Lexicon, every: Sequence[str], kind: Kind, rng: Random, count: int
) -> Iterator[ReadingItem]:
    pool = [kanji for kanji in table if kanji.single == (kind == "single")]
    rng.shuffle(pool)
    taken = 0
    for kanji in pool:
        found = list(_examples(kanji, lexicon, rng))
        if len(found) < (1 if kind == "single" else 2):
            continue
        own = stems(kanji)
        for number, (word, part, base) in enumerate(found):
            name = f"single_{taken}" if kind == "single" else f"multi_{taken}_{number}"
            yield ReadingItem(
                id=name,
                kanji=kanji.char,
                word=word.text,
                reading=part,
                kind=kind,
                negative=negative(part, own, every, rng),
                word_kana=word.kana,
                base=base if base != part else None,
                others=tuple(kana for kana in own if kana != base),
                weight=1 / len(found),
                weight_corrected=1 / len(found),
            )
        taken += 1
        if taken == count:
            return
    raise DataError(f"the table has only {taken} kanji of kind {kind!r} with usable examples; {count} were asked for")


def _examples(kanji: Kanji, lexicon: Lexicon, rng: Random) -> Iterator[tuple[Word, str, str]]:
    """One word for each reading the kanji itself carries: the word, the reading in it, the official reading."""
    seen: set[str] = set()
    for reading in kanji.readings:
        base = stem(kanji.char, reading)
        if base in seen:
            continue
        choices = list(_usable(kanji.char, reading, base, lexicon))
        if choices:
            seen.add(base)
            word, part = rng.choice(choices)
            yield word, part, base


def _usable(char: str, reading: Reading, base: str, lexicon: Lexicon) -> Iterator[tuple[Word, str]]:
    for text in reading.examples:
        word = lexicon(text)
        if word and text.count(char) == 1 and word.parts[text.index(char)] in sounds(base):
            yield word, word.parts[text.index(char)]


def negative(reading: str, own: Sequence[str], every: Sequence[str], rng: Random) -> str:
    """A reading with as many kana that the kanji does not have, in any form it takes inside words.

    Where no reading has as many kana, one of the nearest number.

    Args:
        reading: the gold reading.
        own: the kanji's own readings.
        every: readings to draw from.
        rng: draws.
    """
    false = set(sounds(reading)).union(*(sounds(kana) for kana in own))
    others = [kana for kana in every if kana not in false and not sounds(kana) & false]
    nearest = min(abs(len(kana) - len(reading)) for kana in others)
    return rng.choice([kana for kana in others if abs(len(kana) - len(reading)) == nearest])


def make_rhymes(
    queries: Sequence[tuple[str, str]], words: Mapping[str, str], rng: Random, count: int
) -> list[RhymeItem]:
    """Queries with one rhyme and three words of other vowels but as many morae, in shuffled order.

    Args:
        queries: ``(written, kana)`` to draw from.
        words: kana to written word, the pool of options.
        rng: draws.
        count: how many items.
    """
    vowels: dict[str, list[str]] = defaultdict(list)
    sequences = {kana: vowel_sequence(kana) for kana in words}
    sizes: dict[int, list[str]] = defaultdict(list)
    for kana, sequence in sequences.items():
        vowels[sequence].append(kana)
        sizes[len(sequence)].append(kana)
    queries = list(dict.fromkeys(queries))
    rng.shuffle(queries)
    items: list[RhymeItem] = []
    used: set[str] = set()
    for text, kana in queries:
        own = vowel_sequence(kana)
        rhymes = [other for other in vowels[own] if other != kana and not set(words[other]) & set(text)]
        others = [other for other in sizes[len(own)] if sequences[other] != own]
        if kana in used or not rhymes or len(others) < 3 or len(items) == count:
            continue
        used.add(kana)
        options = [rng.choice(rhymes), *rng.sample(others, 3)]
        right = options[0]
        rng.shuffle(options)
        written = tuple(words[option] for option in options)
        items.append(RhymeItem(f"rhyme_{len(items)}", text, kana, written, tuple(options), options.index(right)))
    return _spread(items, rng)


def make_heard(
    targets: Sequence[tuple[str, str]], words: Mapping[str, str], rng: Random, count: int
) -> list[HeardItem]:
    """Words with the three that sound most like them, in shuffled order.

    Args:
        targets: ``(kana, written)`` to draw from.
        words: kana to written word, the pool of options.
        rng: draws.
        count: how many items.
    """
    targets = list(dict(targets).items())
    rng.shuffle(targets)
    items: list[HeardItem] = []
    for kana, text in targets:
        if len(items) == count:
            break
        others = confusable(kana, words, 3, rng)
        if len(others) < 3:
            continue
        options = [kana, *others]
        rng.shuffle(options)
        written = tuple(text if option == kana else words[option] for option in options)
        if len(set(written)) < 4:
            continue
        items.append(HeardItem(f"heard_{len(items)}", text, kana, written, tuple(options), options.index(kana)))
    return _spread(items, rng)


def _spread(items: Sequence[T], rng: Random) -> list[T]:
    """The items with each letter right equally often, so that always the same one scores a quarter."""
    places = [index % len(LETTERS) for index in range(len(items))]
    rng.shuffle(places)
    return [_moved(item, place) for item, place in zip(items, places, strict=True)]


def _moved(item: T, place: int) -> T:
    """The item with its right option in that place, and the option that stood there where the right one was."""
    order = list(range(len(LETTERS)))
    order[place], order[item.answer] = item.answer, place
    moved: dict[str, Any] = {"answer": place}
    for name in item.__dataclass_fields__:
        if name.startswith("options"):
            moved[name] = tuple(getattr(item, name)[index] for index in order)
    return replace(item, **moved)


def rows(built: Built) -> Mapping[str, list[dict[str, Any]]]:
    """The files of a build by name, as JSON rows."""
    return {
        "readings.jsonl": [item.to_json() for item in built.readings],
        "rhyme_items.jsonl": [item.to_json() for item in built.rhymes],
        "heard_items.jsonl": [item.to_json() for item in built.heard],
    }


def write(built: Built, folder: Path) -> None:
    """Write a folder that ``--data-dir`` reads."""
    for name, lines in rows(built).items():
        write_atomic(folder / name, json_lines(lines))


def parser() -> argparse.ArgumentParser:
    """Arguments of the command."""
    arguments = argparse.ArgumentParser(
        prog="python -m benchmarks.yomi_bench.build", description=__doc__.split("\n")[0]
    )
    arguments.add_argument("--table", type=Path, required=True, help="folder that holds joyo_readings.jsonl")
    arguments.add_argument("--out", type=Path, required=True, help="folder to write")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--count", type=int, default=100, help="kanji and items of each kind (default 100)")
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Build items and write them."""
    options = parser().parse_args(argv)
    table = read_table(options.table)
    built = build(table, dictionary_readings, options.seed, options.count)
    write(built, options.out)
    single = sum(kanji.single for kanji in table)
    print(f"table: {len(table)} kanji, {single} with one reading, {len(table) - single} with more")
    print(f"built: {len(built.readings)} readings, {len(built.rhymes)} rhymes, {len(built.heard)} words to hear")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
