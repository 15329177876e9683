"""A reply made ready for reading, and the places in it where an answer may stand."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

from apun.readers import denials, objects, rules, thinking

LONGEST = 10_000  # of a longer reply the end is read: the answer comes last
QUOTES = "\"'“”‘’「」『』《》〈〉【】"
EDGES = QUOTES + " \t\r\n\u3000。．.,，、!！?？:：;；[]()（）<>*_`~#-→=＝・…/$|"
_NEAR, _FEW = 400, 8  # characters after "the answer is" that are read; how many of them, from the end
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_SPACES = re.compile(r"[ \t\u3000\xa0]{2,}")
_FENCE = re.compile(r"```[a-zA-Z]*\n?")
_ANSWER = re.compile(r"<(/?)(?:answer|response)>", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{\s*(?:\\(?:text|mathrm|textbf)\{)?([^{}]{0,400})\}{1,2}")
_QUOTED = re.compile(
    r"「([^「」\n]{1,60})」|『([^『』\n]{1,60})』|《([^《》\n]{1,60})》|\*{1,3}([^*\n]{1,60}?)\*{1,3}|【([^【】\n]{1,60})】"
    r"|[\"“”«»]([^\"“”«»\n]{1,60})[\"“”«»]|(?<!\w)['‘]([^'‘’\n]{1,60})['’](?!\w)|`([^`\n]{1,60})`|<([^<>\n]{1,60})>"
)
_SENTENCE_END = re.compile(r"[。\n!！]|(?<!\b\w)[.;]\s")
_ITEM = re.compile(r"^(?:\(?\d{1,2}[.)、](?!\d)|[•・]|(?:[-*]|#{1,4})(?=\s))\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """An answer ready for reading.

    Attributes:
        text: its text; the value of the field where it is a JSON object, a line an entry where that is a list.
        key: name of the JSON field it came from; empty otherwise.
        entries: the entries where the answer is a list in JSON; None otherwise.
    """

    text: str
    key: str = ""
    entries: tuple[str, ...] | None = None


def clean(reply: str, kind: str = "", *, fold: bool = True) -> Cleaned:
    """The answer of a reply: without thinking, fences and JSON around it, of plain width, and no longer than needed.

    Args:
        reply: what a model wrote.
        kind: which of the ``keys`` of the rules may hold the answer beside ``answer``.
        fold: whether full-width marks and letters become plain ones; not for verse, whose commas stay its own.
    """
    text = prose(reply, fold=fold)
    found = objects.objects(text) if "{" in text or "｛" in text else []
    if found:
        key, value = objects.named(found, kind)
        entries = _entries(value)
        return Cleaned(objects.as_text(value) if entries is None else "\n".join(entries), key, entries)
    listed = objects.array(text) if "[" in text or "［" in text else None
    return Cleaned("\n".join(listed), "", tuple(listed)) if listed else Cleaned(text)


def prose(reply: str, *, fold: bool = True) -> str:
    """``clean`` without looking into JSON."""
    text = thinking.answer_of(reply).replace("\r\n", "\n").replace("\r", "\n")
    text = rules.pattern(r"\n\s{0,4}{next_question}\s{0,4}\d{0,3}\s?[:：]").split(text, maxsplit=1)[0][-LONGEST:]
    text = _SPACES.sub(" ", text if text.isascii() else _composed(text, "NFKC" if fold else "NFC"))
    text = _FENCE.sub("", _section(text) if "<" in text else text)
    text = _BOXED.sub(lambda box: f"\nAnswer: {box[1]}\n", text).strip()
    return rules.pattern(r"\A{filler}[,!.。!、]?\s*\n").sub("", text).strip()


def _composed(text: str, form: Literal["NFC", "NFKC"]) -> str:
    """Composed kana, nothing invisible, and the apostrophes inside words plain ones."""
    text = _INVISIBLE.sub("", text.replace("゛", "\u3099").replace("゜", "\u309a"))
    return re.sub(r"(?<=\w)[’ʼ](?=\w)", "'", unicodedata.normalize(form, text))


def _section(text: str) -> str:
    """The last ``<answer>`` block, else the text."""
    tags = list(_ANSWER.finditer(text))
    opened = [tag.end() for tag in tags if not tag[1]]
    if not opened:
        return text
    return text[opened[-1] : next((tag.start() for tag in tags if tag[1] and tag.start() >= opened[-1]), None)]


def _entries(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, list) and value and all(isinstance(entry, str) for entry in value):
        return tuple(entry.strip() for entry in value)
    return None


def bare(text: str) -> str:
    """A piece of text without quotes, emphasis, punctuation and brackets at its ends; brackets inside stay in pairs."""
    text = text.strip(EDGES)
    return f"{text})" if text.count("(") > text.count(")") else text


def lines(text: str) -> list[str]:
    """The lines that say something, without list marks; none that only leads up to the next (``Here it is:``)."""
    found = [_ITEM.sub("", line.strip()) for line in text.split("\n")]
    found = [line for line in found if line]
    return [line for line in found[:-1] if not line.endswith((":", "："))] + found[-1:]


def last_line(text: str) -> str:
    """The last line that says something."""
    return next(iter(lines(text)[-1:]), "")


def first_line(text: str) -> str:
    """The first line that says something."""
    return next(iter(lines(text)), "")


def first_sentence(text: str) -> str:
    """The first line up to its full stop."""
    return _SENTENCE_END.split(first_line(text), maxsplit=1)[0].strip()


def concluded(text: str) -> str:
    """What follows the last "therefore", to the end of its line; empty when there is none."""
    pieces = rules.pattern(r"{conclude}[、,\s]*").split(text)
    return pieces[-1].split("\n", 1)[0].strip() if len(pieces) > 1 else ""


def announced(text: str, label: str = "") -> list[str]:
    """What follows each of the last few "the answer is", to the end of its line, last first.

    What is denied or supposed there ("I don't think the answer is …") is left out.

    Args:
        text: the text.
        label: a table of further words that announce what was asked, such as ``pun_word``.
    """
    names = "{announce}" + (f"|{{{label}}}" if label else "")
    sign = r"[:：=→]\s*"
    said = rf"(?:{names})[*_\"”」』]{{0,3}}\s*(?:{{copula}}\s*(?:{sign})?|{sign})"
    marks = rules.pattern(rf"(?:{said}|{{choose}}\s*(?:{sign})?)(?:{{option}}\s*)?")
    found = [mark for mark in marks.finditer(text) if not denials.denied_before(text, mark.start())][-_FEW:]
    rests = [text[mark.end() : mark.end() + _NEAR].strip().split("\n", 1)[0].strip() for mark in reversed(found)]
    return [rest for rest in rests if rest]


def quoted(text: str) -> list[str]:
    """What stands in quotes, brackets or emphasis, in order, without what the reply says it is not."""
    found = []
    for match in _QUOTED.finditer(text):
        if not denials.dismissed(text, match.start(), match.end()):
            found.append(bare(next(group for group in match.groups() if group is not None)))
    return [piece for piece in found if piece]
