"""PunItem: one spoken sentence with its gold annotation (APUN-Bench §3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, cast

from apun.errors import DataError

PunType = Literal["heterographic", "homophonic", "homographic", "untyped", "negative"]

HETEROGRAPHIC: PunType = "heterographic"  # near in sound, not the same
HOMOPHONIC: PunType = "homophonic"  # same sound, other spelling
HOMOGRAPHIC: PunType = "homographic"  # same word, two meanings
UNTYPED: PunType = "untyped"  # a pun whose alternative nobody annotated, so its type is unknown
NEGATIVE: PunType = "negative"
PUN_TYPES: tuple[PunType, ...] = (HETEROGRAPHIC, HOMOPHONIC, HOMOGRAPHIC)
TYPES: tuple[PunType, ...] = (*PUN_TYPES, UNTYPED, NEGATIVE)
SHORT = {HETEROGRAPHIC: "het", HOMOPHONIC: "hop", HOMOGRAPHIC: "hog", UNTYPED: "untyped", NEGATIVE: "neg"}
HEADS = {HETEROGRAPHIC: "Heg", HOMOPHONIC: "Hop", HOMOGRAPHIC: "Hog"}  # the paper's column heads
LONGEST_TEXT = 2_000

_ID = re.compile(r"[\w][\w.:+-]{0,127}")
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")


def words(text: str) -> list[str]:
    """The words of a text, in order: letters and digits with inner hyphens and apostrophes."""
    return _WORD.findall(text)


@dataclass(frozen=True, slots=True)
class PunItem:
    """One sentence and what is known of it.

    Attributes:
        id: unique in its subset; must not tell the answer, since people see it in questionnaires.
        text: the sentence as spoken, in standard spelling.
        is_pun: whether it is a pun.
        type: ``heterographic``, ``homophonic``, ``homographic``, ``untyped`` or ``negative``.
        pun_word: the word that carries the pun, as it stands in ``text``; empty for negatives.
        pun_index: its 0-based place among ``words(text)``; -1 for negatives.
        alternatives: lemmas of the word that is also meant (heterographic, homophonic); any is right.
        meanings: the two meanings of a homographic pun; empty where none are annotated.
        pun_ipa: gold IPA of the pun word, without stress marks.
        alternative_ipa: gold IPA of the first alternative as it would be spoken in place of the pun word.
        swap_word: the first alternative inflected to stand in the pun word's place.
        transcript: what a recogniser or a person wrote down for the recording, where it was kept.
        speaker: who speaks, where the item comes with a recording.
        source: where the text comes from.
        licence: licence of this row.
        cluster_id: shared by variants of one item; the id where there are none.
        language: always ``en`` in this benchmark.
    """

    id: str
    text: str
    is_pun: bool
    type: PunType
    pun_word: str = ""
    pun_index: int = -1
    alternatives: tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    pun_ipa: str = ""
    alternative_ipa: str = ""
    swap_word: str = ""
    transcript: str = ""
    speaker: str = ""
    source: str = ""
    licence: str = ""
    cluster_id: str = ""
    language: str = "en"

    @property
    def cluster(self) -> str:
        """Bootstrap cluster."""
        return self.cluster_id or self.id

    @property
    def swapped_text(self) -> str:
        """The sentence with ``swap_word`` in the pun word's place; raises ``ValueError`` where there is none."""
        if not self.swap_word:
            raise ValueError(f"item {self.id} has no word to swap in")
        match = list(_WORD.finditer(self.text))[self.pun_index]
        start = match.start() + match.group().find(self.pun_word)
        return self.text[:start] + self.swap_word + self.text[start + len(self.pun_word) :]

    @property
    def commercial(self) -> bool:
        """Whether the row's licence allows commercial use; an unstated licence does not."""
        licence = self.licence.upper().replace("-", " ").split()
        return bool(licence) and "NC" not in licence and "NONCOMMERCIAL" not in licence

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; empty fields are left out."""
        return {name: value for name, value in asdict(self).items() if value not in ("", (), -1)}


_TEXT_FIELDS = frozenset(f.name for f in fields(PunItem)) - {"is_pun", "pun_index", "alternatives", "meanings"}
_DEFAULTS = {f.name: f.default for f in fields(PunItem) if f.default is not MISSING}


def item_from(record: Mapping[str, Any], file: str | Path, line: int) -> PunItem:
    """Build and validate an item from a row of JSON, or of a sheet (where every value is text).

    In a sheet, ``alternatives`` and ``meanings`` hold their parts separated by ``;``; ``is_pun`` may be
    left out where ``type`` says it. ``pun_index`` may be left out where the pun word occurs once; the
    last occurrence is taken only when it is named.

    Raises:
        DataError: a field is missing, of the wrong kind, or contradicts another; names file, line, field.
    """

    def refuse(problem: str, field: str, fix: str = "") -> DataError:
        return DataError(problem, file=file, line=line, field=field, fix=fix or None)

    values: dict[str, Any] = dict(_DEFAULTS)
    for name in _TEXT_FIELDS & set(record):
        value = record[name]
        if not isinstance(value, str):
            raise refuse(f"must be text, is {type(value).__name__}", name)
        values[name] = value.strip()
    for name in ("id", "text", "type"):
        if not values.get(name):
            raise refuse("is missing or empty", name)
    if not _ID.fullmatch(values["id"]):
        raise refuse(f"{values['id'][:40]!r} is not a usable id", "id", "Use letters, digits and . : + - _ only.")
    if len(values["text"]) > LONGEST_TEXT:
        raise refuse(f"is longer than {LONGEST_TEXT} characters", "text", "One sentence an item.")
    if values["type"] not in TYPES:
        raise refuse(f"{values['type']!r} is not a type", "type", f"One of {', '.join(TYPES)}.")
    if values["language"] != "en":
        raise refuse(f"is {values['language']!r}; APUN-Bench is English", "language")
    for name in ("alternatives", "meanings"):
        values[name] = _texts(record.get(name), name, refuse)
    values["is_pun"] = _truth(record.get("is_pun"), values["type"] != NEGATIVE, refuse)
    values["pun_index"] = _index(record.get("pun_index"), refuse)
    if values["is_pun"] != (values["type"] != NEGATIVE):
        raise refuse(f"contradicts type {values['type']!r}", "is_pun")
    if not values["is_pun"]:
        if values["pun_word"] or values["alternatives"] or values["meanings"]:
            raise refuse("a negative item has no pun word, alternative or meaning", "pun_word")
        values["pun_index"] = -1
        return PunItem(**values)
    values["pun_index"] = _locate(values, refuse)
    _check_type(values, refuse)
    return PunItem(**values)


def _locate(values: Mapping[str, Any], refuse: Any) -> int:
    if not values["pun_word"]:
        raise refuse("is missing or empty", "pun_word", "Name the word that carries the pun, as it stands in the text.")
    spoken = words(values["text"])
    places = [i for i, word in enumerate(spoken) if _holds(word, values["pun_word"])]
    if values["pun_index"] >= 0:
        if values["pun_index"] not in places:
            raise refuse(
                f"word {values['pun_index']} of the text is not {values['pun_word']!r}",
                "pun_index",
                f"Count words from 0; it stands at {', '.join(map(str, places)) or 'no place'}.",
            )
        return cast(int, values["pun_index"])
    if len(places) != 1:
        raise refuse(
            f"{values['pun_word']!r} occurs {len(places)} times in the text",
            "pun_word",
            "Spell it as in the text." if not places else "Say which in pun_index, counting words from 0.",
        )
    return places[0]


def _holds(word: str, pun_word: str) -> bool:
    """Whether a word of the text is the pun word, or a compound or clitic form that contains it."""
    word, pun_word = word.casefold().replace("’", "'"), pun_word.casefold().replace("’", "'")
    return word == pun_word or pun_word in re.split(r"['\-]", word)


def _check_type(values: Mapping[str, Any], refuse: Any) -> None:
    kind = values["type"]
    if kind in (HETEROGRAPHIC, HOMOPHONIC):
        if not values["alternatives"]:
            raise refuse(f"a {kind} pun needs at least one alternative word", "alternatives")
        if values["pun_word"].casefold() in {a.casefold() for a in values["alternatives"]}:
            raise refuse("the pun word itself is no alternative", "alternatives", f"Or is the pun {HOMOGRAPHIC}?")
        if values["pun_ipa"] and values["alternative_ipa"]:
            same = values["pun_ipa"] == values["alternative_ipa"]
            if same != (kind == HOMOPHONIC):
                raise refuse(
                    f"is {kind}, but /{values['pun_ipa']}/ and /{values['alternative_ipa']}/ "
                    f"{'sound the same' if same else 'differ'}",
                    "type",
                    "Types follow IPA: equal is homophonic, different is heterographic.",
                )
    elif kind == HOMOGRAPHIC and len(values["meanings"]) not in (0, 2):
        raise refuse(f"has {len(values['meanings'])} meanings; a homographic pun has two", "meanings")
    elif kind == HOMOGRAPHIC and len(set(values["meanings"])) == 1:
        raise refuse("the two meanings are the same", "meanings")


def _texts(value: Any, name: str, refuse: Any) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    parts = value.split(";") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise refuse("must be a list of texts", name, "In a sheet, separate them by ';'.")
    return tuple(part.strip() for part in parts if part.strip())


def _truth(value: Any, default: bool, refuse: Any) -> bool:
    if value is None or value == "":
        return default
    if isinstance(value, bool):
        return value
    text = str(value).strip().casefold()
    if text in ("true", "yes", "1", "pun"):
        return True
    if text in ("false", "no", "0", "non-pun"):
        return False
    raise refuse(f"{str(value)[:40]!r} is neither true nor false", "is_pun")


def _index(value: Any, refuse: Any) -> int:
    if value is None or value == "":
        return -1
    if isinstance(value, bool) or not re.fullmatch(r"\d{1,4}", str(value).strip()):
        raise refuse(f"must be a whole number from 0, is {str(value)[:40]!r}", "pun_index")
    return int(value)


def load_items(path: str | Path) -> list[PunItem]:
    """Read items from ``.jsonl``, ``.csv``, ``.tsv`` or ``.xlsx``.

    Raises:
        DataError: the file is missing or malformed, or an id stands twice; names file, line and field.
    """
    path = Path(path)
    if path.suffix == ".jsonl":
        from apun.splits import read_rows

        if not path.is_file():
            raise DataError("no such file of items", file=path)
        numbered: Iterable[tuple[int, Mapping[str, Any]]] = read_rows(path)
    else:
        from apun.sheets import read_sheet

        numbered = [(row.line, row.values) for row in read_sheet(path, ("id", "text", "type"))]
    items = [item_from(record, path, line) for line, record in numbered if not _is_blank(record)]
    return unique(items, path)


def unique(items: Sequence[PunItem], path: str | Path) -> list[PunItem]:
    """The items, none of whose ids may stand twice (``DataError``)."""
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise DataError(f"the id {item.id!r} stands twice", file=path, field="id", fix="Ids must be unique.")
        seen.add(item.id)
    if not items:
        raise DataError("holds no items", file=path)
    return list(items)


def _is_blank(record: Mapping[str, Any]) -> bool:
    return not any(value not in ("", None) for value in record.values())
