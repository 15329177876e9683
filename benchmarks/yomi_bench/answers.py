"""Reading replies: what all readers share. Never a guess: None, with the cause, when a reply cannot be told.

Models wrap an answer in quotes, asterisks or brackets, add its romaji or kanji, put a sentence around it, explain
before or after it. Each reader accepts what a careful person would take as one answer.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Generic, TypeVar

from apun.phonetics.japanese import from_romaji, is_kana, normalise

T = TypeVar("T")
LONGEST = 4_000  # of a longer reply the end is read: the answer comes last
KANA = "ぁ-ゖァ-ヺーゝゞヽヾ"
KANJI = "㐀-鿿𠀀-𪛟々〆"

_QUOTES = (
    r"「([^「」\n]{1,60})」|『([^『』\n]{1,60})』|\*{1,3}([^*\n]{1,60}?)\*{1,3}|【([^【】\n]{1,60})】"
    r"|[\"“”]([^\"“”\n]{1,60})[\"“”]|(?<!\w)['‘]([^'‘’\n]{1,60})['’](?!\w)|`([^`\n]{1,60})`|<([^<>\n]{1,60})>"
)
QUOTED = re.compile(_QUOTES)
MARK = re.compile(
    r"(?:最終(?:的な)?(?:答え|回答)|答え|こたえ|回答|解答|正解|final answer|(?:the )?(?:correct )?answer)"
    r"\s*(?:is|は|:|=|→)+\s*",
    re.IGNORECASE,
)
CONCLUSION = re.compile(r"(?:よって|したがって|従って|ゆえに|therefore|thus|hence)[、,\s]*", re.IGNORECASE)
_WRAPPED = re.compile(
    r"\\boxed\{(?:\\text\{)?([^{}\n]{1,60})\}{1,2}|<answer>\s*([^<>\n]{1,60}?)\s*</answer>", re.IGNORECASE
)
_NEXT_QUESTION = re.compile(r"\n\s*(?:質問|問い|問題|question|q)\s*\d*\s*:", re.IGNORECASE)
_DENIED = re.compile(r"\s*(?:では?な[くい]|じゃな[くい]|では?ありません|でなく|とは読み?ま?せん|とは読まない)")
_DENIED_BEFORE = re.compile(
    r"\b(?:not|isn['’]t|never|rather than|instead of)\s+(?:as\s+|read\s+|pronounced\s+)*$", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"(?:分か|わか)り?ま?せん|(?:分か|わか)らない|お?答え(?:でき|することはでき)ませ?|回答(?:でき|を控え)"
    r"|(?:判断|判定)できませ|不明です|無理です|申し訳|すみません|存じま?せん|聞き取れ"
    r"|I (?:do not|don['’]t|cannot|can['’]t|am unable|am sorry)|I['’]m (?:not sure|unable|sorry)"
    r"|\b(?:cannot|can['’]t|unable to) (?:answer|help|determine|hear|assist|say)"
    r"|\bas an ai\b|\bsorry\b|\bno idea\b|\bnot sure\b",
    re.IGNORECASE,
)
LIST = re.compile(r"\s*(?:[、,・/|;]|または|もしくは|あるいは|\bor\b|\band\b|(?<=[ぁ-ゖ])か(?=\s))\s*", re.IGNORECASE)
_EDGE = " \t\u3000。．.,、!！?？:：;；\"'“”‘’「」『』【】[]<>〈〉《》*_`~#-→=＝・"
_IN_QUOTES = re.compile(
    r"[「『\"“*]+([^「」『』\"“”*]+)[」』\"”*]+(?:です|だ|になります|となります|と(?:読|よ)みます)?[。.!]?"
)
_POLITE = re.compile(
    r"(?:と(?:読|よ)(?:みます|む|みました)?|です(?:ね|よ)?|でしょう|になります|となります|と(?:い|言)います)$"
)


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """An answer as read, or why there is none.

    Attributes:
        value: the answer; None when it cannot be told.
        cause: empty when there is a value; else ``empty``, ``refusal``, ``several``, ``no_answer`` or ``not_kana``.
    """

    value: T | None
    cause: str = ""


def clean(text: str) -> str:
    """A reply for reading: composed, full-width Latin made plain, the end of a very long one.

    A base model goes on with a question of its own after its answer; that is cut off.
    """
    text = text[-LONGEST:].replace("゛", "\u3099").replace("゜", "\u309a")
    text = unicodedata.normalize("NFKC", text).replace("\r", "\n").strip()
    text = _WRAPPED.sub(lambda match: f"「{match[1] or match[2]}」", text)
    return _NEXT_QUESTION.split(text, maxsplit=1)[0].strip()


def refuses(text: str) -> bool:
    """Whether a reply says that it cannot or will not answer."""
    return bool(_REFUSAL.search(text))


def bare(text: str) -> str:
    """A piece of text without quotes, emphasis, punctuation and brackets at its ends."""
    text = text.strip(_EDGE)
    while len(text) > 1 and text[0] == "(" and text[-1] == ")" and "(" not in text[1:]:
        text = text[1:-1].strip(_EDGE)
    return text


def quoted(text: str) -> list[str]:
    """What stands in quotes, brackets or emphasis, in order, without what the reply says it is not."""
    found = []
    for match in QUOTED.finditer(text):
        if _DENIED.match(text, match.end()) or _DENIED_BEFORE.search(text[: match.start()]):
            continue
        found.append(bare(next(group for group in match.groups() if group is not None)))
    return [piece for piece in found if piece]


def after_mark(text: str) -> str | None:
    """What follows the last "答えは", "Answer:" or its like, to the end of its line or the next one that holds text."""
    marks = list(MARK.finditer(text))
    if not marks:
        return None
    rest = text[marks[-1].end() :].strip()
    return rest.split("\n")[0].strip() if rest else None


def concluded(text: str) -> str | None:
    """What follows the last "よって", "therefore" or their like, to the end of its line."""
    pieces = CONCLUSION.split(text)
    return pieces[-1].split("\n")[0].strip() or None if len(pieces) > 1 else None


def first_line(text: str) -> str:
    """The first line, unless it is the first of a numbered list."""
    line = text.split("\n", 1)[0].strip()
    return "" if re.match(r"1[.)]", line) else line


def first_sentence(text: str) -> str:
    """The first line up to its full stop."""
    return re.split(r"[。\n]|\.\s", text, maxsplit=1)[0].strip()


def last_line(text: str) -> str:
    """The last line that holds text."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return lines[-1] if lines else ""


