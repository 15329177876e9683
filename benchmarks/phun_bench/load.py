"""Items of a folder: the released data set, what the builder wrote, or the embedded sample.

All three have the released file names and fields, so one reader serves. A folder may hold some of the
files only; a task without its file has no questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from apun.errors import DataError, PhoneticError
from apun.phonetics.mandarin import is_han, parse
from apun.tasks import Subset
from benchmarks.phun_bench import lexicon
from benchmarks.phun_bench.files import Record, records
from benchmarks.phun_bench.items import (
    HOMOPHONE,
    LETTERS,
    PERTURBATIONS,
    CharItem,
    GroupItem,
    HomophoneItem,
    PhunItem,
    PunItem,
    RhymeItem,
    SimilarityItem,
    numbered,
)
from benchmarks.phun_bench.rows import ROWS, read_items

SAMPLE = Path(__file__).with_name("data")
TIERS = ("1", "2", "3")
IDIOMS = "idioms_filtered10.json"  # every chengyu of the data set, perturbed or not
LEGACY = tuple(f"{kind}_{count}" for kind in ("base", "tone") for count in range(1, 5))


def load(subset: Subset) -> list[PhunItem]:
    """The items of a subset.

    Raises:
        DataError: the folder holds none of the files, or a record is malformed.
    """
    return load_folder(SAMPLE if subset.folder is None else subset.folder)


def load_folder(folder: Path) -> list[PhunItem]:
    """Every item of a folder: of its ``items.jsonl``, else of the released files in it or its ``dataset`` folder."""
    if (folder / ROWS).is_file():
        return read_items(folder / ROWS)
    if (folder / "dataset").is_dir():
        folder = folder / "dataset"
    readers = _readers(folder)
    found: list[PhunItem] = []
    present = [name for name in readers if (folder / name).is_file()]
    if not present:
        raise DataError(
            f"holds none of the Phun-Bench files ({next(iter(readers))} … {next(reversed(readers))})",
            file=folder,
            fix="Name the folder of the released data set, or one that benchmarks.phun_bench.build wrote.",
        )
    for name in present:
        found.extend(readers[name](record) for record in records(folder / name))
    return found


def _readers(folder: Path) -> dict[str, Callable[[Record], PhunItem]]:
    known = _idioms(folder / IDIOMS)
    return {
        **{f"char_tier_{tier}.json": _char(tier) for tier in TIERS},
        "char_group_5_plus.json": _group,
        f"idioms_{HOMOPHONE}_perturbed.json": _homophone(HOMOPHONE, known),
        **{f"idioms_{kind}_perturbed.json": _homophone(kind, known) for kind in LEGACY},
        "puns_filter_homo_public.json": _pun,
        "rhyme_gen_public.json": _rhyme,
        **{f"sim_word_{kind}.json": _similarity(kind) for kind in PERTURBATIONS},
    }


def _idioms(file: Path) -> Mapping[str, list[str]]:
    """Chengyu of the data set by sound; a reading that cannot be parsed (the release has one) is passed over."""
    found: dict[str, list[str]] = {}
    for record in records(file) if file.is_file() else _nothing():
        try:
            found.setdefault(numbered(parse(record.text("py2"))), []).append(record.text("w"))
        except PhoneticError:
            continue
    return found


def _nothing() -> Iterator[Record]:
    return iter(())


def _opaque(key: str) -> str:
    """A name for a key that is the answer: people see questions' ids on their sheets."""
    return sha256(key.encode()).hexdigest()[:10]


def _char(tier: str) -> Callable[[Record], CharItem]:
    def read(record: Record) -> CharItem:
        if len(record.key) != 1 or not is_han(record.key):
            raise record.fault("the key must be one Chinese character")
        marked_and_numbered = record.texts("readings", 2)
        forms = [record.pinyin(form, "readings", record.key) for form in marked_and_numbered]
        if forms[0] != forms[1]:
            raise record.fault(
                f"{marked_and_numbered[0]!r} and {marked_and_numbered[1]!r} are two readings", "readings"
            )
        return CharItem(f"char{tier}.{ord(record.key):x}", record.key, forms[0][0], tier)

    return read


def _group(record: Record) -> GroupItem:
    chars = record.texts("chars")
    if any(len(char) != 1 or not is_han(char) for char in chars) or len(set(chars)) != len(chars):
        raise record.fault("must be single Chinese characters, none twice", "chars")
    if len(chars) < 6:
        raise record.fault(f"has {len(chars)} characters; one is asked, and five others are the answer", "chars")
    return GroupItem(f"group.{_opaque(record.key)}", record.reading("py2", chars[0])[0], chars)


def _homophone(kind: str, known: Mapping[str, list[str]]) -> Callable[[Record], HomophoneItem]:
    def read(record: Record) -> HomophoneItem:
        target, text = record.han("w", 4), record.han("new_w", 4)
        target_reading, reading = record.reading("py2", target), record.reading("new_py2", text)
        if kind == HOMOPHONE and reading != target_reading:
            raise record.fault(f"{text} and {target} must have one reading", "new_py2")
        if kind == HOMOPHONE and any(a == b for a, b in zip(target, text, strict=True)):
            raise record.fault(f"{text} shares a character with {target}", "new_w")
        others = lexicon.other_idioms(target, numbered(target_reading), known) if kind == HOMOPHONE else ()
        return HomophoneItem(f"{kind}.{_opaque(record.key)}", text, reading, target, target_reading, others, kind)

    return read


def _pun(record: Record) -> PunItem:
    sentence, pun, target = record.text("s"), record.han("pw"), record.han("aw")
    if pun not in sentence:
        raise record.fault(f"{pun!r} is not in the sentence", "pw")
    if pun == target:
        raise record.fault("the pun word and the word it stands for are the same", "aw")
    record.reading("pinyin", target)
    return PunItem(f"pun.{record.key}", sentence, pun, target, record.reading("pinyin", pun))


def _rhyme(record: Record) -> RhymeItem:
    return RhymeItem(f"rhyme.{record.key}", record.text("s"), record.groups("rg"))


def _similarity(kind: str) -> Callable[[Record], SimilarityItem]:
    def read(record: Record) -> SimilarityItem:
        word = record.han("w", 2)
        candidates, spelled = record.texts("w_pert", 4), record.texts("py2_pert", 4)
        if len({word, *candidates}) != 5:
            raise record.fault("the word and its four candidates must be five different words", "w_pert")
        readings = tuple(record.pinyin(p, "py2_pert", c) for p, c in zip(spelled, candidates, strict=True))
        answer = LETTERS.index(record.one_of("answer", LETTERS))
        return SimilarityItem(
            f"{kind}.{record.key}", word, record.reading("py2", word), candidates, readings, answer, kind
        )

    return read
