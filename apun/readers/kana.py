"""Kana that a short piece of a reply stands for: as they are, as romaji, or beside their kanji."""

from __future__ import annotations

import re

from apun.phonetics.japanese import from_romaji, is_kana, normalise
from apun.readers import rules
from apun.readers.text import bare

KANA = "ぁ-ゖァ-ヺーゝゞヽヾ"
KANJI = "㐀-鿿𠀀-𪛟々〆"
_LONGEST = 80
_SIDE = re.compile(rf"([{KANA}]+)\s*[/,、-]?\s*([a-zāīūēōâîûêô'’-]+)", re.IGNORECASE)
_NOTED = re.compile(r"([^()]+?)\s*\(\s*([^()]+?)\s*\)")
_IN_QUOTES = re.compile(
    r"[「『\"“*]+([^「」『』\"“”*]+)[」』\"”*]+(?:です|だ|になります|となります|と(?:読|よ)みます)?[。.!]?"
)
_POLITE = re.compile(
    r"(?:と(?:読|よ)(?:みます|む|みました)?|です(?:ね|よ)?|でしょう|になります|となります|と(?:い|言)います)$"
)


def without_politeness(kana: str) -> str:
    """Kana without a trailing です or と読みます."""
    return _POLITE.sub("", kana) or kana


def word_in(piece: str) -> tuple[str, ...]:
    """The kana a short piece stands for: kana as they are, or romaji; empty when it is neither or several words.

    Kana followed by its romaji, by its kanji in brackets, or by one in brackets of the other (``はつめい(発明)``,
    ``発明(はつめい)``, ``かく / kaku``) is one word. Romaji may stand for several kana spellings.
    """
    if len(piece) > _LONGEST:
        return ()
    inner = _IN_QUOTES.fullmatch(piece.strip())
    piece = without_politeness(bare(inner[1] if inner else piece))
    if is_kana(piece):
        return (normalise(piece),)
    side = _SIDE.fullmatch(piece)
    if side:
        return (normalise(side[1]),) if normalise(side[1]) in romaji(side[2]) else ()
    noted = _NOTED.fullmatch(piece)
    return _with_note(bare(noted[1]), bare(noted[2])) if noted else romaji(piece)


def _with_note(head: str, note: str) -> tuple[str, ...]:
    spelled = romaji(note)
    if is_kana(head):
        # a gloss in another script confirms; another reading in the brackets would be a second answer
        second = is_kana(note) or (spelled and normalise(head) not in spelled)
        return () if second else (normalise(head),)
    if is_kana(note) and re.fullmatch(rf"[{KANJI}{KANA}]+", head):
        return (normalise(note),)
    return romaji(head) if is_kana(note) and normalise(note) in romaji(head) else ()


def romaji(piece: str) -> tuple[str, ...]:
    """Kana of a single romaji word that is no common English word."""
    piece = piece.strip(" .,!?\"'")
    if not piece or " " in piece or rules.pattern("{english}").fullmatch(piece):
        return ()
    return from_romaji(piece)