def without_politeness(kana: str) -> str:
    """Kana without a trailing です or と読みます."""
    rest = _POLITE.sub("", kana)
    return rest or kana


def word_in(piece: str) -> tuple[str, ...]:
    """The kana a short piece stands for: kana as they are, or romaji; empty when it is neither or several words.

    Kana followed by its romaji, by its kanji in brackets, or by one in brackets of the other (``はつめい(発明)``,
    ``発明(はつめい)``, ``かく / kaku``) is one word. Romaji may stand for several kana spellings.
    """
    inner = _IN_QUOTES.fullmatch(piece.strip())
    piece = without_politeness(bare(inner[1] if inner else piece))
    if is_kana(piece):
        return (normalise(piece),)
    side = re.fullmatch(rf"([{KANA}]+)\s*[/,、-]?\s*([a-zāīūēōâîûêô'’-]+)", piece, re.IGNORECASE)
    if side:
        return (normalise(side[1]),) if normalise(side[1]) in romaji(side[2]) else ()
    noted = re.fullmatch(r"([^()]+?)\s*\(\s*([^()]+?)\s*\)", piece)
    if not noted:
        return romaji(piece)
    head, note = bare(noted[1]), bare(noted[2])
    spelled = romaji(note)
    if is_kana(head):
        # a gloss in another script confirms; another reading in the brackets would be a second answer
        second = is_kana(note) or (spelled and normalise(head) not in spelled)
        return () if second else (normalise(head),)
    if is_kana(note) and re.fullmatch(rf"[{KANJI}{KANA}]+", head):
        return (normalise(note),)
    return romaji(head) if is_kana(note) and normalise(note) in romaji(head) else ()


_ENGLISH_WORDS = """a an the in on no to so me he we i o are as do go at is it yes none here there same made note hate
answer reading kanji word hiragana you your rhyme option"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())


def romaji(piece: str) -> tuple[str, ...]:
    """Kana of a single romaji word that is no common English word."""
    piece = piece.strip(" .,!?\"'")
    if not piece or " " in piece or piece.lower() in _ENGLISH:
        return ()
    return from_romaji(piece)


def agree(candidates: list[tuple[str, ...]]) -> Parsed[tuple[str, ...]]:
    """One answer of several mentions: all must be able to mean the same kana."""
    candidates = [candidate for candidate in candidates if candidate]
    if not candidates:
        return Parsed(None, "no_answer")
    common = [kana for kana in candidates[0] if all(kana in other for other in candidates[1:])]
    return Parsed(tuple(common)) if common else Parsed(None, "several")
