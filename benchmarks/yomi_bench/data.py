"""Subsets: the embedded sample, the released folder, or a folder that ``build`` wrote (files: ``items``).

What the released folder does not have (false readings for kanji of several readings, words to tell apart
by ear) is made from what it has, always alike.

Some gold readings of the released data are known to be doubtful (``data/slips.tsv``). They are given as they
sound in the word and without okurigana (``花園``: ``ぞの``; ``筆記``: ``ひっ``); these are not, or not in agreement
with the official table. With ``--set corrected=yes`` they leave the denominator; every table of such a run
lists them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from apun.draws import generator
from apun.errors import DataError
from apun.phonetics.japanese import is_kana
from apun.records import Record, read, read_keyed, unique
from apun.splits import SHEETS, read_split
from apun.tasks import Subset
from benchmarks.yomi_bench.build import make_heard, negative
from benchmarks.yomi_bench.items import Example, HeardItem, ReadingItem, RhymeItem, Wording, YomiItem, kana_in

DATA = Path(__file__).parent / "data"
READINGS, QA, RHYMES, HEARD = "readings.jsonl", "qa_single_items.jsonl", "rhyme_items.jsonl", "heard_items.jsonl"
WORDINGS = "prompt_variants.json"
EXAMPLES = 12  # other kanji an item brings along for worked examples
_LAYOUT = f"It must hold {READINGS} and {RHYMES} as the YOMI-Bench release does; see benchmarks/yomi_bench/items.py."


def load(subset: Subset) -> Sequence[YomiItem]:
    """Items of a subset.

    Raises:
        DataError: a file is missing or malformed; names file, line, field and what to do.
    """
    folder, recorded = _folder(subset.folder)
    wording: dict[str, Wording] = {}
    if (folder / WORDINGS).is_file():
        wording = {record.key: Wording.from_record(record) for record in read_keyed(folder / WORDINGS)}
    readings = list(_readings(folder, wording))
    rhymes = [
        (record, RhymeItem.from_record(record, f"rhyme_{index}", wording))
        for index, record in enumerate(_rows(folder / RHYMES))
    ]
    heard: list[tuple[Record, HeardItem]]
    if (folder / HEARD).is_file():
        heard = [(record, HeardItem.from_record(record)) for record in read(folder / HEARD)]
    else:
        heard = [(Record({}, folder / RHYMES), item) for item in heard_from([item for _, item in rhymes])]
    items: list[YomiItem] = unique([*readings, *rhymes, *heard], folder)
    return [item for item in items if recorded is None or item.id in recorded]


def _folder(folder: Path | None) -> tuple[Path, frozenset[str] | None]:
    """Where the items are; and, for a folder of clips without items, which of the sample's it has clips of."""
    if folder is None:
        return DATA, None
    for candidate in (folder, folder / "yomi-bench", folder / "yomi_bench"):
        if (candidate / READINGS).is_file():
            return candidate, None
    if any((folder / sheet).is_file() for sheet in SHEETS):
        return DATA, frozenset(item for item, _ in read_split(folder).rows)
    raise DataError(f"holds no {READINGS}", file=folder, fix=_LAYOUT)


def _rows(path: Path) -> Iterator[Record]:
    return read(path) if path.is_file() else iter(())


def _readings(folder: Path, wording: Mapping[str, Wording]) -> Iterator[tuple[Record, ReadingItem]]:
    rows = [(record, ReadingItem.from_record(record)) for record in read(folder / READINGS)]
    if not rows:
        raise DataError("holds no rows", file=folder / READINGS, fix=_LAYOUT)
    false = {record.text("sample_id"): kana_in(record, "negative") for record in _rows(folder / QA)}
    counts = Counter((item.kind, item.kanji) for _, item in rows)
    doubtful = Counter((item.kind, item.kanji) for _, item in rows if _slip(item))
    own: dict[str, dict[str, None]] = defaultdict(dict)
    for _, item in rows:
        own[item.kanji][item.reading] = None
    every = tuple(dict.fromkeys(item.reading for _, item in rows))
    items = []
    for record, item in rows:
        readings = tuple(own[item.kanji])
        clean = counts[item.kind, item.kanji] - doubtful[item.kind, item.kanji]
        made = (
            item.negative
            or false.get(item.id)
            or negative(item.reading, readings, every, generator("negative", item.id))
        )
        others = dict.fromkeys(item.others if "others" in record.values else readings)
        items.append(
            replace(
                item,
                negative=made,
                others=tuple(kana for kana in others if kana != item.reading),
                weight=1 / counts[item.kind, item.kanji],
                weight_corrected=1 / clean if clean else 0.0,
                slip=_slip(item),
                wording=wording,
            )
        )
    return zip((record for record, _ in rows), with_examples(items), strict=True)


def with_examples(items: Sequence[ReadingItem]) -> Iterator[ReadingItem]:
    """Give every item the examples its prompts may show: for yes/no questions of its own kind, for readings of
    kanji with one reading, as the release has it; never of its own kanji, never a known slip."""
    pools: dict[str, list[ReadingItem]] = {"single": [], "multiple": []}
    for item in items:
        if not item.slip:
            pools[item.kind].append(item)
    for item in items:
        qa = _examples(pools[item.kind], item, "qa")
        reading = _examples(pools["single"] or pools[item.kind], item, "reading")
        yield replace(item, qa_examples=qa, reading_examples=reading)


def _examples(pool: Sequence[ReadingItem], item: ReadingItem, purpose: str) -> tuple[Example, ...]:
    found: dict[str, Example] = {}
    for other in generator(purpose, item.id).sample(pool, len(pool)):
        if len(found) == EXAMPLES:
            break
        if other.kanji != item.kanji:
            found.setdefault(other.kanji, Example(other.kanji, other.word, other.reading, other.negative))
    return tuple(found.values())


def heard_from(rhymes: Sequence[RhymeItem], count: int = 100) -> list[HeardItem]:
    """Words to tell apart by ear, made from the words of rhyme items; the same items give the same words."""
    words: dict[str, str] = {}
    for item in rhymes:
        pairs = [(item.query_kana, item.query_kanji), *zip(item.options_kana, item.options_kanji, strict=True)]
        words.update({kana: text for kana, text in pairs if is_kana(kana)})
    return make_heard(sorted(words.items()), words, generator("heard"), count)


@lru_cache(maxsize=1)
def slips() -> Mapping[tuple[str, str, str], str]:
    """Why a gold reading is doubtful, by kanji, word and reading."""
    rows = read(DATA / "slips.tsv", required=("kanji", "word", "reading", "why"))
    return {(row.text("kanji"), row.text("word"), row.text("reading")): row.text("why") for row in rows}


def _slip(item: ReadingItem) -> str | None:
    return slips().get((item.kanji, item.word, item.reading))
