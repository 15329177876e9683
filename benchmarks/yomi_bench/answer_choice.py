"""Reading a reply that chooses an option, says yes or no, or offers a word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apun.phonetics.japanese import normalise
from benchmarks.yomi_bench.answers import (
    KANA,
    KANJI,
    LIST,
    Parsed,
    after_mark,
    agree,
    bare,
    clean,
    concluded,
    first_line,
    first_sentence,
    last_line,
    quoted,
    refuses,
    word_in,
)
from benchmarks.yomi_bench.items import LETTERS

_DENIAL = (
    r"(?![)」』】\]>*\s]*(?:では?な[くい]|じゃな[くい]|では?ありません|は(?:違|不正解|誤)|を選(?:ば|びませ)"
    r"|is (?:not|wrong|incorrect)))"
)
_MARKED_LETTER = re.compile(
    r"(?<!not )(?:\(([A-D])\)|[「『【\[<*]([A-D])[」』】\]>*]"
    r"|(?:選択肢|候補|option|choice|answer is|answer:)\s*\(?([A-D])(?![A-Za-z]))[」』】\]>*]*" + _DENIAL,
    re.IGNORECASE,
)
_BARE_LETTER = re.compile(
    rf"(?<![A-Za-z'])([A-D])(?![A-Za-z'])(?=\s*(?:$|[\n).:。、,]|です|が|は|を|[{KANJI}{KANA}]|is (?:correct|right)))"
    + _DENIAL
)
_DENIED_OPTION = re.compile(
    rf"\b(?:not|isn['’]t|rather than|instead of)\s+(?:option\s+)?(?:[(「『\"“*]*[A-D](?![A-Za-z])|[{KANJI}{KANA}]+)"
)
_OPTION_LINE = re.compile(r"\(?([A-D])[).:、,\s]")


def parse_choice(text: str, *options: Sequence[str]) -> Parsed[int]:
    """The index of the option a reply chooses, by its letter or by its words.

    Args:
        text: the reply.
        options: the four options, in one or more spellings (as written, in kana).

    Returns:
        The index; else the cause: ``empty``, ``refusal``, ``several`` (letter and word may disagree), ``no_answer``.
    """
    text = clean(text)
    if not text:
        return Parsed(None, "empty")
    lines = [bare(line) for line in text.split("\n") if bare(line)]
    if len({line.upper() for line in lines}) > 1 and all(re.fullmatch(r"\(?[A-Da-d]\)?", line) for line in lines):
        return Parsed(None, "several")
    text = _DENIED_OPTION.sub(" ", text)
    for alone in (bare(text), bare(first_line(text))):
        if re.fullmatch(r"\(?([A-Da-d])\)?", alone):
            said = LETTERS.index(alone.strip("()").upper())
            later = _letters(after_mark(text) or "")
            return Parsed(None, "several") if len(later) == 1 and said not in later else Parsed(said)
    spellings = [[clean(option) for option in spelling] for spelling in options]
    marked = after_mark(text)
    # The last of the options said over again is no choice of it.
    listed = len({m[1] for line in lines if (m := _OPTION_LINE.match(line))}) > 2
    last = None if listed and _OPTION_LINE.match(bare(last_line(text))) else last_line(text)
    for piece in (marked, concluded(text), last, None if listed else first_sentence(text), text):
        if piece is None:
            continue
        chosen = _letters(piece) | _named(piece, spellings)
        if len(chosen) == 1:
            return Parsed(chosen.pop())
        if chosen and piece is marked:
            return Parsed(None, "several")
    chosen = _letters(text) | _named(text, spellings)
    if chosen:
        return Parsed(None, "several")
    return Parsed(None, "refusal" if refuses(text) else "no_answer")


def _letters(piece: str) -> set[int]:
    marked = {next(g for g in m.groups() if g).upper() for m in _MARKED_LETTER.finditer(piece)}
    found = marked or {m[1] for m in _BARE_LETTER.finditer(piece)}
    if not found and re.fullmatch(r"[A-Da-d]", bare(piece)):
        found = {bare(piece).upper()}
    return {LETTERS.index(letter) for letter in found}


def _named(piece: str, spellings: Sequence[Sequence[str]]) -> set[int]:
    """Options named in full: quoted or alone; one written with kanji also inside a sentence."""
    pieces = {bare(re.sub(r"^\(?[A-D][).:]\s*", "", p)) for p in (piece, *quoted(piece))}
    pieces |= {re.sub(r"(?:です|になります|だと思います)$", "", p) for p in pieces}
    pieces |= {bare(p) for q in tuple(pieces) for p in re.split(r"[()]", q) if p}
    plain = {normalise(p) for p in pieces}
    found: set[int] = set()
    for spelling in spellings:
        for index, option in enumerate(spelling):
            if normalise(option) in plain:
                found.add(index)
            elif re.search(rf"[{KANJI}]", option):
                pattern = rf"(?<![{KANJI}]){re.escape(option)}(?![{KANJI}]){_DENIAL}"
                if re.search(pattern, piece):
                    found.add(index)
    return found


_YES_WORD = r"yes|はい|ええ|うん|イエス|○|〇|true|correct"
_NO_WORD = r"no(?!w|t\b)|いいえ|いえ|いや|ノー|×|✗|false|incorrect"
_NO = re.compile(
    r"正しくな|正しくありませ|正しいとは(?:言|い)え|不正解|誤り|誤って|間違(?!い(?:あり|な))|違い(?!あり|な)|違う|異な|ちが[いう]|不適切|適切ではな|適切ではあ"
    r"|合っていませ|合っていな|(?:では|じゃ)(?:ない|ありませ)|読みませ|読まな"
    r"|\b(?:is|are) not\b|\bisn['’]t\b|\bincorrect\b|\bwrong\b|\bnot (?:correct|right)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"正しい(?!読み|とは|かど|か(?:は|を|、|。|$)|のは|答え)|正解です|その通り|そのとおり|合っています|適切です|と読みます|間違い(?:あり|な)"
    r"|\b(?:is|that['’]s) (?:correct|right)\b",
    re.IGNORECASE,
)


def parse_yes_no(text: str) -> Parsed[bool]:
    """Whether a reply says yes.

    The word after the last "答えは" counts, else the first word, else what the sentence says.
    "いいえ、正しい読みは…" is no; "はい、違います" is neither.

    Returns:
        True or False; else the cause: ``empty``, ``refusal``, ``several``, ``no_answer``.
    """
    text = clean(text)
    if not text:
        return Parsed(None, "empty")
    text = re.sub(
        r"yes\s*(?:or|/|か|または|・)\s*no|はい\s*(?:か|または|/|・)\s*いいえ", " ", text, flags=re.IGNORECASE
    ).strip()
    marked = after_mark(text)
    said_alone = {
        bool(re.fullmatch(_YES_WORD, line, re.IGNORECASE))
        for line in (bare(line) for line in text.split("\n"))
        if re.fullmatch(rf"(?:{_YES_WORD}|{_NO_WORD})", line, re.IGNORECASE)
    }
    if len(said_alone) > 1:
        return Parsed(None, "several")
    alone = (
        first_line(text)
        if re.fullmatch(rf"(?:{_YES_WORD}|{_NO_WORD})", bare(first_line(text)), re.IGNORECASE)
        else None
    )
    for piece in (alone, marked, text):
        if piece and (found := _leading(piece)):
            return found
    last = last_line(text)
    if last != text and (found := _leading(last)):
        return found
    said = {bare(p).lower() for p in quoted(text)}
    said |= {word.lower() for word in re.findall(r"(?<![A-Za-z])(?:yes|no)(?![A-Za-z])", text, re.IGNORECASE)}
    yes = bool(_YES.search(text)) or any(re.fullmatch(_YES_WORD, p) for p in said)
    no = bool(_NO.search(text)) or any(re.fullmatch(_NO_WORD, p) for p in said)
    if yes != no:
        return Parsed(yes)
    return Parsed(None, "several" if yes else "refusal" if refuses(text) else "no_answer")


def _leading(piece: str) -> Parsed[bool] | None:
    piece = piece.lstrip(" \"'“「『*【(<`_-")
    match = re.match(rf"(?:(?P<yes>{_YES_WORD})|(?P<no>{_NO_WORD}))(?![a-z])", piece, re.IGNORECASE)
    if not match:
        return None
    rest = first_sentence(piece[match.end() :].lstrip(" \"'”」』*】)>`_。.,、!\n"))
    other = re.match(rf"(?:/|・|,)?\s*(?:{_NO_WORD if match['yes'] else _YES_WORD})(?![a-z])", rest, re.IGNORECASE)
    contradicts = (
        _NO.search(rest) and not _YES.search(rest) if match["yes"] else re.fullmatch(r"正しいです|その通りです", rest)
    )
    if other or contradicts:
        return Parsed(None, "several")
    return Parsed(bool(match["yes"]))


def parse_word(text: str, query: str) -> Parsed[tuple[str, ...]]:
    """The word a reply offers as a rhyme, in kana.

    The query may be named beside it; where it is all that is named, it is the answer. A word given in
    kanji only is ``not_kana``.

    Args:
        text: the reply.
        query: the word to rhyme with, in kana.

    Returns:
        Kana spellings of the one word; else the cause: ``empty``, ``refusal``, ``several``, ``not_kana``
        or ``no_answer``.
    """
    text = clean(text)
    if not text:
        return Parsed(None, "empty")
    whole = word_in(text)
    if whole and not refuses(text):
        return Parsed(whole)
    line = first_line(text)
    parts = re.split(r"→|->|=|:", line)
    if len(parts) == 2 and (found := _one_word([parts[1]], query)).value and normalise(query) not in found.value:
        return found
    listed = [word_in(re.sub(r"^\d+[.)]\s*", "", part)) for part in re.split(r"\n", text) if part.strip()]
    if len(listed) == 1:
        listed = [word_in(part) for part in LIST.split(bare(text))]
    if len(listed) > 1 and all(listed):
        return agree(listed)
    marked = after_mark(text)
    emphasised = re.findall(r"\*\*([^*\n]{1,60})\*\*", text)
    for pieces in (emphasised, [marked, first_sentence(marked)] if marked else [], quoted(text)):
        found = _one_word(pieces, query)
        if found.value or found.cause == "several":
            return found
    if not refuses(text):
        for piece in (first_sentence(text), last_line(text)):
            if word := word_in(piece):
                return Parsed(word)
        glossed = re.findall(
            rf"[{KANJI}][{KANJI}{KANA}]*\([{KANA}]+\)|[{KANA}]+\([{KANJI}{KANA}]*[{KANJI}][{KANJI}{KANA}]*\)", text
        )
        found = _one_word(glossed, query)
        if found.value or found.cause == "several":
            return found
    if refuses(text):
        return Parsed(None, "refusal")
    pieces = [bare(piece) for piece in (*emphasised, marked or "", *quoted(text), text)]
    kanji = any(re.fullmatch(rf"[{KANJI}{KANA}]*[{KANJI}][{KANJI}{KANA}]*", p) and len(p) <= 8 for p in pieces)
    return Parsed(None, "not_kana" if kanji else "no_answer")


def _one_word(pieces: Sequence[str], query: str) -> Parsed[tuple[str, ...]]:
    words = [word_in(piece) for piece in pieces]
    others = [word for word in words if word and normalise(query) not in word]
    if others:
        return agree(others)
    return agree([word for word in words if word])
