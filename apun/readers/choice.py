"""Which option a reply chooses: by its label, its place (第二个, the second) or its own text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from apun.phonetics.japanese import is_kana, normalise
from apun.phonetics.mandarin import is_han
from apun.readers import rules, text
from apun.readers.denials import dismissed
from apun.readers.one import Parsed, one, only

LETTERS = "ABCD"
STEMS = "甲乙丙丁"
"""Spoken labels: they have a pinyin, so that a voice can be told how to say them."""
_ORDINALS = (("1", "一", "first"), ("2", "二", "second"), ("3", "三", "third"), ("4", "四", "fourth"))
_ORDINAL = re.compile(
    r"(?:第|the\s+)?("
    + "|".join(name for names in _ORDINALS for name in names)
    + r")(?:[个個番]?[词目]?|\s+(?:word|one|option))?",
    re.IGNORECASE,
)
# A capital A before a word is an article, unless the word speaks of an option; 选项A的声母 speaks about A.
_LABEL = re.compile(
    r"(?<![A-Za-zÀ-ɏ'’])(?:[B-D]|A(?!\s+(?!(?:is|because|as|since|fits|seems|would|makes|works|and|or|but)\b)[A-Za-z]{2}))"
    r"(?![A-Za-zÀ-ɏ'’]|\s?[的の])"
    r"|(?<![\u4e00-\u9fff])[甲乙丙丁](?![\u4e00-\u9fff])|(?<=选)[甲乙丙丁](?![\u4e00-\u9fff])"
)
_LISTED = re.compile(r"[^\w\n]{0,4}(?:([A-Da-d])|([甲乙丙丁]))[).:、,\s]")
_LEADING = re.compile(r"(?:([A-Da-d])(?![A-Za-zÀ-ɏ'’])|([甲乙丙丁]))[\s.、:,)\]*_\"”」】-]*")
_KANA = re.compile(r"[ぁ-ゖァ-ヺ]")
_POLITE = re.compile(r"(?:です|になります|だと思います)$")


def choice(reply: str, *spellings: Sequence[str], labelled: bool = True) -> Parsed[int]:
    """The option a reply chooses.

    Labels are capitals that stand alone (or a small letter that is all there is), and 甲乙丙丁; the option's place and
    its text do as well. A label beside another option's text, and the options said over again, are no choice.

    Args:
        reply: what the model wrote.
        spellings: the options in the order shown, in one or more spellings (as written, in kana).
        labelled: whether the options were shown with letters.
    """
    options = _options(tuple(map(tuple, spellings)), labelled)
    answer = text.clean(reply, "choice").text
    left = options.without_list(answer)
    if answer and not left:
        return Parsed(None, "several")
    ends = (text.concluded, text.last_line, text.first_sentence)
    return only(
        one(left, options.alone, options.named, ends=ends, closing=lambda p: options.alone(p) or options.named(p))
    )


@lru_cache(maxsize=256)
def _options(spellings: tuple[tuple[str, ...], ...], labelled: bool) -> _Options:
    return _Options(spellings, labelled)


class _Options:
    """What a piece of text says of the options."""

    def __init__(self, spellings: Sequence[Sequence[str]], labelled: bool) -> None:
        self._labelled = labelled
        self._place = {normalise(said): place for options in spellings for place, said in enumerate(options)}
        self._size = max(map(len, spellings))
        # kana alone may be part of any word; what holds other letters is found inside a sentence too
        written = {said.casefold(): place for options in spellings for place, said in enumerate(options)}
        self._written = {said: place for said, place in written.items() if said and not is_kana(said)}
        longest_first = sorted(self._written, key=len, reverse=True)
        self._text = re.compile(
            "|".join(rf"(?<![a-z0-9]){re.escape(said)}(?![a-z0-9])" for said in longest_first) or "$^"
        )

    def without_list(self, answer: str) -> str:
        """The answer without the options said over again, a line each with its label."""
        found = [(line, _LISTED.match(line) if self._labelled else None) for line in answer.split("\n")]
        again = {_label(listed) for _, listed in found if listed}
        return answer if len(again) < 3 else "\n".join(line for line, listed in found if not listed).strip()

    def alone(self, piece: str) -> list[tuple[int]]:
        """``B``, ``(b)``, ``B. 提升``, ``选项B``, ``第二个``, ``B，因为…`` or an option's text, standing alone."""
        bare = _POLITE.sub("", text.bare(piece))
        bare = text.bare(rules.pattern(r"\A{option}\s*").sub("", bare))
        place = self._place.get(normalise(bare))
        if place is None and self._labelled:
            place = self._by_label(bare)
        return [] if place is None else [(place,)]

    def _by_label(self, bare: str) -> int | None:
        ordinal = _ORDINAL.fullmatch(bare)
        if ordinal:
            return next(place for place, names in enumerate(_ORDINALS) if ordinal[1].lower() in names)
        leading = _LEADING.match(bare)
        if not leading or _label(leading) >= self._size:
            return None
        rest = text.bare(bare[leading.end() :])
        own = self._place.get(normalise(rest)) == _label(leading)
        reason = leading[0][0].isupper() and rules.pattern("{reason}").match(rest)
        return _label(leading) if not rest or own or reason else None

    def named(self, piece: str) -> list[tuple[int]]:
        """Every option a sentence names, by label or text, without those it denies or only speaks about."""
        found = {place for quote in text.quoted(piece) for (place,) in self.alone(quote)}
        if self._labelled:
            labels = [mention for mention in _LABEL.finditer(piece) if not dismissed(piece, *mention.span())]
            found |= {place for label in labels if (place := (LETTERS + STEMS).index(label[0]) % 4) < self._size}
        folded = piece.casefold()
        apart = _KANA.search(piece) is not None  # kana set words off from each other; Chinese characters run on
        for mention in self._text.finditer(folded):
            around = folded[max(0, mention.start() - 1) : mention.start()] + folded[mention.end() : mention.end() + 1]
            inside = apart and any(map(is_han, around))
            if (
                not inside
                and folded[mention.end() : mention.end() + 1] not in ("的", "の")
                and not dismissed(piece, *mention.span())
            ):
                found.add(self._written[mention[0]])
        return [(place,) for place in sorted(found)]


def _label(leading: re.Match[str]) -> int:
    return LETTERS.index(leading[1].upper()) if leading[1] else STEMS.index(leading[2])
