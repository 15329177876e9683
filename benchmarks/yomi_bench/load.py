"""Read items: the embedded sample, the released folder, or a folder that ``build`` wrote.

A folder holds ``readings.jsonl`` (``sample_id`` ``single_N`` or ``multi_N_M``, ``kanji``, ``word``, ``reading``), and
beside it, where there are any, ``qa_single_items.jsonl`` (``positive``, ``negative``), ``rhyme_items.jsonl``,
``heard_items.jsonl`` and ``prompt_variants.json``. What the released folder does not have (false readings
for kanji of several readings, words to tell apart by ear) is made from what it has, always alike.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from apun.errors import DataError, PhoneticError
from apun.phonetics.japanese import is_kana, normalise, vowel_sequence
from apun.splits import SHEETS, read_split
from apun.tasks import Subset
from benchmarks.yomi_bench.build import make_heard, negative
from benchmarks.yomi_bench.items import Example, HeardItem, Kind, ReadingItem, RhymeItem, Wording, YomiItem
from benchmarks.yomi_bench.slips import slip

DATA = Path(__file__).parent / "data"
READINGS, QA, RHYMES, HEARD, WORDINGS = (
    "readings.jsonl",
    "qa_single_items.jsonl",
    "rhyme_items.jsonl",
    "heard_items.jsonl",
    "prompt_variants.json",
)
EXAMPLES = 12  # other kanji an item brings along for worked examples
_SAMPLE_ID = re.compile(r"(single)_\d+|(multi)_(\d+)_\d+")
_LAYOUT = f"It must hold {READINGS} and {RHYMES} as the YOMI-Bench release does; see benchmarks/yomi_bench/load.py."


def load(subset: Subset) -> Sequence[YomiItem]:
    """Items of a subset.

    Raises:
        DataError: a file is missing or malformed; names file, line, field and what to do.
    """
    folder, recorded = _folder(subset.folder)
    wording = _wordings(folder / WORDINGS) if (folder / WORDINGS).is_file() else {}
    items: list[YomiItem] = list(with_examples(list(_readings(folder, wording))))
    rhymes = list(_rhymes(folder / RHYMES, wording)) if (folder / RHYMES).is_file() else []
    items += rhymes
    items += _heard(folder / HEARD) if (folder / HEARD).is_file() else heard_from(rhymes)
    _no_repeats(items, folder)
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


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise DataError("is not UTF-8 text", file=path, fix="Save it as UTF-8.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"is not JSON ({error})", file=path, line=number, fix="Put one object on each line."
            ) from None
        if not isinstance(row, dict):
            raise DataError("is not a JSON object", file=path, line=number, fix="Put one object on each line.")
        yield number, row


def _text(row: Mapping[str, Any], name: str, path: Path, line: int) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"must be a non-empty text, is {value!r}", file=path, line=line, field=name)
    return value.strip()


def _kana(row: Mapping[str, Any], name: str, path: Path, line: int) -> str:
    value = _text(row, name, path, line)
    if not is_kana(value):
        raise DataError(f"must be kana, is {value!r}", file=path, line=line, field=name, fix="Write it in hiragana.")
    return normalise(value)


def _texts(row: Mapping[str, Any], name: str, path: Path, line: int, count: int | None = None) -> tuple[str, ...]:
    value = row.get(name)
    if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
        raise DataError("must be a list of non-empty texts", file=path, line=line, field=name)
    if count is not None and len(value) != count:
        raise DataError(f"must hold {count} texts, holds {len(value)}", file=path, line=line, field=name)
    return tuple(value)


def _answer(row: Mapping[str, Any], path: Path, line: int) -> int:
    value = row.get("answer")
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 3:
        raise DataError(f"must be 0, 1, 2 or 3, is {value!r}", file=path, line=line, field="answer")
    return value


def _readings(folder: Path, wording: Mapping[str, Wording]) -> Iterator[ReadingItem]:
    path = folder / READINGS
    rows: list[tuple[int, dict[str, Any], Kind, str]] = []
    for number, row in _rows(path):
        name = _text(row, "sample_id", path, number)
        match = _SAMPLE_ID.fullmatch(name)
        if not match:
            fix = "Use single_N, or multi_N_M where N counts the kanji and M its readings."
            raise DataError(f"is {name!r}", file=path, line=number, field="sample_id", fix=fix)
        if _text(row, "kanji", path, number) not in _text(row, "word", path, number):
            raise DataError(f"does not hold the kanji {row['kanji']!r}", file=path, line=number, field="word")
        _kana(row, "reading", path, number)
        rows.append((number, row, "single" if match[1] else "multiple", row["kanji"]))
    if not rows:
        raise DataError("holds no rows", file=path, fix=_LAYOUT)
    negatives = _negatives(folder / QA) if (folder / QA).is_file() else {}
    counts = Counter((kind, kanji) for _, _, kind, kanji in rows)
    doubtful = Counter((kind, kanji) for _, row, kind, kanji in rows if _slip(row))
    own: dict[str, list[str]] = defaultdict(list)
    for _, row, _, kanji in rows:
        own[kanji].append(normalise(row["reading"]))
    every = tuple(dict.fromkeys(normalise(row["reading"]) for _, row, _, _ in rows))
    for number, row, kind, kanji in rows:
        reading, group = normalise(row["reading"]), (kind, kanji)
        given = row.get("negative") or negatives.get(row["sample_id"])
        others = tuple(dict.fromkeys(_texts(row, "others", path, number) if "others" in row else own[kanji]))
        clean = counts[group] - doubtful[group]
        yield ReadingItem(
            id=row["sample_id"],
            kanji=kanji,
            word=row["word"].strip(),
            reading=reading,
            kind=kind,
            negative=_kana({"negative": given}, "negative", path, number)
            if given
            else negative(reading, own[kanji], every, Random(f"negative/{row['sample_id']}")),
            word_kana=_kana(row, "word_kana", path, number) if row.get("word_kana") else None,
            base=_kana(row, "base", path, number) if row.get("base") else None,
            others=tuple(normalise(other) for other in others if normalise(other) != reading),
            weight=1 / counts[group],
            weight_corrected=1 / clean if clean else 0.0,
            slip=_slip(row),
            wording=wording,
        )


def with_examples(items: Sequence[ReadingItem]) -> Iterator[ReadingItem]:
    """Give every item the examples its prompts may show: for yes/no questions of its own kind, for readings of
    kanji with one reading, as the release has it; never of its own kanji, never a known slip."""
    pools: dict[str, list[ReadingItem]] = {"single": [], "multiple": []}
    for item in items:
        if not item.slip:
            pools[item.kind].append(item)
    for item in items:
        qa = _examples(pools[item.kind], item, "qa")
        yield replace(
            item, qa_examples=qa, reading_examples=_examples(pools["single"] or pools[item.kind], item, "reading")
        )


def _examples(pool: Sequence[ReadingItem], item: ReadingItem, purpose: str) -> tuple[Example, ...]:
    rng = Random(f"{purpose}/{item.id}")
    found: dict[str, Example] = {}
    for other in rng.sample(pool, len(pool)):
        if len(found) == EXAMPLES:
            break
        if other.kanji != item.kanji:
            found.setdefault(other.kanji, Example(other.kanji, other.word, other.reading, other.negative))
    return tuple(found.values())


def _slip(row: Mapping[str, Any]) -> str | None:
    return slip(row["kanji"], row["word"], normalise(row["reading"]))


def _negatives(path: Path) -> dict[str, str]:
    return {_text(row, "sample_id", path, number): _kana(row, "negative", path, number) for number, row in _rows(path)}


def _rhymes(path: Path, wording: Mapping[str, Wording]) -> Iterator[RhymeItem]:
    for index, (number, row) in enumerate(_rows(path)):
        item = RhymeItem(
            id=str(row.get("id") or f"rhyme_{index}"),
            query_kanji=_text(row, "query_kanji", path, number),
            query_kana=_kana(row, "query_kana", path, number),
            options_kanji=_texts(row, "options_kanji", path, number, 4),
            options_kana=tuple(normalise(kana) for kana in _texts(row, "options_kana", path, number, 4)),
            answer=_answer(row, path, number),
            wording=wording,
        )
        vowels = vowel_sequence(item.query_kana)
        rhymes = [i for i, kana in enumerate(item.options_kana) if _vowels(kana) == vowels]
        if rhymes != [item.answer]:
            letters = ", ".join("ABCD"[i] for i in rhymes) or "none"
            problem = (
                f"options with the vowels of {item.query_kana}: {letters}; the answer given is {'ABCD'[item.answer]}"
            )
            fix = "Exactly the option that is the answer may have the query's vowels."
            raise DataError(problem, file=path, line=number, field="options_kana", fix=fix)
        yield item


def _vowels(kana: str) -> str | None:
    try:
        return vowel_sequence(kana)
    except PhoneticError:  # a placeholder such as ○○ in the released options
        return None


def _heard(path: Path) -> Iterator[HeardItem]:
    for number, row in _rows(path):
        item = HeardItem(
            id=_text(row, "id", path, number),
            word=_text(row, "word", path, number),
            kana=_kana(row, "kana", path, number),
            options=_texts(row, "options", path, number, 4),
            options_kana=tuple(normalise(kana) for kana in _texts(row, "options_kana", path, number, 4)),
            answer=_answer(row, path, number),
        )
        if [kana == item.kana for kana in item.options_kana] != [i == item.answer for i in range(4)]:
            problem = f"exactly the answer must be read {item.kana}"
            raise DataError(problem, file=path, line=number, field="options_kana")
        yield item


def heard_from(rhymes: Sequence[RhymeItem], count: int = 100) -> list[HeardItem]:
    """Words to tell apart by ear, made from the words of rhyme items; the same items give the same words."""
    words: dict[str, str] = {}
    for item in rhymes:
        pairs = [(item.query_kana, item.query_kanji), *zip(item.options_kana, item.options_kanji, strict=True)]
        words.update({kana: text for kana, text in pairs if is_kana(kana)})
    return make_heard(sorted(words.items()), words, Random("heard"), count)


def _wordings(path: Path) -> dict[str, Wording]:
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
        return {
            task: Wording(
                questions=tuple(str(question) for question in body["question_variants"]),
                header=str(body.get("header", "")),
                block=str(body.get("block", "")),
                body=str(body.get("body", "")),
                shots=int(body.get("shots", 0)),
            )
            for task, body in data.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        fix = "It must map each task to 'question_variants' and 'block' or 'body'."
        raise DataError(f"is not a file of prompt wordings ({error!r})", file=path, fix=fix) from error


def _no_repeats(items: Sequence[YomiItem], folder: Path) -> None:
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise DataError(f"the id {item.id!r} occurs twice", file=folder, fix="Give every item its own id.")
        seen.add(item.id)
