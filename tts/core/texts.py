"""A user's own texts as utterances: a sheet of JSON lines or CSV."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apun.errors import DataError
from apun.phonetics import LANGUAGES
from apun.prompts import MAIN
from apun.speech import Utterance
from apun.splits import read_rows

READINGS = ("ipa", "pinyin", "kana")


def read_texts(sheet: Path) -> list[Utterance]:
    """Utterances of a sheet.

    A row has ``id`` (or ``item_id``) and ``text``; ``language`` (``en`` when absent), ``part``, a forced
    reading in ``ipa``, ``pinyin`` or ``kana``, and ``pun_word`` or ``key_words`` (separated by ``;``) where the
    gate should listen for words. A row with a reading must be rendered with it.

    Raises:
        DataError: a row lacks a field or holds a wrong one; names file, line and field.
    """
    found: dict[tuple[str, str], Utterance] = {}
    for line, row in read_rows(sheet):
        utterance = _utterance(row, sheet, line)
        key = (utterance.item, utterance.part)
        if key in found:
            raise DataError(
                f"item {key[0]!r}, part {key[1]!r} is given twice", file=sheet, line=line, fix="Give each its own id."
            )
        found[key] = utterance
    if not found:
        raise DataError("holds no rows", file=sheet)
    return list(found.values())


def _utterance(row: Mapping[str, Any], sheet: Path, line: int) -> Utterance:
    def text(name: str, default: str = "") -> str:
        value = row.get(name, default)
        if value is None:
            return default
        if not isinstance(value, str):
            raise DataError(f"must be text, is {value!r}", file=sheet, line=line, field=name)
        return value.strip()

    item = text("item_id") or text("id")
    if not item:
        raise DataError("is missing", file=sheet, line=line, field="id", fix="Give each text an id.")
    if not text("text"):
        raise DataError("is missing or empty", file=sheet, line=line, field="text")
    language = text("language") or "en"
    if language not in LANGUAGES:
        raise DataError(f"is {language!r}", file=sheet, line=line, field="language", fix=f"Use {', '.join(LANGUAGES)}.")
    reading = {form: text(form) for form in READINGS if text(form)}
    words = tuple(word.strip() for word in (text("key_words") or text("pun_word")).split(";") if word.strip())
    return Utterance(item, text("text"), language, text("part") or MAIN, reading, bool(reading), words)
