"""Reading a reply that gives the reading of a kanji."""

from __future__ import annotations

import re

from apun.phonetics.japanese import is_kana, normalise
from benchmarks.yomi_bench.answers import (
    KANA,
    KANJI,
    LIST,
    Parsed,
    after_mark,
    agree,
    bare,
    clean,
    first_line,
    first_sentence,
    last_line,
    quoted,
    refuses,
    without_politeness,
    word_in,
)

Reading = Parsed[tuple[str, ...]]
_READ_AS = re.compile(
    r"(?:(?:is |are )?(?:read|pronounced)\b(?: here| in this word)?(?: as)?|reading(?: of [^.:\n]{1,60}?)?(?: is|:)"
    r"|pronunciation(?: of [^.:\n]{1,60}?)?(?: is|:))\s*[\"'“‘「*(]*([^\s\"'”’」*().,。、]+)",
    re.IGNORECASE,
)
_IT_IS = re.compile(rf"\bit(?:['’]s| is)\s+[\"“「]?([{KANA}]+)", re.IGNORECASE)
_YOMI = re.compile(
    rf"(?:読み(?:方|仮名|がな)?|(?:よみ|ヨミ)(?:かた|がな)?|ふりがな|振り仮名)(?:は|:|=|→)\s*[「『\"*]*([{KANA}]+)"
)
_TO_YOMU = re.compile(rf"([{KANA}]+?)[」』\"*]*\s*と(?:読|発音|よみ)")


def parse_reading(text: str, kanji: str, word: str, okurigana: str = "") -> Reading:
    """The reading a reply gives.

    In order: a reply that is nothing else; what follows the last "答えは"; the first or last sentence when it
    is nothing else; what is said of this very kanji; what is quoted or said to be read. Romaji may stand
    for several kana spellings, which are all returned.

    Args:
        text: the reply.
        kanji: the kanji asked for.
        word: the word it stands in.
        okurigana: kana that follow the kanji there; ``おぼ(える)`` is read as ``おぼ``.

    Returns:
        The kana spellings of the one reading given; else the cause: ``empty``, ``refusal``, ``several``, ``no_answer``.
    """
    text = re.sub(r"^(?:はい|ええ)[、,。]\s*", "", clean(text))
    if not text:
        return Parsed(None, "empty")
    lines = [re.sub(r"^(?:\d+[.)]|[-*・])\s*", "", line.strip()) for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and all(listed := [word_in(line) for line in lines]):
        return agree(listed)
    for piece in (text, first_line(text)):
        if found := _alone(piece, okurigana):
            return found
    marked = after_mark(text)
    if marked is not None:
        for piece in (marked, first_sentence(marked)):
            if found := _alone(piece, okurigana):
                return found
        found = _said(marked, kanji, word)
        if found.value or found.cause == "several":
            return found
    if not (refuses(text) and not quoted(text)):
        for piece in (first_sentence(text), last_line(text)):
            if found := _alone(piece, okurigana):
                return found
        found = _said(text, kanji, word)
        if found.value or found.cause == "several":
            return found
    return Parsed(None, "refusal" if refuses(text) else "no_answer")


def _alone(piece: str, okurigana: str) -> Reading | None:
    """A piece that is a reading and nothing else, or a bare list of them."""
    piece = re.sub(r"^(?:\d+[.)]|[-*・])\s*", "", piece.strip())
    if refuses(piece):
        return None
    match = re.fullmatch(rf"([{KANA}]+)[.・-]?\(([{KANA}]+)\)", bare(piece)) or re.fullmatch(
        rf"([{KANA}]+)[.・-]([{KANA}]+)", bare(piece)
    )
    if match and okurigana and okurigana.startswith(normalise(match[2])):
        return Parsed((normalise(match[1]),))
    if one := word_in(piece):
        return Parsed(one)
    parts = [word_in(part) for part in LIST.split(bare(piece))]
    if len(parts) > 1 and all(parts):
        return agree(parts)
    return None


def _said(text: str, kanji: str, word: str) -> Reading:
    """What a sentence says of the kanji, else of anything."""
    own = [word_in(piece) for piece in _of_kanji(text, kanji)]
    found = agree(own)
    if found.value or found.cause == "several":
        return found
    pieces = [piece for piece in quoted(text) if not re.search(rf"[{KANJI}]", re.sub(r"\(.*", "", piece))]
    candidates = [word_in(piece) for piece in pieces]
    kana = [c for c, piece in zip(candidates, pieces, strict=True) if is_kana(re.sub(r"\s*\(.*", "", piece))]
    found = agree(kana or candidates)
    if found.value or found.cause == "several":
        return found
    said = [without_politeness(m[1]) for pattern in (_YOMI, _TO_YOMU) for m in pattern.finditer(text)]
    said += [m[1] for pattern in (_READ_AS, _IT_IS) for m in pattern.finditer(text)]
    found = agree([word_in(piece) for piece in said if piece != word])
    if found.value or found.cause == "several":
        return found
    glossed = re.findall(rf"[{KANJI}][{KANJI}{KANA}]*\(([{KANA}]+)\)", text)
    return agree([(normalise(kana),) for kana in glossed])


def _of_kanji(text: str, kanji: str) -> list[str]:
    """Kana that the text ties to the kanji itself: 「覚」は「かく」, 覚(かく), 覚=かく, 覚の読みは「かく」."""
    lead = rf"(?<![{KANJI}]){re.escape(kanji)}[」』\"'”’*]*"
    tie = r"\s*(?:という(?:漢)?字)?(?:の(?:読み(?:方)?|部分))?\s*(?:は|が|を|:|=|→|-|,|、|is|\()+"
    tie += r"[^「『\"*\n。]{0,14}?[「『\"'“‘*]*"
    value = rf"([{KANA}]{{1,12}}|[a-zāīūēōâîûêô']{{1,20}})(?=[」』\"'”’*)。\n\s]|です|と読|$)"
    found = [m[1] for m in re.finditer(lead + tie + value, text)]
    inside = re.findall(rf"{re.escape(kanji)}\(([{KANA}]+)\)", text)
    return [without_politeness(piece) for piece in [*found, *inside]]
