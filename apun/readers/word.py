"""The one word a reply names, of an English sentence or a Chinese one, and the characters that a reply lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from apun.phonetics.mandarin import is_han
from apun.readers import denials, rules, text
from apun.readers.one import Parsed, one, only

_FEW = 8  # quoted words that are compared with each other
_WORDS = 3  # a phrase of more is a sentence
_ENDING = re.compile(r"(?<=\w)\((e?s|ed|ing)\)")
_MARK = re.compile(r"[:=|{}<>*\[\]\"“”「」『』。、]")
_CLAUSE = re.compile(r"[,;:(]|\.\s|\s[-–—]\s|\s(?:which|because|as|since|and)\s")
_CHINESE_CLAUSE = re.compile(r"[。,;!(\n]")
_PRONOUN = re.compile(r"\W*(?:it|this|that|which)\W*", re.IGNORECASE)
_ENGLISH = re.compile(r"[a-z]{2} [a-z]{2}", re.IGNORECASE)
_GLOSS = re.compile(r"\([^()]*\)")


def word(reply: str, asked: Literal["pun", "other"] = "pun", given: str = "") -> Parsed[str]:
    """The one word or short phrase a reply names.

    Accepted: a reply of at most three words; what follows "Answer:" or "the pun word is", up to the end of the clause;
    the only quoted or bold word of a longer reply; a last line of at most three words. Of two words that are said to
    sound alike, the first carries the pun and the second is the other one.

    Args:
        reply: what the model wrote.
        asked: the word that carries the pun, or the other one that is meant.
        given: a word that the question named; it may stand beside the answer.
    """

    def side(piece: str) -> str:
        """What stands on the side of "sounds like" that was asked for."""
        sides = rules.pattern("{alike}").split(piece, maxsplit=1)
        if asked == "other":
            named_given = len(sides) > 1 and text.bare(sides[-1]).casefold() == given.casefold()
            return _CLAUSE.split(sides[0])[0] if named_given else sides[-1]
        return piece if _PRONOUN.fullmatch(sides[0]) else sides[0]

    def without_given(found: Sequence[str]) -> list[tuple[str]]:
        others = [said for said in found if said.casefold() != given.casefold()]
        return [(said,) for said in others or found]

    def alone(piece: str) -> list[tuple[str]]:
        if "\n" in piece:
            return []
        parts = rules.pattern(r"[,;/()]|\s{either}\s").split(_ENDING.sub(r"\1", side(piece)))
        parts = [bare for part in parts if (bare := text.bare(part))]
        return without_given(parts) if all(map(_short, parts)) else []

    def named(piece: str) -> list[tuple[str]]:
        quotes = list(dict.fromkeys(text.quoted(side(piece)) or text.quoted(piece)))
        # “psalms” in “sweaty psalms”: the longer one only says where
        own = [quote for quote in quotes if not any(_holds(quote, other) for other in quotes[:_FEW])]
        return without_given([quote for quote in own if len(quote.split()) <= _WORDS])

    answer = text.clean(reply, asked).text
    label = f"{asked}_word"
    return only(one(answer, alone, named, label=label, clause=lambda rest: _CLAUSE.split(rest)[0]))


def _short(bare: str) -> bool:
    """Whether a piece is a word or a short phrase, and says neither that there is none nor what it is not."""
    size = len(re.split(r"[\s-]+", bare))
    if size > _WORDS or _MARK.search(bare) or rules.pattern("{nothing}").fullmatch(bare):
        return False
    return (size == 1 and bare.isascii()) or not (denials.refuses(bare) or denials.denies(bare))


def _holds(longer: str, shorter: str) -> bool:
    words = longer.casefold().split()
    return len(words) > 1 and shorter.casefold() in words


def chinese_word(reply: str, length: int | None = None) -> Parsed[str]:
    """The Chinese word a reply names, without its punctuation; of ``length`` characters when it stands in prose."""
    cleaned = text.clean(reply, "chinese")
    wanted = None if cleaned.key else length
    answer = cleaned.text if cleaned.entries else cleaned.text.replace("\n", "" if cleaned.key else "\n")

    def alone(piece: str) -> list[tuple[str]]:
        bare = _GLOSS.sub("", text.bare(piece))
        found = "" if denials.refuses(piece) or re.search(r"[;:。\n]", bare) else only_chinese(bare)
        # a comma is the word's own (日出而作，日落而息) in a field, which holds nothing else, or where the length fits
        apart = "," in bare and not (cleaned.key or wanted)
        return [(found,)] if found and not apart and wanted in (None, len(found)) else []

    def named(piece: str) -> list[tuple[str]]:
        quotes = [found for quote in text.quoted(piece) for found in alone(quote)]
        if quotes or not _ENGLISH.search(piece):
            return quotes
        runs = re.finditer("[\u3400-\u9fff]{2,}", piece)  # in an English sentence the Chinese stands out
        return [found for run in runs if not denials.dismissed(piece, *run.span()) for found in alone(run[0])]

    return only(
        one(
            answer,
            alone,
            named,
            label="idiom_word",
            clause=lambda rest: _CHINESE_CLAUSE.split(rest.lstrip(text.EDGES))[0],
        )
    )


def only_chinese(piece: str) -> str:
    """The Chinese characters of a text that holds nothing else but punctuation; empty when it does."""
    if any(char.isalnum() and not is_han(char) for char in piece):
        return ""
    return "".join(filter(is_han, piece))


_NOTE = re.compile(r"\([^()]*\)|(?<=[\u3400-\u9fff])\s*[a-zāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü]{1,7}[1-5]?\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,、;/|\"'“”‘’。.]+")


def characters(reply: str) -> Parsed[list[str]]:
    """The characters listed, in order, without numbers and pinyin beside them.

    The entries of a field in JSON are kept as they are; elsewhere every entry must be one character.
    """
    cleaned = text.clean(reply, "chars")
    if not cleaned.text:
        return Parsed(None, "empty")
    if cleaned.key:
        entries = list(cleaned.entries or _split(cleaned.text))
        # characters run together are an entry each
        together = len(entries) == 1 and all(map(is_han, entries[0]))
        return Parsed(list(entries[0]) if together else entries) if entries else Parsed(None, "no_answer")
    for piece in (" ".join(text.lines(cleaned.text)), *text.announced(cleaned.text)):
        entries = _split(_NOTE.sub(" ", piece))
        if entries and all(len(entry) == 1 and is_han(entry) for entry in entries):
            return Parsed(entries)
    return Parsed(None, "refusal" if denials.refuses(cleaned.text) else "no_answer")


def _split(piece: str) -> list[str]:
    """Entries of a list that was written as text."""
    return [entry for entry in _BETWEEN.split(text.bare(piece)) if entry]
