"""Reading replies: what a model said, or None when that cannot be told. Never a guess.

Models add quotes, asterisks, a sentence around the word, or a line of reasoning before it. Each reader
accepts what has one reading only.
"""

from __future__ import annotations

import re
from typing import Literal

Verdict = Literal["pun", "non-pun"]

_LONGEST = 4_000  # a reply that rambles beyond this is cut at the front: the answer comes last
_MARK = re.compile(
    r"(?:final answer|answer|output|the (?:(?:pun(?:ning)?|hidden|other|intended|alternative|alternate|key) )?word)"
    r"\s*(?:is|:|=)+\s*",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"[\"“”«»]([^\"“”«»\n]{1,60})[\"“”«»]|\*\*([^*\n]{1,60})\*\*|(?<!\w)['‘]([^'‘’\n]{1,60})['’](?!\w)"
)
_NOT_PUN = re.compile(
    r"\bnon[\s\-‑–]*puns?\b|\bno\s+(?:\w+\s+){0,3}?puns?\b"
    r"|\b(?:not(?!\s+(?:only|just|merely|simply))|\w*n['’]t|never|neither|without|lacks?|absence of)\b"
    r"(?:(?!\bbut\b|,\s*(?:it|this|that|there|so|and|yet)\b)[^.!?\n;]){0,60}?\bpuns?\b",
    re.IGNORECASE,
)
_NOT_NON_PUN = re.compile(r"\b(?:not|\w*n['’]t)\s+(?:an?\s+)?non[\s\-‑–]*puns?\b", re.IGNORECASE)
_PUN = re.compile(r"\bpuns?\b", re.IGNORECASE)
_WEAK = re.compile(r"^\W*(yes|no|true|false|correct|incorrect)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:(]|\.\s|\s[-–—]\s|\s(?:which|because|as|since|and)\s")
_BOTH = re.compile(r"\W*(?:yes|true|correct)\b\W*(?:or|and)?\W*\b(?:no|false|incorrect)\b", re.IGNORECASE)
_NONE = {"none", "n/a", "no word", "no pun", "-", "unknown"}
# A refusal or a denial of three words would otherwise be taken for a phrase, and located where it sounds alike.
_NO_WORD = re.compile(
    r"(?:not|isn['’]t|never|sorry|unsure|unable|no idea)\b.|i\s*(?:['’]m|am|do|don['’]t|can|can['’]t|cannot)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"(?:```\w*)?\s*\{\s*\"[^\"]{1,30}\"\s*:\s*\"([^\"]*)\"\s*\}\s*(?:```)?")


def _plain(text: str) -> str:
    return text[-_LONGEST:].replace("*", "").replace("`", "").strip()


def _after_mark(text: str) -> str | None:
    """What follows the last "Answer:" or its like, to the end of its line."""
    found = list(_MARK.finditer(text))
    if not found:
        return None
    rest = text[found[-1].end() :].strip()
    return rest.splitlines()[0].strip() if rest else None


def verdict(text: str, asked: Verdict) -> Verdict | None:
    """Whether the reply calls the clip a pun.

    A statement ("this is not a pun") outranks a bare yes or no, which is relative to what was asked.

    Args:
        text: the reply.
        asked: the polarity of the question ("is this a pun" or "is this a non-pun").

    Returns:
        The verdict; None when the reply says both or neither.
    """
    text = _plain(text)
    final = _after_mark(text)
    for part in (final, text.splitlines()[0] if text else None, text):
        if part and (found := _verdict(part, asked)):
            return found
    return None


def _verdict(text: str, asked: Verdict) -> Verdict | None:
    rest, denials = _NOT_PUN.subn(" ", _NOT_NON_PUN.sub(" pun ", text))
    claims = len(_PUN.findall(rest))
    if denials and not claims:
        return "non-pun"
    if claims and not denials and not _WEAK.match(text):
        return "pun"
    weak = _WEAK.match(text)
    if not weak or (denials and claims) or _BOTH.match(text):
        return None
    agrees = weak.group(1).lower() in ("yes", "true", "correct")
    if claims and not denials:
        # "Yes, a pun" agrees with "a pun?", and "No, a pun" denies "a non-pun?"; crossed, they contradict themselves
        return "pun" if agrees == (asked == "pun") else None
    return asked if agrees else ("non-pun" if asked == "pun" else "pun")


def word(text: str) -> str | None:
    """The one word or short phrase a reply names; None when there is none, or more than one.

    Accepted: a reply of at most three words; what follows "Answer:" or "the pun word is", up to the end of
    the clause; the only quoted or bold word of a longer reply; a last line of at most three words.
    """
    cut = text[-_LONGEST:].strip()
    if named := _OBJECT.fullmatch(cut):
        cut = named.group(1)
    marked = _after_mark(cut.replace("*", "").replace("`", ""))
    if marked:
        found = _quoted(marked) or _short(_CLAUSE.split(marked)[0])
        if found:
            return _real(found)
    if short := _short(_plain(cut)):
        return _real(short)
    if quoted := _quoted(cut):
        return _real(quoted)
    lines = [line for line in _plain(cut).splitlines() if line.strip()]
    if len(lines) > 1 and (last := _short(lines[-1])):
        return _real(last)
    return None


def _quoted(text: str) -> str | None:
    found = {
        next(g for g in match.groups() if g).strip(" .,;:!?").casefold(): match for match in _QUOTED.finditer(text)
    }
    found.pop("", None)
    if len(found) != 1:
        return None
    name = next(iter(found))
    return name if len(name.split()) <= 3 else None


def _short(text: str) -> str | None:
    bare = text.strip().strip("\"'“”‘’«».,;:!?()[]<>*`- \n")
    return bare if bare and len(bare.split()) <= 3 and not re.search(r"[\n,;:/()=|{}<>]", bare) else None


def _real(found: str) -> str | None:
    return None if found.casefold() in _NONE or _NO_WORD.match(found) else found


def meanings(text: str) -> tuple[str, str] | None:
    """The two meanings a reply gives; None unless there are exactly two.

    Accepted: ``first AND second``; two numbered, bulleted or bare lines; two parts around one ``;`` or
    ``/`` or one "and" of any case.
    """
    text = _plain(text)
    marked = list(re.finditer(r"\banswer\s*:\s*", text, re.IGNORECASE))
    if marked and text[marked[-1].end() :].strip():
        text = text[marked[-1].end() :].strip()
    for parts in (_around_and(text), _listed(text), _split(text, r";|\s/\s"), _split(text, r"\s+and\s+|\s+&\s+")):
        cleaned = [_phrase(part) for part in parts]
        if len(cleaned) == 2 and all(cleaned):
            return cleaned[0], cleaned[1]
    return None


def _around_and(text: str) -> list[str]:
    """Parts around a capital AND; only its own line counts, so an introduction does not spoil it."""
    lines = [line for line in text.splitlines() if re.search(r"\bAND\b", line)]
    return re.split(r"\bAND\b", lines[-1]) if lines else re.split(r"\n\s*AND\s*\n", text)


def _listed(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked = [m.group(1) for line in lines if (m := re.match(r"(?:\(?[12ab][.):]|[-•])\s*(.+)", line, re.IGNORECASE))]
    if len(marked) == 2:
        return marked
    inline = re.fullmatch(r"(?s).*?\b1[.):]\s*(.+?)[\s;,]+2[.):]\s*(.+)", text)
    return list(inline.groups()) if inline else lines


def _split(text: str, pattern: str) -> list[str]:
    return re.split(pattern, text, flags=re.IGNORECASE) if "\n" not in text else []


def _phrase(text: str) -> str:
    return re.sub(r"^(?:(?:first|second|surface|other) meaning)\s*:\s*", "", text.strip(" \n\t.;,\"'“”-•"), flags=re.I)


def chain(text: str) -> dict[str, str] | None:
    """The chained form's lines by name (``pun``, ``word``, ``meaning``); None without the first."""
    found = {
        match.group(1).lower(): match.group(2).strip()
        for match in re.finditer(r"(?im)^\W*(pun|word|kind|meaning)\W*:\s*(.*)$", _plain(text))
    }
    return found if "pun" in found else None


def words_of(text: str) -> list[str]:
    """The words of a reply."""
    return re.findall(r"[^\W_]+(?:['’\-][^\W_]+)*", text)
